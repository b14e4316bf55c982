// SPDX-License-Identifier: Apache-2.0

package manifest

import (
	"strings"
	"unicode/utf8"

	"kilter.dev/kilter/internal/source"
)

// At returns the place in the file of the bytes [start, end) of a parsed string's value,
// clamped to it. Where the value cannot be followed into the text, it is the whole
// node's span: scalars that are made, or an alias, and nodes whose Value was changed.
func (n *Node) At(start, end int) source.Span {
	if n == nil {
		return source.Span{}
	}
	value := n.Text()
	start = min(max(start, 0), len(value))
	end = min(max(start, end), len(value))
	t := trace{raw: n.Span.Text(), value: value, start: start, end: end, from: -1, to: -1}
	switch n.style {
	case plain:
		t.plain()
	case single, double:
		t.quoted()
	case literal:
		t.block()
	case folded:
		t.folded()
	}
	if from, to, ok := t.found(); ok {
		return source.Span{File: n.Span.File, Start: n.Span.Start + from, End: n.Span.Start + to}
	}
	return n.Span
}

// NewText returns the whole text of f as a parsed String node.
func NewText(f *source.File) *Node {
	return &Node{Shape: String, Value: f.Text, Span: source.Span{File: f, End: len(f.Text)}, style: plain}
}

// trace walks a scalar's text and its value side by side, and notes where in the text
// the bytes [start, end) of the value are.
type trace struct {
	raw, value  string
	start, end  int // in value
	at, decoded int // so far, in raw and in value
	from, to    int // in raw; -1 while not reached
	lost        bool
}

// step says that the next size bytes of the text stand for text. Where the value has
// something else, the walk is lost.
func (t *trace) step(size int, text string) {
	if t.lost = t.lost || !strings.HasPrefix(t.value[t.decoded:], text); t.lost {
		return
	}
	verbatim := size == len(text)
	if i := t.start - t.decoded; i >= 0 && i < len(text) {
		t.from = t.at
		if verbatim {
			t.from += i
		}
	}
	if i := t.end - t.decoded; i > 0 && i <= len(text) {
		t.to = t.at + size
		if verbatim {
			t.to = t.at + i
		}
	}
	t.at += size
	t.decoded += len(text)
}

// found returns the range in raw once the whole value has been walked.
func (t *trace) found() (from, to int, ok bool) {
	if t.lost || t.decoded != len(t.value) || t.raw == "" {
		return 0, 0, false
	}
	if t.start == len(t.value) {
		t.from = t.at
	}
	if t.start == t.end {
		t.to = t.from
	}
	return t.from, t.to, t.from >= 0 && t.from <= t.to
}

// quoted walks a scalar in quotes.
func (t *trace) quoted() {
	if len(t.raw) < 2 {
		return
	}
	quote := t.raw[0]
	t.at = 1
	for t.at < len(t.raw)-1 && !t.lost {
		rest := t.raw[t.at:]
		switch size := foldLen(rest); {
		case size > 0:
			t.step(size, foldText(rest[:size]))
		case quote == '\'' && strings.HasPrefix(rest, "''"):
			t.step(2, "'")
		case quote == '"' && rest[0] == '\\' && breakLen(rest[1:]) > 0:
			size := 1 + breakLen(rest[1:])
			t.step(size+blankLen(rest[size:]), "")
		case quote == '"' && rest[0] == '\\':
			t.step(escape(rest))
		default:
			t.step(1, rest[:1])
		}
	}
}

// block walks a literal block line by line.
func (t *trace) block() {
	t.at = lineLen(t.raw)
	indent := max(blockIndent(t.raw[t.at:], t.value), 0)
	for first := true; t.at < len(t.raw) && !t.lost; first = false {
		n := breakLen(t.raw[t.at:])
		if first {
			t.at += n // ends the header
		} else {
			t.step(n, breakText(t.raw[t.at:t.at+n]))
		}
		line := t.raw[t.at:]
		line = line[:lineLen(line)]
		skip := min(indent, len(line)-len(strings.TrimLeft(line, " ")))
		t.at += skip
		t.step(len(line)-skip, line[skip:])
	}
	if rest := t.value[t.decoded:]; strings.Trim(rest, "\n") == "" {
		t.step(0, rest) // line breaks behind the span
	}
}

// breakText is what a line break reads as.
func breakText(s string) string {
	if s == "\u2028" || s == "\u2029" {
		return s
	}
	return "\n"
}

// escape returns the length of the escape that s starts with, and its character.
func escape(s string) (size int, text string) {
	if len(s) < 2 {
		return len(s), s
	}
	digits := 0
	switch s[1] {
	case 'x':
		digits = 2
	case 'u':
		digits = 4
	case 'U':
		digits = 8
	default:
		return 2, shortEscape(s[1])
	}
	size = min(2+digits, len(s))
	var r rune
	for _, c := range s[2:size] {
		r = r<<4 | rune(strings.IndexRune("0123456789abcdef", c|0x20))
	}
	return size, string(utf8.AppendRune(nil, r))
}

func shortEscape(c byte) string {
	const short = "0\x00a\ab\bt\tn\nv\vf\fr\re\x1b"
	for i := 0; i+1 < len(short); i += 2 {
		if short[i] == c {
			return short[i+1 : i+2]
		}
	}
	switch c {
	case 'N':
		return "\u0085"
	case '_':
		return "\u00a0"
	case 'L':
		return "\u2028"
	case 'P':
		return "\u2029"
	}
	return string(rune(c)) // \" \\ \/ and a tab or blank
}
