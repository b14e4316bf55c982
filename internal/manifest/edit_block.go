// SPDX-License-Identifier: Apache-2.0

package manifest

import (
	"strings"

	yaml "go.yaml.in/yaml/v3"
)

// carryOut makes the edits of a plan.
func (w *writer) carryOut(p *plan) {
	for i, e := range p.entries {
		if p.gone[i] {
			w.blameBelow(e.value)
		}
	}
	if isFlow(p.y) {
		w.carryOutFlow(p)
		return
	}
	for i, e := range p.entries {
		if (p.gone[i] || len(p.added) > 0) && !w.endsLine(e.end) {
			w.refuse(p.y, "there is more text in a line of it")
			return
		}
	}
	w.deleteLines(p)
	col := w.column(p.entries[0].start)
	indent := strings.Repeat(" ", col)
	for _, a := range p.added {
		n := NewList(a.item)
		if a.field != nil {
			n = NewMap(*a.field)
		}
		at := p.entries[0].start
		if a.behind >= 0 {
			at = w.below(p.entries[a.behind].end, col)
		}
		text := w.print(at, func(p *printer) { p.value(n, col) })
		switch {
		case a.behind >= 0:
			w.cut(at, at, indent+text+w.lineBreak(at))
		case w.ownLine(at):
			at = w.lineStart(at)
			w.cut(at, at, indent+text+w.lineBreak(at))
		default:
			w.cut(at, at, text+w.lineBreak(at)+indent)
		}
	}
}

// below returns the offset of the line below an entry that starts in the column and ends at
// the offset. Comments that are indented more are about what is in the entry.
func (w *writer) below(end, col int) int {
	below := w.lineEnd(end)
	for at := below; at < len(w.text); at = w.lineEnd(at) {
		switch rest := strings.TrimLeft(w.from(at), " \t"); {
		case strings.HasPrefix(rest, "#") && len(w.from(at))-len(rest) > col:
			below = w.lineEnd(at)
		case breakLen(rest) == 0:
			return below
		}
	}
	return below
}

// deleteLines deletes the entries that go. One that shares its line with the dash in front
// leaves its place to the first that stays.
func (w *writer) deleteLines(p *plan) {
	from := 0
	if first := p.entries[0].start; p.gone[0] && !w.ownLine(first) {
		for p.gone[from+1] {
			from++
		}
		end := w.lineEnd(p.entries[from].end)
		end += len(w.from(end)) - len(strings.TrimLeft(w.from(end), " \t"+breaks))
		w.cut(first, end, "")
		from++
	}
	for i := from; i < len(p.entries); i++ {
		if e := p.entries[i]; p.gone[i] {
			w.cut(w.lineStart(e.start), w.lineEnd(e.end), "")
		}
	}
}

// endsLine reports whether only a comment follows in the line of the offset.
func (w *writer) endsLine(at int) bool {
	rest := strings.TrimLeft(w.from(at), " \t")
	return rest == "" || breakLen(rest) > 0 || rest[0] == '#' && rest != w.from(at)
}

// print returns what f prints, laid out as what is near the offset.
func (w *writer) print(at int, f func(*printer)) string {
	p := &printer{layout: w.layoutAt(w.lineOf(at))}
	p.flat = w.way == quoted
	f(p)
	return strings.ReplaceAll(p.String(), "\n", w.lineBreak(at))
}

// replace writes after in the place of y, whatever both are.
func (w *writer) replace(at slot, y *yaml.Node, after *Node) {
	n := w.written[y]
	w.blameBelow(y)
	if at.flow != nil || isFlow(y) && after.isBlock() && len(y.Content) > 0 {
		w.replaceFlow(at, y, after)
		return
	}
	inline, lines := w.layOut(at, y, after)
	if at.lead < 0 || at.item && isOpen(y) && !w.ownLine(n.Span.Start) {
		if lines != "" {
			lines = w.lineBreak(w.lineEnd(n.Span.Start)) + strings.TrimSuffix(lines, w.lineBreak(w.lineEnd(n.Span.Start)))
		}
		w.cut(n.Span.Start, w.end(y), inline+lines)
		return
	}
	props := w.props(at.lead)
	switch gap := w.text[props:max(props, n.Span.Start)]; {
	case isOpen(y):
		w.replaceLines(w.entries(y), lines)
		w.insertInline(props, inline)
	case strings.ContainsAny(gap, breaks) && (lines != "" || inline == ""):
		w.replaceLines([]entry{{start: n.Span.Start, end: n.Span.End}}, lines)
		w.insertInline(props, inline)
	case n.style == literal || n.style == folded:
		header := n.Span.Start + len(strings.TrimRight(w.header(n), " \t"))
		w.cutInline(props, n.Span.Start, header, inline)
		w.cut(w.lineEnd(header), w.lineEnd(w.end(y)), lines)
	default:
		w.cutInline(props, n.Span.Start, n.Span.End, inline)
		end := w.lineEnd(max(props, n.Span.End))
		w.cut(end, end, lines)
	}
}

// header returns the indicators of a block scalar.
func (w *writer) header(n *Node) string {
	header := n.Span.Text()
	header, _, _ = strings.Cut(header[:lineLen(header)], "#")
	return header
}

// replaceLines replaces the lines of entries.
func (w *writer) replaceLines(entries []entry, lines string) {
	for _, e := range entries {
		w.cut(w.lineStart(e.start), w.lineEnd(e.end), lines)
		lines = ""
	}
}

// insertInline writes a value behind a colon or dash, in the blank that is there.
func (w *writer) insertInline(at int, text string) {
	switch rest := w.from(at); {
	case text == "":
	case strings.HasPrefix(rest, " ") && !strings.HasPrefix(strings.TrimLeft(rest, " \t"), "#"):
		w.cut(at+1, at+1, text)
	default:
		w.cut(at, at, " "+text)
	}
}

// cutInline replaces a value in its line, and with nothing the blanks in front, too.
func (w *writer) cutInline(props, start, end int, text string) {
	switch {
	case start == end:
		w.insertInline(props, text)
	case text == "":
		w.cut(props, end, "")
	default:
		w.cut(start, end, text)
	}
}

// layOut returns how after is written in a slot: the rest of the line of its dash or
// colon, and the lines that follow.
func (w *writer) layOut(at slot, y *yaml.Node, after *Node) (inline, lines string) {
	span := w.written[y].Span
	text := w.print(max(at.lead, span.Start), func(p *printer) {
		switch {
		case !after.isBlock():
			p.scalar(after, at.col)
		case at.lead < 0 || at.item && span.Start < span.End && w.lineStart(at.lead) == w.lineStart(span.Start):
			p.value(after, w.column(span.Start))
		case at.item:
			p.value(after, at.col+2)
		default:
			p.below(after, at.col)
		}
	})
	end := lineLen(text)
	if end == len(text) {
		return text, ""
	}
	return text[:end], text[end+breakLen(text[end:]):] + w.lineBreak(w.lineEnd(span.Start))
}
