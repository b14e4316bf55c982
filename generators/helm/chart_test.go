// SPDX-License-Identifier: Apache-2.0

package helm_test

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	gocmp "github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"
	"helm.sh/helm/v3/pkg/chart"
	"helm.sh/helm/v3/pkg/chart/loader"
	"helm.sh/helm/v3/pkg/chartutil"
	"helm.sh/helm/v3/pkg/engine"
	"helm.sh/helm/v3/pkg/strvals"

	"kilter.dev/kilter/generators/helm"
	"kilter.dev/kilter/internal/blueprint"
	"kilter.dev/kilter/internal/diag"
	"kilter.dev/kilter/internal/manifest"
	"kilter.dev/kilter/internal/param"
	"kilter.dev/kilter/internal/profile"
	"kilter.dev/kilter/internal/source"
)

const kitchen = "testdata/profiles/kitchen"

// fataler is a *testing.T or a *rapid.T.
type fataler interface {
	Helper()
	Fatal(...any)
	Fatalf(string, ...any)
}

// compile returns the blueprint of a profile folder and its chart with the defaults.
func compile(t fataler, folder string) (*blueprint.Blueprint, *txtar.Archive) {
	t.Helper()
	p, err := profile.Load(os.DirFS(filepath.FromSlash(folder)), nil, folder)
	if err != nil {
		t.Fatal(err)
	}
	b, err := blueprint.Compile(p)
	if err != nil {
		t.Fatal(err)
	}
	defaults, errs := p.Params.Check(nil)
	if err := errs.Err(); err != nil {
		t.Fatal(err)
	}
	a, err := helm.Generate(b, helm.Chart{Name: p.Name, Version: "0.1.0+build", AppVersion: p.AppVersion, Values: defaults})
	if err != nil {
		t.Fatal(err)
	}
	return b, a
}

func load(t fataler, a *txtar.Archive) *chart.Chart {
	t.Helper()
	var files []*loader.BufferedFile
	for _, f := range a.Files {
		files = append(files, &loader.BufferedFile{Name: f.Name, Data: f.Data})
	}
	c, err := loader.LoadFiles(files)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Validate(); err != nil {
		t.Fatal(err)
	}
	return c
}

// template renders the chart as helm template does.
func template(c *chart.Chart, w blueprint.Workload, values map[string]any) (map[string]string, error) {
	version, err := chartutil.ParseKubeVersion(cmp.Or(w.KubeVersion, blueprint.DefaultKubeVersion) + ".3-gke.100")
	if err != nil {
		return nil, err
	}
	capabilities := chartutil.DefaultCapabilities.Copy()
	capabilities.KubeVersion = *version
	all, err := chartutil.ToRenderValuesWithSchemaValidation(c, values,
		chartutil.ReleaseOptions{Name: w.Name, Namespace: w.Namespace, IsInstall: true}, capabilities, false)
	if err != nil {
		return nil, err
	}
	return engine.Engine{}.Render(c, all)
}

// parse returns the objects of the files below folder, without the labels of packaging.
func parse(t fataler, files map[string]string, folder string) []*manifest.Object {
	t.Helper()
	var docs []*manifest.Node
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if path.Dir(name) != folder || path.Ext(name) != ".yaml" {
			continue
		}
		parsed, errs := manifest.Parse(source.New(name, files[name]))
		if err := errs.Err(); err != nil {
			t.Fatalf("%v\n%s", err, files[name])
		}
		docs = append(docs, parsed...)
	}
	objects, errs := manifest.Objects(docs)
	if err := errs.Err(); err != nil {
		t.Fatal(err)
	}
	for _, o := range objects {
		labels := o.Get("metadata", "labels")
		labels.Delete(helm.ChartLabel)
		labels.Delete(helm.ManagedByLabel)
	}
	return objects
}

// comparable returns the objects as plain values by their name, with whole numbers as int64.
func comparable(objects []*manifest.Object) map[string]any {
	out := map[string]any{}
	for _, o := range objects {
		key := fmt.Sprintf("%s %s %s/%s", o.APIVersion, o.Kind, o.Namespace, o.Name)
		for out[key] != nil {
			key += "+"
		}
		out[key] = whole(manifest.Native(o.Node))
	}
	return out
}

