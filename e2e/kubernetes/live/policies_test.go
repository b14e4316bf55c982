// SPDX-License-Identifier: Apache-2.0

package live_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"kilter.dev/kilter/e2e/kubernetes/cluster"
	"kilter.dev/kilter/generators/policy"
	"kilter.dev/kilter/internal/admission"
	"kilter.dev/kilter/internal/diag"
	"kilter.dev/kilter/internal/fix/fixtest"
	"kilter.dev/kilter/internal/manifest"
)

// versions are those that policies are tried on: the oldest that has mutating ones, as beta,
// and the newest.
var versions = []string{"1.37", "1.34"}

var severities = []diag.Severity{diag.Error, diag.Warning, diag.Info}

// TestPolicies: of every object of the fixtures, created and updated, the API server says what
// kilter check says, and what kilter policy test says with the evaluator that it is built with.
func TestPolicies(t *testing.T) {
	for _, version := range versions {
		t.Run(version, func(t *testing.T) {
			all, c := loadRules(t), start(t, version)
			found := examples(t, all, version)
			p := install(t, c, policy.Validating(all, policy.Options{KubeVersion: version, Actions: map[diag.Severity]string{
				diag.Error: "Deny", diag.Warning: "Deny", diag.Info: "Deny",
			}}))
			define(t, p.setup, found)
			denied, invalid := map[string]int{}, 0
			for _, e := range found {
				for _, severity := range severities {
					name := policy.Name(e.rule, severity)
					if p.compiled[name] == nil {
						continue
					}
					object := complete(t, e.object, name)
					want := fixtest.Said(all, object, e.options, severity)
					said := p.judge(t, name, native(object.Node))
					if said.invalid != "" {
						invalid++
						t.Logf("%s, %s is not valid: %s", name, object.ID(), said.invalid)
						if want != "" {
							denied[name]++ // by the API server itself
						}
						continue
					}
					for when, got := range map[string]string{"created": said.created, "updated": said.updated, "in policy test": p.compiled[name].Validate(admission.Request{Object: object}).Message} {
						if diff := cmp.Diff(words(want), words(got)); diff != "" {
							t.Errorf("%s, %s, %s (-check +policy):\n%s", name, object.ID(), when, diff)
						}
					}
					if said.created != "" {
						denied[name]++
					}
				}
			}
			for name := range p.compiled {
				if denied[name] == 0 {
					t.Errorf("%s denies nothing", name)
				}
			}
			t.Logf("%d objects, %d not valid", len(found), invalid)
			p.wellTyped(t)
		})
	}
}

// words are those of a text, sorted: the API server's maps have no order.
func words(text string) []string {
	all := strings.FieldsFunc(text, func(r rune) bool { return r == ' ' || r == ',' || r == ';' || r == ':' })
	slices.Sort(all)
	return all
}

// policies are those of a cluster, each in a namespace with its name, where they hold for all
// users but Setup.
type policies struct {
	setup, admin *cluster.Client
	objects      []*unstructured.Unstructured // without their bindings
	compiled     map[string]*admission.Policy
}

// install writes policies to a cluster and returns when they hold.
func install(t *testing.T, c *cluster.Cluster, nodes []*manifest.Node) *policies {
	t.Helper()
	p := &policies{setup: client(t, c, cluster.Setup), admin: client(t, c, cluster.Admin), compiled: map[string]*admission.Policy{}}
	objects, errs := manifest.Objects(nodes)
	if errs.Err() != nil {
		t.Fatal(errs.Err())
	}
	last := markers(objects[0].Kind, objects[0].APIVersion)
	for _, o := range objects {
		value := native(o.Node)
		if strings.HasSuffix(o.Kind, "Binding") {
			narrow(t, value)
		} else {
			compiled, err := admission.Compile(o, c.Version)
			if err != nil {
				t.Fatal(err)
			}
			p.compiled[o.Name] = compiled
			p.objects = append(p.objects, value)
			sparing(t, value)
			p.create(t, &unstructured.Unstructured{Object: map[string]any{
				"apiVersion": "v1", "kind": "Namespace", "metadata": map[string]any{"name": o.Name},
			}})
		}
		p.create(t, value)
	}
	for _, o := range last {
		p.create(t, o)
	}
	p.await(t)
	return p
}

