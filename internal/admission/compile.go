// SPDX-License-Identifier: Apache-2.0

package admission

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/google/cel-go/cel"
	v1 "k8s.io/api/admissionregistration/v1"
	plugin "k8s.io/apiserver/pkg/admission/plugin/cel"
	"k8s.io/apiserver/pkg/admission/plugin/policy/mutating/patch"
	"k8s.io/apiserver/pkg/cel/environment"

	"kilter.dev/kilter/internal/diag"
	"kilter.dev/kilter/internal/manifest"
)

// Code is the diagnostic code of a policy that the API server refuses.
const Code = "policy"

// expression is CEL of a type, which stands at a path of the policy.
type expression struct {
	name, text string
	kind       *cel.Type
	path       []string
}

func (e expression) GetName() string          { return e.name }
func (e expression) GetExpression() string    { return e.text }
func (e expression) ReturnTypes() []*cel.Type { return []*cel.Type{e.kind} }

// compilation is a policy being compiled, and all that is wrong with it.
type compilation struct {
	*Policy
	object *manifest.Object
	errs   diag.List
}

func (c *compilation) fail(path []string, err error) {
	at := c.object.Get("metadata", "name").Span
	if n := c.object.Get(path...); n != nil {
		at = n.Span
	}
	text, _, _ := strings.Cut(err.Error(), "\n") // the rest is the expression, which is shown
	c.errs.Errorf(at, Code, "%s: %s", manifest.PathText(c.object.Node, path), strings.Replace(text, "ERROR: <input>:", "", 1))
}

// at is the path of a field of an item of a list in the spec.
func at(list string, i int, field ...string) []string {
	return append([]string{"spec", list, strconv.Itoa(i)}, field...)
}

func (c *compilation) compile(s spec) {
	options := plugin.OptionalVariableDeclarations{HasParams: c.params, HasAuthorizer: true}
	for i, v := range s.Variables {
		result := c.compiler.CompileAndStoreVariable(expression{v.Name, v.Expression, cel.AnyType, nil}, options, environment.NewExpressions)
		if result.Error != nil {
			c.fail(at("variables", i, "expression"), fmt.Errorf("%s", result.Error.Detail))
		}
	}
	var matches, checks, messages, audits []plugin.ExpressionAccessor
	for i, m := range s.MatchConditions {
		matches = append(matches, expression{m.Name, m.Expression, cel.BoolType, at("matchConditions", i, "expression")})
	}
	for i, v := range s.Validations {
		checks = append(checks, expression{"", v.Expression, cel.BoolType, at("validations", i, "expression")})
		messages = append(messages, nil)
		if v.MessageExpression != "" {
			messages[i] = expression{"", v.MessageExpression, cel.StringType, at("validations", i, "messageExpression")}
		}
	}
	for i, a := range s.AuditAnnotations {
		audits = append(audits, expression{a.Key, a.ValueExpression, cel.AnyType, at("auditAnnotations", i, "valueExpression")})
		c.auditKeys = append(c.auditKeys, a.Key)
	}
	c.conditions = c.evaluator(matches, options)
	c.checks = c.evaluator(checks, options)
	c.messages = c.evaluator(messages, plugin.OptionalVariableDeclarations{HasParams: c.params})
	c.audits = c.evaluator(audits, options)
	c.mutations(s.Mutations, options)
}

// evaluator compiles expressions together; when that fails, it finds those that are to blame.
func (c *compilation) evaluator(all []plugin.ExpressionAccessor, options plugin.OptionalVariableDeclarations) plugin.ConditionEvaluator {
	compiled := c.compiler.CompileCondition(all, options, environment.NewExpressions)
	if len(compiled.CompilationErrors()) == 0 {
		return compiled
	}
	for _, e := range all {
		if e == nil {
			continue
		}
		for _, err := range c.compiler.CompileCondition([]plugin.ExpressionAccessor{e}, options, environment.NewExpressions).CompilationErrors() {
			c.fail(e.(expression).path, err)
		}
	}
	return compiled
}

func (c *compilation) mutations(mutations []v1.Mutation, options plugin.OptionalVariableDeclarations) {
	options.HasPatchTypes = true
	for i, m := range mutations {
		var compiled plugin.MutatingEvaluator
		path := at("mutations", i)
		switch {
		case m.JSONPatch != nil:
			path = append(path, "jsonPatch", "expression")
			compiled = c.compiler.CompileMutatingEvaluator(&patch.JSONPatchCondition{Expression: m.JSONPatch.Expression}, options, environment.NewExpressions)
			c.patchers = append(c.patchers, patch.NewJSONPatcher(compiled))
		case m.ApplyConfiguration != nil:
			path = append(path, "applyConfiguration", "expression")
			compiled = c.compiler.CompileMutatingEvaluator(&patch.ApplyConfigurationCondition{Expression: m.ApplyConfiguration.Expression}, options, environment.NewExpressions)
			c.patchers = append(c.patchers, patch.NewApplyConfigurationPatcher(compiled))
		default:
			c.fail(path, fmt.Errorf("neither jsonPatch nor applyConfiguration"))
			continue
		}
		for _, err := range compiled.CompilationErrors() {
			c.fail(path, err)
		}
	}
}
