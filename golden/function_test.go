// SPDX-License-Identifier: Apache-2.0

package golden_test

import (
	"errors"
	"sync"
	"testing"

	"kilter.dev/kilter/generators/krm"
	"kilter.dev/kilter/generators/kustomize"
	"kilter.dev/kilter/internal/blueprint"
	"kilter.dev/kilter/internal/diag"
	function "kilter.dev/kilter/internal/krm"
	"kilter.dev/kilter/internal/lint"
	"kilter.dev/kilter/internal/manifest"
	"kilter.dev/kilter/internal/source"
	"kilter.dev/kilter/rules"
)

// catalogue are the rules that the function keeps.
var catalogue = sync.OnceValues(func() (*lint.Rules, error) { return lint.Load(rules.FS) })

// byFunction generates the call of the KRM function for w, and does as it says where there
// is nothing yet.
func byFunction(t fataler, b *blueprint.Blueprint, w blueprint.Workload) []*manifest.Node {
	t.Helper()
	files, err := krm.Generate(b, w)
	if err != nil {
		t.Fatal(err)
	}
	docs, errs := manifest.Parse(source.New(files.Files[0].Name, string(files.Files[0].Data)))
	if err := errs.Err(); err != nil {
		t.Fatal(err)
	}
	config := docs[0]
	objects, _, err := function.Apply(b, function.Request{
		Name: config.Get("metadata", "name").Text(), Namespace: config.Get("metadata", "namespace").Text(),
		KubeVersion: config.Get("spec", "kubernetesVersion").Text(), Parameters: config.Get("spec", "parameters"),
	}, catalogue, nil)
	if err != nil {
		t.Fatal(err)
	}
	return objects
}

// carried reports whether kustomize carries the call of the function for w: parameters that
// no object holds count, too.
func carried(t *testing.T, b *blueprint.Blueprint, w blueprint.Workload) bool {
	t.Helper()
	_, err := krm.Generate(b, w)
	var refused diag.List
	if err != nil && (!errors.As(err, &refused) || refused[0].Code != kustomize.Code) {
		t.Fatal(err)
	}
	return err == nil
}

// TestFunctionComponent: the component marks the workloads that its function is then to
// find, by the same label.
func TestFunctionComponent(t *testing.T) {
	for _, b := range blueprints(t) {
		if len(b.Profile.Component.Kinds) == 0 {
			continue
		}
		t.Run(b.Profile.Name, func(t *testing.T) {
			files := map[string]*manifest.Node{}
			for _, f := range krm.Component(b).Files {
				if docs, _ := manifest.Parse(source.New(f.Name, string(f.Data))); len(docs) == 1 {
					files[f.Name] = docs[0]
				}
			}
			label := files["function.yaml"].Get("spec", "selector", "labels", function.ProfileLabel).Text()
			for i, kind := range b.Profile.Component.Kinds {
				patch := files["kustomization.yaml"].Get("patches").Items[i]
				if got := patch.Get("target", "kind").Text(); got != kind {
					t.Errorf("patch %d is for %s, want %s", i, got, kind)
				}
				if got, want := patch.Get("target", "labelSelector").Text(), function.ProfileLabel+"="+label; got != want {
					t.Errorf("patch %d is for workloads with %s, the function for those with %s", i, got, want)
				}
			}
			if label != b.Profile.Name {
				t.Errorf("the function is for the label %q", label)
			}
		})
	}
}
