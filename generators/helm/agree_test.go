// SPDX-License-Identifier: Apache-2.0

package helm_test

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

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
		expr.Sha256, expr.Hash, expr.JSON, expr.AtLeast, expr.Has, expr.Opt, expr.Some, expr.None, expr.OrValue,
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

// TestSmallestProfile compiles a profile without parameters, cases and texts.
func TestSmallestProfile(t *testing.T) {
	b, _ := compile(t, kitchen)
	b = &blueprint.Blueprint{Profile: &profile.Profile{Name: "small"}, Params: &param.Schema{Type: param.Object}, Objects: b.Objects[2:3]}
	b.Objects[0].Root.Guard = nil
	a, err := helm.Generate(b, helm.Chart{Name: "small", Version: "1.0.0"})
	if err != nil {
		t.Fatal(err)
	}
	files, err := template(load(t, a), blueprint.Workload{Name: "web", Namespace: "shop"}, map[string]any{"fullnameOverride": "other"})
	if err != nil {
		t.Fatal(err)
	}
	if objects := parse(t, files, "small/templates"); len(objects) != 1 || objects[0].Name != "other" {
		t.Fatalf("unexpected objects in %v", files)
	}
}

var blank = regexp.MustCompile(`(?m)[ \t]+$|^$`)

// TestOutputHasNoBlanks looks for traces of what is left out.
func TestOutputHasNoBlanks(t *testing.T) {
	b, a := compile(t, kitchen)
	for _, k := range b.Profile.Cases {
		files, err := template(load(t, a), blueprint.Workload{Name: "web", Namespace: "shop"}, fromFile(t, k.Values))
		if err != nil {
			t.Fatal(err)
		}
		for name, text := range files {
			text = strings.TrimSpace(text)
			if found := blank.FindStringIndex(text); text != "" && found != nil && strings.HasSuffix(name, ".yaml") {
				t.Errorf("case %s: %s has a blank at byte %d:\n%s", k.Name, name, found[0], text)
			}
		}
	}
}
