// SPDX-License-Identifier: Apache-2.0

package manifest

import (
	"slices"

	"kilter.dev/kilter/internal/diag"
	"kilter.dev/kilter/internal/source"
)

// Reader reads documents that must be as they are described, field by field, and collects
// everything that is wrong. A field that is null is one that is missing; of a nil node
// nothing is read, and nothing said.
type Reader struct {
	Code string // of the diagnostics
	Errs diag.List
}

// Errorf adds an error.
func (r *Reader) Errorf(at source.Span, format string, args ...any) *diag.Diagnostic {
	return r.Errs.Errorf(at, r.Code, format, args...)
}

// Keys reports whether n is a map, and says which of its keys are not known.
func (r *Reader) Keys(n *Node, known ...string) bool {
	if n == nil {
		return false
	}
	if n.Shape != Map {
		r.Errorf(n.Span, "a map is needed here")
		return false
	}
	for _, f := range n.Fields {
		if !slices.Contains(known, f.Key) {
			r.Errorf(f.KeySpan, "unknown field %q", f.Key).Hint = diag.DidYouMean(f.Key, known)
		}
	}
	return true
}

// Optional returns the field of n; nil when it is missing, or has another shape.
func (r *Reader) Optional(n *Node, key string, shape Shape) *Node {
	v := n.Get(key)
	if v == nil || v.Shape == Null {
		return nil
	}
	if v.Shape != shape {
		d := r.Errorf(v.Span, "%s must be %s", key, shape.Article())
		if shape == String && v.Shape < Map {
			d.Hint = "put it in quotes"
		}
		return nil
	}
	return v
}

// Want is Optional for a field that must be there, and not empty.
func (r *Reader) Want(n *Node, key string, shape Shape) *Node {
	if n == nil {
		return nil
	}
	if n.Get(key).shape() == Null {
		r.Errorf(n.Span, "%s is missing", key)
	}
	v := r.Optional(n, key, shape)
	if v != nil && (v.Shape == String && v.Text() == "" || v.Shape == List && len(v.Items) == 0) {
		r.Errorf(v.Span, "%s is empty", key)
	}
	return v
}

// Text returns the text of a field, "" for none.
func (r *Reader) Text(n *Node, key string, required bool) string {
	return r.field(n, key, String, required).Text()
}

// List returns the items of a field.
func (r *Reader) List(n *Node, key string, required bool) []*Node {
	if v := r.field(n, key, List, required); v != nil {
		return v.Items
	}
	return nil
}

func (r *Reader) field(n *Node, key string, shape Shape, required bool) *Node {
	if required {
		return r.Want(n, key, shape)
	}
	return r.Optional(n, key, shape)
}

// Constant says when a field is not the text that it must be.
func (r *Reader) Constant(n *Node, key, want string) {
	if got := r.Text(n, key, true); got != "" && got != want {
		r.Errorf(n.Get(key).Span, "%s is %q, not %q", key, got, want)
	}
}
