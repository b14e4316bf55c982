// SPDX-License-Identifier: Apache-2.0

package param

import (
	"fmt"
	"math"

	"kilter.dev/kilter/internal/manifest"
)

func (c *checker) array(s *Schema, n *manifest.Node, path string) []any {
	if n == nil || n.Shape != manifest.List {
		d := c.errorf(n, "parameter-type", "%s must be a list, not %s", path, describe(n))
		if n != nil && n.Shape < manifest.Map && n.Shape != manifest.Null {
			d.Hint = fmt.Sprintf("write a list of one item: [%s]", given(n))
		}
		return nil
	}
	c.count(s, n, path)
	list := make([]any, len(n.Items))
	for i, item := range n.Items {
		list[i] = c.entry(s.Items, item, n, fmt.Sprintf("%s[%d]", path, i))
	}
	c.twice(s, n, path)
	return list
}

func (c *checker) count(s *Schema, n *manifest.Node, path string) {
	size := int64(len(n.Items))
	if s.MinItems != nil && size < *s.MinItems {
		c.errorf(n, "parameter-value", "%s must have at least %s, not %d", path, plural(*s.MinItems, "item"), size)
	}
	if s.MaxItems != nil && size > *s.MaxItems {
		c.errorf(n, "parameter-value", "%s may have at most %s, not %d", path, plural(*s.MaxItems, "item"), size)
	}
}

// object checks a map: with free names, or an item that has properties.
func (c *checker) object(s *Schema, n *manifest.Node, path string) map[string]any {
	if isNull(n) || !c.isMap(s, n, path) {
		if isNull(n) {
			c.errorf(n, "parameter-null", "%s may not be null", path)
		}
		return nil
	}
	values := map[string]any{}
	if s.Values == nil {
		c.unknown(s, n, path)
	}
	for _, name := range s.Required {
		if n.Get(name) == nil {
			c.errorf(n, "parameter-value", "%s must have %s", path, name)
		}
	}
	for _, f := range n.Fields {
		p := s.Values
		if p == nil {
			p = s.property(f.Key)
		}
		if p != nil {
			values[f.Key] = c.entry(p, f.Value, n, joinKey(path, f.Key))
		}
	}
	return values
}

// entry checks what stands in a list or map, where null is not absent and a number is
// not taken for a quantity.
func (c *checker) entry(s *Schema, n, holder *manifest.Node, path string) any {
	free := s.Type == Any && !s.AnyMap
	switch {
	case isNull(n) && !free:
		d := c.errs.Errorf(spanOr(n, holder.Span), "parameter-null", "%s may not be null", path)
		d.Hint = "remove it: Helm keeps nulls in lists and maps"
		return nil
	case s.Format != "" && (n.Shape == manifest.Int || n.Shape == manifest.Float):
		c.errorf(n, "parameter-type", "%s must be a string, not %s", path, describe(n)).Hint = quoteHint(n)
		return nil
	}
	v, _ := c.value(s, n, path)
	return v
}

// any takes whatever there is. Whole numbers become int64.
func (c *checker) any(n *manifest.Node, path string) any {
	if n == nil {
		return nil
	}
	switch n.Shape {
	case manifest.Map:
		m := make(map[string]any, len(n.Fields))
		for _, f := range n.Fields {
			m[f.Key] = c.any(f.Value, joinKey(path, f.Key))
		}
		return m
	case manifest.List:
		l := make([]any, len(n.Items))
		for i, item := range n.Items {
			l[i] = c.any(item, fmt.Sprintf("%s[%d]", path, i))
		}
		return l
	case manifest.Int, manifest.Float:
		if i, ok := whole(n); ok && i <= MaxInteger && i >= -MaxInteger {
			return i
		}
		if f, ok := n.Value.(float64); ok && f != math.Trunc(f) {
			return f
		}
		c.tooLarge(n, path)
	}
	return n.Value
}

// noNulls reports nulls in a default.
func (c *checker) noNulls(n *manifest.Node, path string) {
	if isNull(n) {
		c.errorf(n, "parameter-null", "the default of %s may not hold null", path)
		return
	}
	for _, f := range n.Fields {
		c.noNulls(f.Value, joinKey(path, f.Key))
	}
	for i, item := range n.Items {
		c.noNulls(item, fmt.Sprintf("%s[%d]", path, i))
	}
}
