// SPDX-License-Identifier: Apache-2.0

package profile

import (
	"regexp"
	"slices"

	"kilter.dev/kilter/internal/manifest"
	"kilter.dev/kilter/internal/param"
)

// spec reads the spec of profile.yaml, with the parts that it names: their lists come first,
// and what comes later stands.
func (l *loader) spec(n *manifest.Node) error {
	l.Keys(n, append([]string{"title", "appVersion", "keywords", "parts", "dev", "component"}, shared...)...)
	l.p.Title = l.Text(n, "title", true)
	l.p.Description = l.Text(n, "description", true)
	l.p.AppVersion = l.Text(n, "appVersion", false)
	l.p.Keywords = l.strings(n, "keywords")
	params := l.Want(n, "parameters", manifest.Map)
	var base *manifest.Node
	for _, item := range l.List(n, "parts", false) {
		part, err := l.part(item)
		if err != nil {
			return err
		}
		if part == nil {
			params = nil // what the part would add is no further mistake
			continue
		}
		l.lists(part)
		base = merged(part.Get("parameters"), base)
	}
	l.lists(n)
	if params != nil {
		schema, errs := param.Parse(merged(params, base))
		l.Errs.Add(errs)
		l.p.Params = schema
	}
	l.p.Dev = l.Optional(n, "dev", manifest.Map)
	if c := l.Optional(n, "component", manifest.Map); l.Keys(c, "kinds", "fields") {
		l.p.Component = Component{Kinds: l.strings(c, "kinds"), Fields: l.strings(c, "fields")}
	}
	return nil
}

// lists reads what profiles and parts have in common, apart from the parameters.
func (l *loader) lists(n *manifest.Node) {
	l.variables(n)
	for _, item := range l.List(n, "constraints", false) {
		if l.Keys(item, "rule", "at", "message") {
			l.Text(item, "rule", true)
			l.Text(item, "message", true)
			c := Constraint{Rule: item.Get("rule"), At: l.Text(item, "at", false), AtSpan: item.SpanOf("at"), Message: item.Get("message")}
			if c.Rule != nil && c.Message != nil {
				l.p.Constraints = append(l.p.Constraints, c)
			}
		}
	}
	for _, item := range l.List(n, "features", false) {
		if l.Keys(item, "name", "description") {
			f := Feature{Name: l.identifier(item), Description: l.Text(item, "description", true), Span: item.SpanOf("name")}
			l.p.Features = append(slices.DeleteFunc(l.p.Features, func(old Feature) bool {
				return old.Name == f.Name && old.Span.File != f.Span.File
			}), f)
		}
	}
	for _, item := range l.List(n, "fixed", false) {
		if item.Shape != manifest.String {
			l.Errorf(item.Span, "an item of fixed must be the path of a parameter")
			continue
		}
		l.p.Fixed = append(l.p.Fixed, Fixed{Path: item.Text(), Span: item.Span})
	}
	l.infer(l.Optional(n, "infer", manifest.Map))
}

// variables adds the variables of n; one of a part gives way to the profile's of that name.
func (l *loader) variables(n *manifest.Node) {
	for _, item := range l.List(n, "variables", false) {
		if l.Keys(item, "name", "description", "value") {
			v := Variable{Name: l.identifier(item), Description: l.Text(item, "description", true), Value: item.Get("value"), Span: item.SpanOf("name")}
			if v.Value == nil || v.Value.Shape == manifest.Map || v.Value.Shape == manifest.List {
				l.Errorf(item.Span, "variable %q needs a value: a string, integer or boolean", v.Name)
				continue
			}
			l.p.Variables = append(slices.DeleteFunc(l.p.Variables, func(old Variable) bool {
				return old.Name == v.Name && old.Span.File != v.Span.File
			}), v)
		}
	}
}

func (l *loader) strings(n *manifest.Node, key string) []string {
	var texts []string
	for _, item := range l.List(n, key, false) {
		if item.Shape != manifest.String {
			l.Errorf(item.Span, "an item of %s must be a string", key)
			continue
		}
		texts = append(texts, item.Text())
	}
	return texts
}

var identifier = regexp.MustCompile(`^[a-z][a-zA-Z0-9]*$`)

func (l *loader) identifier(n *manifest.Node) string {
	name := l.Text(n, "name", true)
	if name != "" && !identifier.MatchString(name) {
		l.Errorf(n.Get("name").Span, "name %q is not camelCase", name)
	}
	return name
}
