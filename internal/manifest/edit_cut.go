// SPDX-License-Identifier: Apache-2.0

package manifest

import (
	"slices"
	"strings"
	"unicode/utf8"

	"kilter.dev/kilter/internal/source"
)

// cut replaces the bytes [start, end) of the editor's text.
type cut struct {
	start, end int
	text       string
}

func (e *editor) cut(start, end int, text string) { e.cuts = append(e.cuts, cut{start, end, text}) }

// edits returns the cuts in order, joined where they touch, and without what they leave
// as it is.
func (e *editor) edits() []source.Edit {
	slices.SortStableFunc(e.cuts, func(a, b cut) int {
		if a.start != b.start {
			return a.start - b.start
		}
		return min(a.end-a.start, 1) - min(b.end-b.start, 1) // an insertion comes first
	})
	var joined []cut
	for _, c := range e.cuts {
		if i := len(joined) - 1; i >= 0 && c.start <= joined[i].end {
			joined[i].end = max(joined[i].end, c.end)
			joined[i].text += c.text
			continue
		}
		joined = append(joined, c)
	}
	var edits []source.Edit
	for _, c := range joined {
		c = e.withinFile(c.trimmed(e.text))
		if c.start < c.end || c.text != "" {
			edits = append(edits, source.Edit{Span: source.Span{File: e.file, Start: c.start, End: c.end}, New: c.text})
		}
	}
	return edits
}

// trimmed returns c without the beginning and end that it leaves as they are.
func (c cut) trimmed(text string) cut {
	before, after := commonEnds(text[c.start:c.end], c.text)
	return cut{c.start + before, c.end - after, c.text[before : len(c.text)-after]}
}

// commonEnds returns the lengths of the beginning and of the rest's end that a and b
// share, in whole characters.
func commonEnds(a, b string) (before, after int) {
	n := min(len(a), len(b))
	for before < n && a[before] == b[before] {
		before++
	}
	for before > 0 && before < len(a) && !utf8.RuneStart(a[before]) || before > 0 && before < len(b) && !utf8.RuneStart(b[before]) {
		before--
	}
	for after < n-before && a[len(a)-1-after] == b[len(b)-1-after] {
		after++
	}
	for after > 0 && !utf8.RuneStart(a[len(a)-after]) {
		after--
	}
	return before, after
}

// withinFile returns c for the file, where the last line break of the text is not in it.
func (e *editor) withinFile(c cut) cut {
	end := len(e.file.Text)
	if c.end <= end {
		return c
	}
	last := e.text[end:]
	switch text, found := strings.CutSuffix(c.text, last); {
	case found && c.start > end:
		return cut{end, end, last + text}
	case found:
		return cut{c.start, end, text}
	case c.text == "" && e.way == minimal: // a block that ends the file then needs its line break
		return cut{e.lineStart(c.start) - e.breakBefore(c.start), end, ""}
	}
	return cut{min(c.start, end), end, c.text}
}

// lineStart returns the offset of the line that the byte at is in.
func (e *editor) lineStart(at int) int {
	for at > 0 && e.breakBefore(at) == 0 {
		at--
	}
	if at == 0 && strings.HasPrefix(e.text, bom) {
		return len(bom)
	}
	return at
}

// lineEnd returns the offset behind the line that the byte at is in, with its break.
func (e *editor) lineEnd(at int) int {
	at += lineLen(e.text[at:])
	return at + breakLen(e.text[at:])
}

// breakBefore returns the length of the line break that ends at the offset, 0 for none.
func (e *editor) breakBefore(at int) int {
	for n := 3; n > 0; n-- {
		if at >= n && breakLen(e.text[at-n:at]) == n && !(n == 1 && strings.HasPrefix(e.text[at-1:], "\r\n")) {
			return n
		}
	}
	return 0
}

// lineBreak returns the line break in use at the offset: that of the line before, or else
// of the first line.
func (e *editor) lineBreak(at int) string {
	if n := e.breakBefore(at); n > 0 {
		return e.text[at-n : at]
	}
	if i := strings.IndexAny(e.text, "\r\n"); i >= 0 {
		return e.text[i : i+breakLen(e.text[i:])]
	}
	return "\n"
}
