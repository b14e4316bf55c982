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

	"kilter.dev/kilter/internal/source"
)

// Template is a compiled scalar: a constant, one whole hole, or text with holes.
type Template struct {
	Span source.Span
	Tree Tree
	// Whole says that the scalar is one hole, whose value keeps its type.
	Whole bool

	parts []part
	self  []string // path of the parameter that self stands for; nil: none
}

// part is a piece of a template: text, or a hole when program is set.
type part struct {
	text    any // string; int64 or bool for a Constant
	span    source.Span
	program cel.Program
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
	vars := activation(s)
	if t.self != nil {
		self, ok := lookup(s.Params, t.self)
		if !ok {
			return true, true, nil
		}
		vars["self"] = self
	}
	if len(t.parts) == 1 && (t.Whole || t.parts[0].program == nil) {
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

func (p part) eval(vars map[string]any) (any, bool, error) {
	if p.program == nil {
		return p.text, true, nil
	}
	out, _, err := p.program.Eval(vars)
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

func activation(s *Scope) map[string]any {
	vars := map[string]any{
		"params":             s.Params,
		"workload.name":      s.Name,
		"workload.namespace": s.Namespace,
		"kube":               s.KubeVersion,
	}
	for name, v := range s.Variables {
		vars["variables."+name] = v
	}
	return vars
}

func lookup(params map[string]any, path []string) (any, bool) {
	var v any = params
	for _, key := range path {
		m, ok := v.(map[string]any)
		if !ok {
			return nil, false
		}
		if v, ok = m[key]; !ok {
			return nil, false
		}
	}
	return v, true
}
