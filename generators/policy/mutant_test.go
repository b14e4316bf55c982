// SPDX-License-Identifier: Apache-2.0

package policy_test

import (
	"flag"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kilter.dev/kilter/generators/policy"
	"kilter.dev/kilter/internal/admission"
	"kilter.dev/kilter/internal/diag"
	"kilter.dev/kilter/internal/fix/fixtest"
	"kilter.dev/kilter/internal/lint"
	"kilter.dev/kilter/internal/manifest"
)

// mutants are how many objects are tried.
const mutants = 2000

var first = flag.Int64("first", 1, "with which random number mutants begin")

// mutantsOf calls f for mutants of the objects in the fixtures that API servers can read.
func mutantsOf(t *testing.T, all *lint.Rules, f func(rule *lint.Rule, mutant *manifest.Object, o lint.Options)) {
	t.Helper()
	type seed struct {
		rule    *lint.Rule
		object  *manifest.Object
		options lint.Options
	}
	var seeds []seed
	inputs(t, all, func(rule *lint.Rule, objects []*manifest.Object, o lint.Options) {
		for _, object := range objects {
			if isOf(object, rule) {
				seeds = append(seeds, seed{rule, object, o})
			}
		}
	})
	random := rand.New(rand.NewSource(*first))
	for n, tried := 0, 0; tried < mutants && !t.Failed(); n++ {
		if n > 20*mutants {
			t.Fatalf("only %d of %d mutants can be read", tried, n)
		}
		s := seeds[random.Intn(len(seeds))]
		if mutant := mutate(random, s.object); mutant != nil && !unreadable(mutant, s.options) {
			tried++
			f(s.rule, mutant, s.options)
		}
	}
}

// TestMutants: of objects of the fixtures with something removed, null, of another type or
// written in another way, a policy says what kilter check says.
func TestMutants(t *testing.T) {
	t.Parallel()
	all, policies := load(t), byVersion{generate: policy.Validating}
	denied := 0
	mutantsOf(t, all, func(rule *lint.Rule, mutant *manifest.Object, o lint.Options) {
		for _, severity := range []diag.Severity{diag.Error, diag.Warning, diag.Info} {
			p := policies.find(t, all, o.KubeVersion, policy.Name(rule, severity))
			if p == nil {
				continue
			}
			v := p.Validate(admission.Request{Object: mutant})
			if v.Denied {
				denied++
			}
			want := fixtest.Said(all, mutant, o, severity)
			if v.Err != nil && cannot(all, mutant, o) {
				continue // no custom resource with a schema is like that; the policy lets it pass
			}
			if diff := cmp.Diff(words(want), words(v.Message)); diff != "" || v.Err != nil {
				t.Errorf("%s (-check +policy): %v\n%s%s", p.Name, v.Err, diff, manifest.Print(mutant.Node))
			}
		}
	})
	if denied < mutants/10 {
		t.Errorf("only %d of %d are denied", denied, mutants)
	}
}

// TestMutantsFixed: of these a mutating policy makes what kilter fix makes.
func TestMutantsFixed(t *testing.T) {
	t.Parallel()
	all, policies := load(t), byVersion{generate: policy.Mutating}
	mended := 0
	mutantsOf(t, all, func(rule *lint.Rule, mutant *manifest.Object, o lint.Options) {
		p := policies.find(t, all, o.KubeVersion, "kilter-fix-"+rule.Name)
		if p == nil || cannot(all, mutant, o) {
			return
		}
		got, err := p.Mutate(admission.Request{Object: mutant})
		if err != nil {
			t.Errorf("%s: %v\n%s", p.Name, err, manifest.Print(mutant.Node))
			return
		}
		want := defaulted(t, manifest.Native(fixtest.Fixed(all, mutant, o).Node).(map[string]any), o)
		if diff := cmp.Diff(want, defaulted(t, got, o)); diff != "" {
			t.Errorf("%s (-fix +policy):\n%s%s", p.Name, diff, manifest.Print(mutant.Node))
		}
		if !cmp.Equal(want, defaulted(t, manifest.Native(mutant.Node).(map[string]any), o)) {
			mended++
		}
	})
	if mended < mutants/100 {
		t.Errorf("only %d of %d are mended", mended, mutants)
	}
}

