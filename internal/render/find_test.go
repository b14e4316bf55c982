// SPDX-License-Identifier: Apache-2.0

package render_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"kilter.dev/kilter/internal/render"
)

const folders = `
-- a.yaml --
-- .kilter.yaml --
-- .github/workflows/x.yaml --
-- notes.txt --
-- notes.tgz --
no archive
-- app/Chart.yaml --
{apiVersion: v2, name: app, version: 1.0.0}
-- app/templates/x.yaml --
-- common/Chart.yaml --
{apiVersion: v2, name: common, version: 1.0.0, type: library}
-- k/base/kustomization.yaml --
resources: [x.yaml]
-- k/base/x.yaml --
-- k/components/kustomization.yaml --
kind: Component
-- k/prod/kustomization.yaml --
resources: [../base]
-- k/z.json --
-- profiles/web/profile.yaml --
kind: Profile
-- profiles/web/templates/x.yaml --
`

func list(dir string, found []render.Found) []string {
	var names []string
	for _, f := range found {
		rel, _ := filepath.Rel(dir, f.Path)
		name := string(f.Kind) + " " + filepath.ToSlash(rel)
		if f.Part {
			name += " part"
		}
		names = append(names, name)
	}
	return names
}

func TestFind(t *testing.T) {
	dir := t.TempDir()
	for _, f := range txtar.Parse([]byte(folders)).Files {
		name := filepath.Join(dir, "top", f.Name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, f.Data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	packFolder(t, filepath.Join(dir, "top", "app"), "app", filepath.Join(dir, "top", "p-app.tgz"))
	packFolder(t, filepath.Join(dir, "top", "common"), "common", filepath.Join(dir, "top", "p-common.tgz"))
	packFolder(t, filepath.Join(dir, "top", "k"), "k", filepath.Join(dir, "top", "p-k.tgz"))
	top, link := filepath.Join(dir, "top"), filepath.Join(dir, "link")
	if err := os.Symlink(top, link); err != nil {
		t.Fatal(err)
	}
	want := strings.Split("manifests a.yaml,chart app,chart common part,kustomization k/base,kustomization k/components part,kustomization k/prod,manifests k/z.json,chart p-app.tgz,chart p-common.tgz part", ",")
	tops := []string{want[0], want[1], want[5], want[6], want[7]}
	for _, folder := range []string{top, link} {
		found, errs := render.Find(folder)
		if errs.Err() != nil {
			t.Error(errs)
		}
		if diff := cmp.Diff(want, list(folder, found)); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
		if diff := cmp.Diff(tops, list(folder, render.Tops(found))); diff != "" {
			t.Errorf("tops (-want +got):\n%s", diff)
		}
	}
	if found, errs := render.Find(filepath.Join(dir, "none")); errs.Err() == nil || found != nil {
		t.Errorf("a folder that is not there: %v, %v", found, errs)
	}
}
