// SPDX-License-Identifier: Apache-2.0

package live_test

import (
	"slices"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"kilter.dev/kilter/e2e/kubernetes/cluster"
	"kilter.dev/kilter/generators/policy"
	"kilter.dev/kilter/internal/fix/fixtest"
	"kilter.dev/kilter/internal/lint"
	"kilter.dev/kilter/internal/manifest"
	"kilter.dev/kilter/rules"
)

// example is an object of a rule's fixture.
type example struct {
	rule    *lint.Rule
	object  *manifest.Object
	options lint.Options
}

// examples are the objects of the fixtures that policies look at, judged for a version.
func examples(t *testing.T, all *lint.Rules, version string) (found []example) {
	t.Helper()
	inputs, err := fixtest.Inputs(rules.FS)
	if err != nil {
		t.Fatal(err)
	}
	for _, in := range inputs {
		rule := all.Find(in.Rule)
		if rule == nil || policy.Why(rule) != "" {
			continue
		}
		in.Options.KubeVersion = version
		in.Options.Only = func(name string) bool { return name == in.Rule }
		docs, _ := manifest.Parse(in.File)
		objects, _ := manifest.Objects(docs)
		for _, o := range objects {
			if slices.Contains(rule.Kinds, lint.Kind{Group: kindOf(o).Group, Kind: o.Kind}) {
				found = append(found, example{rule, o, in.Options})
			}
		}
	}
	return found
}

func kindOf(o *manifest.Object) schema.GroupVersionKind {
	return schema.FromAPIVersionAndKind(o.APIVersion, o.Kind)
}

// define serves the kinds of examples that are not Kubernetes' own.
func define(t *testing.T, client *cluster.Client, all []example) {
	t.Helper()
	known := map[schema.GroupVersionKind]bool{}
	var kinds []schema.GroupVersionKind
	for _, e := range all {
		kind := kindOf(e.object)
		if strings.Contains(strings.TrimSuffix(kind.Group, ".k8s.io"), ".") || strings.HasSuffix(kind.Group, ".x-k8s.io") {
			if !known[kind] {
				kinds = append(kinds, kind)
			}
			known[kind] = true
		}
	}
	if err := client.Define(t.Context(), cluster.Open(kinds)); err != nil {
		t.Fatal(err)
	}
}

// complete returns the object as it can be written to a namespace: fixtures leave out what
// their rule does not look at.
func complete(t *testing.T, o *manifest.Object, namespace string) *manifest.Object {
	t.Helper()
	value := native(o.Node.Clone())
	value.SetNamespace(namespace)
	value.SetResourceVersion("")
	value.SetUID("")
	value.SetCreationTimestamp(metav1.Time{})
	if value.GetName() == "" {
		value.SetName("x")
	}
	completeSpec(value)
	if podsOf[o.Kind] != nil {
		completePod(within(value.Object, podsOf[o.Kind]...), o.Kind)
	}
	node, err := manifest.FromNative(value.Object)
	if err != nil {
		t.Fatal(err)
	}
	objects, errs := manifest.Objects([]*manifest.Node{node})
	if errs.Err() != nil {
		t.Fatal(errs.Err())
	}
	return objects[0]
}

// set sets a field unless it is there.
func set(value map[string]any, field string, to any) {
	if value[field] == nil {
		value[field] = to
	}
}

// within is the map at a path, which is made where it is not there.
func within(value map[string]any, path ...string) map[string]any {
	for _, name := range path {
		set(value, name, map[string]any{})
		next, ok := value[name].(map[string]any)
		if !ok {
			return map[string]any{}
		}
		value = next
	}
	return value
}

// podsOf is where objects of a kind have the spec of pods.
var podsOf = map[string][]string{
	"Pod": {"spec"}, "PodTemplate": {"template", "spec"}, "CronJob": {"spec", "jobTemplate", "spec", "template", "spec"},
	"Job": {"spec", "template", "spec"}, "Deployment": {"spec", "template", "spec"}, "StatefulSet": {"spec", "template", "spec"},
	"DaemonSet": {"spec", "template", "spec"}, "ReplicaSet": {"spec", "template", "spec"},
}

// completePod gives a pod a container, containers a name and an image, and pods of Jobs the
// restartPolicy that they need.
func completePod(spec map[string]any, kind string) {
	if kind == "Job" || kind == "CronJob" {
		set(spec, "restartPolicy", "Never")
	}
	set(spec, "containers", []any{map[string]any{"name": "main"}})
	for _, field := range []string{"containers", "initContainers"} {
		for _, c := range maps(spec[field]) {
			set(c, "image", "registry.example/x:1")
			set(c, "name", "x")
		}
	}
}

// maps are those in a list.
func maps(list any) (all []map[string]any) {
	items, _ := list.([]any)
	for _, item := range items {
		if m, ok := item.(map[string]any); ok {
			all = append(all, m)
		}
	}
	return all
}

// completeSpec gives objects what their kind asks for.
func completeSpec(value *unstructured.Unstructured) {
	spec := within(value.Object, "spec")
	switch value.GetKind() {
	case "Deployment", "StatefulSet", "DaemonSet", "ReplicaSet":
		labels := within(spec, "template", "metadata", "labels")
		if selected, _, _ := unstructured.NestedMap(spec, "selector", "matchLabels"); len(labels) == 0 {
			for name, value := range selected {
				labels[name] = value
			}
		}
		if len(labels) == 0 {
			labels["app"] = "x"
		}
		set(spec, "selector", map[string]any{"matchLabels": labels})
	case "CronJob":
		set(spec, "schedule", "0 0 * * *")
	case "Service":
		set(spec, "ports", []any{map[string]any{"port": int64(80)}})
	case "HorizontalPodAutoscaler":
		set(spec, "maxReplicas", int64(9))
		set(spec, "scaleTargetRef", map[string]any{"apiVersion": "apps/v1", "kind": "Deployment", "name": "x"})
	}
	for _, claim := range maps(spec["volumeClaimTemplates"]) {
		set(within(claim, "spec"), "accessModes", []any{"ReadWriteOnce"})
		set(within(claim, "spec", "resources", "requests"), "storage", "1Gi")
	}
}
