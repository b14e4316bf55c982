// SPDX-License-Identifier: Apache-2.0

package manifest

import (
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	yaml "go.yaml.in/yaml/v3"

	"kilter.dev/kilter/internal/diag"
	"kilter.dev/kilter/internal/source"
)

// Code is the diagnostic code of text that is not YAML Kilter can read.
const Code = "yaml"

// maxAliased bounds the nodes that aliases may stand for, in one document.
const maxAliased = 100_000

// Parse returns the documents of f in order; empty ones are left out. A document that
// cannot be read adds an error and hides no other. Of two equal keys the second is
// reported and the first stands. Aliases and merge keys are resolved; their nodes have
// the position of the anchor.
func Parse(f *source.File) ([]*Node, diag.List) {
	var errs diag.List
	if at := invalidUTF8(f.Text); at >= 0 {
		errs.Errorf(source.Span{File: f, Start: at, End: at + 1}, Code, "the text is not UTF-8").Hint = "save the file as UTF-8"
		return nil, errs
	}
	var docs []*Node
	for _, c := range split(f.Text) {
		p := &parser{file: f, chunk: c, lines: lineStarts(c.text), errs: &errs}
		docs = append(docs, p.documents()...)
	}
	return docs, errs
}

func invalidUTF8(s string) int {
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && size == 1 {
			return i
		}
		i += size
	}
	return -1
}

// parser reads one chunk.
type parser struct {
	file    *source.File
	chunk   chunk
	lines   []int
	errs    *diag.List
	aliased int
	failed  bool // the document is reported already
}

func (p *parser) documents() []*Node {
	var docs []*Node
	decoder := yaml.NewDecoder(strings.NewReader(p.chunk.text))
	for {
		var doc yaml.Node
		err := decode(decoder, &doc)
		if errors.Is(err, io.EOF) {
			return docs
		}
		if err != nil {
			p.syntaxError(err)
			return docs
		}
		if len(doc.Content) == 0 {
			continue
		}
		p.failed = false
		if n := p.node(doc.Content[0], 0, false); n != nil && !p.failed && n.Shape != Null {
			docs = append(docs, n)
		}
	}
}

// decode reads the next document; a panic of the library is an error like any other.
func decode(d *yaml.Decoder, doc *yaml.Node) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("yaml: %v", r)
		}
	}()
	return d.Decode(doc)
}

var errorLine = regexp.MustCompile(`^yaml: (?:line (\d+): )?(.*)$`)

func (p *parser) syntaxError(err error) {
	span := source.Span{File: p.file, Start: p.chunk.offset, End: p.chunk.offset}
	message := err.Error()
	if m := errorLine.FindStringSubmatch(message); m != nil {
		message = m[2]
		if line, err := strconv.Atoi(m[1]); err == nil {
			span = p.lineSpan(line)
		}
	}
	message = strings.ReplaceAll(message, "did not find expected", "expected")
	hint := ""
	if strings.Contains(message, "that cannot start any token") {
		hint = "indent with spaces; put text that begins with a special character in quotes"
	}
	p.errs.Errorf(span, Code, "not valid YAML: %s", message).Hint = hint
}

// lineSpan is the text of a line without its indentation.
func (p *parser) lineSpan(line int) source.Span {
	line = min(max(line, 1), len(p.lines))
	start := p.lines[line-1]
	text := p.chunk.text[start:]
	if i := strings.IndexAny(text, "\r\n"); i >= 0 {
		text = text[:i]
	}
	start += len(text) - len(strings.TrimLeft(text, " \t"))
	return p.span(start, start+len(strings.TrimSpace(text)))
}

func (p *parser) span(start, end int) source.Span {
	return source.Span{File: p.file, Start: p.chunk.offset + start, End: p.chunk.offset + max(start, end)}
}

