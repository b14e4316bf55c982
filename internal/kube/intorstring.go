// SPDX-License-Identifier: Apache-2.0

package kube

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/apimachinery/pkg/util/validation"

	"kilter.dev/kilter/internal/manifest"
)

// intOrString looks at n, an IntOrString: how many of the pods where the field is one of
// amounts, else the number or the name of a port. The API server reads every string, and its
// validation refuses those that are neither a percentage nor a name (ValidatePositiveIntOrPercent
// in k8s.io/kubernetes/pkg/apis/apps/validation, IsValidPortName in k8s.io/apimachinery).
func (w *walker) intOrString(n *manifest.Node, field string) {
	const share, port = "an integer, or a percentage such as 25%", "the number or the name of a port"
	ofPods, least := slices.Contains(amountFields, field), int64(1)
	if field == "targetPort" {
		least = 0 // of a Service: 0 and "" are the port itself
	}
	switch {
	case n.Shape != manifest.String && ofPods:
		w.integer(n, field, 0, math.MaxInt32, share)
	case n.Shape != manifest.String:
		w.integer(n, field, least, math.MaxUint16, port)
	case ofPods:
		if err := amount(w.object.Kind, field, intstr.FromString(n.Text())); err != nil {
			d := w.wrong(n, share)
			if d.Hint = unquoted(n); d.Hint == "" && strings.HasSuffix(n.Text(), "%") {
				d.Hint = err.Error()
			}
		}
	case n.Text() != "" || least > 0:
		if errs := validation.IsValidPortName(n.Text()); len(errs) > 0 {
			w.wrong(n, port).Hint = cmp.Or(unquoted(n), "a name "+strings.Join(errs, ", and "))
		}
	}
}

// unquoted is the hint at a number that stands in quotes; "" for other text.
func unquoted(n *manifest.Node) string {
	if i, err := strconv.ParseUint(n.Text(), 10, 31); err == nil && strconv.FormatUint(i, 10) == n.Text() {
		return fmt.Sprintf("write %s, without quotes", n.Text())
	}
	return ""
}

// amountFields are the fields that say how many of the pods.
var amountFields = []string{"maxSurge", "maxUnavailable", "minAvailable"}

// amount returns what the API server has against how many pods a field of a kind asks for.
// Only a Deployment may have more than twice its pods during a rollout.
func amount(kind, field string, v intstr.IntOrString) error {
	if v.Type == intstr.Int {
		if v.IntVal < 0 {
			return fmt.Errorf("%s is negative", field)
		}
		return nil
	}
	percent, err := strconv.ParseUint(strings.TrimSuffix(v.StrVal, "%"), 10, 31)
	if err != nil || !strings.HasSuffix(v.StrVal, "%") {
		return fmt.Errorf("%q is no percentage", v.StrVal)
	}
	if percent > 100 && (kind != "Deployment" || field != "maxSurge") {
		return fmt.Errorf("%s cannot be more than 100%%", field)
	}
	return nil
}

// amounts returns the error of the first number of pods that the API server refuses.
func amounts(kind string, typed runtime.Object) error {
	fields := map[string]*intstr.IntOrString{}
	switch o := typed.(type) {
	case *appsv1.Deployment:
		if r := o.Spec.Strategy.RollingUpdate; r != nil {
			fields["maxSurge"], fields["maxUnavailable"] = r.MaxSurge, r.MaxUnavailable
		}
	case *appsv1.DaemonSet:
		if r := o.Spec.UpdateStrategy.RollingUpdate; r != nil {
			fields["maxSurge"], fields["maxUnavailable"] = r.MaxSurge, r.MaxUnavailable
		}
	case *appsv1.StatefulSet:
		if r := o.Spec.UpdateStrategy.RollingUpdate; r != nil {
			fields["maxUnavailable"] = r.MaxUnavailable
		}
	case *policyv1.PodDisruptionBudget:
		fields["minAvailable"], fields["maxUnavailable"] = o.Spec.MinAvailable, o.Spec.MaxUnavailable
	}
	for _, name := range amountFields {
		if v := fields[name]; v != nil {
			if err := amount(kind, name, *v); err != nil {
				return err
			}
		}
	}
	return nil
}
