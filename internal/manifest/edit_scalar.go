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

// change changes only what of a text differs. It reports whether it can.
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
	var cuts []cut
	for _, d := range differences(n, s, before, after) {
		part := n.At(d.start, d.end)
		if part == n.Span && (before > 0 || after > 0 || n.style != plain) {
			return false // it cannot be followed into the text
		}
		text, ok := w.encode(at, n, s, d.text)
		if !ok {
			return false
		}
		cuts = append(cuts, cut{part.Start, part.End, text})
	}
	w.cuts = append(w.cuts, cuts...)
	return true
}

// differences are the parts of n's text, between the ends that stay, which make it s. Where it
// is on several lines, each word is one of its own, so that lines between them stay.
func differences(n *Node, s string, before, after int) (all []cut) {
	old := n.Text()
	from, to := old[before:len(old)-after], s[before:len(s)-after]
	olds, news := atGaps(from), atGaps(to)
	if n.style == literal || !strings.ContainsAny(n.Span.Text(), breaks) || gaps(from) != gaps(to) {
		return []cut{{before, len(old) - after, to}}
	}
	start := before
	for i, word := range olds {
		if word != news[i] {
			before, after := commonEnds(word, news[i])
			all = append(all, cut{start + before, start + len(word) - after, news[i][before : len(news[i])-after]})
		}
		start += len(word) + 1
	}
	return all
}

// atGaps parts a text at each gap.
func atGaps(s string) []string { return strings.Split(strings.ReplaceAll(s, "\n", " "), " ") }

// gaps are what is between words.
func gaps(s string) string {
	return strings.Map(func(r rune) rune {
		if r == ' ' || r == '\n' {
			return r
		}
		return -1
	}, s)
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
