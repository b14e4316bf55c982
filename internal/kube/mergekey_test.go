// SPDX-License-Identifier: Apache-2.0

package kube_test

import (
	"reflect"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"kilter.dev/kilter/internal/kube"
)

// TestMergeKey: the keys are those of the types of the API, and no other list has one.
func TestMergeKey(t *testing.T) {
	seen := map[reflect.Type]bool{}
	lists := 0
	var check func(reflect.Type)
	check = func(typ reflect.Type) {
		for typ.Kind() == reflect.Pointer || typ.Kind() == reflect.Slice || typ.Kind() == reflect.Map {
			typ = typ.Elem()
		}
		if seen[typ] || typ.Kind() != reflect.Struct {
			return
		}
		seen[typ] = true
		for f := range typ.Fields() {
			name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			if f.Type.Kind() == reflect.Slice {
				lists++
				if got, want := kube.MergeKey(name), f.Tag.Get("patchMergeKey"); got != want {
					t.Errorf("%s.%s: %q, want %q", typ.Name(), name, got, want)
				}
			}
			check(f.Type)
		}
	}
	check(reflect.TypeFor[corev1.PodSpec]())
	if lists < 40 {
		t.Errorf("%d lists, want 40 and more", lists)
	}
}
