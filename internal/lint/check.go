// SPDX-License-Identifier: Apache-2.0

package lint

import (
	"github.com/google/cel-go/cel"
	celast "github.com/google/cel-go/common/ast"

	"kilter.dev/kilter/internal/diag"
)

// Check compiles and type-checks every expression of every rule in base, the environment in
// which an API server of the oldest supported version reads new ones, and that variables
// they name exist above them. The error is a diag.List. Run does without: it costs more than
// most runs take.
func (r *Rules) Check(base *cel.Env) error {
	options := make([]cel.EnvOption, 0, len(r.names()))
	for _, name := range r.names() {
		options = append(options, cel.Variable(name, cel.DynType))
	}
	env, err := base.Extend(options...)
	if err != nil {
		return err
	}
	var errs diag.List
	known := map[string]bool{}
	for _, v := range r.variables {
		v.value.check(env, known, &errs)
		known[v.Name] = true
	}
	for _, rule := range r.All {
		for _, c := range rule.Checks {
			for _, e := range append(c.expressions(), c.Fix.holes()...) {
				e.check(env, known, &errs)
			}
		}
	}
	return errs.Err()
}

func (x *expression) check(env *cel.Env, known map[string]bool, errs *diag.List) {
	span := x.node.At(x.start, x.end)
	if _, issues := env.Compile(x.text()); issues.Err() != nil {
		errs.Errorf(span, Code, "%v", issues.Err())
		return
	}
	x.visit(func(e celast.Expr) {
		if e.Kind() != celast.SelectKind {
			return
		}
		s := e.AsSelect()
		if op := s.Operand(); op.Kind() == celast.IdentKind && op.AsIdent() == variablesName && !known[s.FieldName()] {
			errs.Errorf(span, Code, "there is no variable %q above", s.FieldName())
		}
	})
}
