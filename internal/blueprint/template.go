// SPDX-License-Identifier: Apache-2.0

package blueprint

import (
	"slices"
	"strings"

	"kilter.dev/kilter/internal/expr"
	"kilter.dev/kilter/internal/manifest"
)

// The labels Kilter adds to every object where they are not written out.
const (
	NameLabel     = "app.kubernetes.io/name"
	InstanceLabel = "app.kubernetes.io/instance"
)

// The keys of a map in a template that are not its entries.
const (
	ifKey    = "$if"
	mergeKey = "$merge"
)

// object compiles a document of a template file: an object, or a hole that holds objects.
func (c *compiler) object(doc *manifest.Node) *Node {
	if doc.Shape != manifest.Map {
		n := c.node(doc)
		if n == nil {
			return nil
		}
		if n.Text == nil || !n.Text.Whole || n.Text.Tree.Type().Kind != expr.List {
			c.errs.Errorf(doc.Span, Code, "a document must be an object or a hole with a list of objects")
			return nil
		}
		return n
	}
	for _, key := range []string{"apiVersion", "kind", "metadata"} {
		if doc.Get(key) == nil {
			c.errs.Errorf(doc.Span, Code, "the object has no %s", key)
			return nil
		}
	}
	if doc.Get("metadata", "name") == nil {
		c.errs.Errorf(doc.Get("metadata").Span, Code, "the object has no metadata.name").Hint = "write name: ${workload.name}"
		return nil
	}
	if labels := doc.Get("metadata", "labels"); labels != nil && labels.Shape != manifest.Map {
		c.errs.Errorf(labels.Span, Code, "the labels of an object must be written as a map").Hint = "write $merge: ${...} in it; the labels that every object has go beside"
		return nil
	}
	n := c.node(doc)
	if n != nil {
		c.identify(n, doc.Get("kind").Text())
	}
	return n
}

// clusterScoped are the kinds of Kubernetes' own that a profile may hold and that have no namespace.
var clusterScoped = []string{"ClusterRole", "ClusterRoleBinding", "IngressClass", "Namespace", "PriorityClass", "StorageClass"}

// identify adds the namespace and the labels that every object has.
func (c *compiler) identify(root *Node, kind string) {
	metadata := root.field("metadata")
	if metadata.field("namespace") == nil && !slices.Contains(clusterScoped, kind) {
		metadata.insertAfter("name", Field{Key: "namespace", Value: c.hole("${workload.namespace}")})
	}
	labels := metadata.field("labels")
	if labels == nil {
		labels = &Node{Shape: manifest.Map, Span: metadata.Span}
		after := "name"
		if metadata.field("namespace") != nil {
			after = "namespace"
		}
		metadata.insertAfter(after, Field{Key: "labels", Value: labels})
	}
	if labels.field(InstanceLabel) == nil {
		labels.Fields = slices.Insert(labels.Fields, 0, Field{Key: InstanceLabel, Value: c.hole("${workload.name}")})
	}
	if labels.field(NameLabel) == nil {
		name := &Node{Shape: manifest.String, Literal: manifest.NewString(c.b.Profile.Name)}
		labels.Fields = slices.Insert(labels.Fields, 0, Field{Key: NameLabel, Value: name})
	}
}

func (c *compiler) hole(text string) *Node {
	return &Node{Shape: manifest.String, Text: c.scalar(manifest.NewString(text))}
}

// insertAfter puts f behind the field called key, or first.
func (n *Node) insertAfter(key string, f Field) {
	at := slices.IndexFunc(n.Fields, func(f Field) bool { return f.Key == key })
	n.Fields = slices.Insert(n.Fields, at+1, f)
}

func (n *Node) field(key string) *Node {
	for _, f := range n.Fields {
		if f.Key == key {
			return f.Value
		}
	}
	return nil
}

// node compiles a node; nil after an error.
func (c *compiler) node(n *manifest.Node) *Node {
	out := &Node{Span: n.Span, Shape: n.Shape}
	switch n.Shape {
	case manifest.Map:
		return c.mapping(n, out)
	case manifest.List:
		for _, item := range n.Items {
			if child := c.node(item); child != nil {
				out.Items = append(out.Items, child)
			}
		}
		if len(n.Items) == 0 {
			out.Literal = n
		}
		return out
	case manifest.Null:
		c.errs.Errorf(n.Span, Code, "null is not a value").Hint = "leave the field out, or write {} or []"
		return nil
	case manifest.String:
		if strings.Contains(n.Text(), "${") {
			out.Text = c.scalar(n)
			if out.Text == nil {
				return nil
			}
			return out
		}
	}
	out.Literal = n
	return out
}

func (c *compiler) mapping(n *manifest.Node, out *Node) *Node {
	for _, f := range n.Fields {
		switch {
		case f.Key == ifKey:
			c.guard(out, f.Value)
		case f.Key == mergeKey:
			out.Merge = c.typed(f.Value, expr.Map, mergeKey)
		case strings.HasPrefix(f.Key, "$") && !strings.HasPrefix(f.Key, "${"):
			c.errs.Errorf(f.KeySpan, Code, "unknown key %q", f.Key).Hint = "the keys with $ are $if, $merge and $include; write a hole as ${...}"
		default:
			if child := c.node(f.Value); child != nil {
				out.Fields = append(out.Fields, Field{Key: f.Key, Span: f.KeySpan, Value: child, Name: c.key(f)})
			}
		}
	}
	if len(n.Fields) == 0 {
		out.Literal = n
	} else if len(out.Fields) == 0 && out.Merge == nil && n.Get(ifKey) != nil && len(n.Fields) == 1 {
		out.Literal = manifest.NewMap()
	}
	return out
}

// key compiles a key with a hole, nil for any other.
func (c *compiler) key(f manifest.Field) *expr.Template {
	if !strings.Contains(f.Key, "${") {
		return nil
	}
	n := manifest.NewString(f.Key)
	n.Span = f.KeySpan
	return c.typed(n, expr.String, "a key")
}

// guard adds a condition to those under which n exists.
func (c *compiler) guard(n *Node, condition *manifest.Node) {
	if t := c.typed(condition, expr.Bool, ifKey); t != nil {
		n.guards = append(n.guards, t)
		n.Guard = expr.All(t.Tree, n.Guard)
	}
}
