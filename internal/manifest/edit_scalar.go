// SPDX-License-Identifier: Apache-2.0

package manifest

import (
	"strings"
	"unicode"

	yaml "go.yaml.in/yaml/v3"
)

// scalar turns the scalar y into another, in its style where that can hold it.
func (w *writer) scalar(at slot, y *yaml.Node, after *Node) {
	n := w.written[y]
	if after.shape() != String || w.way == quoted || !isQuoted(y) && n.Shape != String {
		w.replace(at, y, after)
		return
	}
	s := after.Text()
	if w.way == minimal && n.Shape == String && w.change(at, n, s) {
		return
	}
	switch json := at.flow != nil && at.flow.json; {
	case n.style == double && json:
		w.cut(n.Span.Start, n.Span.End, escapedJSON(s))
	case n.style == double:
		w.cut(n.Span.Start, n.Span.End, quote(s))
	case n.style == single && isSingle(s):
		w.cut(n.Span.Start, n.Span.End, "'"+strings.ReplaceAll(s, "'", "''")+"'")
	default:
		w.replace(at, y, after)
	}
}

// change changes only the part of a text that differs. It reports whether it can.
func (w *writer) change(at slot, n *Node, s string) bool {
	old := n.Text()
	before, after := commonEnds(old, s)
	isBlock := n.style == literal || n.style == folded
	if isBlock && (!isClean(s) && isClean(old) || strings.TrimRight(s, "\n") == "" || trailing(s) != trailing(old)) {
		return false
	}
	if n.style == literal {
		before = strings.LastIndexByte(old[:before], '\n') + 1
		if i := strings.IndexByte(old[len(old)-after:], '\n'); i >= 0 {
			after -= i
		} else {
			after = 0
		}
	}
	part := n.At(before, len(old)-after)
	if part == n.Span && (before > 0 || after > 0 || n.style != plain) {
		return false // it cannot be followed into the text
	}
	text, ok := w.encode(at, n, s, s[before:len(s)-after])
	if ok {
		w.cut(part.Start, part.End, text)
	}
	return ok
}

func trailing(s string) int { return len(s) - len(strings.TrimRight(s, "\n")) }

// encode returns the part of s as it stands in a text of n's style.
func (w *writer) encode(at slot, n *Node, s, part string) (text string, ok bool) {
	switch n.style {
	case double:
		text = quote(part)
		if at.flow != nil && at.flow.json {
			text = escapedJSON(part)
		}
		return text[1 : len(text)-1], true
	case single:
		return strings.ReplaceAll(part, "'", "''"), isSingle(part)
	case literal:
		return w.indented(n, part), true
	case folded:
		return part, !strings.Contains(part, "\n")
	case plain:
		line := strings.ReplaceAll(s, "\n", " ") // where it is on several lines, some are blank
		text = Scalar(line)
		if at.flow != nil {
			text = flowScalar(line)
		}
		return part, text == line && !strings.Contains(part, "\n")
	}
	return "", false
}

// indented returns lines of a literal block, but for the indent of the first.
func (w *writer) indented(n *Node, lines string) string {
	raw := n.Span.Text()
	indent := strings.Repeat(" ", max(blockIndent(raw[lineLen(raw):], n.Text()), 0))
	parts := strings.Split(lines, "\n")
	for i, line := range parts {
		if i > 0 && line != "" {
			parts[i] = indent + line
		}
	}
	return strings.Join(parts, w.lineBreak(w.lineEnd(n.Span.Start)))
}

// isSingle reports whether single quotes hold s on one line.
func isSingle(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return !unicode.IsPrint(r) })
}
