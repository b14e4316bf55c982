// SPDX-License-Identifier: Apache-2.0

package param

import (
	"fmt"

	"kilter.dev/kilter/internal/diag"
	"kilter.dev/kilter/internal/manifest"
	"kilter.dev/kilter/internal/source"
)

// TwiceMessage says that two items of the list have one Key: its value in quotes is to follow.
func (s *Schema) TwiceMessage() string {
	return fmt.Sprintf("two items of %s have the %s", s.Path, s.Key)
}

// key reads x-kubernetes-list-map-keys. Kubernetes takes several.
func (p *parser) key(f manifest.Field, at place) string {
	if at.nested {
		p.errorf(f.KeySpan, "%s cannot stand in a list or map", f.Key).Hint = "a chart sees the lists that are parameters alone"
		return ""
	}
	names := p.texts(f)
	if len(names) > 1 {
		p.errorf(f.Value.Span, "%s may name one field", f.Key)
		return ""
	}
	if len(names) == 0 {
		return ""
	}
	return names[0]
}

// completeKey checks that the items can have the key, and that Kubernetes' two keywords for
// it stand together.
func (p *parser) completeKey(s *Schema, n *manifest.Node, at place) {
	const kind, keys = "x-kubernetes-list-type", "x-kubernetes-list-map-keys"
	for _, pair := range [][2]string{{kind, keys}, {keys, kind}} {
		if n.Get(pair[0]) != nil && n.Get(pair[1]) == nil {
			p.errorf(keySpan(n, pair[0]), "%s has %s without %s", at, pair[0], pair[1]).Hint =
				"write x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [name]"
		}
	}
	if s.Key != "" && !s.Items.AnyMap && (s.Items.property(s.Key) == nil || s.Items.property(s.Key).Type != String) {
		p.errorf(n.Get(keys).Span, "the items of %s have no text called %q", at, s.Key)
	}
}

// twice reports items whose key one before them has.
func (c *checker) twice(s *Schema, n *manifest.Node, path string) {
	first := map[string]*manifest.Node{}
	for i, item := range n.Items {
		key := item.Get(s.Key)
		text := key.Text()
		if s.Key == "" || text == "" {
			continue
		}
		other := first[text]
		if other == nil {
			first[text] = key
			continue
		}
		d := c.errorf(key, "parameter-value", "%s %q", s.TwiceMessage(), text)
		d.Path = fmt.Sprintf("%s[%d].%s", path, i, s.Key)
		d.Hint = "remove one of them"
		if span := spanOr(other, source.Span{}); span.File != nil {
			d.Related = []diag.Related{{Span: span, Message: "the first one"}}
		}
	}
}
