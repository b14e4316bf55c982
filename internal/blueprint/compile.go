// SPDX-License-Identifier: Apache-2.0

package blueprint

import (
	"strings"

	"kilter.dev/kilter/internal/diag"
	"kilter.dev/kilter/internal/expr"
	"kilter.dev/kilter/internal/manifest"
	"kilter.dev/kilter/internal/param"
	"kilter.dev/kilter/internal/profile"
)

// Code is the diagnostic code of a template that is not written as it must be.
const Code = "template"

// Compile checks every hole, guard and constraint of p. The error is a diag.List of
// everything that is wrong in the profile.
func Compile(p *profile.Profile) (*Blueprint, error) {
	env, err := expr.NewEnv(p.Params, p.Files)
	if err != nil {
		return nil, err
	}
	c := &compiler{env: env, b: &Blueprint{Profile: p, Params: p.Params}}
	for _, step := range []func(*profile.Profile) error{c.variables, c.rules, c.features, c.templates, c.cases} {
		if err := step(p); err != nil {
			return nil, err
		}
	}
	if p.Notes != nil {
		c.b.Notes = c.scalar(p.Notes)
	}
	if err := c.errs.Err(); err != nil {
		return nil, err
	}
	return c.b, nil
}

type compiler struct {
	env  *expr.Env
	b    *Blueprint
	errs diag.List
}

// scalar compiles a string scalar; nil after an error.
func (c *compiler) scalar(n *manifest.Node) *expr.Template {
	t, errs := c.env.Template(n)
	c.errs.Add(errs)
	return t
}

// typed compiles a scalar whose value must be of the given kind and never nothing.
func (c *compiler) typed(n *manifest.Node, kind expr.Kind, what string) *expr.Template {
	if n.Shape != manifest.String {
		c.errs.Errorf(n.Span, Code, "%s must be a hole", what).Hint = "write ${...}"
		return nil
	}
	t := c.scalar(n)
	if t == nil {
		return nil
	}
	if got := t.Tree.Type(); got.Kind != kind || got.Optional {
		c.errs.Errorf(n.Span, Code, "%s must be %s that is never nothing", what, kindNames[kind])
		return nil
	}
	return t
}

var kindNames = map[expr.Kind]string{expr.Bool: "true or false", expr.Map: "a map", expr.String: "text"}

func (c *compiler) variables(p *profile.Profile) error {
	seen := map[string]profile.Variable{}
	for _, v := range p.Variables {
		if first, ok := seen[v.Name]; ok {
			d := c.errs.Errorf(v.Span, Code, "variable %q is declared twice", v.Name)
			d.Related = []diag.Related{{Span: first.Span, Message: "first declared here"}}
			continue
		}
		seen[v.Name] = v
		t := c.variable(v)
		kind := expr.Any
		if t != nil {
			kind = t.Tree.Type().Kind
			c.b.Variables = append(c.b.Variables, Variable{Name: v.Name, Description: v.Description, Value: t})
		}
		env, err := c.env.WithVariable(v.Name, kind, t != nil)
		if err != nil {
			return err
		}
		c.env = env
	}
	return nil
}

func (c *compiler) variable(v profile.Variable) *expr.Template {
	if v.Value.Shape != manifest.String {
		return expr.Constant(v.Value.Value)
	}
	t := c.scalar(v.Value)
	if t == nil {
		return nil
	}
	switch got := t.Tree.Type(); {
	case got.Optional:
		c.errs.Errorf(v.Value.Span, Code, "variable %q may be nothing", v.Name).Hint = "give it a default with orValue"
		return nil
	case got.Kind != expr.String && got.Kind != expr.Int && got.Kind != expr.Bool:
		c.errs.Errorf(v.Value.Span, Code, "variable %q must be a string, integer or boolean", v.Name)
		return nil
	}
	return t
}

// nameRule is a constraint of every profile: Service names must be such labels.
const nameRule = `workload.name.matches("^[a-z]([-a-z0-9]*[a-z0-9])?$")`

