// SPDX-License-Identifier: Apache-2.0

package manifest

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode"

	yaml "go.yaml.in/yaml/v3"
)

// brackets is how a map or list in brackets is written.
type brackets struct {
	json  bool   // keys and texts are quoted
	colon string // between key and value, such as ": "
	comma string // between entries that share a line, such as ", "
	line  string // a line break and the indent of entries on lines of their own; "": they share lines
	step  string // by how much entries are indented further than the closing bracket
}

// isJSON reports whether the document is JSON, too.
func (d *document) isJSON() bool {
	return isFlow(d.root) && json.Valid([]byte(d.text))
}

// brackets returns how the map or list of p is written.
func (w *writer) brackets(p *plan) *brackets {
	b := &brackets{json: w.isJSON(), colon: ": ", comma: ", ", step: "  "}
	if p.at.flow != nil {
		*b = *p.at.flow
		if b.json && b.line != "" {
			b.line += b.step
		}
	}
	if len(p.entries) == 0 {
		return b
	}
	for _, e := range p.entries {
		if e.key == nil || e.lead < 0 || e.end == e.lead {
			continue
		}
		b.json = b.json || e.key.Style == yaml.DoubleQuotedStyle
		if colon := w.text[w.base+w.keyEnd(e.key) : w.written[e.value].Span.Start]; strings.Trim(colon, " ") == ":" {
			b.colon = colon
		}
	}
	if b.colon == ":" {
		b.comma = ","
	}
	for i, e := range p.entries[1:] {
		if comma := w.text[p.entries[i].end:e.start]; strings.Trim(comma, " ") == "," {
			b.comma = comma
		}
	}
	last := p.entries[len(p.entries)-1].start
	b.line = ""
	if w.ownLine(last) {
		indent := w.text[last-w.column(last) : last]
		b.line = w.lineBreak(w.lineStart(last)) + indent
		closing := w.end(p.y) - 1
		outer := w.text[closing-w.column(closing) : closing]
		if step, ok := strings.CutPrefix(indent, outer); ok && w.ownLine(closing) {
			b.step = step
		}
	}
	return b
}

// write returns n as it stands in the brackets.
func (b *brackets) write(n *Node) string {
	var text strings.Builder
	line := ""
	if b.json {
		line = b.line
	}
	b.node(&text, n, line)
	return text.String()
}

func (b *brackets) node(text *strings.Builder, n *Node, line string) {
	if !n.isBlock() {
		text.WriteString(b.scalar(n))
		return
	}
	inner := line
	if line != "" {
		inner += b.step
	}
	part := func(i int) {
		switch {
		case line != "" && i > 0:
			text.WriteString("," + inner)
		case line != "":
			text.WriteString(inner)
		case i > 0:
			text.WriteString(b.comma)
		}
	}
	open, closing := "{", "}"
	if n.Shape == List {
		open, closing = "[", "]"
	}
	text.WriteString(open)
	for i, f := range n.Fields {
		part(i)
		text.WriteString(b.scalar(NewString(f.Key)) + b.colon)
		b.node(text, f.Value, inner)
	}
	for i, item := range n.Items {
		part(i)
		b.node(text, item, inner)
	}
	text.WriteString(line + closing)
}

func (b *brackets) scalar(n *Node) string {
	switch {
	case n.shape() != String:
		return scalarText(n)
	case b.json:
		return escapedJSON(n.Text())
	}
	return flowScalar(n.Text())
}

