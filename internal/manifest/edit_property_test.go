// SPDX-License-Identifier: Apache-2.0

package manifest_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"kilter.dev/kilter/internal/manifest"
	"kilter.dev/kilter/internal/source"
)

// paths are all entries below n.
func paths(n *manifest.Node, path string) []string {
	var all []string
	for _, f := range n.Fields {
		all = append(append(all, path+"/"+f.Key), paths(f.Value, path+"/"+f.Key)...)
	}
	for i, item := range n.Items {
		all = append(append(all, fmt.Sprint(path, "/", i)), paths(item, fmt.Sprint(path, "/", i))...)
	}
	return all
}

// change makes one random change to n, and returns the path of what it changed, and
// whether that is gone.
func change(t *rapid.T, n *manifest.Node) (path string, gone bool) {
	all := paths(n, "")
	kind := rapid.SampledFrom([]string{"add", "delete", "set", "set", "scalar"}).Draw(t, "change")
	if len(all) == 0 {
		kind = "add"
	}
	if kind == "add" {
		all = append(all, "")
	}
	path = rapid.SampledFrom(all).Draw(t, "path")
	steps := strings.Split(path, "/")[1:]
	if path == "" {
		steps = nil
	}
	value := rapid.Map(nodes(2), func(n *manifest.Node) *manifest.Node {
		withoutSlashes(n)
		return n
	})
	if kind == "add" {
		at := n.Get(steps...)
		switch at.Shape {
		case manifest.Map:
			field := manifest.NewMap(manifest.Field{Key: texts().Draw(t, "key"), Value: value.Draw(t, "value")})
			withoutSlashes(field)
			at.Set(field.Fields[0].Key, field.Fields[0].Value)
		case manifest.List:
			at.Items = slices.Insert(at.Items, rapid.IntRange(0, len(at.Items)).Draw(t, "index"), value.Draw(t, "value"))
		default:
			*at = *value.Draw(t, "value")
		}
		return path, false
	}
	parent, last := n.Get(steps[:len(steps)-1]...), steps[len(steps)-1]
	switch i, _ := strconv.Atoi(last); {
	case kind == "delete" && parent.Shape == manifest.List:
		parent.Items = slices.Delete(parent.Items, i, i+1)
	case kind == "delete":
		parent.Delete(last)
	case kind == "scalar":
		*parent.Get(last) = *nodes(0).Draw(t, "value")
	default:
		*parent.Get(last) = *value.Draw(t, "value")
	}
	return path, kind == "delete"
}

// withoutSlashes makes the paths of n unique, and its keys short.
func withoutSlashes(n *manifest.Node) {
	for i, f := range n.Fields {
		n.Fields[i].Key = strings.ToValidUTF8(strings.ReplaceAll(f.Key[:min(len(f.Key), 100)], "/", ""), "")
		withoutSlashes(f.Value)
	}
	for _, item := range n.Items {
		withoutSlashes(item)
	}
	*n = *unique(n)
}

func unique(n *manifest.Node) *manifest.Node {
	if n.Shape != manifest.Map {
		return n
	}
	return manifest.NewMap(n.Fields...)
}

func oddDocument(t *rapid.T, anchored bool) (*odd, *source.File, *manifest.Node) {
	n := nodes(3).Filter(func(n *manifest.Node) bool { return n.Shape == manifest.Map || n.Shape == manifest.List }).Draw(t, "document")
	withoutSlashes(n)
	o := oddFile(t, n, anchored)
	f := source.New("t.yaml", o.String())
	docs, diags := manifest.Parse(f)
	if len(diags) > 0 || len(docs) != 1 {
		t.Fatalf("generated %d documents, %v\n%s", len(docs), diags, o.String())
	}
	return o, f, docs[0]
}

func get(n *manifest.Node, path string) *manifest.Node {
	return n.Get(strings.Split(path, "/")[1:]...)
}

// TestOneEdit wants every single change of every document to be possible, and to leave
// all comments but that of what is gone.
func TestOneEdit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		o, f, before := oddDocument(t, false)
		after := before.Clone()
		path, gone := change(t, after)
		got, err := edit(t, f.Text, 0, after)
		if err != nil {
			t.Fatalf("%v\n%s\n---- to become\n%s", err, f.Text, manifest.JSON(after))
		}
		if docs := parse(t, got); len(docs) != 1 || !manifest.Equal(docs[0], after) {
			t.Fatalf("%s\n---- is not\n%s", got, manifest.JSON(after))
		}
		for _, c := range o.comments {
			below := strings.HasPrefix(c.path, path+"/")
			// Of equal items any may go.
			same := gone && manifest.Equal(get(before, c.path), get(before, path))
			if !below && !same && !strings.Contains(got, c.text) {
				t.Errorf("comment %q of %q is gone with a change at %q:\n%s\n----\n%s", c.text, c.path, path, f.Text, got)
			}
		}
	})
}

func TestNoEdit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		_, _, before := oddDocument(t, false)
		edits, err := manifest.Edits(before, before.Clone())
		if len(edits) > 0 || err != nil {
			t.Fatalf("%v, %v", edits, err)
		}
	})
}

func TestManyEdits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		_, f, before := oddDocument(t, false)
		after := before.Clone()
		for range rapid.IntRange(1, 6).Draw(t, "changes") {
			change(t, after)
		}
		got, err := edit(t, f.Text, 0, after)
		if err != nil {
			t.Fatalf("%v\n%s\n---- to become\n%s", err, f.Text, manifest.JSON(after))
		}
		if docs := parse(t, got); len(docs) != 1 || !manifest.Equal(docs[0], after) {
			t.Fatalf("%s\n---- is not\n%s", got, manifest.JSON(after))
		}
	})
}

// TestAnchors wants edits of documents with anchors, aliases and merged maps to be right
// or refused.
func TestAnchors(t *testing.T) {
	made, refused := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		_, f, before := oddDocument(t, true)
		after := before.Clone()
		change(t, after)
		got, err := edit(t, f.Text, 0, after)
		if err != nil {
			refused++
			return
		}
		made++
		if docs := parse(t, got); len(docs) != 1 || !manifest.Equal(docs[0], after) {
			t.Fatalf("%s\n---- is not\n%s", got, manifest.JSON(after))
		}
	})
	if made < refused {
		t.Errorf("made %d edits and refused %d", made, refused)
	}
	t.Logf("made %d edits and refused %d", made, refused)
}
