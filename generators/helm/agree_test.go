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
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"
	"helm.sh/helm/v3/pkg/chart"
	"helm.sh/helm/v3/pkg/chart/loader"
	"helm.sh/helm/v3/pkg/chartutil"
	"helm.sh/helm/v3/pkg/engine"
	"helm.sh/helm/v3/pkg/strvals"
	"pgregory.net/rapid"

	"kilter.dev/kilter/generators/helm"
	"kilter.dev/kilter/internal/blueprint"
	"kilter.dev/kilter/internal/diag"
	"kilter.dev/kilter/internal/expr"
	"kilter.dev/kilter/internal/manifest"
	"kilter.dev/kilter/internal/param"
	"kilter.dev/kilter/internal/param/paramtest"
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
	p, err := profile.Load(os.DirFS(filepath.FromSlash(folder)), folder)
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

func TestCasesAgree(t *testing.T) {
	b, a := compile(t, kitchen)
	for _, k := range b.Profile.Cases {
		for _, version := range []string{"", "1.32", "1.35"} {
			w := blueprint.Workload{Name: "web", Namespace: "shop", KubeVersion: version}
			agree(t, b, load(t, a), w, k.Values, fromFile(t, k.Values))
			flags := map[string]any{}
			fromFlags(t, b.Params, k.Values, flags)
			agree(t, b, load(t, a), w, k.Values, flags)
		}
	}
}

// TestHostileStringsAgree gives every hostile text to every string parameter that
// nothing restricts, one at a time.
func TestHostileStringsAgree(t *testing.T) {
	b, a := compile(t, kitchen)
	c := load(t, a)
	for _, text := range paramtest.Hostile {
		for _, p := range b.Params.Leaves() {
			if p.Type != param.String || p.Enum != nil || p.Format != "" || len(p.Rules) > 0 {
				continue
			}
			given := manifest.NewString(text)
			for _, name := range slices.Backward(strings.Split(p.Path, ".")) {
				given = manifest.NewMap(manifest.Field{Key: name, Value: given})
			}
			w := blueprint.Workload{Name: "web", Namespace: "shop"}
			agree(t, b, c, w, given, fromFile(t, given))
		}
	}
}

// TestDrawnValuesAgree draws legal values, given by file and by flags.
func TestDrawnValuesAgree(t *testing.T) {
	b, a := compile(t, kitchen)
	c := load(t, a)
	rapid.Check(t, func(t *rapid.T) {
		given := paramtest.Draw(t, b.Params)
		if m := given.Get("monitoring"); m.Get("interval") != nil {
			m.Set("interval", manifest.NewString("5s"))
		}
		w := blueprint.Workload{
			Name:        rapid.SampledFrom([]string{"web", "a", "no", "n1-x"}).Draw(t, "name"),
			Namespace:   rapid.SampledFrom([]string{"shop", "on", "1"}).Draw(t, "namespace"),
			KubeVersion: rapid.SampledFrom([]string{"1.32", "1.34", "1.35", "1.37"}).Draw(t, "version"),
		}
		if rapid.Bool().Draw(t, "flags") {
			values := map[string]any{}
			fromFlags(t, b.Params, given, values)
			agree(t, b, c, w, given, values)
			return
		}
		agree(t, b, c, w, given, fromFile(t, given))
	})
}

// TestOwnValuesAgree makes a chart whose values.yaml holds other values than the
// profile's defaults, and renders it without any.
func TestOwnValuesAgree(t *testing.T) {
	b, _ := compile(t, kitchen)
	for _, k := range b.Profile.Cases {
		values, errs := b.Params.Check(k.Values)
		if err := errs.Err(); err != nil {
			t.Fatal(err)
		}
		a, err := helm.Generate(b, helm.Chart{Name: "web", Version: "1.0.0", Values: values})
		if err != nil {
			t.Fatal(err)
		}
		agree(t, b, load(t, a), blueprint.Workload{Name: "shop", Namespace: "shop"}, k.Values, map[string]any{})
	}
}

// TestAllViolationsAreReported violates all constraints at once.
func TestAllViolationsAreReported(t *testing.T) {
	b, a := compile(t, kitchen)
	given := "{replicas: 101, load: 1000, verbose: true, mode: safe, debug: false, monitoring: {interval: 1h}}"
	docs, _ := manifest.Parse(source.New("values.yaml", given))
	w := blueprint.Workload{Name: "1web", Namespace: "shop"}
	w.Values, _ = b.Params.Check(docs[0])
	_, err := b.Render(w)
	if list, _ := err.(diag.List); len(list) != len(b.Constraints) {
		t.Fatalf("%d violations of %d constraints", len(list), len(b.Constraints))
	}
	agree(t, b, load(t, a), w, docs[0], fromFile(t, docs[0]))
}

// TestKitchenUsesEveryOperation keeps the profile of these tests complete.
func TestKitchenUsesEveryOperation(t *testing.T) {
	b, _ := compile(t, kitchen)
	unused := map[expr.Op]bool{}
	for _, op := range []expr.Op{
		expr.Add, expr.Sub, expr.Mul, expr.Div, expr.Mod, expr.Neg, expr.Max, expr.Min, expr.Eq, expr.Ne, expr.Lt, expr.Le,
		expr.Gt, expr.Ge, expr.And, expr.Or, expr.Not, expr.Cond, expr.Concat, expr.Text, expr.Size, expr.OneOf,
		expr.InList, expr.InMap, expr.StartsWith, expr.EndsWith, expr.Contains, expr.Matches, expr.QuantityInt,
		expr.Sha256, expr.Hash, expr.AtLeast, expr.Has, expr.Opt, expr.Some, expr.None, expr.OrValue,
	} {
		unused[op] = true
	}
	var walk func(expr.Tree)
	walk = func(tree expr.Tree) {
		if c, ok := tree.(*expr.Call); ok {
			delete(unused, c.Op)
			for _, a := range c.Args {
				walk(a)
			}
		}
	}
	for _, v := range b.Variables {
		walk(v.Value.Tree)
	}
	for _, o := range b.Objects {
		walkNode(o.Root, walk)
	}
	if len(unused) > 0 {
		t.Errorf("the kitchen profile does not use %v", slices.Sorted(maps.Keys(unused)))
	}
}

func walkNode(n *blueprint.Node, walk func(expr.Tree)) {
	if n.Text != nil {
		walk(n.Text.Tree)
	}
	for _, f := range n.Fields {
		walkNode(f.Value, walk)
	}
	for _, item := range n.Items {
		walkNode(item, walk)
	}
}
