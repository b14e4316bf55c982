// SPDX-License-Identifier: Apache-2.0

package param

import (
	"cmp"
	"slices"
	"strings"

	"kilter.dev/kilter/internal/diag"
	"kilter.dev/kilter/internal/manifest"
	"kilter.dev/kilter/internal/source"
)

// Parse reads the OpenAPI v3 schema of the parameters, spec.parameters of a profile.
// It reports every error at its place. The Schema is never nil: what could not be read
// is left out or of type Any. A nil node declares no parameters.
func Parse(n *manifest.Node) (*Schema, diag.List) {
	if n == nil {
		return &Schema{Type: Object}, nil
	}
	p := &parser{}
	root := p.schema(n, place{span: n.Span, root: true})
	if !root.Group() {
		if len(p.errs) == 0 {
			p.errs.Errorf(n.Span, "parameter-schema", "spec.parameters must be of type object with properties")
		}
		root = &Schema{Type: Object}
	}
	p.errs.Sort()
	return root, p.errs
}

// parser collects the errors of one schema.
type parser struct{ errs diag.List }

// place says which parameter is being read.
type place struct {
	name, path string
	span       source.Span
	root       bool
	nested     bool // stands in a list or in a map with free names
}

func (at place) String() string {
	if at.root {
		return "spec.parameters"
	}
	return at.path
}

func (p *parser) errorf(span source.Span, format string, args ...any) *diag.Diagnostic {
	return p.errs.Errorf(span, "parameter-schema", format, args...)
}

func (p *parser) schema(n *manifest.Node, at place) *Schema {
	s := &Schema{Name: at.name, Path: at.path, Span: at.span, Type: Any}
	if n == nil || n.Shape != manifest.Map {
		p.errorf(spanOr(n, at.span), "%s must be a map with type and description", at)
		return s
	}
	known := p.readType(s, n, at)
	for _, f := range n.Fields {
		p.keyword(s, f, at, known)
	}
	if !known {
		return s
	}
	p.complete(s, n, at)
	p.readDefault(s, n, at)
	return s
}

// readType sets the type of s and says whether it could.
func (p *parser) readType(s *Schema, n *manifest.Node, at place) bool {
	t, free := n.Get("type"), n.Get("x-kubernetes-preserve-unknown-fields")
	if free != nil && free.Shape == manifest.Bool && free.Value == true {
		s.AnyMap = t != nil
		if t != nil && t.Value != string(Object) {
			p.errorf(t.Span, "%s has x-kubernetes-preserve-unknown-fields, so its type must be object or left out", at)
			return false
		}
		return true
	}
	if t == nil {
		p.errorf(at.span, "%s has no type", at).Hint = "add type: string, integer, boolean, array or object"
		return false
	}
	name, ok := t.Value.(string)
	known := []string{string(String), string(Integer), string(Boolean), string(Array), string(Object)}
	if !ok || !slices.Contains(known, name) {
		d := p.errorf(t.Span, "%s has an unknown type: %s", at, describe(t))
		switch name {
		case "number", "float", "double":
			d.Hint = "write type: string, format: decimal; integers are type: integer"
		case "map":
			d.Hint = "write type: object, additionalProperties: {type: string}"
		default:
			d.Hint = cmp.Or(diag.DidYouMean(name, known), "the types are "+strings.Join(known, ", "))
		}
		return false
	}
	s.Type = Type(name)
	return true
}

// complete checks what several keywords say together.
func (p *parser) complete(s *Schema, n *manifest.Node, at place) {
	if s.Description == "" && n.Get("description") == nil && !s.Group() && !at.nested && !at.root {
		p.errorf(at.span, "%s has no description", at).Hint = "it becomes the comment in values.yaml and the row in the README"
	}
	p.ordered(s.Minimum, s.Maximum, n, "minimum", "maximum")
	p.ordered(s.MinLength, s.MaxLength, n, "minLength", "maxLength")
	p.ordered(s.MinItems, s.MaxItems, n, "minItems", "maxItems")
	switch s.Type {
	case Array:
		if n.Get("items") == nil {
			p.errorf(at.span, "%s is an array without items", at).Hint = "add items: {type: string}"
		}
		if s.Items == nil {
			s.Items = &Schema{Path: at.path + "[]", Type: Any, Span: at.span}
		}
		p.completeKey(s, n, at)
	case Object:
		p.completeObject(s, n, at)
	case String:
		p.completeString(s, n, at)
	}
}

