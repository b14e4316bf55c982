// SPDX-License-Identifier: Apache-2.0

// Package golden_test holds every target to the same objects: golden/PROFILE/CASE.yaml
// says what a profile means in a case, and the chart, the kustomization, the function and
// Render must all give exactly that. Run it with -update to rewrite the golden files, charts/ and
// components/ from the profiles.
package golden_test

import (
	"errors"
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"kilter.dev/kilter/generators/helm"
	"kilter.dev/kilter/generators/krm"
	"kilter.dev/kilter/generators/kustomize"
	"kilter.dev/kilter/internal/blueprint"
	"kilter.dev/kilter/internal/blueprint/blueprinttest"
	"kilter.dev/kilter/internal/manifest"
	"kilter.dev/kilter/internal/profile"
	"kilter.dev/kilter/internal/render"
	"kilter.dev/kilter/internal/source"
)

var update = flag.Bool("update", false, "rewrite golden files, charts and components")

// The workload that golden files are rendered for.
const (
	release   = "demo"
	namespace = "apps"
)

// chartVersion is the version of the charts in charts/.
const chartVersion = "0.1.0"

// blueprints returns the built-in profiles, compiled.
func blueprints(t testing.TB) []*blueprint.Blueprint {
	t.Helper()
	return blueprinttest.All(t)
}

// chart generates the chart of a profile with its defaults.
func chart(t testing.TB, b *blueprint.Blueprint) *txtar.Archive {
	t.Helper()
	defaults, errs := b.Params.Check(nil)
	if err := errs.Err(); err != nil {
		t.Fatal(err)
	}
	a, err := helm.Generate(b, helm.Chart{Name: b.Profile.Name, Version: chartVersion, AppVersion: b.Profile.AppVersion, Values: defaults})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// TestPublished: charts/ and components/ are what the profiles generate.
func TestPublished(t *testing.T) {
	for _, b := range blueprints(t) {
		t.Run(b.Profile.Name, func(t *testing.T) {
			same(t, filepath.Join("..", "charts", b.Profile.Name), chart(t, b).Files)
			component, err := kustomize.Component(b)
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range krm.Component(b).Files {
				component.Files = append(component.Files, txtar.File{Name: "krm/" + f.Name, Data: f.Data})
			}
			same(t, filepath.Join("..", "components", b.Profile.Name), component.Files)
		})
	}
}

// same compares the folder with the files, or rewrites it under -update.
func same(t *testing.T, dir string, files []txtar.File) {
	t.Helper()
	if *update {
		if err := os.RemoveAll(dir); err != nil {
			t.Fatal(err)
		}
		write(t, dir, files)
		return
	}
	want := map[string]string{}
	for _, f := range files {
		want[f.Name] = string(f.Data)
	}
	got := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		name, _ := filepath.Rel(dir, path)
		got[filepath.ToSlash(name)] = string(text)
		return err
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	if diff := cmp.Diff(got, want); diff != "" {
		t.Errorf("%s is not what the profile generates; run make golden (-have +generated):\n%s", dir, diff)
	}
}

func write(t testing.TB, dir string, files []txtar.File) {
	t.Helper()
	for _, f := range files {
		name := filepath.Join(dir, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, f.Data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// TestCases: in every case all targets give the golden objects.
func TestCases(t *testing.T) {
	for _, b := range blueprints(t) {
		charts := t.TempDir()
		write(t, charts, chart(t, b).Files)
		for _, c := range b.Profile.Cases {
			t.Run(b.Profile.Name+"/"+c.Name, func(t *testing.T) {
				w, err := b.CaseWorkload(c, release, namespace)
				if err != nil {
					t.Fatal(err)
				}
				objects, err := b.Render(w)
				if err != nil {
					t.Fatal(err)
				}
				golden(t, filepath.Join(b.Profile.Name, c.Name+".yaml"), c, objects)
				values := source.New("values.yaml", c.Text)
				compare(t, "chart", plain(nodes(objects)), plain(byChart(t, charts, w, render.ValueFlags{Files: []*source.File{values}})))
				compare(t, "kustomization", plain(nodes(objects)), plain(byKustomize(t, b, w)))
				compare(t, "function", plain(nodes(objects)), plain(byFunction(t, b, w)))
			})
		}
	}
}

func golden(t *testing.T, name string, c profile.Case, objects []*manifest.Object) {
	t.Helper()
	got := manifest.Print(nodes(objects)...)
	if c.KubeVersion != "" {
		got = "# kube: " + c.KubeVersion + "\n" + got
	}
	if c.Description != "" {
		got = "# " + c.Description + "\n" + got
	}
	if *update {
		write(t, ".", []txtar.File{{Name: filepath.ToSlash(name), Data: []byte(got)}})
		return
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("golden/%s (-want +got):\n%s", name, diff)
	}
}

func nodes(objects []*manifest.Object) []*manifest.Node {
	out := make([]*manifest.Node, len(objects))
	for i, o := range objects {
		out[i] = o.Node
	}
	return out
}

var schemas render.Schemas // of charts that are rendered time and again

// byChart renders the chart without the pods of helm test.
func byChart(t fataler, dir string, w blueprint.Workload, flags render.ValueFlags) []*manifest.Node {
	t.Helper()
	values, errs := render.Values(flags)
	if err := errs.Err(); err != nil {
		t.Fatal(err)
	}
	docs, errs := render.Chart(dir, render.Options{
		ReleaseName: w.Name, Namespace: w.Namespace, KubeVersion: w.KubeVersion, Values: values, SkipTests: true, Schemas: &schemas,
	})
	if err := errs.Err(); err != nil {
		t.Fatal(err)
	}
	return docs
}

// byKustomize generates the kustomization of w and builds overlays/prod.
func byKustomize(t fataler, b *blueprint.Blueprint, w blueprint.Workload) []*manifest.Node {
	t.Helper()
	a, err := kustomize.Generate(b, w)
	if err != nil {
		t.Fatal(err)
	}
	dir, err := os.MkdirTemp("", "kilter-")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	for _, f := range a.Files {
		name := filepath.Join(dir, filepath.FromSlash(f.Name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, f.Data, 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	docs, errs := render.Kustomization(filepath.Join(dir, "overlays", "prod"))
	if err := errs.Err(); err != nil {
		t.Fatalf("%v\n%s", err, txtar.Format(a))
	}
	return docs
}

// TestNoStrays: golden/ and charts/ hold nothing that no profile makes.
func TestNoStrays(t *testing.T) {
	known := map[string][]string{}
	for _, b := range blueprints(t) {
		for _, c := range b.Profile.Cases {
			known[b.Profile.Name] = append(known[b.Profile.Name], c.Name+".yaml")
		}
	}
	for _, dir := range []string{".", "../charts", "../components"} {
		entries, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			cases, ok := known[e.Name()]
			if !e.IsDir() {
				continue
			}
			if !ok {
				t.Errorf("%s/%s belongs to no profile", dir, e.Name())
			} else if dir == "." {
				files, _ := os.ReadDir(e.Name())
				for _, f := range files {
					if !slices.Contains(cases, f.Name()) {
						t.Errorf("golden/%s/%s belongs to no case", e.Name(), f.Name())
					}
				}
			}
		}
	}
}