func whole(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for k := range v {
			v[k] = whole(v[k])
		}
	case []any:
		for i := range v {
			v[i] = whole(v[i])
		}
	case float64:
		if v == math.Trunc(v) {
			return int64(v)
		}
	}
	return v
}

// fromFile gives values as Helm reads them from a file: numbers are float64.
func fromFile(t fataler, given *manifest.Node) map[string]any {
	t.Helper()
	values, err := chartutil.ReadValues([]byte(manifest.Print(given)))
	if err != nil {
		t.Fatal(err)
	}
	return values
}

// fromFlags gives values with --set, --set-string and --set-json: numbers are int64.
func fromFlags(t fataler, s *param.Schema, given *manifest.Node, into map[string]any) {
	t.Helper()
	for _, p := range s.Properties {
		v := given.Get(p.Name)
		if v == nil {
			continue
		}
		if p.Group() && v.Shape == manifest.Map {
			fromFlags(t, p, v, into)
			continue
		}
		var err error
		switch v.Shape {
		case manifest.String:
			text := strings.NewReplacer(`\`, `\\`, `,`, `\,`, `{`, `\{`).Replace(v.Text())
			err = strvals.ParseIntoString(p.Path+"="+text, into)
		case manifest.Int, manifest.Bool, manifest.Null:
			err = strvals.ParseInto(p.Path+"="+strings.TrimSpace(manifest.Print(v)), into)
		default:
			err = strvals.ParseJSON(p.Path+"="+manifest.JSON(v), into)
		}
		if err != nil {
			t.Fatalf("%s: %v", p.Path, err)
		}
	}
}

// agree renders the chart and the blueprint for the same values and compares objects,
// pods of helm test, and notes. Where a constraint is violated both must say so.
func agree(t fataler, b *blueprint.Blueprint, c *chart.Chart, w blueprint.Workload, given *manifest.Node, values map[string]any) {
	t.Helper()
	checked, errs := b.Params.Check(given)
	if err := errs.Err(); err != nil {
		t.Fatal(err)
	}
	w.Values = checked
	want, wantErr := b.Render(w)
	files, err := template(c, w, values)
	if wantErr != nil {
		if err == nil {
			t.Fatalf("the chart accepts what the blueprint refuses: %v\n%s", wantErr, manifest.Print(given))
		}
		list, _ := wantErr.(diag.List)
		for _, d := range list {
			if !strings.Contains(err.Error(), d.Message) {
				t.Fatalf("the chart does not say %q: %v", d.Message, err)
			}
		}
		return
	}
	if err != nil {
		t.Fatalf("the chart refuses what the blueprint accepts: %v\n%s", err, manifest.Print(given))
	}
	root := c.Name() + "/templates"
	if diff := gocmp.Diff(comparable(want), comparable(parse(t, files, root))); diff != "" {
		t.Fatalf("the chart (+) differs from the blueprint (-):\n%s\n%s", diff, manifest.Print(given))
	}
	want, err = b.RenderTests(w)
	if err != nil {
		t.Fatal(err)
	}
	got := parse(t, files, root+"/tests")
	for _, o := range got {
		if o.Get("metadata", "annotations", "helm.sh/hook").Text() != "test" {
			t.Fatalf("%s is no pod of helm test", o.Name)
		}
		o.Get("metadata").Delete("annotations")
	}
	if diff := gocmp.Diff(comparable(want), comparable(got)); diff != "" {
		t.Fatalf("the chart's tests (+) differ from the blueprint's (-):\n%s\n%s", diff, manifest.Print(given))
	}
	notes, err := b.RenderNotes(w)
	if err != nil {
		t.Fatal(err)
	}
	if diff := gocmp.Diff(notes, files[root+"/NOTES.txt"]); diff != "" {
		t.Fatalf("the chart's notes (+) differ from the blueprint's (-):\n%s\n%s", diff, manifest.Print(given))
	}
}
