// SPDX-License-Identifier: Apache-2.0

package manifest

import (
	"strings"
	"unicode/utf8"

	yaml "go.yaml.in/yaml/v3"

	"kilter.dev/kilter/internal/diag"
	"kilter.dev/kilter/internal/source"
)

// style is how a scalar was written, as far as its text can be found again in the file.
type style int

const (
	unknown style = iota // made, an alias, or not found
	plain
	single
	double
	literal
	folded
)

// breaks are the line breaks of YAML 1.1, which the library counts.
const breaks = "\n\r\u0085\u2028\u2029"

// breakLen returns the length of the line break at the start of s, 0 for none.
func breakLen(s string) int {
	switch {
	case s == "" || s[0] > '\r' && s[0] < 0xc2:
		return 0
	case s[0] == '\n':
		return 1
	case s[0] == '\r':
		if strings.HasPrefix(s, "\r\n") {
			return 2
		}
		return 1
	}
	r, size := utf8.DecodeRuneInString(s)
	if strings.ContainsRune(breaks, r) {
		return size
	}
	return 0
}

func (p *parser) indexLines() {
	p.lines = []int{0}
	for i := 0; i < len(p.text); {
		if n := breakLen(p.text[i:]); n > 0 {
			i += n
			p.lines = append(p.lines, i)
			continue
		}
		i++
	}
}

// lineLen is the length of the line that s starts with, without its break.
func lineLen(s string) int {
	for i := range len(s) {
		if breakLen(s[i:]) > 0 {
			return i
		}
	}
	return len(s)
}

// mark is a place as the library counts, and as an offset in the document.
type mark struct{ line, column, offset int }

// offset turns the library's 1-based line and 1-based column in characters into an
// offset in the document. It goes on from the last place, as nodes come in order: a
// long line is not counted from its start for each of them.
func (p *parser) offset(line, column int) int {
	if line < 1 || line > len(p.lines) {
		return len(p.text)
	}
	m := mark{line, 1, p.lines[line-1]}
	if p.last.line == line && p.last.column <= column {
		m = p.last
	}
	for ; m.column < column && m.offset < len(p.text); m.column++ {
		_, size := utf8.DecodeRuneInString(p.text[m.offset:])
		m.offset += size
	}
	p.last = m
	return m.offset
}

// at is the place of y, for errors.
func (p *parser) at(y *yaml.Node) source.Span {
	start := p.offset(y.Line, y.Column)
	end := start + lineLen(p.text[start:])
	return p.span(start, end)
}

func related(span source.Span, message string) diag.Related {
	return diag.Related{Span: span, Message: message}
}

// content returns where y's text starts, behind its anchor and tag, and the tag as it
// is written.
func (p *parser) content(y *yaml.Node) (start int, tag string) {
	start = p.offset(y.Line, y.Column)
	if y.Anchor == "" && y.Style&yaml.TaggedStyle == 0 && !strings.HasPrefix(p.text[start:], "!") {
		return start, ""
	}
	i := start
	for i < len(p.text) && (p.text[i] == '&' || p.text[i] == '!') {
		end := i + wordLen(p.text[i:], y)
		if p.text[i] == '!' {
			tag = p.text[i:end]
		}
		start = end
		i = end + spaceLen(p.text[end:])
	}
	if y.Kind == yaml.ScalarNode && y.Value == "" && !isQuoted(y) {
		return start, tag // null: nothing follows
	}
	return i, tag
}

// wordLen is the length of an anchor or tag. In a flow collection it ends at a comma
// or bracket too; no anchor the library takes has one of those.
func wordLen(s string, y *yaml.Node) int {
	if s[0] == '&' {
		return min(1+len(y.Anchor), len(s))
	}
	verbatim := strings.HasPrefix(s, "!<")
	for i := range len(s) {
		switch {
		case s[i] == ' ' || s[i] == '\t' || breakLen(s[i:]) > 0:
			return i
		case verbatim && s[i] == '>':
			return i + 1
		case !verbatim && strings.IndexByte(",[]{}", s[i]) >= 0:
			return i
		}
	}
	return len(s)
}

// spaceLen is the length of the blanks, line breaks and comments at the start of s.
func spaceLen(s string) int {
	i := 0
	for i < len(s) {
		n := breakLen(s[i:])
		switch {
		case n > 0:
			i += n
		case s[i] == ' ' || s[i] == '\t':
			i++
		case s[i] == '#':
			i += lineLen(s[i:])
		default:
			return i
		}
	}
	return len(s)
}

