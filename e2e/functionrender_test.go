// SPDX-License-Identifier: Apache-2.0

package e2e_test

import (
	"cmp"
	"path"
	"path/filepath"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
)

// layouts writes the kustomizations of testdata/functionrender and returns their folders.
func layouts(t *testing.T) []string {
	t.Helper()
	archive, err := txtar.ParseFile("testdata/functionrender/layouts.txtar")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	shared, files := map[string]string{}, map[string]string{}
	var tops []string
	for _, f := range archive.Files {
		if folder, _ := path.Split(f.Name); folder == "" {
			shared[f.Name] = string(f.Data)
		}
	}
	for _, f := range archive.Files {
		folder, name := path.Split(f.Name)
		if folder == "" {
			continue
		}
		files[f.Name] = string(f.Data)
		for name, text := range shared {
			files[folder+name] = cmp.Or(files[folder+name], text)
		}
		if name == "kustomization.yaml" && strings.Count(f.Name, "/") == 1 {
			tops = append(tops, filepath.Join(dir, folder))
		}
	}
	writeAll(t, dir, files)
	return tops
}

// TestFunctionRendered: kilter, which runs no programs, builds what calls it as a function as
// kustomize does that runs it.
func TestFunctionRendered(t *testing.T) {
	for _, dir := range layouts(t) {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			t.Parallel()
			want := run(t, "kustomize", append(withFunctions, dir)...)
			if !strings.Contains(want, applied+": vllm-inference@") {
				t.Errorf("kustomize did not run the function:\n%s", want)
			}
			built := filepath.Join(t.TempDir(), "built.yaml")
			write(t, built, want, 0o644)
			if diff := gocmp.Diff(run(t, "kilter", "render", built), run(t, "kilter", "render", dir)); diff != "" {
				t.Errorf("(-kustomize +kilter):\n%s", diff)
			}
		})
	}
}