func (p *parser) completeObject(s *Schema, n *manifest.Node, at place) {
	properties, values := n.Get("properties"), n.Get("additionalProperties")
	for i, name := range s.Required {
		if s.property(name) == nil {
			p.errorf(n.Get("required").Items[i].Span, "%s has no property %q", at, name)
		}
	}
	switch {
	case properties == nil && values == nil:
		p.errorf(at.span, "%s is an object without properties", at).Hint = "list its properties, or write " +
			"additionalProperties: {type: string} for a map, or x-kubernetes-preserve-unknown-fields: true for anything"
	case properties != nil && values != nil && values.Shape != manifest.Bool:
		p.errorf(keySpan(n, "additionalProperties"), "%s has both properties and additionalProperties", at).Hint =
			"an object has either named parameters or names that the user chooses"
	}
}

func (p *parser) completeString(s *Schema, n *manifest.Node, at place) {
	if s.Format != "" {
		for _, k := range []string{"enum", "pattern", "not", "minLength", "maxLength"} {
			if n.Get(k) != nil {
				p.errorf(keySpan(n, k), "%s cannot be combined with format: %s", k, s.Format).Hint =
					"a number counts as a " + s.Format + " too; state further conditions in x-kubernetes-validations"
			}
		}
		return
	}
	enum := n.Get("enum")
	if enum == nil || enum.Shape != manifest.List {
		return
	}
	plain := *s
	plain.Enum = nil
	for _, item := range enum.Items {
		if text, ok := item.Value.(string); ok {
			for _, problem := range plain.textProblems(text) {
				p.errorf(item.Span, "%s: the enum allows what another keyword forbids: %s", at, problem.message)
			}
		}
	}
}

// readDefault checks the default with the check that users' values go through.
func (p *parser) readDefault(s *Schema, n *manifest.Node, at place) {
	d := n.Get("default")
	switch {
	case d == nil:
		return
	case s.Group():
		p.errorf(keySpan(n, "default"), "%s has properties, so it cannot have a default", at).Hint =
			"give the defaults to its properties"
		return
	case at.nested:
		p.errorf(keySpan(n, "default"), "what stands in a list or map cannot have a default").Hint =
			"Helm does not complete lists; use .?name.orValue(...) in the template"
		return
	}
	s.Default = d // also where it is wrong: the parameter is not meant to be optional
	switch {
	case d.Shape == manifest.Null:
		p.errorf(d.Span, "the default of %s may not be null", at).Hint = "leave the default out to make the parameter optional"
		return
	case d.Shape == manifest.Map && len(d.Fields) > 0:
		p.errorf(d.Span, "the default of the map %s must be {}", at).Hint =
			"Helm merges a user's map into it, so that entries stay; declare the entries as properties, or put them in the template next to $merge"
		return
	}
	c := &checker{}
	v, _ := c.value(s, d, at.String())
	if len(c.errs) == 0 {
		c.noNulls(d, at.String())
	}
	p.errs.Add(c.errs)
	if len(c.errs) > 0 {
		return
	}
	if text, ok := v.(string); ok && d.Shape != manifest.String {
		s.Default = &manifest.Node{Shape: manifest.String, Value: text, Span: d.Span}
	}
}

func (p *parser) ordered(low, high *int64, n *manifest.Node, lowName, highName string) {
	if low != nil && high != nil && *low > *high {
		p.errorf(n.Get(highName).Span, "%s %d is less than %s %d", highName, *high, lowName, *low)
	}
}
