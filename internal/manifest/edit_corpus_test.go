// SPDX-License-Identifier: Apache-2.0

package manifest_test

import (
	"strings"
	"testing"

	"kilter.dev/kilter/internal/manifest"
	"kilter.dev/kilter/internal/source"
)

// TestEditsOfCharts adds and deletes fields and items in every object of what real charts
// render to: one line each, and back to the text as it was.
func TestEditsOfCharts(t *testing.T) {
	for _, name := range []string{"corpus", "odd-yaml"} {
		t.Run(name, func(t *testing.T) {
			edited := 0
			for _, f := range corpus(t, name) {
				docs, diags := manifest.Parse(f)
				if diags.Err() != nil {
					continue
				}
				objects, _ := manifest.Objects(docs)
				edited += len(objects)
				editObjects(t, f, objects)
			}
			if want := map[string]int{"corpus": 2000, "odd-yaml": 15}[name]; edited < want {
				t.Errorf("edited %d objects, want %d and more", edited, want)
			}
		})
	}
}

func editObjects(t *testing.T, f *source.File, objects []*manifest.Object) {
	mark := manifest.NewString("kilter")
	var changes []manifest.Change
	lines := 0
	for _, o := range objects {
		after := o.Node.Clone()
		changes = append(changes, manifest.Change{Before: o.Node, After: after})
		each(after, func(n *manifest.Node) {
			if n.Shape == manifest.Map && len(n.Fields) > 0 {
				n.Set("kilter.dev/mark", mark)
				lines++
			} else if n.Shape == manifest.List && len(n.Items) > 0 {
				n.Items = append(n.Items, mark)
				lines++
			}
		})
	}
	edits, err := manifest.EditFile(f, changes)
	if err != nil {
		if !strings.Contains(f.Text, "&") {
			t.Error(err)
		}
		return
	}
	text, _ := source.Apply(f, edits)
	if got := strings.Count(text, "\n") - strings.Count(f.Text, "\n"); got > lines {
		t.Errorf("%s: %d lines more for %d marks", f.Name, got, lines)
	}
	if without := strings.Count(text, "kilter"); without < lines {
		t.Errorf("%s: %d marks, want %d", f.Name, without, lines)
	}
	restore(t, f, source.New(f.Name, text), objects)
}

// restore wants the objects of edited to become what they were, by edits that give the text
// that was.
func restore(t *testing.T, f, edited *source.File, objects []*manifest.Object) {
	docs, _ := manifest.Parse(edited)
	again, _ := manifest.Objects(docs)
	if len(again) != len(objects) {
		t.Fatalf("%s: %d objects, want %d", f.Name, len(again), len(objects))
	}
	var changes []manifest.Change
	for i, o := range objects {
		changes = append(changes, manifest.Change{Before: again[i].Node, After: o.Node.Clone()})
	}
	if got := apply(t, edited, changes); got != f.Text {
		t.Errorf("%s: marked and unmarked, it differs", f.Name)
	}
}

// each calls f for n and all below it, the innermost first.
func each(n *manifest.Node, f func(*manifest.Node)) {
	for _, field := range n.Fields {
		each(field.Value, f)
	}
	for _, item := range n.Items {
		each(item, f)
	}
	f(n)
}

func BenchmarkEdits(b *testing.B) {
	files := corpus(b, "corpus")
	var all [][]manifest.Change
	for _, f := range files {
		docs, _ := manifest.Parse(f)
		objects, _ := manifest.Objects(docs)
		var changes []manifest.Change
		for _, o := range objects {
			after := o.Node.Clone()
			after.Set("kilter.dev/mark", manifest.NewInt(1))
			changes = append(changes, manifest.Change{Before: o.Node, After: after})
		}
		all = append(all, changes)
	}
	for b.Loop() {
		for i, f := range files {
			if _, err := manifest.EditFile(f, all[i]); err != nil {
				b.Fatal(err)
			}
		}
	}
}
