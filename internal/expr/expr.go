// SPDX-License-Identifier: Apache-2.0

// Package expr compiles the CEL in holes: checked by cel-go against the parameter
// schema, evaluated by cel-go, and lowered to a small closed Tree for the targets.
// It is the only package that imports cel-go, and knows nothing of object templates.
package expr

import (
	"fmt"
	"strings"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"

	"kilter.dev/kilter/internal/param"
	"kilter.dev/kilter/internal/source"
)

// Template is a compiled scalar: a constant, one whole hole, or text with holes.
type Template struct {
	Span source.Span
	Tree Tree
	// Whole says that the scalar is one hole, whose value keeps its type.
	Whole bool

	parts []part
	self  string // path of the parameter that self stands for; "": none
}

// part is a piece of a template: text, or a hole.
type part struct {
	text any // string; int64 or bool for a Constant
	span source.Span
	hole *compiled // nil: text
}

// Scope is what a Template is evaluated in.
type Scope struct {
	Params          map[string]any // checked parameter values
	Variables       map[string]any // values of the profile's variables so far
	Name, Namespace string         // workload.name, workload.namespace
	KubeVersion     string         // "1.34"
}

// Constant returns the template of a constant string, int64 or bool.
func Constant(v any) *Template {
	return &Template{Tree: &Literal{v}, Whole: true, parts: []part{{text: v}}}
}

// Eval returns the template's value as bool, int64, string, []any or map[string]any;
// present is false when it evaluates to nothing. An error names the place of the hole.
func (t *Template) Eval(s *Scope) (value any, present bool, err error) {
	vars := activation{Scope: s}
	if t.self != "" {
		self, ok := param.Values(s.Params).At(t.self)
		if !ok {
			return true, true, nil
		}
		vars.self = self
	}
	if len(t.parts) == 1 && (t.Whole || t.parts[0].hole == nil) {
		return t.parts[0].eval(vars)
	}
	var b strings.Builder
	for _, p := range t.parts {
		v, ok, err := p.eval(vars)
		if err != nil || !ok {
			return nil, false, err
		}
		fmt.Fprint(&b, v)
	}
	return b.String(), true, nil
}

func (p part) eval(vars activation) (any, bool, error) {
	if p.hole == nil {
		return p.text, true, nil
	}
	if p.hole.ref != nil {
		value, present := vars.at(p.hole.ref)
		return value, present, nil
	}
	program, err := p.hole.program()
	if err != nil {
		return nil, false, fmt.Errorf("%s: %w", p.span, err)
	}
	out, _, err := program.Eval(vars)
	if err != nil {
		return nil, false, fmt.Errorf("%s: %w", p.span, err)
	}
	v, present := native(out)
	return v, present, nil
}

// native unwraps optionals and turns cel-go's value into the plain one.
func native(v ref.Val) (any, bool) {
	if o, ok := v.(*types.Optional); ok {
		if !o.HasValue() {
			return nil, false
		}
		return native(o.GetValue())
	}
	return v.Value(), v.Value() != nil
}

// activation tells cel-go the values of names. It is built for every evaluation, so it
// copies nothing.
type activation struct {
	*Scope
	self any
}

// ResolveName is the value of a name as cel-go asks for it.
func (a activation) ResolveName(name string) (any, bool) {
	switch name {
	case "params":
		return a.Params, true
	case "workload.name":
		return a.Name, true
	case "workload.namespace":
		return a.Namespace, true
	case "kube":
		return a.KubeVersion, true
	case "self":
		return a.self, a.self != nil
	}
	if variable, ok := strings.CutPrefix(name, "variables."); ok {
		v, ok := a.Variables[variable]
		return v, ok
	}
	return nil, false
}

// Parent is what cel-go asks for other names: nothing.
func (activation) Parent() cel.Activation { return nil }
