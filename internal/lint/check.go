// SPDX-License-Identifier: Apache-2.0

package lint

import (
	"github.com/google/cel-go/cel"

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
		v.Value.check(env, known, &errs)
		known[v.Name] = true
	}
	for _, rule := range r.All {
		for _, c := range rule.Checks {
			for _, e := range append(c.Expressions(), c.Fix.Expressions()...) {
				e.check(env, known, &errs)
			}
		}
	}
	return errs.Err()
}

func (x *Expression) check(env *cel.Env, known map[string]bool, errs *diag.List) {
	span := x.node.At(x.start, x.end)
	if _, issues := env.Compile(x.Text()); issues.Err() != nil {
		errs.Errorf(span, Code, "%v", issues.Err())
		return
	}
	for _, name := range x.uses() {
		if !known[name] {
			errs.Errorf(span, Code, "there is no variable %q above", name)
		}
	}
}
