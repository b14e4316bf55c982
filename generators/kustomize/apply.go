// SPDX-License-Identifier: Apache-2.0

package kustomize

import (
	"slices"
	"strconv"

	"kilter.dev/kilter/internal/manifest"
)

// apply returns the objects after the change, as kustomize would make them. An operation
// whose place is gone is dropped: the overlay's own patch then sets it right.
func (c change) apply(objects []*manifest.Object) []*manifest.Object {
	gone, patched := byID(c.removed), map[identity]patch{}
	for _, p := range c.patched {
		patched[id(p.target)] = p
	}
	var out []*manifest.Object
	for _, o := range objects {
		if gone[id(o)] != nil {
			continue
		}
		result := *o
		result.Node = o.Node.Clone()
		for _, op := range patched[id(o)].ops {
			op.apply(result.Node)
		}
		out = append(out, &result)
	}
	present := byID(out)
	for _, o := range c.added {
		if present[id(o)] == nil {
			out = append(out, o)
		}
	}
	return out
}

func (o operation) apply(root *manifest.Node) {
	parent := root
	for _, key := range o.path[:len(o.path)-1] {
		if parent = child(parent, key); parent == nil {
			return
		}
	}
	key := o.path[len(o.path)-1]
	if parent.Shape == manifest.Map {
		if o.op == "remove" {
			parent.Delete(key)
		} else {
			parent.Set(key, o.value)
		}
		return
	}
	i, err := strconv.Atoi(key)
	switch {
	case err != nil || i > len(parent.Items):
	case o.op == "add":
		parent.Items = slices.Insert(parent.Items, i, o.value)
	case i == len(parent.Items):
	case o.op == "remove":
		parent.Items = slices.Delete(parent.Items, i, i+1)
	default:
		parent.Items[i] = o.value
	}
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
