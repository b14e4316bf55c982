// SPDX-License-Identifier: Apache-2.0

package manifest

import (
	"slices"
	"strconv"

	"kilter.dev/kilter/internal/source"
)

// Place gives each part of n the place of the same part of the first node that has it, of
// those that n was made from; what is in none, or another value there, is at elsewhere. Items
// of lists that have a name are the same where it is the same, others at the same index.
func (n *Node) Place(from []*Node, elsewhere source.Span) {
	if n == nil {
		return
	}
	from = slices.DeleteFunc(from, func(f *Node) bool { return f == nil || n.Shape != f.Shape || n.Value != f.Value })
	n.Span, n.style = elsewhere, unknown
	if len(from) > 0 {
		n.Span, n.style = from[0].Span, from[0].style
	}
	for i := range n.Fields {
		field := &n.Fields[i]
		field.KeySpan = elsewhere
		var values []*Node
		for _, f := range slices.Backward(from) {
			at := f.index(field.Key)
			if at >= 0 && f.Fields[at].Value.shape() == field.Value.shape() {
				field.KeySpan = f.Fields[at].KeySpan
				values = append([]*Node{f.Fields[at].Value}, values...)
			}
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
