// SPDX-License-Identifier: Apache-2.0

package manifest

import (
	"strings"

	"kilter.dev/kilter/internal/source"
)

// AppendDocument returns the edit that adds a document behind all others of f. A file of
// JSON, which holds one value, is refused.
func AppendDocument(f *source.File, n *Node) ([]source.Edit, error) {
	return EditFile(f, nil, n)
}

func (e *editor) appendAll(added []*Node) error {
	for _, n := range added {
		if err := e.append(n); err != nil {
			return err
		}
	}
	e.added = added
	return nil
}

func (e *editor) append(n *Node) error {
	p := &printer{layout: ours}
	if i := len(e.docs) - 1; i >= 0 {
		if d := e.docs[i]; len(e.docs) == 1 && d.isJSON() {
			return refusal(d.node.Span, "a file of JSON holds one value; put the object in another file")
		} else if isOpen(d.root) {
			p.layout = d.layoutAt(len(d.lines))
		}
	}
	p.flat = e.way == quoted
	p.value(n, 0)
	p.WriteByte('\n')
	end := len(e.text)
	text := p.String()
	if e.text != "" && !isMarker(e.text[e.lineStart(end-e.breakBefore(end)):], "---") {
		text = "---\n" + text
	}
	e.cut(end, end, strings.ReplaceAll(text, "\n", e.lineBreak(end)))
	return nil
}
