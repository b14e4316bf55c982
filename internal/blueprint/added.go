// SPDX-License-Identifier: Apache-2.0

package blueprint

import (
	"cmp"
	"strconv"
	"strings"

	"kilter.dev/kilter/internal/diag"
	"kilter.dev/kilter/internal/expr"
	"kilter.dev/kilter/internal/manifest"
	"kilter.dev/kilter/internal/source"
)

// written is where the user wrote an item of the parameter that the node is.
func (n *Node) written(w Workload, item int) (at source.Span) {
	if ref, ok := n.Text.Tree.(*expr.Ref); ok && ref.Path[0] == "params" {
		at = locate(w.Written, strings.Join(append(ref.Path[1:len(ref.Path):len(ref.Path)], strconv.Itoa(item)), "."))
	}
	return at
}

// DuplicateCode is the diagnostic code of an object that is there already.
const DuplicateCode = "duplicate"

// TwiceMessage says of a kind and name that there are two. Charts print it too.
const TwiceMessage = "more than one %s is called %s"

// duplicates reports objects that a cluster takes for the same one, where one without a
// namespace is put into that of the workload: those that a parameter adds may repeat what
// the templates make.
func duplicates(objects []*manifest.Object, namespace string, added map[*manifest.Node]bool) (errs diag.List) {
	first := map[manifest.ID]*manifest.Object{}
	for _, o := range objects {
		if o.Name == "" {
			continue // one that the API server makes up
		}
		id := o.ID()
		id.Namespace = cmp.Or(id.Namespace, namespace)
		other := first[id]
		if other == nil {
			first[id] = o
			continue
		}
		if added[other.Node] && !added[o.Node] {
			o, other = other, o
		}
		d := errs.Errorf(o.Span, DuplicateCode, TwiceMessage, o.Kind, o.Name)
		d.Hint = "give one of them another name"
		if other.Span.File != nil {
			d.Related = []diag.Related{{Span: other.Span, Message: "the other one"}}
		}
	}
	return errs
}
