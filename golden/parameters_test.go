// SPDX-License-Identifier: Apache-2.0

package golden_test

import (
	"encoding/json"
	"iter"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"kilter.dev/kilter/internal/blueprint"
	"kilter.dev/kilter/internal/manifest"
	"kilter.dev/kilter/internal/param"
	"kilter.dev/kilter/internal/param/paramtest"
	"kilter.dev/kilter/internal/profile"
)

// TestParameters: every parameter of every profile has an effect, and stands in the
// chart's values.yaml, its schema and its README.
func TestParameters(t *testing.T) {
	for _, b := range blueprints(t) {
		files := map[string]string{}
		for _, f := range chart(t, b).Files {
			files[f.Name] = string(f.Data)
		}
		values := document(t, files["values.yaml"])
		all := bases(t, b)
		for _, leaf := range b.Params.Leaves() {
			t.Run(b.Profile.Name+"/"+leaf.Path, func(t *testing.T) {
				if !effective(t, b, all, leaf) {
					t.Error("no two values of it, in no case, give different objects, test pods or notes")
				}
				if values.Get(strings.Split(leaf.Path, ".")...) == nil {
					t.Error("values.yaml does not have it")
				}
				if !strings.Contains(files["README.md"], "| `"+leaf.Path+"` |") {
					t.Error("README.md does not have it")
				}
				if description := described(t, files["values.schema.json"], leaf.Path); description == "" {
					t.Error("values.schema.json does not describe it")
				}
			})
		}
	}
}

// described returns the description of a parameter in a JSON schema, "" without one.
func described(t *testing.T, schema, path string) string {
	t.Helper()
	type property struct {
		Description string
		Properties  map[string]*property
	}
	var p *property
	if err := json.Unmarshal([]byte(schema), &p); err != nil {
		t.Fatal(err)
	}
	for name := range strings.SplitSeq(path, ".") {
		if p = p.Properties[name]; p == nil {
			return ""
		}
	}
	return p.Description
}

// effective says whether a change of the parameter alone changes what is rendered.
func effective(t *testing.T, b *blueprint.Blueprint, all []variant, leaf *param.Schema) bool {
	t.Helper()
	for x, y := range pairs(t, b, all, leaf, 20) {
		if x.text != y.text {
			return true
		}
	}
	return false
}

// decides says whether a change of the parameter alone is one that the API server refuses.
func decides(t *testing.T, b *blueprint.Blueprint, all []variant, leaf *param.Schema, draws int) bool {
	t.Helper()
	for x, y := range pairs(t, b, all, leaf, draws) {
		if x.text != y.text && (refused(t, x.objects, y.objects) != nil || refused(t, y.objects, x.objects) != nil) {
			return true
		}
	}
	return false
}

// variant is a set of legal values and what it makes.
type variant struct {
	given   *manifest.Node
	values  param.Values
	objects []*manifest.Object
	text    string // objects, pods of helm test, notes
}

// variantOf renders values for the newest Kubernetes; false unless they are legal.
func variantOf(t *testing.T, b *blueprint.Blueprint, given *manifest.Node) (variant, bool) {
	t.Helper()
	values, errs := b.Params.Check(given)
	w := blueprint.Workload{Name: release, Namespace: namespace, KubeVersion: slices.Max(kubeVersions), Values: values}
	if errs.Err() != nil {
		return variant{}, false
	}
	objects, err := b.Render(w)
	if err != nil {
		return variant{}, false
	}
	tests, err := b.RenderTests(w)
	if err != nil {
		t.Fatal(err)
	}
	notes, err := b.RenderNotes(w)
	if err != nil {
		t.Fatal(err)
	}
	return variant{given, values, objects, manifest.Print(nodes(slices.Concat(objects, tests))...) + notes}, true
}

// bases are the cases, those without one of their parameters or groups, and random
// values, where legal.
func bases(t *testing.T, b *blueprint.Blueprint) []variant {
	t.Helper()
	var given, parts []*manifest.Node
	for _, c := range b.Profile.Cases {
		n := manifest.NewMap()
		if c.Values != nil {
			n = c.Values.Clone()
		}
		given = append(given, n)
		for _, f := range n.Fields {
			part := n.Clone()
			part.Delete(f.Key)
			parts = append(parts, part)
		}
	}
	drawn := rapid.Custom(func(t *rapid.T) *manifest.Node { return drawTyped(t, b.Params) })
	for seed := range 400 {
		parts = append(parts, drawn.Example(seed))
	}
	var all []variant
	for _, n := range append(given, parts...) {
		if v, ok := variantOf(t, b, n); ok && len(all) < 100 {
			all = append(all, v)
		}
	}
	return all
}

