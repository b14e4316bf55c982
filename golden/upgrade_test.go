// SPDX-License-Identifier: Apache-2.0

package golden_test

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"kilter.dev/kilter/internal/blueprint"
	"kilter.dev/kilter/internal/manifest"
	"kilter.dev/kilter/internal/param"
	"kilter.dev/kilter/internal/param/paramtest"
)

// differ returns the fixed parameters of the profile in which two values differ.
func differ(b *blueprint.Blueprint, x, y blueprint.Workload) []string {
	var paths []string
	for _, f := range b.Profile.Fixed {
		if fmt.Sprint(valueAt(x.Values, f.Path)) != fmt.Sprint(valueAt(y.Values, f.Path)) {
			paths = append(paths, f.Path)
		}
	}
	return paths
}

// valueAt is the checked value at a path, nil where there is none.
func valueAt(values map[string]any, path string) any {
	name, rest, deeper := strings.Cut(path, ".")
	if !deeper {
		return values[name]
	}
	group, _ := values[name].(map[string]any)
	return valueAt(group, rest)
}

// TestUpgradeCases: from any case to any other, either the API server takes the change, or
// the cases differ in a parameter that the profile calls fixed.
func TestUpgradeCases(t *testing.T) {
	for _, b := range blueprints(t) {
		var workloads []blueprint.Workload
		for _, c := range b.Profile.Cases {
			w, err := b.CaseWorkload(c, release, namespace)
			if err != nil {
				t.Fatal(err)
			}
			workloads = append(workloads, w)
		}
		for i, x := range workloads {
			for j, y := range workloads {
				fields := refused(t, rendered(t, b, x), rendered(t, b, y))
				if fields != nil && differ(b, x, y) == nil {
					t.Errorf("%s: from case %s to %s, no fixed parameter says why these cannot change: %s",
						b.Profile.Name, b.Profile.Cases[i].Name, b.Profile.Cases[j].Name, strings.Join(fields, ", "))
				}
			}
		}
	}
}

func rendered(t testing.TB, b *blueprint.Blueprint, w blueprint.Workload) []*manifest.Object {
	t.Helper()
	objects, err := b.Render(w)
	if err != nil {
		t.Fatal(err)
	}
	return objects
}

// TestUpgrade: between random values that agree in the fixed parameters, whatever else
// differs, the Kubernetes version too, the API server takes the change.
func TestUpgrade(t *testing.T) {
	const chains, length = 20, 10
	for _, b := range blueprints(t) {
		t.Run(b.Profile.Name, func(t *testing.T) {
			draw := rapid.Custom(func(t *rapid.T) *manifest.Node { return drawTyped(t, b.Params) })
			seed := 0
			for range chains {
				var old *manifest.Node
				var before []*manifest.Object
				for links := 0; links <= length; seed++ {
					if seed > 100*chains*length {
						t.Fatalf("too few of %d random sets of values are legal", seed)
					}
					next := draw.Example(seed)
					for _, f := range b.Profile.Fixed {
						if old != nil {
							place(next, strings.Split(f.Path, "."), old.Get(strings.Split(f.Path, ".")...))
						}
					}
					after, err := b.Render(random(t, b, next, seed))
					if err != nil {
						continue
					}
					if fields := refused(t, before, after); fields != nil {
						t.Fatalf("no fixed parameter says why these cannot change: %s\nfrom:\n%sto:\n%s",
							strings.Join(fields, ", "), manifest.Print(old), manifest.Print(next))
					}
					links, old, before = links+1, next, after
				}
			}
		})
	}
}

// place puts v at path, nil for nothing there.
func place(n *manifest.Node, path []string, v *manifest.Node) {
	if len(path) == 1 && v == nil {
		n.Delete(path[0])
		return
	}
	if len(path) == 1 {
		n.Set(path[0], v)
		return
	}
	if n.Get(path[0]) == nil {
		n.Set(path[0], manifest.NewMap())
	}
	place(n.Get(path[0]), path[1:], v)
}

// drawTyped draws legal values that Kubernetes' types can hold: parameters that pass
// through Kubernetes values stay at their defaults.
func drawTyped(t *rapid.T, s *param.Schema) *manifest.Node {
	n := paramtest.Draw(t, s)
	for _, leaf := range s.Leaves() {
		if free(leaf) {
			path := strings.Split(leaf.Path, ".")
			n.Get(path[:len(path)-1]...).Delete(path[len(path)-1])
		}
	}
	return n
}

func free(s *param.Schema) bool {
	return s.Type == param.Any || s.Items != nil && free(s.Items) || s.Values != nil && free(s.Values)
}
