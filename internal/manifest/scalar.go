// SPDX-License-Identifier: Apache-2.0

package manifest

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strconv"
	"strings"

	yaml "go.yaml.in/yaml/v3"
	sigsyaml "sigs.k8s.io/yaml"
)

// style is how a scalar was written.
type style int

const (
	made style = iota // not parsed
	plain
	singleQuoted
	doubleQuoted
	literal
	folded
)

func (p *parser) scalar(n *yaml.Node) *Node {
	out := resolve(n)
	start := p.skipProperties(p.offset(n))
	text := p.chunk.text[start:]
	switch {
	case n.Style&yaml.SingleQuotedStyle != 0:
		out.style, out.Span = singleQuoted, p.span(start, start+quotedLen(text, '\''))
	case n.Style&yaml.DoubleQuotedStyle != 0:
		out.style, out.Span = doubleQuoted, p.span(start, start+quotedLen(text, '"'))
	case n.Style&yaml.LiteralStyle != 0:
		out.style, out.Span = literal, p.span(start, start+blockLen(text))
	case n.Style&yaml.FoldedStyle != 0:
		out.style, out.Span = folded, p.span(start, start+blockLen(text))
	default:
		out.style, out.Span = plain, p.span(start, start+plainLen(text, n.Value))
	}
	return out
}

var properties = regexp.MustCompile(`^(?:[&!][^\s]*\s+)+`)

// skipProperties steps over the anchor and the tag in front of a value.
func (p *parser) skipProperties(at int) int {
	return at + len(properties.FindString(p.chunk.text[at:]))
}

// quotedLen is the length of the quoted scalar that text begins with.
func quotedLen(text string, quote byte) int {
	for i := 1; i < len(text); i++ {
		switch {
		case text[i] == '\\' && quote == '"':
			i++
		case text[i] != quote:
		case quote == '\'' && i+1 < len(text) && text[i+1] == quote:
			i++
		default:
			return i + 1
		}
	}
	return len(text)
}

// plainLen is the length of a plain scalar; of one of several lines, that of the first.
func plainLen(text, value string) int {
	if strings.HasPrefix(text, value) {
		return len(value)
	}
	line := text
	if i := strings.IndexAny(line, "\r\n"); i >= 0 {
		line = line[:i]
	}
	return min(len(line), len(strings.TrimRight(line, " \t")))
}

// blockLen is the length of the block scalar that text begins with, header included.
func blockLen(text string) int {
	_, lines, ok := strings.Cut(text, "\n")
	if !ok {
		return len(text)
	}
	end := len(text) - len(lines)
	indent := -1
	for line := range strings.Lines(lines) {
		blank := strings.TrimSpace(line) == ""
		width := len(line) - len(strings.TrimLeft(line, " "))
		if indent < 0 && !blank {
			indent = width
		}
		if !blank && (width < indent || indent == 0) {
			break
		}
		end += len(line)
	}
	return len(strings.TrimRight(text[:end], "\r\n"))
}

var (
	// bareWord is a plain scalar that is text under every version of YAML, unless it is reserved.
	bareWord = regexp.MustCompile(`^[A-Za-z_/][A-Za-z0-9_./:@-]*$`)
	reserved = regexp.MustCompile(`^(?i:y|n|yes|no|on|off|true|false|null)$`)
	decimal  = regexp.MustCompile(`^(0|-?[1-9][0-9]{0,17})$`)
)

// resolve gives a scalar the value that the API server and Helm give it: YAML 1.1, as
// sigs.k8s.io/yaml reads it. What that cannot express in JSON (.nan) stays text.
func resolve(n *yaml.Node) *Node {
	explicit := n.Style&yaml.TaggedStyle != 0
	isPlain := n.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle|yaml.LiteralStyle|yaml.FoldedStyle) == 0
	switch {
	case explicit:
		return ask(n.Tag + " " + quoteJSON(n.Value))
	case !isPlain, bareWord.MatchString(n.Value) && !reserved.MatchString(n.Value):
		return NewString(n.Value)
	case decimal.MatchString(n.Value):
		i, _ := strconv.ParseInt(n.Value, 10, 64)
		return NewInt(i)
	case n.Value == "" || n.Value == "~":
		return &Node{}
	case strings.ContainsAny(n.Value, "\n\r"):
		return NewString(n.Value)
	}
	return ask(n.Value)
}

// ask reads one scalar with the library of the API server.
func ask(text string) *Node {
	var out []any
	jsonText, err := sigsyaml.YAMLToJSON([]byte("- " + text + "\n"))
	if err == nil {
		decoder := json.NewDecoder(bytes.NewReader(jsonText))
		decoder.UseNumber()
		err = decoder.Decode(&out)
	}
	if err == nil && len(out) == 1 {
		if n, err := FromNative(out[0]); err == nil && n.Shape != Map && n.Shape != List {
			return n
		}
	}
	return NewString(text)
}
