// SPDX-License-Identifier: Apache-2.0

package param

import (
	"cmp"
	"slices"

	"kilter.dev/kilter/internal/manifest"
)

// JSONSchema returns the values.schema.json of a chart with these parameters: draft 7,
// without $ref. On the values that Helm has completed with values.yaml it gives the
// verdict that Check gives on the user's values, except that it cannot see numbers
// beyond MaxInteger below a parameter of type Any, decimals between 0 and 0.000001
// written without quotes, and items of a list with the same Key.
func (s *Schema) JSONSchema(title string) *manifest.Node {
	root := manifest.NewMap(
		entryOf("$schema", manifest.NewString("http://json-schema.org/draft-07/schema#")),
		entryOf("title", manifest.NewString(title)),
	)
	root.Fields = append(root.Fields, s.jsonSchema(false).Fields...)
	properties := root.Get("properties")
	properties.Set("global", manifest.NewMap(
		entryOf("description", manifest.NewString("Values that Helm shares with all charts of a release.")),
		entryOf("type", manifest.NewString("object")),
	))
	properties.Set("fullnameOverride", manifest.NewMap(
		entryOf("description", manifest.NewString("Name of the objects instead of the release's name.")),
		entryOf("type", manifest.NewString("string")),
	))
	return root
}

func entryOf(key string, v *manifest.Node) manifest.Field {
	return manifest.Field{Key: key, Value: v}
}

// jsonSchema is the schema of s; nested: in a list or in a map with free names.
func (s *Schema) jsonSchema(nested bool) *manifest.Node {
	n := manifest.NewMap()
	if s.Description != "" {
		n.Set("description", manifest.NewString(s.Description))
	}
	if types := s.jsonTypes(nested); len(types) == 1 {
		n.Set("type", types[0])
	} else if len(types) > 1 {
		n.Set("type", manifest.NewList(types...))
	}
	switch s.Type {
	case String:
		s.jsonString(n, nested)
	case Integer:
		low, high := int64(-MaxInteger), int64(MaxInteger)
		n.Set("minimum", manifest.NewInt(*cmp.Or(s.Minimum, &low)))
		n.Set("maximum", manifest.NewInt(*cmp.Or(s.Maximum, &high)))
	case Array:
		n.Set("items", s.Items.jsonSchema(true))
		setInt(n, "minItems", s.MinItems)
		setInt(n, "maxItems", s.MaxItems)
	case Object:
		s.jsonObject(n, nested)
	}
	if s.Default != nil {
		n.Set("default", s.Default)
	}
	return n
}

func (s *Schema) jsonTypes(nested bool) []*manifest.Node {
	var names []string
	switch {
	case s.Type != Any:
		names = append(names, string(s.Type))
	case s.AnyMap:
		names = append(names, string(Object))
	default:
		return nil
	}
	if s.Format != "" && !nested {
		names = append(names, "number")
	}
	if s.Optional() && !nested {
		names = append(names, "null")
	}
	var nodes []*manifest.Node
	for _, name := range names {
		nodes = append(nodes, manifest.NewString(name))
	}
	return nodes
}

func (s *Schema) jsonString(n *manifest.Node, nested bool) {
	if s.Enum != nil {
		enum := manifest.NewList()
		for _, text := range s.Enum {
			enum.Items = append(enum.Items, manifest.NewString(text))
		}
		if s.Optional() && !nested {
			enum.Items = append(enum.Items, &manifest.Node{})
		}
		n.Set("enum", enum)
	}
	setInt(n, "minLength", s.MinLength)
	setInt(n, "maxLength", s.MaxLength)
	if pattern := s.Pattern + formatPattern(s.Format); pattern != "" {
		n.Set("pattern", manifest.NewString(pattern))
	}
	if s.NotPattern != "" {
		n.Set("not", s.jsonNot(nested))
	}
	if s.Format == "" || nested {
		return
	}
	low, high := int64(-MaxInteger), int64(MaxInteger) // about numbers only
	if s.Format == Quantity {
		low, high = 0, maxQuantity
	}
	n.Set("minimum", manifest.NewInt(low))
	n.Set("maximum", manifest.NewInt(high))
}

// jsonNot names the type too where null is allowed: a pattern holds for whatever is
// not a string.
func (s *Schema) jsonNot(nested bool) *manifest.Node {
	not := manifest.NewMap(entryOf("pattern", manifest.NewString(s.NotPattern)))
	if s.NotMessage != "" {
		not.Set("description", manifest.NewString("Must not be "+s.NotMessage+"."))
	}
	if s.Optional() && !nested {
		not.Set("type", manifest.NewString(string(String)))
	}
	return not
}

func (s *Schema) jsonObject(n *manifest.Node, nested bool) {
	if s.Values != nil {
		n.Set("additionalProperties", s.Values.jsonSchema(true))
		return
	}
	properties, required := manifest.NewMap(), manifest.NewList()
	for _, p := range s.Properties {
		properties.Set(p.Name, p.jsonSchema(nested))
		if !p.Optional() && !nested || slices.Contains(s.Required, p.Name) {
			required.Items = append(required.Items, manifest.NewString(p.Name))
		}
	}
	n.Set("additionalProperties", manifest.NewBool(false))
	if len(required.Items) > 0 {
		n.Set("required", required)
	}
	n.Set("properties", properties)
}

func setInt(n *manifest.Node, key string, i *int64) {
	if i != nil {
		n.Set(key, manifest.NewInt(*i))
	}
}