// pairs yields a base, and the same with another value drawn for the parameter or none.
func pairs(t *testing.T, b *blueprint.Blueprint, all []variant, leaf *param.Schema, draws int) iter.Seq2[variant, variant] {
	path := strings.Split(leaf.Path, ".")
	drawn := rapid.Custom(func(t *rapid.T) *manifest.Node {
		v, _ := paramtest.Value(t, leaf, false)
		return v
	})
	return func(yield func(x, y variant) bool) {
		for seed := range draws {
			value := drawn.Example(seed)
			if seed == 0 {
				value = nil
			}
			for _, base := range all {
				given := base.given.Clone()
				place(given, path, value)
				other, ok := variantOf(t, b, given)
				if ok && !cmp.Equal(valueAt(base.values, leaf.Path), valueAt(other.values, leaf.Path)) && !yield(base, other) {
					return
				}
			}
		}
	}
}

// TestFixedNeeded: for every fixed parameter there are values that differ in nothing else
// and that the API server would not exchange on a running workload; its description says
// what is fixed.
func TestFixedNeeded(t *testing.T) {
	for _, b := range blueprints(t) {
		all := bases(t, b)
		for _, f := range b.Profile.Fixed {
			leaf := b.Params.Lookup(f.Path)
			if !strings.Contains(leaf.Description, "Fixed") {
				t.Errorf("%s: the description of %s does not say what is fixed: %s", b.Profile.Name, f.Path, leaf.Description)
			}
			if !decides(t, b, all, leaf, 20) {
				t.Errorf("%s: %s is called fixed, and no immutable field depends on it alone", b.Profile.Name, f.Path)
			}
		}
	}
}

// TestFixedEnough: a change of any other parameter of a case is one that the API server takes.
func TestFixedEnough(t *testing.T) {
	for _, b := range blueprints(t) {
		cases := bases(t, b)[:len(b.Profile.Cases)]
		for _, leaf := range b.Params.Leaves() {
			fixed := slices.ContainsFunc(b.Profile.Fixed, func(f profile.Fixed) bool { return f.Path == leaf.Path })
			if !fixed && !free(leaf) && decides(t, b, cases, leaf, 2) {
				t.Errorf("%s: an immutable field depends on %s, which is not called fixed", b.Profile.Name, leaf.Path)
			}
		}
	}
}

// lame is a profile with a parameter that nothing uses and one that is wrongly fixed.
const lame = `apiVersion: kilter.dev/v1alpha1
kind: Profile
metadata: {name: lame}
spec:
  title: Lame
  description: Lame.
  parameters:
    type: object
    properties:
      used: {type: string, default: a, description: Used.}
      unused: {type: string, default: a, description: Unused.}
      hidden: {type: boolean, default: false, description: Decides about a note alone.}
      sizeGi: {type: integer, default: 1, minimum: 1, description: Size.}
  fixed: [used, sizeGi]
`

// TestParametersRefuses: what TestParameters and TestFixedNeeded rely on tells parameters
// with an effect from those without.
func TestParametersRefuses(t *testing.T) {
	b := lameBlueprint(t)
	all := bases(t, b)
	for path, want := range map[string]struct{ effective, fixed bool }{
		"used": {true, false}, "unused": {false, false}, "hidden": {true, false}, "sizeGi": {true, true},
	} {
		leaf := b.Params.Lookup(path)
		if got := effective(t, b, all, leaf); got != want.effective {
			t.Errorf("%s has an effect: %v", path, got)
		}
		if got := decides(t, b, all, leaf, 20); got != want.fixed {
			t.Errorf("%s decides about an immutable field: %v", path, got)
		}
	}
	var w [2]blueprint.Workload
	for i, text := range []string{"used: a", "{used: b, hidden: true}"} {
		values, _ := b.Params.Check(document(t, text))
		w[i] = blueprint.Workload{Name: release, Values: values}
	}
	if diff := cmp.Diff([]string{"used"}, differ(b, w[0], w[1])); diff != "" {
		t.Errorf("fixed parameters that differ (-want +got):\n%s", diff)
	}
}

func lameBlueprint(t *testing.T) *blueprint.Blueprint {
	t.Helper()
	p, err := profile.Load(fstest.MapFS{
		"profile.yaml":       {Data: []byte(lame)},
		"cases/default.yaml": {Data: []byte("{}")},
		"notes.txt":          {Data: []byte(`${params.hidden ? "on" : "off"}`)},
		"templates/a.yaml": {Data: []byte(`apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: "${workload.name}", annotations: {used: "${params.used}"}}
spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: "${params.sizeGi}Gi"}}}
`)},
	}, nil, "lame")
	if err != nil {
		t.Fatal(err)
	}
	b, err := blueprint.Compile(p)
	if err != nil {
		t.Fatal(err)
	}
	return b
}
