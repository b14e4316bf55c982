// SPDX-License-Identifier: Apache-2.0

package manifest

import (
	"slices"
	"strconv"

	"kilter.dev/kilter/internal/source"
)

// NewString returns a made String node.
func NewString(s string) *Node { return &Node{Shape: String, Value: s} }

// NewInt returns a made Int node.
func NewInt(i int64) *Node { return &Node{Shape: Int, Value: i} }

// NewBool returns a made Bool node.
func NewBool(b bool) *Node { return &Node{Shape: Bool, Value: b} }

// NewMap returns a made Map node with the given fields; of equal keys the last stands.
func NewMap(fields ...Field) *Node {
	n := &Node{Shape: Map}
	seen := make(map[string]int, len(fields))
	for _, f := range fields {
		n.put(f, seen)
	}
	return n
}

// NewList returns a made List node with the given items.
func NewList(items ...*Node) *Node { return &Node{Shape: List, Items: items} }

// put adds f or, where the key is there, replaces its field. seen holds the index of
// each key. It reports the field that was replaced.
func (n *Node) put(f Field, seen map[string]int) (old Field, replaced bool) {
	if i, ok := seen[f.Key]; ok {
		old, n.Fields[i] = n.Fields[i], f
		return old, true
	}
	seen[f.Key] = len(n.Fields)
	n.Fields = append(n.Fields, f)
	return Field{}, false
}

func (n *Node) index(key string) int {
	if n == nil || n.Shape != Map {
		return -1
	}
	return slices.IndexFunc(n.Fields, func(f Field) bool { return f.Key == key })
}

// Get returns the node at path, nil when there is none. A step into a list is its
// decimal index.
func (n *Node) Get(path ...string) *Node {
	for _, key := range path {
		switch {
		case n == nil:
			return nil
		case n.Shape == List:
			i, err := strconv.Atoi(key)
			if err != nil || i < 0 || i >= len(n.Items) {
				return nil
			}
			n = n.Items[i]
		default:
			i := n.index(key)
			if i < 0 {
				return nil
			}
			n = n.Fields[i].Value
		}
	}
	return n
}

// SpanOf returns the place of the node at path, none when there is no node.
func (n *Node) SpanOf(path ...string) source.Span {
	if v := n.Get(path...); v != nil {
		return v.Span
	}
	return source.Span{}
}

// Set replaces the value of key or appends the field. It does nothing unless n is a Map.
func (n *Node) Set(key string, v *Node) {
	if i := n.index(key); i >= 0 {
		n.Fields[i].Value = v
	} else if n != nil && n.Shape == Map {
		n.Fields = append(n.Fields, Field{Key: key, Value: v})
	}
}

// Delete removes the field called key, if there is one.
func (n *Node) Delete(key string) {
	if i := n.index(key); i >= 0 {
		n.Fields = slices.Delete(n.Fields, i, i+1)
	}
}

// Clone returns a deep copy that keeps the spans.
func (n *Node) Clone() *Node {
	if n == nil {
		return nil
	}
	c := *n
	c.Fields = slices.Clone(n.Fields)
	for i := range c.Fields {
		c.Fields[i].Value = c.Fields[i].Value.Clone()
	}
	c.Items = slices.Clone(n.Items)
	for i := range c.Items {
		c.Items[i] = c.Items[i].Clone()
	}
	return &c
}

// Text returns the value of a String node, "" for any other.
func (n *Node) Text() string {
	if n == nil || n.Shape != String {
		return ""
	}
	s, _ := n.Value.(string)
	return s
}

func (n *Node) shape() Shape {
	if n == nil {
		return Null
	}
	return n.Shape
}
