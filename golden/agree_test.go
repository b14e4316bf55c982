// SPDX-License-Identifier: Apache-2.0

package golden_test

import (
	"errors"
	"flag"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"kilter.dev/kilter/generators/kustomize"
	"kilter.dev/kilter/internal/blueprint"
	"kilter.dev/kilter/internal/diag"
	"kilter.dev/kilter/internal/manifest"
	"kilter.dev/kilter/internal/param"
	"kilter.dev/kilter/internal/param/paramtest"
	"kilter.dev/kilter/internal/render"
	"kilter.dev/kilter/internal/source"
)

// draws is how many random sets of legal values each profile is tried with. make e2e takes
// more than a quick run has time for.
var draws = flag.Int("draws", 60, "random sets of values for each profile")

// TestAgree: for random legal values, the chart (values by file and by flags) and the
// kustomization give the objects of Render; where values violate a constraint, the chart
// refuses them too and names the parameter.
func TestAgree(t *testing.T) {
	for _, b := range blueprints(t) {
		t.Run(b.Profile.Name, func(t *testing.T) {
			charts := t.TempDir()
			write(t, charts, chart(t, b).Files)
			legal, refused := 0, 0
			draw := rapid.Custom(func(t *rapid.T) *manifest.Node { return paramtest.Draw(t, b.Params) })
			for seed := 0; legal < *draws; seed++ {
				if seed > 50**draws {
					t.Fatalf("only %d of %d random sets of values satisfy the constraints", legal, seed)
				}
				given := draw.Example(seed)
				w := random(t, b, given, seed)
				if violated(t, b, w) == nil {
					legal++
					agreeOn(t, b, charts, w)
				} else if refused++; refused <= *draws/3 {
					refusal(t, b, charts, w)
				}
				if t.Failed() {
					t.Fatalf("seed %d, values:\n%s", seed, manifest.Print(given))
				}
			}
			t.Logf("%d legal sets, %d refused by a constraint", legal, refused)
		})
	}
}

func random(t *testing.T, b *blueprint.Blueprint, given *manifest.Node, seed int) blueprint.Workload {
	t.Helper()
	values, errs := b.Params.Check(given)
	if err := errs.Err(); err != nil {
		t.Fatal(err)
	}
	versions := []string{"1.32", "1.33", "1.34", "1.35", "1.36", "1.37"}
	return blueprint.Workload{Name: release, Namespace: namespace, KubeVersion: versions[seed%len(versions)], Values: values, Written: given}
}

// violated returns the constraints that w violates.
func violated(t *testing.T, b *blueprint.Blueprint, w blueprint.Workload) diag.List {
	t.Helper()
	_, err := b.Render(w)
	var list diag.List
	if err != nil && !errors.As(err, &list) {
		t.Fatal(err)
	}
	return list
}

func agreeOn(t *testing.T, b *blueprint.Blueprint, charts string, w blueprint.Workload) {
	t.Helper()
	objects, err := b.Render(w)
	if err != nil {
		t.Fatal(err)
	}
	want := plain(nodes(objects))
	file := render.ValueFlags{Files: []*source.File{valuesFile(w.Written)}}
	compare(t, "chart with a values file", want, plain(byChart(t, charts, w, file)))
	compare(t, "chart with flags", want, plain(byChart(t, charts, w, setFlags(b.Params, w.Written))))
	if kustomize.Carries(objects) == nil {
		compare(t, "kustomization", want, plain(byKustomize(t, b, w)))
	} else if _, err := kustomize.Generate(b, w); err == nil {
		t.Error("the kustomization holds text that kustomize would spoil")
	}
	if carried(t, b, w) {
		compare(t, "function", want, plain(byFunction(t, b, w)))
	}
}

// refusal: the chart must refuse what Render refuses, for the same reasons.
func refusal(t *testing.T, b *blueprint.Blueprint, charts string, w blueprint.Workload) {
	t.Helper()
	values, errs := render.Values(render.ValueFlags{Files: []*source.File{valuesFile(w.Written)}})
	if err := errs.Err(); err != nil {
		t.Fatal(err)
	}
	_, errs = render.Chart(charts, render.Options{ReleaseName: w.Name, Namespace: w.Namespace, KubeVersion: w.KubeVersion, Values: values, Schemas: &schemas})
	text := errs.Error()
	for _, d := range violated(t, b, w) {
		if !strings.Contains(strings.Join(strings.Fields(text), " "), strings.Join(strings.Fields(d.Message), " ")) {
			t.Errorf("the chart does not say %q:\n%s", d.Message, text)
		}
	}
}

func valuesFile(given *manifest.Node) *source.File {
	return source.New("values.yaml", manifest.Print(given))
}

// setFlags writes values as --set, --set-string and --set-json.
func setFlags(s *param.Schema, given *manifest.Node) render.ValueFlags {
	var f render.ValueFlags
	for _, p := range s.Properties {
		v := given.Get(p.Name)
		switch {
		case v == nil:
		case p.Group() && v.Shape == manifest.Map:
			sub := setFlags(p, v)
			f.Set, f.SetString, f.SetJSON = append(f.Set, sub.Set...), append(f.SetString, sub.SetString...), append(f.SetJSON, sub.SetJSON...)
		case v.Shape == manifest.String:
			text := strings.NewReplacer(`\`, `\\`, `,`, `\,`, `{`, `\{`).Replace(v.Text())
			f.SetString = append(f.SetString, p.Path+"="+text)
		case v.Shape == manifest.Int || v.Shape == manifest.Bool || v.Shape == manifest.Null:
			f.Set = append(f.Set, p.Path+"="+strings.TrimSpace(manifest.Print(v)))
		default:
			f.SetJSON = append(f.SetJSON, p.Path+"="+manifest.JSON(v))
		}
	}
	return f
}

// TestObjectsTwice: whatever a profile makes in a case is refused as one of extraObjects, by
// the chart as by Render.
func TestObjectsTwice(t *testing.T) {
	for _, b := range blueprints(t) {
		charts := t.TempDir()
		write(t, charts, chart(t, b).Files)
		for _, k := range b.Profile.Cases {
			objects, err := b.RenderCase(k, release, namespace)
			if err != nil {
				t.Fatal(err)
			}
			given := manifest.NewMap()
			if k.Values != nil {
				given = k.Values.Clone()
			}
			extra := manifest.NewList()
			for _, o := range objects {
				extra.Items = append(extra.Items, document(t, "{apiVersion: "+o.APIVersion+", kind: "+o.Kind+", metadata: {name: "+o.Name+"}}"))
			}
			given.Set("extraObjects", extra)
			values, errs := b.Params.Check(given)
			if err := errs.Err(); err != nil {
				t.Fatal(err)
			}
			w := blueprint.Workload{Name: release, Namespace: namespace, KubeVersion: k.KubeVersion, Values: values, Written: given}
			if found := violated(t, b, w); len(found) < len(objects)-1 {
				t.Errorf("%s %s: %d of %d objects are found twice", b.Profile.Name, k.Name, len(found), len(objects))
			}
			refusal(t, b, charts, w)
		}
	}
}
