// SPDX-License-Identifier: Apache-2.0

package lint

import (
	"errors"
	"reflect"
	"slices"

	"google.golang.org/protobuf/types/known/structpb"

	"kilter.dev/kilter/internal/kube"
	"kilter.dev/kilter/internal/manifest"
)

var jsonType = reflect.TypeFor[*structpb.Value]()

// Repair is a fix for one object, with the values of its holes.
type Repair struct {
	patches []patch
	// Create is an object to add beside the one with the finding; nil: none.
	Create *manifest.Node
}

type patch struct {
	path []string       // in the object
	node *manifest.Node // a map is merged, anything else put in place
}

// Same reports whether two repairs set the same fields to the same, or both add an object of
// a kind, nil being no repair.
func (r *Repair) Same(other *Repair) bool {
	if r == nil || other == nil {
		return r == other
	}
	kind := func(r *Repair) string { return r.Create.Get("apiVersion").Text() + "/" + r.Create.Get("kind").Text() }
	return kind(r) == kind(other) && slices.EqualFunc(r.patches, other.patches, func(a, b patch) bool {
		return slices.Equal(a.path, b.path) && manifest.Equal(a.node, b.node)
	})
}

// Apply changes the object as the fix says; a map is merged, null deletes, items of a list
// of named things are merged by their key, and other lists are replaced.
func (r *Repair) Apply(object *manifest.Node) error {
	for _, p := range r.patches {
		at, err := object.Reach(p.path...)
		if err != nil {
			return err
		}
		switch {
		case p.node.Shape != manifest.Map:
			*at = *p.node.Clone()
		case at.Shape != manifest.Map:
			return errors.New(manifest.PathText(object, p.path) + " is no map")
		default:
			merge(at, p.node)
		}
	}
	return nil
}

// repair computes the fix of a violated check; nil where it has none that is safe here.
func (t target) repair() (*Repair, error) {
	fix := t.check.Fix
	if fix == nil {
		return nil, nil
	}
	if fix.When != nil {
		if safe, err := fix.When.test(t.scope); err != nil || !safe {
			return nil, err
		}
	}
	if fix.Create != nil {
		node, err := fix.fill(fix.Create, t.scope)
		return &Repair{Create: node}, err
	}
	repair := &Repair{}
	own := manifest.NewMap() // fields of the object itself
	for _, f := range fix.Patch.Fields {
		node, err := fix.fill(f.Value, t.scope)
		if err != nil {
			return nil, err
		}
		path, ok := t.resolve([]string{f.Key})
		switch {
		case !ok:
			return nil, errors.New("a " + t.view.Kind + " has no " + f.Key)
		case len(path) == 1 && path[0] == f.Key:
			if node.Shape != manifest.Map || len(node.Fields) > 0 {
				own.Set(f.Key, node)
			}
		default:
			repair.patches = append(repair.patches, patch{append(t.view.Path[:len(t.view.Path):len(t.view.Path)], path...), node})
		}
	}
	if len(own.Fields) > 0 {
		repair.patches = append(repair.patches, patch{t.view.Path, own})
	}
	return repair, nil
}

// fill returns a copy of n, which is in the fix, with the values of its holes.
func (f *Fix) fill(n *manifest.Node, s *scope) (*manifest.Node, error) {
	switch n.Shape {
	case manifest.String:
		return f.texts[n].node(s)
	case manifest.Map:
		filled := manifest.NewMap()
		for _, field := range n.Fields {
			value, err := f.fill(field.Value, s)
			if err != nil {
				return nil, err
			}
			filled.Set(field.Key, value)
		}
		return filled, nil
	case manifest.List:
		filled := manifest.NewList()
		for _, item := range n.Items {
			value, err := f.fill(item, s)
			if err != nil {
				return nil, err
			}
			filled.Items = append(filled.Items, value)
		}
		return filled, nil
	}
	return &manifest.Node{Shape: n.Shape, Value: n.Value}, nil
}

// merge changes n, a map, as the patch says.
func merge(n, patch *manifest.Node) {
	for _, f := range patch.Fields {
		old := n.Get(f.Key)
		switch {
		case f.Value.Shape == manifest.Null:
			n.Delete(f.Key)
		case f.Value.Shape == manifest.Map && old != nil && old.Shape == manifest.Map:
			merge(old, f.Value)
		case f.Value.Shape == manifest.List && old != nil && old.Shape == manifest.List && kube.MergeKey(f.Key) != "":
			mergeList(old, f.Value, kube.MergeKey(f.Key))
		default:
			n.Set(f.Key, withoutNulls(f.Value))
		}
	}
}

func mergeList(list, patch *manifest.Node, key string) {
	for _, item := range patch.Items {
		found := false
		for _, old := range list.Items {
			if manifest.Equal(old.Get(key), item.Get(key)) {
				merge(old, item)
				found = true
			}
		}
		if !found {
			list.Items = append(list.Items, withoutNulls(item))
		}
	}
}

// withoutNulls returns a copy of a patch's value in which what it deletes is left out.
func withoutNulls(n *manifest.Node) *manifest.Node {
	c := n.Clone()
	var strip func(*manifest.Node)
	strip = func(n *manifest.Node) {
		for i := len(n.Fields) - 1; i >= 0; i-- {
			if n.Fields[i].Value.Shape == manifest.Null {
				n.Delete(n.Fields[i].Key)
			} else {
				strip(n.Fields[i].Value)
			}
		}
		for _, item := range n.Items {
			strip(item)
		}
	}
	strip(c)
	return c
}