// offset is the byte in the chunk at which n begins.
func (p *parser) offset(n *yaml.Node) int {
	if n.Line < 1 || n.Line > len(p.lines) {
		return 0
	}
	at := p.lines[n.Line-1]
	for col := 1; col < n.Column && at < len(p.chunk.text); col++ {
		_, size := utf8.DecodeRuneInString(p.chunk.text[at:])
		at += size
	}
	return at
}

// node converts n; nil after an error.
func (p *parser) node(n *yaml.Node, depth int, aliased bool) *Node {
	if aliased {
		if p.aliased++; p.aliased > maxAliased {
			p.fail(n, "aliases stand for more than %d values", maxAliased)
		}
	}
	if depth > maxDepth {
		p.fail(n, "values are nested more than %d levels deep", maxDepth)
	}
	if p.failed {
		return nil
	}
	switch n.Kind {
	case yaml.AliasNode:
		return p.node(n.Alias, depth+1, true)
	case yaml.MappingNode:
		return p.mapping(n, depth, aliased)
	case yaml.SequenceNode:
		out := &Node{Shape: List, Span: p.span(p.offset(n), p.offset(n))}
		for _, item := range n.Content {
			if child := p.node(item, depth+1, aliased); child != nil {
				out.Items = append(out.Items, child)
				out.Span.End = max(out.Span.End, child.Span.End)
			}
		}
		return out
	}
	return p.scalar(n)
}

func (p *parser) fail(n *yaml.Node, format string, args ...any) {
	if !p.failed {
		p.failed = true
		at := p.offset(n)
		p.errs.Errorf(p.span(at, at+1), Code, format, args...)
	}
}

func (p *parser) mapping(n *yaml.Node, depth int, aliased bool) *Node {
	out := &Node{Shape: Map, Span: p.span(p.offset(n), p.offset(n))}
	seen := map[string]int{}
	var merges []*yaml.Node
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		if key.Tag == "!!merge" {
			merges = append(merges, value)
			continue
		}
		f, ok := p.key(key)
		if f.Value = p.node(value, depth+1, aliased); f.Value == nil || !ok {
			continue
		}
		out.Span.End = max(out.Span.End, f.Value.Span.End)
		if at, twice := seen[f.Key]; twice {
			d := p.errs.Errorf(f.KeySpan, Code, "key %q is there twice", f.Key)
			d.Related = []diag.Related{{Span: out.Fields[at].KeySpan, Message: "first here"}}
			d.Hint = "keep one of them"
			continue
		}
		seen[f.Key] = len(out.Fields)
		out.Fields = append(out.Fields, f)
	}
	for _, m := range merges {
		p.merge(out, m, depth, seen)
	}
	return out
}

// merge adds the entries of a merge key's value that out does not have.
func (p *parser) merge(out *Node, value *yaml.Node, depth int, seen map[string]int) {
	n := p.node(value, depth+1, true)
	if n == nil {
		return
	}
	sources := []*Node{n}
	if n.Shape == List {
		sources = n.Items
	}
	for _, from := range sources {
		if from.Shape != Map {
			p.fail(value, "<< takes a map or a list of maps")
			return
		}
		for _, f := range from.Fields {
			if _, ok := seen[f.Key]; !ok {
				seen[f.Key] = len(out.Fields)
				out.Fields = append(out.Fields, f)
			}
		}
	}
}

// key converts a mapping's key to its text, as JSON would have it.
func (p *parser) key(n *yaml.Node) (Field, bool) {
	target := n
	if n.Kind == yaml.AliasNode {
		target = n.Alias
	}
	at := p.offset(n)
	if target.Kind != yaml.ScalarNode {
		p.errs.Errorf(p.span(at, at+1), Code, "a map or list cannot be a key")
		return Field{}, false
	}
	k := p.scalar(target)
	span := k.Span
	if n != target {
		span = p.span(at, at+1)
	}
	switch k.Shape {
	case String:
		return Field{Key: k.Text(), KeySpan: span}, true
	case Null:
		p.errs.Errorf(span, Code, "null cannot be a key").Hint = "put the key in quotes"
		return Field{}, false
	}
	return Field{Key: scalarText(k), KeySpan: span}, true
}
