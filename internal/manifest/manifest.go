// SPDX-License-Identifier: Apache-2.0

// Package manifest is YAML with positions: it parses text to nodes that know where
// they stand, and prints nodes so that every string survives. It is the only package
// that imports a YAML library.
package manifest

import (
	"cmp"
	"strings"

	"kilter.dev/kilter/internal/source"
)

// Shape says what a Node is.
type Shape int

// The shapes. Value holds nil, bool, int64, float64 or string for the first five.
const (
	Null Shape = iota
	Bool
	Int
	Float
	String
	Map
	List
)

// String names the shape as users do: "null", "boolean", "integer", "number",
// "string", "map", "list".
func (s Shape) String() string {
	return [...]string{"null", "boolean", "integer", "number", "string", "map", "list"}[s]
}

// Article is the shape with its article: "an integer", "a list".
func (s Shape) Article() string {
	if s == Int {
		return "an " + s.String()
	}
	return "a " + s.String()
}

// Node is a YAML value. Keys of a map keep their order and are unique. A nil Node
// reads as null everywhere.
type Node struct {
	Shape  Shape
	Value  any // a Float is finite
	Fields []Field
	Items  []*Node
	Span   source.Span // the value's text; zero for a made node

	style style // how a parsed scalar was written: At needs it
}

// Field is one entry of a map.
type Field struct {
	Key     string
	KeySpan source.Span
	Value   *Node
}

// Object is a document that says which Kubernetes object it is.
type Object struct {
	*Node
	APIVersion, Kind, Namespace, Name string
}

// DefaultNamespace is where objects are that name no namespace.
const DefaultNamespace = "default"

// Namespace returns the namespace that an object is in which says that its namespace is name.
func Namespace(name string) string { return cmp.Or(name, DefaultNamespace) }

// ID is what a cluster tells objects apart by: versions of an API hold the same ones.
type ID struct{ Group, Kind, Namespace, Name string }

// ID returns the object's ID; the group of core kinds is "".
func (o *Object) ID() ID {
	group, _, found := strings.Cut(o.APIVersion, "/")
	if !found {
		group = ""
	}
	return ID{group, o.Kind, o.Namespace, o.Name}
}

// In is the ID in a cluster where objects that name no namespace are in the one given, ""
// for the default one.
func (id ID) In(namespace string) ID {
	id.Namespace = cmp.Or(id.Namespace, Namespace(namespace))
	return id
}

// String is "Kind.group namespace/name", without what is empty.
func (id ID) String() string {
	kind, name := id.Kind, id.Name
	if id.Group != "" {
		kind += "." + id.Group
	}
	if id.Namespace != "" {
		name = id.Namespace + "/" + name
	}
	return kind + " " + name
}
