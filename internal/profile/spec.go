// SPDX-License-Identifier: Apache-2.0

package profile

import (
	"regexp"

	"kilter.dev/kilter/internal/manifest"
	"kilter.dev/kilter/internal/param"
	"kilter.dev/kilter/internal/source"
)

func (l *loader) spec(n *manifest.Node) {
	l.Keys(n, "title", "description", "keywords", "appVersion", "parameters", "variables", "constraints", "features", "fixed", "dev", "component", "infer")
	l.p.Title = l.Text(n, "title", true)
	l.p.Description = l.Text(n, "description", true)
	l.p.AppVersion = l.Text(n, "appVersion", false)
	l.p.Keywords = l.strings(n, "keywords")
	if params := l.Want(n, "parameters", manifest.Map); params != nil {
		schema, errs := param.Parse(params)
		l.Errs.Add(errs)
		l.p.Params = schema
	}
	for _, item := range l.List(n, "variables", false) {
		if l.Keys(item, "name", "description", "value") {
			v := Variable{Name: l.identifier(item), Description: l.Text(item, "description", true), Value: item.Get("value"), Span: spanOf(item.Get("name"))}
			if v.Value == nil || v.Value.Shape == manifest.Map || v.Value.Shape == manifest.List {
				l.Errorf(item.Span, "variable %q needs a value: a string, integer or boolean", v.Name)
				continue
			}
			l.p.Variables = append(l.p.Variables, v)
		}
	}
	for _, item := range l.List(n, "constraints", false) {
		if l.Keys(item, "rule", "at", "message") {
			l.Text(item, "rule", true)
			l.Text(item, "message", true)
			c := Constraint{Rule: item.Get("rule"), At: l.Text(item, "at", false), AtSpan: spanOf(item.Get("at")), Message: item.Get("message")}
			if c.Rule != nil && c.Message != nil {
				l.p.Constraints = append(l.p.Constraints, c)
			}
		}
	}
	for _, item := range l.List(n, "features", false) {
		if l.Keys(item, "name", "description") {
			l.p.Features = append(l.p.Features, Feature{Name: l.identifier(item), Description: l.Text(item, "description", true), Span: spanOf(item.Get("name"))})
		}
	}
	for _, item := range l.List(n, "fixed", false) {
		if item.Shape != manifest.String {
			l.Errorf(item.Span, "an item of fixed must be the path of a parameter")
			continue
		}
		l.p.Fixed = append(l.p.Fixed, Fixed{Path: item.Text(), Span: item.Span})
	}
	l.p.Dev = l.Optional(n, "dev", manifest.Map)
	if c := l.Optional(n, "component", manifest.Map); l.Keys(c, "kinds", "fields") {
		l.p.Component = Component{Kinds: l.strings(c, "kinds"), Fields: l.strings(c, "fields")}
	}
	l.infer(l.Optional(n, "infer", manifest.Map))
}

func spanOf(n *manifest.Node) source.Span {
	if n == nil {
		return source.Span{}
	}
	return n.Span
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
