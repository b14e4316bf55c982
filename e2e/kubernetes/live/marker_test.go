// SPDX-License-Identifier: Apache-2.0

package live_test

import (
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// marker is the name of a policy that is written last, and of a ConfigMap that it is about:
// when it holds, all hold that were written before.
const marker = "marker"

// markers are a policy and its binding of the version and kind of others, which refuse or
// label a ConfigMap.
func markers(kind string, apiVersion string) []*unstructured.Unstructured {
	spec := map[string]any{
		"failurePolicy": "Fail",
		"matchConstraints": map[string]any{"resourceRules": []any{map[string]any{
			"apiGroups": []any{""}, "apiVersions": []any{"v1"}, "operations": []any{"CREATE"}, "resources": []any{"configmaps"}, "resourceNames": []any{marker},
		}}},
	}
	binding := map[string]any{"policyName": marker}
	if kind == "MutatingAdmissionPolicy" {
		spec["reinvocationPolicy"] = "Never"
		spec["mutations"] = []any{map[string]any{"patchType": "JSONPatch", "jsonPatch": map[string]any{
			"expression": "[JSONPatch{op: 'add', path: '/data', value: {'held': 'yes'}}]",
		}}}
	} else {
		spec["validations"] = []any{map[string]any{"expression": "false"}}
		binding["validationActions"] = []any{"Deny"}
	}
	object := func(kind string, spec map[string]any) *unstructured.Unstructured {
		return &unstructured.Unstructured{Object: map[string]any{
			"apiVersion": apiVersion, "kind": kind, "metadata": map[string]any{"name": marker}, "spec": spec,
		}}
	}
	return []*unstructured.Unstructured{object(kind, spec), object(kind+"Binding", binding)}
}

// await returns when the marker holds.
func (p *policies) await(t *testing.T) {
	t.Helper()
	o := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "v1", "kind": "ConfigMap", "metadata": map[string]any{"name": marker, "namespace": metav1.NamespaceDefault},
	}}
	resources, err := p.admin.Of(o)
	if err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(100 * time.Millisecond) {
		got, err := resources.Create(t.Context(), o, metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}})
		if err != nil && strings.Contains(err.Error(), "denied request") {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		if held, _, _ := unstructured.NestedString(got.Object, "data", "held"); held != "" {
			return
		}
	}
	t.Fatal("the policies did not come to hold")
}
