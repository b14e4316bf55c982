// SPDX-License-Identifier: Apache-2.0

package golden_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"kilter.dev/kilter/generators/kustomize"
	"kilter.dev/kilter/internal/manifest"
	"kilter.dev/kilter/internal/render"
)

// aWorkload is what a user already has: labelled for the component or not.
const aWorkload = `apiVersion: apps/v1
kind: KIND
metadata:
  name: NAME
  labels: {PROFILE_LABEL}
spec:
  replicas: 2
  selector: {matchLabels: {app: mine}}
  template:
    metadata: {labels: {app: mine}}
    spec:
      containers:
      - {name: main, image: "mine:1"}
`

// TestComponent: the component sets its fields on labelled workloads only, keeps all the
// rest, and applied twice it does the same.
func TestComponent(t *testing.T) {
	for _, b := range blueprints(t) {
		component, err := kustomize.Component(b)
		if err != nil {
			t.Fatal(err)
		}
		label := kustomize.ProfileLabel + ": " + b.Profile.Name
		for _, kind := range b.Profile.Component.Kinds {
			t.Run(b.Profile.Name+"/"+kind, func(t *testing.T) {
				once := withComponent(t, component, kind, label, "[component]")
				twice := withComponent(t, component, kind, label, "[component, second]")
				if diff := cmp.Diff(plain(once), plain(twice)); diff != "" {
					t.Errorf("applied twice (-once +twice):\n%s", diff)
				}
				before := withComponent(t, component, kind, label, "[]")
				for i, doc := range once {
					labelled := doc.Get("metadata", "name").Text() == "labelled"
					if changed := !manifest.Equal(doc, before[i]); changed != labelled {
						t.Errorf("%s: changed is %v", doc.Get("metadata", "name").Text(), changed)
					}
					for _, path := range [][]string{{"spec", "selector"}, {"spec", "replicas"}, {"spec", "template", "metadata"}, {"spec", "template", "spec", "containers"}} {
						if !manifest.Equal(doc.Get(path...), before[i].Get(path...)) {
							t.Errorf("%v was changed", path)
						}
					}
				}
			})
		}
	}
}

func withComponent(t *testing.T, component *txtar.Archive, kind, label, components string) []*manifest.Node {
	t.Helper()
	dir := t.TempDir()
	text := func(name, labels string) string {
		return strings.NewReplacer("KIND", kind, "NAME", name, "PROFILE_LABEL", labels).Replace(aWorkload)
	}
	write(t, dir, []txtar.File{
		{Name: "kustomization.yaml", Data: []byte("resources: [workloads.yaml]\ncomponents: " + components + "\n")},
		{Name: "workloads.yaml", Data: []byte(text("labelled", label) + "---\n" + text("other", "a: b"))},
	})
	write(t, filepath.Join(dir, "component"), component.Files)
	write(t, filepath.Join(dir, "second"), component.Files)
	docs, errs := render.Kustomization(dir)
	if err := errs.Err(); err != nil {
		t.Fatal(err)
	}
	return docs
}