// escapedJSON returns s as JSON that YAML readers take for the same.
func escapedJSON(s string) string {
	var b strings.Builder
	for _, r := range quoteJSON(s) {
		if r > '~' && r <= 0xffff && !unicode.IsPrint(r) {
			fmt.Fprintf(&b, `\u%04x`, r)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// flowScalar is Scalar for a text in brackets.
func flowScalar(s string) string {
	if text := Scalar(s); text[0] == '"' || !strings.ContainsAny(text, ",[]{}?") {
		return text
	}
	return quote(s)
}

// replaceFlow writes after in the place of y, in brackets.
func (w *writer) replaceFlow(at slot, y *yaml.Node, after *Node) {
	b := at.flow
	if b == nil {
		b = w.brackets(w.plan(at, y))
		b.line = strings.TrimSuffix(b.line, b.step)
	}
	n := w.written[y]
	text := b.write(after)
	switch {
	case n.Span.Start < n.Span.End:
		w.cut(n.Span.Start, n.Span.End, text)
	case at.lead >= 0:
		w.insertInline(w.props(at.lead), text)
	default:
		w.refuse(y, "its key has no value")
	}
}

// carryOutFlow makes the edits of a plan for what stands in brackets.
func (w *writer) carryOutFlow(p *plan) {
	if open := w.text[w.written[p.y].Span.Start]; open != '{' && open != '[' && len(p.added) > 0 {
		w.refuse(p.y, "it has no braces")
		return
	}
	last := p.kept(len(p.entries) - 1)
	for i, e := range p.entries[:last] {
		if p.gone[i] {
			w.cut(e.start, w.nextStart(p, i), "")
		}
	}
	if last < len(p.entries)-1 {
		w.deleteTail(p, last)
	}
	b := w.brackets(p)
	for i := 0; i < len(p.added); {
		behind := p.added[i].behind
		texts := []string{b.entry(p.added[i])}
		for i++; i < len(p.added) && p.added[i].behind == behind; i++ {
			texts = append(texts, b.entry(p.added[i]))
		}
		w.insertFlow(p, b, behind, texts)
	}
}

// nextStart returns where the text behind an entry and its comment starts.
func (w *writer) nextStart(p *plan, i int) int {
	next := p.entries[i+1].start
	end := w.lineEnd(p.entries[i].end)
	if end >= next {
		return next
	}
	return end + len(w.from(end)) - len(strings.TrimLeft(w.from(end), " \t"+breaks))
}

// tail is what follows the last entry of p that stays.
type tail struct {
	start, end int  // from the next entry to the last, with its comma
	ownLine    bool // it starts a line
	comma      bool // the comma in front of it stays
}

func (w *writer) tail(p *plan, last int) tail {
	t := tail{start: p.entries[last+1].start, end: p.entries[len(p.entries)-1].end}
	t.ownLine = w.ownLine(t.start)
	t.comma = strings.Contains(w.text[p.entries[last].end:t.start], "#")
	if comma := t.end + spaceLen(w.from(t.end)); strings.HasPrefix(w.from(comma), ",") && (t.ownLine || t.comma) {
		t.end, t.comma = comma+1, true
	}
	return t
}

// deleteTail deletes all entries behind last, and where no comment is behind it and no
// comma behind the last of all, its comma.
func (w *writer) deleteTail(p *plan, last int) {
	t := w.tail(p, last)
	endsLine := t.ownLine && w.endsLine(t.end)
	switch {
	case t.comma && endsLine:
		w.cut(w.lineStart(t.start), w.lineEnd(t.end), "")
	case t.comma:
		w.cut(t.start, t.end, "")
	case endsLine:
		w.cut(p.entries[last].end, t.end+lineLen(w.from(t.end)), "")
	default:
		w.cut(p.entries[last].end, t.end, "")
	}
}

// entry returns a new entry as it stands in the brackets.
func (b *brackets) entry(a addition) string {
	if a.field == nil {
		return b.write(a.item)
	}
	return b.scalar(NewString(a.field.Key)) + b.colon + b.write(a.field.Value)
}

// insertFlow writes entries behind another one, -1 for none, and where entries have lines
// of their own, behind its comment.
func (w *writer) insertFlow(p *plan, b *brackets, behind int, texts []string) {
	part := b.comma
	if b.line != "" {
		part = "," + b.line
	}
	text := strings.Join(texts, part)
	if behind < 0 {
		w.cut(p.entries[0].start, p.entries[0].start, text+part)
		return
	}
	end := p.entries[behind].end
	next := end + spaceLen(w.from(end))
	hasComma := strings.HasPrefix(w.from(next), ",")
	isCut := p.kept(len(p.entries)-1) == behind && behind+1 < len(p.entries) && !w.tail(p, behind).comma
	lineEnd := end + lineLen(w.from(end))
	switch {
	case b.line != "" && !isCut && !hasComma && w.endsLine(end):
		w.cut(end, end, ",")
		w.cut(lineEnd, lineEnd, b.line+text)
	case b.line != "" && !isCut && hasComma && next < lineEnd && w.endsLine(next+1):
		w.cut(lineEnd, lineEnd, b.line+text+",")
	default:
		w.cut(end, end, part+text)
	}
}
