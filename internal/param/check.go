// SPDX-License-Identifier: Apache-2.0

package param

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"kilter.dev/kilter/internal/diag"
	"kilter.dev/kilter/internal/manifest"
	"kilter.dev/kilter/internal/source"
)

// Check checks values that a user gives against the declaration and completes them
// with the defaults. A nil or null node gives no values. It reports every error at its
// place, naming the parameter by its path; the Values are complete only without errors.
//
// Nulls follow Helm: at an optional parameter null means absent, and at any other it is
// an error. Helm does not look into lists and maps that the user gives, so a null there
// is an error too where the declaration asks for a type, and below Any it stays.
func (s *Schema) Check(n *manifest.Node) (Values, diag.List) {
	c := &checker{root: s}
	if isNull(n) {
		n = nil
	}
	values := c.group(s, n, "")
	c.errs.Sort()
	return values, c.errs
}

// checker collects the errors of one set of values.
type checker struct {
	root *Schema // nil: the checker checks a default
	good bool    // what is read was checked before: it is only read
	errs diag.List
}

func (c *checker) errorf(n *manifest.Node, code, format string, args ...any) *diag.Diagnostic {
	return c.errs.Errorf(spanOr(n, source.Span{}), code, format, args...)
}

// group checks the parameters of a group that is written at n, or not at all.
func (c *checker) group(s *Schema, n *manifest.Node, path string) map[string]any {
	values := map[string]any{}
	if n != nil && !c.isMap(s, n, path) {
		return values
	}
	c.unknown(s, n, path)
	for _, p := range s.Properties {
		c.property(p, n, join(path, p.Name), values)
	}
	return values
}

// property checks one parameter of a group and puts its value into values.
func (c *checker) property(p *Schema, group *manifest.Node, path string, values map[string]any) {
	n, written := lookup(group, p.Name)
	switch {
	case written && isNull(n) && !p.Optional():
		c.errorf(n, "parameter-null", "%s may not be null", path).Hint = "leave it out for the default"
	case p.Group():
		values[p.Name] = c.group(p, n, path)
	case written && !isNull(n):
		if v, ok := c.value(p, n, path); ok {
			values[p.Name] = v
		}
	case p.Default != nil:
		values[p.Name], _ = (&checker{good: true}).value(p, p.Default, path)
	}
}

// isMap says whether n is a map and reports it when it is not.
func (c *checker) isMap(s *Schema, n *manifest.Node, path string) bool {
	if n.Shape == manifest.Map {
		return true
	}
	d := c.errorf(n, "parameter-type", "%s must be a map, not %s", cmp.Or(path, "the parameters"), describe(n))
	var names []string
	for _, p := range s.Properties {
		names = append(names, p.Name)
	}
	if len(names) > 0 {
		d.Hint = "its parameters are " + strings.Join(names, ", ")
	}
	return false
}

func (c *checker) unknown(s *Schema, n *manifest.Node, path string) {
	if n == nil {
		return
	}
	for _, f := range n.Fields {
		if s.property(f.Key) != nil {
			continue
		}
		span := f.KeySpan
		if span.File == nil {
			span = spanOr(f.Value, span)
		}
		c.errs.Errorf(span, "unknown-parameter", "unknown parameter %q", joinKey(path, f.Key)).Hint = c.suggest(s, path, f.Key)
	}
}

// suggest looks for what the user meant: a name in the same group, the same name in
// another group, then a similar name anywhere.
func (c *checker) suggest(s *Schema, path, name string) string {
	if s == c.root && slices.Contains(helmNames, name) {
		return "it belongs to Helm: only a chart knows it"
	}
	var siblings []string
	for _, p := range s.Properties {
		siblings = append(siblings, join(path, p.Name))
	}
	if hint := didYouMean(join(path, name), path, siblings); hint != "" || c.root == nil {
		return hint
	}
	var all []string
	for _, leaf := range c.root.Leaves() {
		all = append(all, leaf.Path)
		if leaf.Name == name {
			return fmt.Sprintf("did you mean %q?", leaf.Path)
		}
	}
	if names := strings.Split(name, "."); len(names) > 1 && c.root.Lookup(name) != nil {
		return "write it as nested maps: " + strings.Join(names, ": {") + ": …" + strings.Repeat("}", len(names)-1)
	}
	return diag.DidYouMean(join(path, name), all)
}

// didYouMean is diag.DidYouMean on the last names of paths below prefix.
func didYouMean(path, prefix string, known []string) string {
	trim := func(s string) string { return strings.TrimPrefix(strings.TrimPrefix(s, prefix), ".") }
	var names []string
	for _, k := range known {
		names = append(names, trim(k))
	}
	hint := diag.DidYouMean(trim(path), names)
	if prefix != "" {
		hint = strings.Replace(hint, `"`, `"`+prefix+".", 1)
	}
	return hint
}

// value checks what is written for a parameter, an item or an entry of a map. It
// returns false when there is an error.
func (c *checker) value(s *Schema, n *manifest.Node, path string) (any, bool) {
	before := len(c.errs)
	var v any
	switch s.Type {
	case String:
		v = c.text(s, n, path)
	case Integer:
		v = c.integer(s, n, path)
	case Boolean:
		v = c.boolean(n, path)
	case Array:
		v = c.array(s, n, path)
	case Object:
		v = c.object(s, n, path)
	default:
		if !s.AnyMap || c.isMap(s, n, path) {
			v = c.any(n, path)
		}
	}
	return v, len(c.errs) == before
}

func (c *checker) boolean(n *manifest.Node, path string) bool {
	b, ok := value(n).(bool)
	if !ok {
		d := c.errorf(n, "parameter-type", "%s must be true or false, not %s", path, describe(n))
		switch strings.ToLower(n.Text()) {
		case "true", "yes", "on", "y":
			d.Hint = "write true, without quotes"
		case "false", "no", "off", "n":
			d.Hint = "write false, without quotes"
		}
	}
	return b
}

func (c *checker) integer(s *Schema, n *manifest.Node, path string) int64 {
	i, ok := whole(n)
	if !ok {
		d := c.errorf(n, "parameter-type", "%s must be an integer, not %s", path, describe(n))
		if _, err := strconv.ParseInt(n.Text(), 10, 64); err == nil {
			d.Hint = "write it without quotes: " + n.Text()
		}
		return 0
	}
	switch {
	case s.Minimum != nil && i < *s.Minimum:
		c.errorf(n, "parameter-value", "%s must be at least %d, not %s", path, *s.Minimum, given(n))
	case s.Maximum != nil && i > *s.Maximum:
		c.errorf(n, "parameter-value", "%s must be at most %d, not %s", path, *s.Maximum, given(n))
	case i > MaxInteger || i < -MaxInteger:
		c.tooLarge(n, path)
	}
	return i
}

func (c *checker) tooLarge(n *manifest.Node, path string) {
	c.errorf(n, "parameter-value", "%s is %s, beyond ±%d", path, given(n), int64(MaxInteger)).Hint =
		"Helm reads numbers as 64-bit floats, which are not exact there; write a string where one is allowed"
}
