// SPDX-License-Identifier: Apache-2.0

package rules_test

import (
	"strings"
	"testing"

	"kilter.dev/kilter/internal/fix/fixtest"
	"kilter.dev/kilter/internal/lint"
	"kilter.dev/kilter/internal/manifest"
	"kilter.dev/kilter/rules"
)

// TestNeighbours: every rule can be evaluated, whatever an object lacks, and those that look
// at several whatever is wrong with the others. Each field of each object of the fixtures is
// left out, and given a value that its type does not have, one after the other; of several
// objects of a kind that have it, in the first.
func TestNeighbours(t *testing.T) {
	all := load(t)
	inputs, err := fixtest.Inputs(rules.FS)
	if err != nil {
		t.Fatal(err)
	}
	for _, in := range inputs {
		t.Run(in.File.Name, func(t *testing.T) {
			t.Parallel()
			objects, _ := parse(in.File)
			known := map[string]bool{}
			for i, o := range objects {
				spoil(o.Node, o.Kind, known, func(around *manifest.Node, what string) {
					for _, f := range spoiled(all, objects, i, in.Options, what != "left out") {
						t.Errorf("%s %s: %s in\n%s%s of %s: %s", o.Kind, o.Name, what, manifest.Print(around), f.Code, f.Diagnostic.Object, f.Message)
					}
				})
			}
		})
	}
}

// spoiled are the rules that cannot be evaluated, of all objects or of all but one.
func spoiled(all *lint.Rules, objects []*manifest.Object, i int, o lint.Options, others bool) (bad []lint.Finding) {
	docs := make([]*manifest.Node, len(objects))
	for i, o := range objects {
		docs[i] = o.Node
	}
	objects, _ = manifest.Objects(docs) // they may have other names now
	if others {
		if len(objects) == 1 {
			return nil
		}
		o.Only = func(rule string) bool { return all.Find(rule).Scope() == lint.Several }
		o.Of = func(o *manifest.Object) bool { return o != objects[i] }
	}
	for _, f := range all.Run(objects, o) {
		if strings.Contains(f.Message, "cannot be evaluated") {
			bad = append(bad, f)
		}
	}
	return bad
}

// spoil calls judge with each field in n left out, and then with another value: no map or
// list where there is one, and no scalar where there is one. Paths that are known are left out.
func spoil(n *manifest.Node, path string, known map[string]bool, judge func(around *manifest.Node, what string)) {
	for _, f := range n.Fields {
		path := path + "." + f.Key
		if f.Key == "apiVersion" || f.Key == "kind" || f.Value == nil {
			continue
		}
		if known[path] {
			spoil(f.Value, path, known, judge)
			continue
		}
		known[path] = true
		was := *f.Value
		wrong := manifest.NewList(manifest.NewMap())
		if was.Shape == manifest.Map || was.Shape == manifest.List {
			wrong = manifest.NewInt(7)
		}
		*f.Value = *wrong
		judge(n, "another value")
		*f.Value = manifest.Node{Shape: manifest.Null}
		judge(n, "left out")
		*f.Value = was
		spoil(f.Value, path, known, judge)
	}
	for _, item := range n.Items {
		spoil(item, path, known, judge)
	}
}
