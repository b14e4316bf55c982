// SPDX-License-Identifier: Apache-2.0

package golden_test

import (
	"fmt"
	"strings"

	"github.com/google/go-cmp/cmp"

	"kilter.dev/kilter/generators/helm"
	function "kilter.dev/kilter/internal/krm"
	"kilter.dev/kilter/internal/manifest"
)

// fataler is a *testing.T or a *rapid.T.
type fataler interface {
	Helper()
	Fatal(...any)
	Fatalf(string, ...any)
	Errorf(string, ...any)
}

// plain returns objects by identity, without the labels that only charts have and the
// annotation that only the function writes.
func plain(docs []*manifest.Node) map[string]any {
	out := map[string]any{}
	for _, n := range docs {
		n = n.Clone()
		labels := n.Get("metadata", "labels")
		labels.Delete(helm.ChartLabel)
		labels.Delete(helm.ManagedByLabel)
		if a := n.Get("metadata", "annotations"); a.Get(function.AppliedAnnotation) != nil {
			a.Delete(function.AppliedAnnotation)
			if len(a.Fields) == 0 {
				n.Get("metadata").Delete("annotations")
			}
		}
		id := strings.Join([]string{n.Get("apiVersion").Text(), n.Get("kind").Text(), n.Get("metadata", "namespace").Text(), n.Get("metadata", "name").Text()}, " ")
		for out[id] != nil {
			id += "+"
		}
		out[id] = manifest.Native(n)
	}
	return out
}

// numbers takes an integer and the float of the same size for the same.
var numbers = cmp.FilterValues(func(a, b any) bool {
	_, aFloat := a.(float64)
	_, bFloat := b.(float64)
	return aFloat != bFloat
}, cmp.Comparer(func(a, b any) bool { return fmt.Sprint(a) == fmt.Sprint(b) }))

func compare(t fataler, target string, want, got map[string]any) {
	t.Helper()
	if diff := cmp.Diff(want, got, numbers); diff != "" {
		t.Errorf("%s differs from Render (-Render +%s):\n%s", target, target, diff)
	}
}
