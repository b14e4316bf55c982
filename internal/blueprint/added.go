// SPDX-License-Identifier: Apache-2.0

package blueprint

import (
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

// duplicates reports objects that a cluster takes for the same one: those that a parameter
// adds may repeat what the templates make.
func duplicates(objects []*manifest.Object, namespace string, added map[*manifest.Node]bool) (errs diag.List) {
	seen := manifest.NewSeen(namespace)
	for _, o := range objects {
		other := seen.Before(o)
		if other == nil {
			continue
		}
		if added[other.Node] && !added[o.Node] {
			o, other = other, o
		}
		d := errs.Errorf(o.Span, DuplicateCode, "%s", manifest.Twice(o))
		d.Hint = "give one of them another name"
		if other.Span.File != nil {
			d.Related = []diag.Related{{Span: other.Span, Message: "the other one"}}
		}
	}
	return errs
}