// cannot reports whether kilter check cannot evaluate the rule either.
func cannot(all *lint.Rules, o *manifest.Object, options lint.Options) bool {
	return slices.ContainsFunc(all.Run([]*manifest.Object{o}, options), func(f lint.Finding) bool {
		return strings.HasPrefix(f.Message, "the rule cannot be evaluated")
	})
}

// mutate returns a copy of the object with one to three changes below its metadata.name; nil
// when it is no object any more.
func mutate(random *rand.Rand, o *manifest.Object) *manifest.Object {
	n := o.Node.Clone()
	for range 1 + random.Intn(3) {
		var places []place
		collect(n, nil, &places)
		if len(places) == 0 {
			return nil
		}
		kinds := 4
		if strings.Contains(o.APIVersion, ".") {
			kinds = 2 // custom resources have schemas, by which types do not change
		}
		change(random, places[random.Intn(len(places))], random.Intn(kinds))
	}
	if spec := n.Get("spec"); spec != nil && spec.Shape != manifest.Map {
		return nil // no API server lets that in, of custom resources neither
	}
	objects, errs := manifest.Objects([]*manifest.Node{n})
	if errs.Err() != nil || len(objects) != 1 || objects[0].Kind != o.Kind || objects[0].Name == "" {
		return nil
	}
	return objects[0]
}

// place is a field of a map, or an item of a list.
type place struct {
	in    *manifest.Node
	index int
}

func collect(n *manifest.Node, path []string, places *[]place) {
	for i, f := range n.Fields {
		if len(path) > 0 || !slices.Contains([]string{"apiVersion", "kind"}, f.Key) {
			*places = append(*places, place{n, i})
		}
		collect(f.Value, append(path, f.Key), places)
	}
	for i, item := range n.Items {
		*places = append(*places, place{n, i})
		collect(item, append(path, "[]"), places)
	}
}

// values are what is put in the place of others.
func values() []*manifest.Node {
	return []*manifest.Node{
		null(), manifest.NewString(""), manifest.NewString("0"), manifest.NewString("25%"), manifest.NewString("1500m"), manifest.NewString("1e3"),
		manifest.NewString("100%"), manifest.NewString("http"), manifest.NewInt(0), manifest.NewInt(1), manifest.NewInt(-1), manifest.NewInt(100000), manifest.NewBool(true), manifest.NewBool(false),
		manifest.NewMap(), manifest.NewList(), manifest.NewList(null()), manifest.NewString("é {{ $x }} ${y}"),
	}
}

func change(random *rand.Rand, p place, how int) {
	at := func() **manifest.Node {
		if p.in.Shape == manifest.List {
			return &p.in.Items[p.index]
		}
		return &p.in.Fields[p.index].Value
	}
	switch how {
	case 0: // removed
		if p.in.Shape == manifest.List {
			p.in.Items = slices.Delete(p.in.Items, p.index, p.index+1)
		} else {
			p.in.Fields = slices.Delete(p.in.Fields, p.index, p.index+1)
		}
	case 1: // twice, or written as text or as a number
		switch n := *at(); {
		case p.in.Shape == manifest.List:
			again := n.Clone()
			if named := again.Get("name"); named != nil { // two of one name are refused
				again.Set("name", manifest.NewString(named.Text()+"-2"))
			}
			p.in.Items = append(p.in.Items, again)
		case n.Shape == manifest.Int:
			*at() = manifest.NewString(manifest.JSON(n))
		case n.Shape == manifest.String && len(n.Text()) == 1:
			*at() = manifest.NewInt(int64(n.Text()[0] - '0'))
		}
	default:
		all := values()
		*at() = all[random.Intn(len(all))]
	}
}

func null() *manifest.Node { return &manifest.Node{Shape: manifest.Null} }