// tag returns the tag that is written at y, "" for none. "!" says "no number".
func (p *parser) tag(y *yaml.Node) string {
	if y.Style&yaml.TaggedStyle != 0 {
		return y.Tag
	}
	if _, tag := p.content(y); tag == "!" {
		return "!!str"
	}
	return ""
}

// closing returns the end of a flow collection whose last entry ends at end, or end.
func (p *parser) closing(y *yaml.Node, end int, bracket byte) int {
	if y.Style&yaml.FlowStyle == 0 {
		return min(end, len(p.text))
	}
	for i := end; i < len(p.text); i++ {
		i += spaceLen(p.text[i:])
		switch {
		case i < len(p.text) && p.text[i] == bracket:
			return i + 1
		case i < len(p.text) && (p.text[i] == ',' || p.text[i] == ':' || p.text[i] == '?'):
		default:
			return min(end, len(p.text))
		}
	}
	return min(end, len(p.text))
}

// extent returns the range of a scalar's text in the document and its style.
func (p *parser) extent(y *yaml.Node) (start, end int, how style) {
	start, _ = p.content(y)
	rest := p.text[start:]
	switch {
	case y.Style&yaml.DoubleQuotedStyle != 0:
		end, how = quotedLen(rest, '"'), double
	case y.Style&yaml.SingleQuotedStyle != 0:
		end, how = quotedLen(rest, '\''), single
	case y.Style&yaml.LiteralStyle != 0:
		end, how = blockLen(rest, '|', y.Value), literal
	case y.Style&yaml.FoldedStyle != 0:
		end, how = blockLen(rest, '>', y.Value), folded
	default:
		end, how = plainLen(rest, y.Value), plain
	}
	if end < 0 {
		return start, start, unknown
	}
	return start, start + end, how
}

// quotedLen is the length of the quoted scalar at the start of s, -1 when it is none.
func quotedLen(s string, quote byte) int {
	if s == "" || s[0] != quote {
		return -1
	}
	for i := 1; i < len(s); i++ {
		switch {
		case quote == '"' && s[i] == '\\':
			i++
		case s[i] == quote && quote == '\'' && strings.HasPrefix(s[i+1:], "'"):
			i++
		case s[i] == quote:
			return i + 1
		}
	}
	return -1
}

// plainLen is the length of the plain scalar value at the start of s, where its lines
// may be folded; -1 when it is not there.
func plainLen(s, value string) int {
	if strings.HasPrefix(s, value) && !strings.ContainsAny(value, breaks) {
		return len(value)
	}
	isSpace := func(r rune) bool { return r == ' ' || r == '\t' || strings.ContainsRune(breaks, r) }
	i := 0
	for value != "" {
		word := value
		if end := strings.IndexFunc(value, isSpace); end >= 0 {
			word = value[:end]
		}
		if !strings.HasPrefix(s[i:], word) {
			return -1
		}
		i += len(word)
		value = value[len(word):]
		if trimmed := strings.TrimLeftFunc(value, isSpace); trimmed != value {
			value = trimmed
			i = len(s) - len(strings.TrimLeftFunc(s[i:], isSpace))
		}
	}
	return i
}

// blockLen is the length of the block scalar at the start of s, up to the end of its
// last line that is not blank; -1 when it is none.
func blockLen(s string, header byte, value string) int {
	if s == "" || s[0] != header {
		return -1
	}
	end := lineLen(s)
	indent := blockIndent(s[end:], value)
	for i := end; i < len(s); {
		i += breakLen(s[i:])
		line := s[i : i+lineLen(s[i:])]
		content := strings.TrimLeft(line, " ")
		if content != "" && (indent < 0 || len(line)-len(content) < indent) {
			break
		}
		if content != "" {
			end = i + len(line)
		}
		i += len(line)
	}
	return end
}

// blockIndent returns by how many spaces the lines of a block scalar are indented,
// given the text behind its header and its value; -1 when no line tells.
func blockIndent(lines, value string) int {
	value = strings.TrimLeft(value, breaks)
	for len(lines) > 0 {
		n := breakLen(lines)
		lines = lines[n:]
		line := lines[:lineLen(lines)]
		lines = lines[len(line):]
		if content := strings.TrimLeft(line, " "); content != "" {
			spaces := len(value) - len(strings.TrimLeft(value, " "))
			return len(line) - len(content) - spaces
		}
	}
	return -1
}
