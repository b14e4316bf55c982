// SPDX-License-Identifier: Apache-2.0

package manifest

import (
	"strings"
	"unicode/utf8"

	"kilter.dev/kilter/internal/source"
)

// At returns the place in the file of the bytes [start, end) of a parsed string's value.
// Where the value cannot be followed into the text (folded or made scalars, a plain one
// of several lines) it is the whole node's span.
func (n *Node) At(start, end int) source.Span {
	if n == nil || n.Span.File == nil {
		return source.Span{}
	}
	raw := n.Span.Text()
	var from, to int
	var ok bool
	switch n.style {
	case plain:
		from, to, ok = start, end, raw == n.Text()
	case singleQuoted, doubleQuoted:
		from, to, ok = inQuotes(raw, start, end)
	case literal:
		from, to, ok = inBlock(raw, start, end)
	}
	if !ok || from > to || to > len(raw) {
		return n.Span
	}
	return source.Span{File: n.Span.File, Start: n.Span.Start + from, End: n.Span.Start + to}
}

// inQuotes follows a quoted scalar of one line.
func inQuotes(raw string, start, end int) (from, to int, ok bool) {
	if strings.ContainsAny(raw, "\r\n") || len(raw) < 2 {
		return 0, 0, false
	}
	from, to = -1, -1
	decoded, quote := 0, raw[0]
	for i := 1; ; {
		if from < 0 && decoded >= start {
			from = i
		}
		if to < 0 && decoded >= end {
			to = i
		}
		if from >= 0 && to >= 0 || i >= len(raw)-1 {
			return from, to, from >= 0 && to >= 0
		}
		size, value := 1, 1
		switch {
		case quote == '\'' && strings.HasPrefix(raw[i:], "''"):
			size = 2
		case quote == '"' && raw[i] == '\\':
			size, value = escape(raw[i:])
		}
		i, decoded = i+size, decoded+value
	}
}

// escape is the length of the escape that s begins with, and of what it stands for.
func escape(s string) (size, value int) {
	if len(s) < 2 {
		return 1, 1
	}
	digits := map[byte]int{'x': 2, 'u': 4, 'U': 8}[s[1]]
	if digits == 0 {
		return 2, map[byte]int{'N': 2, '_': 2, 'L': 3, 'P': 3}[s[1]] + b2i(!strings.ContainsRune("N_LP", rune(s[1])))
	}
	size = min(2+digits, len(s))
	var r rune
	for _, c := range s[2:size] {
		r = r<<4 | rune(strings.IndexRune("0123456789abcdef", c|0x20))
	}
	return size, max(utf8.RuneLen(r), 1)
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// inBlock follows a literal block line by line.
func inBlock(raw string, start, end int) (from, to int, ok bool) {
	header, body, found := strings.Cut(raw, "\n")
	if !found || strings.ContainsAny(header, "123456789") {
		return 0, 0, false
	}
	indent := 0
	for line := range strings.Lines(body) {
		if strings.TrimSpace(line) != "" {
			indent = len(line) - len(strings.TrimLeft(line, " "))
			break
		}
	}
	from, to = -1, -1
	decoded, at := 0, len(header)+1
	for line := range strings.Lines(body) {
		skip := min(indent, len(line)-len(strings.TrimLeft(line, " ")))
		text := strings.TrimSuffix(strings.TrimSuffix(line[skip:], "\n"), "\r")
		if from < 0 && start <= decoded+len(text) {
			from = at + skip + start - decoded
		}
		if to < 0 && end <= decoded+len(text) {
			to = at + skip + end - decoded
		}
		decoded += len(text) + 1
		at += len(line)
	}
	return from, to, from >= 0 && to >= 0
}

// NewText returns the whole text of f as a parsed String node.
func NewText(f *source.File) *Node {
	return &Node{Shape: String, Value: f.Text, Span: source.Span{File: f, End: len(f.Text)}, style: plain}
}
