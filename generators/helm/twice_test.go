// SPDX-License-Identifier: Apache-2.0

package helm_test

import (
	"strings"
	"testing"

	"kilter.dev/kilter/internal/blueprint"
	"kilter.dev/kilter/internal/diag"
	"kilter.dev/kilter/internal/manifest"
	"kilter.dev/kilter/internal/source"
)

// TestItemsTwice: the chart refuses items of one key with the words of the check of values.
func TestItemsTwice(t *testing.T) {
	b, a := compile(t, kitchen)
	docs, _ := manifest.Parse(source.New("values.yaml", `extraEnv: [{name: A, value: "1"}, {name: "<B>"}, {name: A}, {name: "<B>"}, {}, {}]`))
	_, want := b.Params.Check(docs[0])
	_, err := template(load(t, a), blueprint.Workload{Name: "web", Namespace: "shop"}, fromFile(t, docs[0]))
	if len(want) != 2 || err == nil {
		t.Fatalf("the check says %v, the chart %v", want, err)
	}
	for _, d := range want {
		if !strings.Contains(err.Error(), d.Message) {
			t.Errorf("the chart does not say %q: %v", d.Message, err)
		}
	}
}

// TestObjectsTwice: the chart refuses an object of the user that repeats one of its own, in
// whatever version and perhaps in a List, and no other.
func TestObjectsTwice(t *testing.T) {
	b, a := compile(t, kitchen)
	for given, want := range map[string]bool{
		"{apiVersion: v1, kind: ConfigMap, metadata: {name: web-expressions}}":                                                                                  true,
		"{apiVersion: v1, kind: ConfigMap, metadata: {name: web-expressions, namespace: shop}}":                                                                 true,
		"{apiVersion: v1, kind: List, items: [{apiVersion: v1, kind: ConfigMap, metadata: {name: web-expressions}}]}":                                           true,
		"{apiVersion: v1, kind: List, items: [{apiVersion: v1, kind: A, metadata: {name: a}}, {apiVersion: v2, kind: A, metadata: {name: a}}]}":                 true,
		"{apiVersion: v1, kind: ConfigMap, metadata: {name: web-expressions, namespace: other}}":                                                                false,
		"{apiVersion: example.com/v1, kind: ConfigMap, metadata: {name: web-expressions}}":                                                                      false,
		"{apiVersion: v1, kind: List, items: [{apiVersion: v1, kind: A, metadata: {generateName: a}}, {apiVersion: v1, kind: A, metadata: {generateName: a}}]}": false,
	} {
		docs, errs := manifest.Parse(source.New("values.yaml", "extraObjects: ["+given+"]"))
		if err := errs.Err(); err != nil {
			t.Fatal(err)
		}
		w := blueprint.Workload{Name: "web", Namespace: "shop", Written: docs[0]}
		w.Values, _ = b.Params.Check(docs[0])
		_, err := b.Render(w)
		list, _ := err.(diag.List)
		if (len(list) > 0) != want {
			t.Errorf("%s: %v, refused: %t", given, err, want)
		}
		agree(t, b, load(t, a), w, docs[0], fromFile(t, docs[0]))
	}
}
