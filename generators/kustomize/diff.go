// SPDX-License-Identifier: Apache-2.0

package kustomize

import (
	"slices"
	"strconv"
	"strings"

	"kilter.dev/kilter/internal/manifest"
)

// change is the difference between two sets of objects: whole objects, and JSON patches
// (RFC 6902) of those in both. JSON patches, unlike strategic merge patches, mean the
// same for built-in kinds and custom resources, and keep the order of lists.
type change struct {
	added, removed []*manifest.Object
	patched        []patch
}

type patch struct {
	target *manifest.Object
	ops    []operation
}

// operation is add, replace or remove; value is nil for remove.
type operation struct {
	op    string
	path  []string
	value *manifest.Node
}

func (c change) empty() bool { return len(c.added)+len(c.removed)+len(c.patched) == 0 }

// within reports whether every object that c adds is one of the given ones, as it is.
func (c change) within(objects []*manifest.Object) bool {
	present := byID(objects)
	for _, o := range c.added {
		if other := present[o.ID()]; other == nil || !manifest.Equal(o.Node, other.Node) {
			return false
		}
	}
	return true
}

func byID(objects []*manifest.Object) map[manifest.ID]*manifest.Object {
	m := map[manifest.ID]*manifest.Object{}
	for _, o := range objects {
		m[o.ID()] = o
	}
	return m
}

// differ returns what turns the objects a into b.
func differ(a, b []*manifest.Object) change {
	var c change
	before, after := byID(a), byID(b)
	for _, o := range a {
		target, ok := after[o.ID()]
		if !ok {
			c.removed = append(c.removed, o)
		} else if ops := compare(o.Node, target.Node, nil); len(ops) > 0 {
			c.patched = append(c.patched, patch{target: o, ops: ops})
		}
	}
	for _, o := range b {
		if _, ok := before[o.ID()]; !ok {
			c.added = append(c.added, o)
		}
	}
	return c
}

// compare returns the operations that turn a into b, to be applied in order.
func compare(a, b *manifest.Node, path []string) []operation {
	switch {
	case a.Shape == manifest.Map && b.Shape == manifest.Map:
		return compareMaps(a, b, path)
	case a.Shape == manifest.List && b.Shape == manifest.List:
		return compareLists(a, b, path)
	case manifest.Equal(a, b):
		return nil
	}
	return []operation{{op: "replace", path: path, value: b}}
}

func compareMaps(a, b *manifest.Node, path []string) []operation {
	var ops []operation
	for _, f := range a.Fields {
		if other := b.Get(f.Key); other != nil {
			ops = append(ops, compare(f.Value, other, at(path, f.Key))...)
		} else {
			ops = append(ops, operation{op: "remove", path: at(path, f.Key)})
		}
	}
	for _, f := range b.Fields {
		if a.Get(f.Key) == nil {
			ops = append(ops, operation{op: "add", path: at(path, f.Key), value: f.Value})
		}
	}
	return ops
}

// compareLists leaves the items alone that both lists begin and end with.
func compareLists(a, b *manifest.Node, path []string) []operation {
	first := 0
	for first < len(a.Items) && first < len(b.Items) && manifest.Equal(a.Items[first], b.Items[first]) {
		first++
	}
	endA, endB := len(a.Items), len(b.Items)
	for endA > first && endB > first && manifest.Equal(a.Items[endA-1], b.Items[endB-1]) {
		endA, endB = endA-1, endB-1
	}
	var ops []operation
	i := first
	for ; i < endA && i < endB; i++ {
		ops = append(ops, compare(a.Items[i], b.Items[i], at(path, strconv.Itoa(i)))...)
	}
	for j := i; j < endA; j++ {
		ops = append(ops, operation{op: "remove", path: at(path, strconv.Itoa(i))})
	}
	for j := i; j < endB; j++ {
		ops = append(ops, operation{op: "add", path: at(path, strconv.Itoa(j)), value: b.Items[j]})
	}
	return ops
}

func at(path []string, key string) []string { return append(slices.Clip(path), key) }

// patches returns the entries of a kustomization's patches field.
func (c change) patches() []*manifest.Node {
	var out []*manifest.Node
	for _, p := range c.patched {
		ops := manifest.NewList()
		for _, o := range p.ops {
			ops.Items = append(ops.Items, o.node())
		}
		out = append(out, entry(p.target, manifest.Print(ops)))
	}
	for _, o := range c.removed {
		deletion := manifest.NewMap(
			manifest.Field{Key: "$patch", Value: manifest.NewString("delete")},
			manifest.Field{Key: "apiVersion", Value: manifest.NewString(o.APIVersion)},
			manifest.Field{Key: "kind", Value: manifest.NewString(o.Kind)},
			manifest.Field{Key: "metadata", Value: manifest.NewMap(manifest.Field{Key: "name", Value: manifest.NewString(o.Name)})},
		)
		out = append(out, entry(o, manifest.Print(deletion)))
	}
	return out
}

func entry(o *manifest.Object, text string) *manifest.Node {
	target := manifest.NewMap()
	if group := o.ID().Group; group != "" {
		target.Set("group", manifest.NewString(group))
	}
	target.Set("kind", manifest.NewString(o.Kind))
	target.Set("name", manifest.NewString(o.Name))
	return manifest.NewMap(
		manifest.Field{Key: "target", Value: target},
		manifest.Field{Key: "patch", Value: manifest.NewString(text)},
	)
}

func (o operation) node() *manifest.Node {
	n := manifest.NewMap(
		manifest.Field{Key: "op", Value: manifest.NewString(o.op)},
		manifest.Field{Key: "path", Value: manifest.NewString(pointer(o.path))},
	)
	if o.value != nil {
		n.Set("value", o.value)
	}
	return n
}

// pointer is the JSON pointer (RFC 6901) of a path.
func pointer(path []string) string {
	var b strings.Builder
	for _, key := range path {
		b.WriteString("/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(key))
	}
	return b.String()
}
