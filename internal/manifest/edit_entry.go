// SPDX-License-Identifier: Apache-2.0

package manifest

import (
	"strings"

	yaml "go.yaml.in/yaml/v3"
)

// entry is a field or item as it stands in the editor's text.
type entry struct {
	start int        // of its dash or "?", or of its key
	lead  int        // behind its dash or colon; -1: it has none
	end   int        // behind its value
	key   *yaml.Node // nil for an item
	value *yaml.Node
}

func isFlow(y *yaml.Node) bool { return y.Style&yaml.FlowStyle != 0 }

func isCollection(y *yaml.Node) bool {
	return y.Kind == yaml.MappingNode || y.Kind == yaml.SequenceNode
}

// isOpen reports whether y is written as a block: it has entries, and no brackets.
func isOpen(y *yaml.Node) bool { return isCollection(y) && !isFlow(y) }

// entries returns the entries of y, a map or list.
func (w *writer) entries(y *yaml.Node) []entry {
	start, _ := w.content(y)
	at := w.base + start
	if isFlow(y) {
		at++
	}
	var all []entry
	step := 1
	if y.Kind == yaml.MappingNode {
		step = 2
	}
	for i := 0; i+step <= len(y.Content); i += step {
		e := entry{value: y.Content[i+step-1], lead: -1}
		if step == 2 {
			e.key = y.Content[i]
		}
		e.start = at + spaceLen(w.from(at))
		if first := w.base + w.offset(y.Content[i].Line, y.Content[i].Column); i == 0 && e.key != nil && !isFlow(y) {
			e.start = min(e.start, first) // a tag of the key is none of the map
		}
		w.measureEntry(&e, isFlow(y))
		all = append(all, e)
		at = e.end
		if isFlow(y) {
			at += spaceLen(w.from(at))
			at += len(w.from(at)) - len(strings.TrimPrefix(w.from(at), ","))
		}
	}
	return all
}

// measureEntry finds the lead and end of an entry from its start.
func (w *writer) measureEntry(e *entry, flow bool) {
	at := e.start
	switch {
	case e.key == nil && !flow:
		if strings.HasPrefix(w.from(at), "-") {
			e.lead = at + 1
		}
	case e.key == nil:
		e.lead = at
	default:
		at = w.base + w.keyEnd(e.key)
		at += spaceLen(w.from(at))
		if strings.HasPrefix(w.from(at), ":") {
			e.lead = at + 1
		}
	}
	e.end = w.end(e.value)
	if n := w.written[e.value]; n == nil || n.Span.Start == n.Span.End {
		e.end = at
		if e.lead >= 0 {
			e.end = w.props(e.lead)
		}
	}
}

// keyStart returns the offset of a key, behind its anchor.
func (w *writer) keyStart(y *yaml.Node) int {
	start, _ := w.content(y)
	return w.base + start
}

// keyEnd returns the end of a key in the document.
func (w *writer) keyEnd(y *yaml.Node) int {
	if y.Kind == yaml.AliasNode {
		return w.offset(y.Line, y.Column) + 1 + len(y.Value)
	}
	_, end, _ := w.extent(y)
	return end
}

// props returns the end of the anchor and tag behind a dash or colon, or lead.
func (w *writer) props(lead int) int {
	end := lead
	for {
		rest := w.from(end)
		blanks := len(rest) - len(strings.TrimLeft(rest, " \t"))
		rest = rest[blanks:]
		if rest == "" || rest[0] != '&' && rest[0] != '!' {
			return end
		}
		n := strings.IndexFunc(rest, func(r rune) bool { return strings.ContainsRune(" \t,[]{}"+breaks, r) })
		if n < 0 {
			n = len(rest)
		}
		end += blanks + n
	}
}

// end returns the offset behind the text of y. A block scalar that keeps its last line
// breaks has them.
func (w *writer) end(y *yaml.Node) int {
	n := w.written[y]
	if n == nil {
		return w.base
	}
	end := n.Span.End
	if isOpen(y) && len(y.Content) > 0 {
		return max(end, w.end(y.Content[len(y.Content)-1]))
	}
	if header := n.Span.Text(); (n.style == literal || n.style == folded) && strings.Contains(header[:lineLen(header)], "+") {
		for next := w.lineEnd(end); next < len(w.text); next = w.lineEnd(next) {
			if strings.Trim(w.text[next:w.lineEnd(next)], " "+breaks) != "" {
				break
			}
			end = next
		}
	}
	return end
}

func (w *writer) from(at int) string { return w.text[at:] }

// column returns the column of the offset, in bytes from 0.
func (w *writer) column(at int) int { return at - max(w.lineStart(at), w.base) }

// ownLine reports whether only spaces stand before the offset in its line.
func (w *writer) ownLine(at int) bool {
	return strings.Trim(w.text[at-w.column(at):at], " \t") == ""
}
