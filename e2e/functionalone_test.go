// SPDX-License-Identifier: Apache-2.0

package e2e_test

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestNoResources: in a kustomization that has nothing else the function makes the golden
// objects, listed as a transformer or as a generator.
func TestNoResources(t *testing.T) {
	for _, profile := range profiles(t) {
		t.Run(profile, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			values := read(t, filepath.Join("..", "profiles", profile, "cases", "default.yaml"))
			writeAll(t, dir, map[string]string{"values.yaml": values})
			run(t, "kilter", "new", release, "--profile", profile, "-n", namespace, "-f", filepath.Join(dir, "values.yaml"), "--to", "krm", "-o", filepath.Join(dir, "new"))
			call := read(t, filepath.Join(dir, "new", "krm", "function.yaml"))
			want := plain(t, read(t, filepath.Join("..", "golden", profile, "default.yaml")))
			for _, as := range []string{"transformers", "generators"} {
				out, said, err := kustomizeFiles(t, map[string]string{"function.yaml": call, "kustomization.yaml": as + ": [function.yaml]\n"})
				if err != nil {
					t.Fatalf("%s: %v\n%s", as, err, said)
				}
				if diff := cmp.Diff(want, plain(t, out)); diff != "" {
					t.Errorf("%s (-golden +function):\n%s", as, diff)
				}
			}
		})
	}
}

// TestFunctionInList: kustomize takes Lists apart, other callers do not. A workload in one is
// completed where it stands, as it is by itself; what is added stands behind the List.
func TestFunctionInList(t *testing.T) {
	items := func(text string) []any {
		out, said, code := function(t, ".", text)
		if code != 0 {
			t.Fatal(said)
		}
		return documents(t, out)[0]["items"].([]any)
	}
	alone := items(listed(commented))
	for _, kind := range []string{"apiVersion: v1\nkind: List\n", "apiVersion: apps/v1\nkind: DeploymentList\n"} {
		in := items(listed(kind + "items:\n" + indented(commented)))
		if diff := cmp.Diff(alone[0], field(in[0], "items", 0)); diff != "" {
			t.Errorf("%s (-alone +in it):\n%s", kind, diff)
		}
		if diff := cmp.Diff(alone[1:], in[1:]); diff != "" || len(in) < 2 {
			t.Errorf("%s (-beside it +beside the List):\n%s", kind, diff)
		}
	}
}
