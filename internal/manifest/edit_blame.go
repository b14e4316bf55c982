// SPDX-License-Identifier: Apache-2.0

package manifest

import yaml "go.yaml.in/yaml/v3"

// anchored is an anchored value that is changed, or goes.
type anchored struct {
	in    *document
	value *yaml.Node
}

// blame notes that other places may repeat what is changed.
func (w *writer) blame(y *yaml.Node) {
	w.changed = append(w.changed, anchored{w.document, y})
}

// blameBelow is blame for anchors in a value that goes, with its aliases.
func (w *writer) blameBelow(y *yaml.Node) {
	w.settled[y] = true
	if y.Anchor != "" && w.written[y] != nil {
		w.blame(y)
	}
	for _, child := range y.Content {
		w.blameBelow(child)
	}
}

// blamed returns what a wrong result most likely comes from: the first anchored value that is
// changed and that a place repeats which is not; nil when there is none.
func (e *editor) blamed() error {
	for _, a := range e.changed {
		if a.in.repeats(a.in.root, a.value) {
			return refusal(a.in.written[a.value].Span, "its anchor &%s is for other places to repeat, and they are not changed alike", a.value.Anchor)
		}
	}
	return nil
}

// repeats reports whether an alias in y, that neither goes nor changes as is meant, repeats
// the value.
func (d *document) repeats(y, value *yaml.Node) bool {
	if y.Kind == yaml.AliasNode {
		return y.Alias == value && !d.settled[y]
	}
	for _, child := range y.Content {
		if d.repeats(child, value) {
			return true
		}
	}
	return false
}
