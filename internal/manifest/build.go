// SPDX-License-Identifier: Apache-2.0

package manifest

import (
	"cmp"

	yaml "go.yaml.in/yaml/v3"

	"kilter.dev/kilter/internal/source"
)

// node turns what the library read into a Node. It never returns nil.
func (p *parser) node(y *yaml.Node, depth int) *Node {
	if depth > maxDepth {
		p.stop(p.at(y), "nested more than %d levels deep", maxDepth)
	}
	if p.broken {
		return &Node{}
	}
	var n *Node
	switch y.Kind {
	case yaml.AliasNode:
		return p.alias(y)
	case yaml.MappingNode:
		n = p.mapping(y, depth)
	case yaml.SequenceNode:
		n = p.sequence(y, depth)
	default:
		n = p.scalar(y)
	}
	if y.Anchor != "" {
		p.built[y] = n
	}
	if p.written != nil {
		p.written[y] = n
	}
	return n
}

// stop reports the one error after which the document is given up.
func (p *parser) stop(span source.Span, format string, args ...any) {
	if !p.broken {
		p.diags.Errorf(span, Code, format, args...)
	}
	p.broken = true
}

func (p *parser) alias(y *yaml.Node) *Node {
	start := p.offset(y.Line, y.Column)
	span := p.span(start, min(start+1+len(y.Value), len(p.text)))
	target := p.built[y.Alias]
	if target == nil {
		p.stop(span, "alias %q stands inside the value it repeats", y.Value)
		return &Node{}
	}
	n := p.copy(target)
	if p.aliased > maxAliased {
		p.stop(span, "aliases repeat more than %d values", maxAliased)
	}
	n.Span, n.style = span, unknown
	if p.written != nil {
		p.written[y] = n
	}
	return n
}

// copy is Clone that stops at maxAliased nodes, before they take the memory.
func (p *parser) copy(n *Node) *Node {
	p.aliased++
	c := *n
	if p.aliased > maxAliased {
		return &Node{}
	}
	c.Fields = append([]Field(nil), n.Fields...)
	for i := range c.Fields {
		c.Fields[i].Value = p.copy(c.Fields[i].Value)
	}
	c.Items = append([]*Node(nil), n.Items...)
	for i := range c.Items {
		c.Items[i] = p.copy(c.Items[i])
	}
	return &c
}

func (p *parser) sequence(y *yaml.Node, depth int) *Node {
	n := &Node{Shape: List}
	if len(y.Content) > 0 {
		n.Items = make([]*Node, 0, len(y.Content)) // it stays in memory: no larger than it must be
	}
	start, _ := p.content(y)
	end := start + 1
	for _, item := range y.Content {
		v := p.node(item, depth+1)
		n.Items = append(n.Items, v)
		end = max(end, v.Span.End-p.base)
	}
	n.Span = p.span(start, p.closing(y, end, ']'))
	return n
}

func (p *parser) mapping(y *yaml.Node, depth int) *Node {
	n := &Node{Shape: Map}
	if len(y.Content) > 0 {
		n.Fields = make([]Field, 0, len(y.Content)/2)
	}
	start, _ := p.content(y)
	end := start + 1
	index := make(map[string]int, len(y.Content)/2)
	written := make(map[string]bool, len(y.Content)/2) // as against merged
	for i := 0; i+1 < len(y.Content); i += 2 {
		key, value := y.Content[i], y.Content[i+1]
		if key.Tag == "!!merge" {
			v := p.node(value, depth+1)
			end = max(end, v.Span.End-p.base)
			p.merge(n, v, index)
			continue
		}
		f, ok := p.key(key, depth+1)
		f.Value = p.node(value, depth+1)
		end = max(end, f.KeySpan.End-p.base, f.Value.Span.End-p.base)
		if !ok || p.broken {
			continue
		}
		old, replaced := n.put(f, index)
		if replaced && written[f.Key] {
			d := p.diags.Errorf(f.KeySpan, DuplicateKey, "key %q is there twice", f.Key)
			d.Hint = "remove one of the two; readers that take the document use the last"
			d.Related = append(d.Related, related(old.KeySpan, "first written here"))
			p.replaced = append(p.replaced, old.Value)
		}
		written[f.Key] = true
	}
	n.Span = p.span(start, p.closing(y, end, '}'))
	return n
}

// merge sets the fields of v, the value of "<<": a map, or a list of maps of which the
// first that has a key gives its value.
func (p *parser) merge(n, v *Node, index map[string]int) {
	maps := []*Node{v}
	if v.Shape == List {
		maps = v.Items
	}
	for i := len(maps) - 1; i >= 0; i-- {
		if maps[i].Shape != Map {
			p.diags.Errorf(maps[i].Span, Code, `"<<" takes a map or a list of maps, not this %s`, maps[i].Shape)
			continue
		}
		for _, f := range maps[i].Fields {
			n.put(f, index)
		}
	}
}

// key returns a field with the text of a key as JSON would have it, false when there is
// none.
func (p *parser) key(y *yaml.Node, depth int) (Field, bool) {
	target := y
	if y.Kind == yaml.AliasNode {
		target = y.Alias
	}
	if target.Kind != yaml.ScalarNode {
		d := p.diags.Errorf(p.at(y), Code, "a key must be a string, not a map or list")
		if target.Kind == yaml.MappingNode && target.Style&yaml.FlowStyle != 0 {
			d.Hint = TemplateHint
			at := p.offset(target.Line, target.Column)
			p.broken = p.broken || at > 0 && p.text[at-1] == '{' // the rest is a template, too
		}
		p.node(y, depth) // an alias may repeat it
		return Field{KeySpan: p.at(y)}, false
	}
	var f Field
	if y == target && y.Anchor == "" {
		start, end, _ := p.extent(y)
		f.KeySpan = p.span(start, end)
	} else {
		f.KeySpan = p.node(y, depth).Span
	}
	var err error
	if f.Key, err = keyText(target.Value, p.tag(target), isQuoted(target)); err != nil {
		d := p.diags.Errorf(f.KeySpan, Code, "%s cannot be a key: it is not a string", cmp.Or(target.Value, "null"))
		d.Hint = "put it in quotes"
		return f, false
	}
	return f, true
}

func isQuoted(y *yaml.Node) bool {
	const quoted = yaml.DoubleQuotedStyle | yaml.SingleQuotedStyle | yaml.LiteralStyle | yaml.FoldedStyle
	return y.Style&quoted != 0
}

func (p *parser) scalar(y *yaml.Node) *Node {
	start, end, how := p.extent(y)
	n := &Node{Shape: String, Value: y.Value, Span: p.span(start, end), style: how}
	tag := p.tag(y)
	if tag == "" && isQuoted(y) {
		return n
	}
	value, err := resolve(y.Value, tag, isQuoted(y))
	if err != nil {
		d := p.diags.Errorf(n.Span, Code, "%q %s", y.Value, err)
		d.Hint = "put it in quotes if it is meant as text"
		return n
	}
	n.Value = value
	switch value.(type) {
	case nil:
		n.Shape = Null
	case bool:
		n.Shape = Bool
	case int64:
		n.Shape = Int
	case float64:
		n.Shape = Float
	}
	return n
}