func (p *policies) create(t *testing.T, o *unstructured.Unstructured) {
	t.Helper()
	resources, err := p.setup.Of(o)
	if err != nil {
		t.Fatal(err)
	}
	ctx, warnings := cluster.Warnings(t.Context())
	created, err := resources.Create(ctx, o, metav1.CreateOptions{FieldValidation: metav1.FieldValidationStrict})
	if apierrors.IsAlreadyExists(err) {
		return
	}
	if err != nil || len(warnings()) > 0 {
		t.Fatalf("%s: %v, %v", o.GetName(), err, warnings())
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		if err := resources.Delete(ctx, created.GetName(), metav1.DeleteOptions{}); err != nil {
			t.Error(err)
		}
	})
}

// narrow lets a binding hold in the namespace with the name of its policy.
func narrow(t *testing.T, binding *unstructured.Unstructured) {
	t.Helper()
	name, _, err := unstructured.NestedString(binding.Object, "spec", "policyName")
	if err != nil {
		t.Fatal(err)
	}
	if err := unstructured.SetNestedMap(binding.Object, map[string]any{
		"matchLabels": map[string]any{"kubernetes.io/metadata.name": name},
	}, "spec", "matchResources", "namespaceSelector"); err != nil {
		t.Fatal(err)
	}
}

// sparing lets a policy not hold for the user Setup.
func sparing(t *testing.T, o *unstructured.Unstructured) {
	t.Helper()
	conditions, _, err := unstructured.NestedSlice(o.Object, "spec", "matchConditions")
	if err != nil {
		t.Fatal(err)
	}
	conditions = append(conditions, map[string]any{"name": "not-setup", "expression": "request.userInfo.username != '" + cluster.Setup + "'"})
	if err := unstructured.SetNestedSlice(o.Object, conditions, "spec", "matchConditions"); err != nil {
		t.Fatal(err)
	}
}

// said is what the API server says of an object: why it is no valid one, or what a policy
// says of it when it is created and when it is updated.
type said struct{ invalid, created, updated string }

// judge tries an object in the namespace of a policy, and leaves nothing there.
func (p *policies) judge(t *testing.T, name string, o *unstructured.Unstructured) (s said) {
	t.Helper()
	asSetup, err := p.setup.Of(o)
	if err != nil {
		t.Fatal(err)
	}
	asAdmin, err := p.admin.Of(o)
	if err != nil {
		t.Fatal(err)
	}
	created, err := asSetup.Create(t.Context(), o, metav1.CreateOptions{})
	if err != nil {
		return said{invalid: err.Error()}
	}
	_, err = asAdmin.Update(t.Context(), created, metav1.UpdateOptions{DryRun: []string{metav1.DryRunAll}})
	s.updated = denial(t, name, err)
	now, background := int64(0), metav1.DeletePropagationBackground
	if err := asSetup.Delete(t.Context(), o.GetName(), metav1.DeleteOptions{GracePeriodSeconds: &now, PropagationPolicy: &background}); err != nil {
		t.Fatal(err)
	}
	_, err = asAdmin.Create(t.Context(), o, metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}})
	s.created = denial(t, name, err)
	return s
}

// denial is what a policy says in the error of a request. Any other error is none that the
// request should have.
func denial(t *testing.T, name string, err error) string {
	t.Helper()
	if err == nil {
		return ""
	}
	_, message, found := strings.Cut(err.Error(), "ValidatingAdmissionPolicy '"+name+"' with binding '"+name+"' denied request: ")
	if !found || !apierrors.IsInvalid(err) {
		t.Errorf("%s: %v", name, err)
	}
	return message
}

// wellTyped checks that the API server finds all policies well-typed.
func (p *policies) wellTyped(t *testing.T) {
	t.Helper()
	for _, o := range p.objects {
		resources, err := p.setup.Of(o)
		if err != nil {
			t.Fatal(err)
		}
		for deadline := time.Now().Add(time.Minute); ; time.Sleep(100 * time.Millisecond) {
			got, err := resources.Get(t.Context(), o.GetName(), metav1.GetOptions{})
			if err != nil {
				t.Fatal(err)
			}
			checked, found, _ := unstructured.NestedMap(got.Object, "status", "typeChecking")
			seen, _, _ := unstructured.NestedInt64(got.Object, "status", "observedGeneration")
			if found && seen == got.GetGeneration() {
				if len(checked) > 0 {
					t.Errorf("%s: %v", o.GetName(), checked)
				}
				break
			}
			if time.Now().After(deadline) {
				t.Errorf("%s: it was not type-checked", o.GetName())
				break
			}
		}
	}
}