func (c *compiler) rules(p *profile.Profile) error {
	rules := append([]profile.Constraint{{
		Rule:    manifest.NewString(nameRule),
		Message: manifest.NewString(`the name "${workload.name}" is not a DNS label that begins with a letter`),
	}}, p.Constraints...)
	for i, r := range rules {
		rule, errs := c.env.Expression(r.Rule)
		c.errs.Add(errs)
		if rule != nil && rule.Tree.Type().Kind != expr.Bool {
			c.errs.Errorf(r.Rule.Span, Code, "a rule must be true or false")
		}
		if r.At != "" && p.Params.Lookup(r.At) == nil {
			c.errs.Errorf(r.AtSpan, Code, "unknown parameter %q", r.At).Hint = diag.DidYouMean(r.At, paths(p.Params))
		}
		if message := c.typed(r.Message, expr.String, "the message"); message != nil && rule != nil {
			c.b.Constraints = append(c.b.Constraints, Constraint{
				Rule: rule, At: r.At, Message: message,
				OfName: i > 0 && r.At == "" && strings.Contains(r.Rule.Text(), "workload.name"),
			})
		}
	}
	return c.selfRules(p.Params)
}

// selfRules compiles the x-kubernetes-validations of s and of the groups below it.
func (c *compiler) selfRules(s *param.Schema) error {
	if len(s.Rules) > 0 {
		env, err := c.env.WithSelf(s)
		if err != nil {
			return err
		}
		for _, r := range s.Rules {
			rule, errs := env.Expression(r.Rule)
			c.errs.Add(errs)
			if rule != nil && rule.Tree.Type().Kind != expr.Bool {
				c.errs.Errorf(r.Rule.Span, Code, "a rule must be true or false")
			} else if rule != nil {
				c.b.Constraints = append(c.b.Constraints, Constraint{Rule: rule, At: s.Path, Message: expr.Constant(r.Message)})
			}
		}
	}
	for _, p := range s.Properties {
		if err := c.selfRules(p); err != nil {
			return err
		}
	}
	return nil
}

func paths(s *param.Schema) []string {
	var all []string
	for _, leaf := range s.Leaves() {
		all = append(all, leaf.Path)
	}
	return all
}

func (c *compiler) features(p *profile.Profile) error {
	for _, f := range p.Features {
		if s := p.Params.Lookup(f.Name + ".enabled"); s == nil || s.Type != param.Boolean || s.Optional() {
			c.errs.Errorf(f.Span, Code, "feature %q has no parameter %s.enabled", f.Name, f.Name).Hint = "declare it: type boolean with a default"
		}
	}
	for _, f := range p.Fixed {
		if s := p.Params.Lookup(f.Path); s == nil || s.Group() {
			c.errs.Errorf(f.Span, Code, "unknown parameter %q", f.Path).Hint = diag.DidYouMean(f.Path, paths(p.Params))
		}
	}
	if p.Dev != nil {
		_, errs := p.Params.Check(p.Dev)
		c.errs.Add(errs)
	}
	return nil
}

func (c *compiler) cases(p *profile.Profile) error {
	for _, k := range p.Cases {
		_, errs := p.Params.Check(k.Values)
		c.errs.Add(errs)
	}
	return nil
}

func (c *compiler) templates(p *profile.Profile) error {
	features := map[string]bool{"": true, profile.Tests: true}
	var names []string
	for _, f := range p.Features {
		features[f.Name] = true
		names = append(names, f.Name)
	}
	for _, t := range p.Templates {
		if !features[t.Feature] {
			c.errs.Errorf(t.Root.Span, Code, "templates/%s is no feature of the profile", t.Feature).Hint = strings.TrimSpace(diag.DidYouMean(t.Feature, names) + " declare it in spec.features")
			features[t.Feature] = true
		}
		root := c.object(t.Root)
		if root == nil {
			continue
		}
		if t.Feature != "" && t.Feature != profile.Tests && p.Params.Lookup(t.Feature+".enabled") != nil {
			c.guard(root, manifest.NewString("${params."+t.Feature+".enabled}"))
		}
		if o := (&Object{File: t.File, Root: root}); t.Feature == profile.Tests {
			c.b.Tests = append(c.b.Tests, o)
		} else {
			c.b.Objects = append(c.b.Objects, o)
		}
	}
	return nil
}
