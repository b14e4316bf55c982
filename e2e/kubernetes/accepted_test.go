// SPDX-License-Identifier: Apache-2.0

package kubernetes_test

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
	"k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/registry/rest"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	"k8s.io/kubernetes/pkg/registry/apps/daemonset"
	"k8s.io/kubernetes/pkg/registry/apps/deployment"
	"k8s.io/kubernetes/pkg/registry/apps/replicaset"
	"k8s.io/kubernetes/pkg/registry/apps/statefulset"
	"k8s.io/kubernetes/pkg/registry/autoscaling/horizontalpodautoscaler"
	"k8s.io/kubernetes/pkg/registry/batch/cronjob"
	"k8s.io/kubernetes/pkg/registry/batch/job"
	"k8s.io/kubernetes/pkg/registry/core/persistentvolumeclaim"
	"k8s.io/kubernetes/pkg/registry/core/pod"
	"k8s.io/kubernetes/pkg/registry/core/podtemplate"
	"k8s.io/kubernetes/pkg/registry/core/service"
	"k8s.io/kubernetes/pkg/registry/policy/poddisruptionbudget"
	"sigs.k8s.io/yaml"

	"kilter.dev/kilter/internal/manifest"
	"kilter.dev/kilter/internal/workload"
)

// strategies are what the API server does with objects that are created: it drops fields
// whose feature is off, and refuses what is not valid.
var strategies = map[schema.GroupKind]rest.RESTCreateStrategy{
	{Group: "apps", Kind: "DaemonSet"}:                      daemonset.Strategy,
	{Group: "apps", Kind: "Deployment"}:                     deployment.Strategy,
	{Group: "apps", Kind: "ReplicaSet"}:                     replicaset.Strategy,
	{Group: "apps", Kind: "StatefulSet"}:                    statefulset.Strategy,
	{Group: "autoscaling", Kind: "HorizontalPodAutoscaler"}: horizontalpodautoscaler.Strategy,
	{Group: "batch", Kind: "CronJob"}:                       cronjob.Strategy,
	{Group: "batch", Kind: "Job"}:                           job.Strategy,
	{Group: "policy", Kind: "PodDisruptionBudget"}:          poddisruptionbudget.Strategy,
	{Kind: "PersistentVolumeClaim"}:                         persistentvolumeclaim.Strategy,
	{Kind: "Pod"}:                                           pod.Strategy,
	{Kind: "PodTemplate"}:                                   podtemplate.Strategy,
	{Kind: "Service"}:                                       service.Strategy,
}

// written is an object in a text, as JSON, and what is wrong with the YAML of its document.
type written struct {
	json   string
	faults []string
}

var place = regexp.MustCompile(`line [0-9]+: |\[[0-9]+\]`)

// fault is what is wrong with an object, wherever in a text or list it stands.
func fault(format string, args ...any) string {
	return place.ReplaceAllString(fmt.Sprintf(format, args...), "")
}

// objectsOf reads the objects of a text as kubectl does; those of a List by themselves.
func objectsOf(text string) (all []written) {
	for docs := utilyaml.NewYAMLReader(bufio.NewReader(strings.NewReader(text))); ; {
		doc, err := docs.Read()
		if err != nil {
			return all
		}
		var faults []string
		data, err := yaml.YAMLToJSONStrict(doc)
		if err != nil { // a key that is there twice, or no YAML
			faults = append(faults, fault("%v", err))
			data, _ = yaml.YAMLToJSON(doc)
		}
		var list struct {
			Kind  string
			Items []json.RawMessage
		}
		_ = json.Unmarshal(data, &list)
		switch list.Kind {
		case "":
		case "List":
			for _, item := range list.Items {
				all = append(all, written{string(item), faults})
			}
		default:
			all = append(all, written{string(data), faults})
		}
	}
}

// judge returns why the API server refuses an object, and what it does not know of it. Of a
// custom resource it is what the API server says of the Jobs and pods that are made of it.
// The error says why it cannot be read, so that nothing more is known.
func (w written) judge(t *testing.T) ([]string, error) {
	t.Helper()
	var value map[string]any
	if err := json.Unmarshal([]byte(w.json), &value); err != nil {
		return nil, err
	}
	node, err := manifest.FromNative(value)
	if err != nil {
		return nil, err
	}
	objects, _ := manifest.Objects([]*manifest.Node{node})
	faults := slices.Clone(w.faults)
	for _, o := range objects {
		values := []map[string]any{value}
		if !legacyscheme.Scheme.Recognizes(schema.FromAPIVersionAndKind(o.APIVersion, o.Kind)) {
			if values, err = embedded(o); err != nil {
				return nil, err
			}
		}
		for _, value := range values {
			refused, err := refusals(t, value)
			if err != nil {
				return nil, err
			}
			faults = append(faults, refused...)
		}
	}
	return faults, nil
}

// embedded are the objects of the API that a custom resource holds.
func embedded(o *manifest.Object) ([]map[string]any, error) {
	var values []map[string]any
	views, err := workload.Index([]*manifest.Object{o}, version).Views(o)
	for _, view := range views {
		if len(view.Path) > 0 {
			values = append(values, view.Value)
		}
	}
	return values, err
}

var strict = serializer.NewCodecFactory(legacyscheme.Scheme, serializer.EnableStrict).UniversalDecoder()

// refusals creates an object: see strategies.
func refusals(t *testing.T, value map[string]any) (faults []string, err error) {
	t.Helper()
	data, err := json.Marshal(value)
	if err != nil {
		return nil, err
	}
	o, kind, err := strict.Decode(data, nil, nil)
	if unknown, ok := runtime.AsStrictDecodingError(err); ok {
		for _, err := range unknown.Errors() {
			faults = append(faults, fault("%v", err))
		}
	} else if err != nil {
		return nil, err
	}
	strategy := strategies[kind.GroupKind()]
	if strategy == nil {
		t.Fatalf("%s is changed, and is not among the strategies", kind)
	}
	m, err := meta.Accessor(o)
	if err != nil {
		return nil, err
	}
	rest.FillObjectMetaSystemFields(m)
	m.SetNamespace(cmp.Or(m.GetNamespace(), metav1.NamespaceDefault))
	m.SetName(cmp.Or(m.GetName(), m.GetGenerateName()+"x"))
	ctx := request.WithNamespace(t.Context(), m.GetNamespace())
	ctx = request.WithRequestInfo(ctx, &request.RequestInfo{APIGroup: kind.Group, APIVersion: kind.Version})
	strategy.PrepareForCreate(ctx, o)
	for _, e := range rest.ValidateCreate(ctx, o, strategy) {
		faults = append(faults, fault("%s: %s: %s", e.Field, e.Type, e.Detail))
	}
	return faults, nil
}
