// SPDX-License-Identifier: Apache-2.0

package manifest

import (
	"slices"
	"strconv"

	"kilter.dev/kilter/internal/source"
)

// Place gives each part of n the place of the same part of a node that n was made from: of the
// first that has a scalar, and of the one that has most of what is in a map or list, the first
// where there are several. What is in none, or another value there, is at elsewhere. Items of
// lists that have a name are the same where it is the same, others at the same index.
func (n *Node) Place(from []*Node, elsewhere source.Span) {
	if n == nil {
		return
	}
	from = slices.DeleteFunc(from, func(f *Node) bool { return f == nil || n.Shape != f.Shape || n.Value != f.Value })
	n.Span, n.style = elsewhere, unknown
	if i := n.mostOf(from); i >= 0 {
		n.Span, n.style = from[i].Span, from[i].style
	}
	for i := range n.Fields {
		field := &n.Fields[i]
		field.KeySpan = elsewhere
		var keys []source.Span
		var values []*Node
		for _, f := range from {
			if at := f.index(field.Key); at >= 0 && f.Fields[at].Value.shape() == field.Value.shape() {
				keys, values = append(keys, f.Fields[at].KeySpan), append(values, f.Fields[at].Value)
			}
		}
		if i := field.Value.mostOf(values); i >= 0 {
			field.KeySpan = keys[i]
		}
		field.Value.Place(values, elsewhere)
	}
	for i, item := range n.Items {
		var items []*Node
		for _, f := range from {
			items = append(items, f.item(i, item.Get("name").Text()))
		}
		item.Place(items, elsewhere)
	}
}

// mostOf returns the index of the node that holds most of the scalars in n, of the first of
// those that do; -1 for none.
func (n *Node) mostOf(from []*Node) int {
	best, most := -1, -1
	for i, f := range from {
		if count := n.common(f); count > most {
			best, most = i, count
		}
	}
	return best
}

// common returns how many scalars in n are in other, too.
func (n *Node) common(other *Node) (count int) {
	if n == nil || other == nil || n.Shape != other.Shape || n.Value != other.Value {
		return 0
	}
	if n.Shape != Map && n.Shape != List {
		return 1
	}
	for _, f := range n.Fields {
		count += f.Value.common(other.Get(f.Key))
	}
	for i, item := range n.Items {
		count += item.common(other.item(i, item.Get("name").Text()))
	}
	return count
}

// item returns the item that has the name, or where it has none, the item at the index.
func (n *Node) item(i int, name string) *Node {
	if name == "" {
		return n.Get(strconv.Itoa(i))
	}
	if at := slices.IndexFunc(n.Items, func(item *Node) bool { return item.Get("name").Text() == name }); at >= 0 {
		return n.Items[at]
	}
	return nil
}
