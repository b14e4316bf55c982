// SPDX-License-Identifier: Apache-2.0

package profile

import (
	"regexp"

	"kilter.dev/kilter/internal/diag"
	"kilter.dev/kilter/internal/manifest"
	"kilter.dev/kilter/internal/param"
	"kilter.dev/kilter/internal/source"
)

func (l *loader) spec(n *manifest.Node) {
	l.keys(n, "spec", "title", "description", "keywords", "appVersion", "parameters", "variables", "constraints", "features", "fixed", "dev", "component", "infer")
	l.p.Title = l.text(n, "title", true)
	l.p.Description = l.text(n, "description", true)
	l.p.AppVersion = l.text(n, "appVersion", false)
	l.p.Keywords = l.strings(n, "keywords")
	if params := l.want(n, "parameters", manifest.Map); params != nil {
		schema, errs := param.Parse(params)
		l.errs.Add(errs)
		l.p.Params = schema
	}
	l.items(n, "variables", func(item *manifest.Node) {
		if l.keys(item, "variable", "name", "description", "value") {
			v := Variable{Name: l.identifier(item), Description: l.text(item, "description", true), Value: item.Get("value"), Span: spanOf(item.Get("name"))}
			if v.Value == nil || v.Value.Shape == manifest.Map || v.Value.Shape == manifest.List {
				l.errs.Errorf(item.Span, Code, "variable %q needs a value: a string, integer or boolean", v.Name)
				return
			}
			l.p.Variables = append(l.p.Variables, v)
		}
	})
	l.items(n, "constraints", func(item *manifest.Node) {
		if l.keys(item, "constraint", "rule", "at", "message") {
			l.text(item, "rule", true)
			l.text(item, "message", true)
			c := Constraint{Rule: item.Get("rule"), At: l.text(item, "at", false), AtSpan: spanOf(item.Get("at")), Message: item.Get("message")}
			if c.Rule != nil && c.Message != nil {
				l.p.Constraints = append(l.p.Constraints, c)
			}
		}
	})
	l.items(n, "features", func(item *manifest.Node) {
		if l.keys(item, "feature", "name", "description") {
			l.p.Features = append(l.p.Features, Feature{Name: l.identifier(item), Description: l.text(item, "description", true), Span: spanOf(item.Get("name"))})
		}
	})
	l.items(n, "fixed", func(item *manifest.Node) {
		if item.Shape != manifest.String {
			l.errs.Errorf(item.Span, Code, "an item of fixed must be the path of a parameter")
			return
		}
		l.p.Fixed = append(l.p.Fixed, Fixed{Path: item.Text(), Span: item.Span})
	})
	l.p.Dev = l.optional(n, "dev", manifest.Map)
	if c := l.optional(n, "component", manifest.Map); l.keys(c, "component", "kinds", "fields") {
		l.p.Component = Component{Kinds: l.strings(c, "kinds"), Fields: l.strings(c, "fields")}
	}
	l.infer(l.optional(n, "infer", manifest.Map))
}

func spanOf(n *manifest.Node) source.Span {
	if n == nil {
		return source.Span{}
	}
	return n.Span
}

// keys reports whether n is a map, and every key of it that is not known.
func (l *loader) keys(n *manifest.Node, what string, known ...string) bool {
	if n == nil {
		return false
	}
	if n.Shape != manifest.Map {
		l.errs.Errorf(n.Span, Code, "%s must be a map", what)
		return false
	}
	allowed := map[string]bool{}
	for _, k := range known {
		allowed[k] = true
	}
	for _, f := range n.Fields {
		if !allowed[f.Key] {
			l.errs.Errorf(f.KeySpan, Code, "%s has no field %q", what, f.Key).Hint = diag.DidYouMean(f.Key, known)
		}
	}
	return true
}

// optional returns the field of n, nil when it is missing or reported for its shape.
func (l *loader) optional(n *manifest.Node, key string, shape manifest.Shape) *manifest.Node {
	v := n.Get(key)
	if v == nil || v.Shape == manifest.Null {
		return nil
	}
	if v.Shape != shape {
		l.errs.Errorf(v.Span, Code, "%s must be a %s", key, shapeNames[shape])
		return nil
	}
	return v
}

var shapeNames = map[manifest.Shape]string{manifest.Map: "map", manifest.List: "list", manifest.String: "string"}

// want is optional, and reports a missing field.
func (l *loader) want(n *manifest.Node, key string, shape manifest.Shape) *manifest.Node {
	if v := n.Get(key); v == nil || v.Shape == manifest.Null {
		l.errs.Errorf(n.Span, Code, "%s is missing", key)
		return nil
	}
	return l.optional(n, key, shape)
}

func (l *loader) text(n *manifest.Node, key string, required bool) string {
	read := l.optional
	if required {
		read = l.want
	}
	v := read(n, key, manifest.String)
	if required && v != nil && v.Text() == "" {
		l.errs.Errorf(v.Span, Code, "%s is empty", key)
	}
	return v.Text()
}

func (l *loader) constant(n *manifest.Node, key, want string) {
	if got := l.text(n, key, true); got != "" && got != want {
		l.errs.Errorf(n.Get(key).Span, Code, "%s is %q, not %q", key, got, want)
	}
}

func (l *loader) strings(n *manifest.Node, key string) []string {
	var texts []string
	l.items(n, key, func(item *manifest.Node) {
		if item.Shape != manifest.String {
			l.errs.Errorf(item.Span, Code, "an item of %s must be a string", key)
			return
		}
		texts = append(texts, item.Text())
	})
	return texts
}

func (l *loader) items(n *manifest.Node, key string, f func(*manifest.Node)) {
	if list := l.optional(n, key, manifest.List); list != nil {
		for _, item := range list.Items {
			f(item)
		}
	}
}

var identifier = regexp.MustCompile(`^[a-z][a-zA-Z0-9]*$`)

func (l *loader) identifier(n *manifest.Node) string {
	name := l.text(n, "name", true)
	if name != "" && !identifier.MatchString(name) {
		l.errs.Errorf(n.Get("name").Span, Code, "name %q is not camelCase", name)
	}
	return name
}
