// SPDX-License-Identifier: Apache-2.0

package kubernetes_test

import (
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// filler draws objects of the API, as users may write them.
type filler struct{ *rand.Rand }

// object draws an object of a kind, of the type t.
func (f filler) object(kind schema.GroupVersionKind, t reflect.Type) map[string]any {
	o := f.fields(t, 0)
	o["apiVersion"], o["kind"] = kind.GroupVersion().String(), kind.Kind
	return o
}

// words are texts of fields, by type or else by the name of the field, that defaults depend on.
var words = map[string][]string{
	"DaemonSetUpdateStrategyType":   {"RollingUpdate", "OnDelete", ""},
	"DeploymentStrategyType":        {"RollingUpdate", "Recreate", ""},
	"LimitType":                     {"Container", "Pod"},
	"ServiceAffinity":               {"ClientIP", "None", ""},
	"ServiceType":                   {"ClusterIP", "NodePort", "LoadBalancer", "ExternalName", ""},
	"StatefulSetUpdateStrategyType": {"RollingUpdate", "OnDelete", ""},
	"image":                         {"a", "a:latest", "a:v1", "registry.example.com:5000/a", "a@sha256:" + strings.Repeat("0", 64), "No Image", ""},
	"kind":                          {"ServiceAccount", "User", "Group", "a"},
	"reference":                     {"a", "a:latest", "a:v1"},
	"":                              {"a", "b", "Other", "a", "b", ""},
}

// names of resources; those that pods as a whole may have are among them.
var resourceNames = []string{"cpu", "memory", "hugepages-2Mi", "nvidia.com/gpu", "ephemeral-storage"}

var quantities = []any{"1", 2, 0, "100m", "0.0001", "1.5Gi", "1e3", "-1", 0.5}

// special are values of types that write their JSON themselves.
var special = map[string][]any{
	"Duration": {"1m0s"}, "FieldsV1": {map[string]any{}}, "IntOrString": {0, 1, "25%", ""}, "Quantity": quantities,
	"MicroTime": {"2026-01-02T03:04:05.000000Z"}, "RawExtension": {map[string]any{"a": 1}}, "Time": {"2026-01-02T03:04:05Z", nil},
}

// likely are fields that are always there.
var likely = []string{"spec", "template", "containers", "resources", "limits"}

func one[T any](f filler, choices []T) T { return choices[f.IntN(len(choices))] }

// value draws a value of a type, for the field of a name.
func (f filler) value(t reflect.Type, name string, depth int) any {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if choices, ok := special[t.Name()]; ok {
		return one(f, choices)
	}
	if t == reflect.TypeFor[metav1.ObjectMeta]() {
		return map[string]any{"name": one(f, words[""]), "labels": one(f, []any{nil, map[string]any{}, map[string]any{"a": "b"}})}
	}
	switch t.Kind() {
	case reflect.Struct:
		return f.fields(t, depth)
	case reflect.Map:
		return f.entries(t, depth)
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Uint8 {
			return "YQ=="
		}
		items := make([]any, f.IntN(3))
		for i := range items {
			items[i] = f.value(t.Elem(), name, depth+1)
		}
		return items
	case reflect.String:
		return f.word(t.Name(), name)
	case reflect.Bool:
		return f.IntN(2) == 0
	default:
		return f.IntN(5) - 1
	}
}

func (f filler) word(names ...string) string {
	for _, name := range names {
		if choices, ok := words[name]; ok {
			return one(f, choices)
		}
	}
	return one(f, words[""])
}

func (f filler) entries(t reflect.Type, depth int) map[string]any {
	keys := words[""]
	if t.Name() == "ResourceList" {
		keys = resourceNames
	}
	entries := map[string]any{}
	for range f.IntN(3) {
		entries[one(f, keys)] = f.value(t.Elem(), "", depth+1)
	}
	return entries
}

// fields draws fewer fields the deeper they are.
func (f filler) fields(t reflect.Type, depth int) map[string]any {
	fields := map[string]any{}
	for i := range t.NumField() {
		field := t.Field(i)
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		switch {
		case name == "-":
		case field.Anonymous && name == "":
			maps.Copy(fields, f.fields(field.Type, depth))
		case f.IntN(2+depth/2) > 0 && !slices.Contains(likely, name):
		case f.IntN(20) == 0:
			fields[name] = nil
		default:
			fields[name] = f.value(field.Type, name, depth+1)
		}
	}
	return fields
}
