// SPDX-License-Identifier: Apache-2.0

package kustomize

import (
	"slices"
	"strconv"

	"kilter.dev/kilter/internal/manifest"
)

// apply returns the objects after the change, as kustomize would make them; false where
// kustomize would refuse: an operation's place is gone, or an added object is there already.
func (c change) apply(objects []*manifest.Object) ([]*manifest.Object, bool) {
	gone, patched := byID(c.removed), map[manifest.ID]patch{}
	for _, p := range c.patched {
		patched[p.target.ID()] = p
	}
	var out []*manifest.Object
	for _, o := range objects {
		if gone[o.ID()] != nil {
			continue
		}
		result := *o
		result.Node = o.Node.Clone()
		for _, op := range patched[o.ID()].ops {
			if !op.apply(result.Node) {
				return nil, false
			}
		}
		out = append(out, &result)
	}
	present := byID(out)
	for _, o := range c.added {
		if present[o.ID()] != nil {
			return nil, false
		}
	}
	return append(out, c.added...), true
}

func (o operation) apply(root *manifest.Node) bool {
	parent := root
	for _, key := range o.path[:len(o.path)-1] {
		if parent = child(parent, key); parent == nil {
			return false
		}
	}
	key := o.path[len(o.path)-1]
	if parent.Shape == manifest.Map {
		return o.applyToMap(parent, key)
	}
	i, err := strconv.Atoi(key)
	switch {
	case err != nil || i > len(parent.Items):
		return false
	case o.op == "add":
		parent.Items = slices.Insert(parent.Items, i, o.value)
	case i == len(parent.Items):
		return false
	case o.op == "remove":
		parent.Items = slices.Delete(parent.Items, i, i+1)
	default:
		parent.Items[i] = o.value
	}
	return true
}

func (o operation) applyToMap(m *manifest.Node, key string) bool {
	switch {
	case o.op != "add" && m.Get(key) == nil:
		return false
	case o.op == "remove":
		m.Delete(key)
	default:
		m.Set(key, o.value)
	}
	return true
}

func child(n *manifest.Node, key string) *manifest.Node {
	if n.Shape == manifest.List {
		i, err := strconv.Atoi(key)
		if err != nil || i >= len(n.Items) {
			return nil
		}
		return n.Items[i]
	}
	return n.Get(key)
}
