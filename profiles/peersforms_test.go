// SPDX-License-Identifier: Apache-2.0

package profiles_test

import (
	"strings"
	"testing"

	"kilter.dev/kilter/internal/lint"
	"kilter.dev/kilter/internal/manifest"
	"kilter.dev/kilter/internal/source"
	"kilter.dev/kilter/rules"
)

// A peerForm is what others write, cut to what is wrong with it, in the names of ours so
// that one path leads to both.
type peerForm struct {
	name      string
	manifests string
	rules     []string // rules that find it
}

// checkForms says which mistakes nobody makes, since a row that is true of every form could
// not fail, and which forms no longer break the rules that they are known for.
func checkForms(t *testing.T, forms []peerForm, mistakes []mistake) {
	t.Helper()
	all, err := lint.Load(rules.FS)
	if err != nil {
		t.Fatal(err)
	}
	var theirs []*manifest.Node
	for _, form := range forms {
		docs, errs := manifest.Parse(source.New(form.name+".yaml", form.manifests))
		objects, more := manifest.Objects(docs)
		if err := append(errs, more...).Err(); err != nil {
			t.Fatal(err)
		}
		for _, o := range objects {
			theirs = append(theirs, o.Node)
		}
		found := map[string]bool{}
		for _, f := range all.Run(objects, lint.Options{}) {
			found[f.Code] = true
		}
		for _, rule := range form.rules {
			if !found[rule] {
				t.Errorf("%s: %s does not find it", form.name, rule)
			}
		}
	}
	for _, m := range mistakes {
		if !made(m, theirs) {
			t.Errorf("none of the forms has another %s of %s than %q: %s", m.path, m.object, m.want, m.why)
		}
	}
}

// made says whether one of the objects makes a mistake.
func made(m mistake, objects []*manifest.Node) bool {
	kind, _, _ := strings.Cut(m.object, "/")
	for _, o := range objects {
		if at(o, "kind") == kind && (m.path == "" || at(o, m.path) != m.want) {
			return true
		}
	}
	return false
}
