// SPDX-License-Identifier: Apache-2.0

// Package admission evaluates admission policies as the API server does: in its own
// environment of CEL, with its limits of cost, on objects of its own types with defaults.
package admission

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/google/cel-go/cel"
	v1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/util/version"
	plugin "k8s.io/apiserver/pkg/admission/plugin/cel"
	"k8s.io/apiserver/pkg/admission/plugin/policy/mutating/patch"
	"k8s.io/apiserver/pkg/cel/environment"

	"kilter.dev/kilter/internal/kube"
	"kilter.dev/kilter/internal/manifest"
)

// Policy is a ValidatingAdmissionPolicy or a MutatingAdmissionPolicy.
type Policy struct {
	Name string

	kube        string // the version of Kubernetes
	rules       []v1.NamedRuleWithOperations
	failure     v1.FailurePolicyType
	validations []v1.Validation

	compiler   *plugin.CompositedCompiler
	conditions plugin.ConditionEvaluator
	checks     plugin.ConditionEvaluator
	messages   plugin.ConditionEvaluator
	patchers   []patch.Patcher
}

// spec is what the two kinds of policies have between them.
type spec struct {
	FailurePolicy    *v1.FailurePolicyType `json:"failurePolicy"`
	MatchConstraints *v1.MatchResources    `json:"matchConstraints"`
	MatchConditions  []v1.MatchCondition   `json:"matchConditions"`
	Variables        []v1.Variable         `json:"variables"`
	Validations      []v1.Validation       `json:"validations"`
	Mutations        []v1.Mutation         `json:"mutations"`
}

// Compile reads a policy, as a new one is read by an API server of the version, which is
// such as "1.34". What it would refuse is an error.
func Compile(object *manifest.Object, kubeVersion string) (*Policy, error) {
	data, err := json.Marshal(manifest.Native(object.Get("spec")))
	if err != nil {
		return nil, err
	}
	var s spec
	if err := json.Unmarshal(data, &s); err != nil {
		return nil, fmt.Errorf("%s %s: %w", object.Kind, object.Name, err)
	}
	// New expressions are read by what the version before knows, too.
	number := version.MustParseGeneric(kube.Minor(kubeVersion))
	compiler, err := plugin.NewCompositedCompiler(environment.MustBaseEnvSet(version.MajorMinor(number.Major(), number.Minor()-1)))
	if err != nil {
		return nil, err
	}
	p := &Policy{Name: object.Name, kube: kubeVersion, failure: v1.Fail, validations: s.Validations, compiler: compiler}
	if s.FailurePolicy != nil {
		p.failure = *s.FailurePolicy
	}
	if s.MatchConstraints != nil {
		p.rules = s.MatchConstraints.ResourceRules
	}
	return p, p.compile(s)
}

// expression is CEL of a type.
type expression struct {
	name, text string
	kind       *cel.Type
}

func (e expression) GetName() string          { return e.name }
func (e expression) GetExpression() string    { return e.text }
func (e expression) ReturnTypes() []*cel.Type { return []*cel.Type{e.kind} }

func (p *Policy) compile(s spec) error {
	options := plugin.OptionalVariableDeclarations{HasAuthorizer: true}
	for _, v := range s.Variables {
		result := p.compiler.CompileAndStoreVariable(expression{v.Name, v.Expression, cel.AnyType}, options, environment.NewExpressions)
		if result.Error != nil {
			return fmt.Errorf("policy %s: variable %s: %s", p.Name, v.Name, result.Error.Detail)
		}
	}
	conditions := func(what string, all []plugin.ExpressionAccessor, options plugin.OptionalVariableDeclarations) (plugin.ConditionEvaluator, error) {
		compiled := p.compiler.CompileCondition(all, options, environment.NewExpressions)
		for _, err := range compiled.CompilationErrors() {
			return nil, fmt.Errorf("policy %s: %s: %w", p.Name, what, err)
		}
		return compiled, nil
	}
	var matches, checks, messages []plugin.ExpressionAccessor
	for _, c := range s.MatchConditions {
		matches = append(matches, expression{c.Name, c.Expression, cel.BoolType})
	}
	for _, v := range s.Validations {
		checks = append(checks, expression{"", v.Expression, cel.BoolType})
		messages = append(messages, nil)
		if v.MessageExpression != "" {
			messages[len(messages)-1] = expression{"", v.MessageExpression, cel.StringType}
		}
	}
	var err error
	if p.conditions, err = conditions("matchConditions", matches, options); err != nil {
		return err
	}
	if p.checks, err = conditions("validations", checks, options); err != nil {
		return err
	}
	if p.messages, err = conditions("messageExpression", messages, plugin.OptionalVariableDeclarations{}); err != nil {
		return err
	}
	return p.compileMutations(s.Mutations, options)
}

func (p *Policy) compileMutations(mutations []v1.Mutation, options plugin.OptionalVariableDeclarations) error {
	options.HasPatchTypes = true
	for i, m := range mutations {
		var compiled plugin.MutatingEvaluator
		switch {
		case m.JSONPatch != nil:
			compiled = p.compiler.CompileMutatingEvaluator(&patch.JSONPatchCondition{Expression: m.JSONPatch.Expression}, options, environment.NewExpressions)
			p.patchers = append(p.patchers, patch.NewJSONPatcher(compiled))
		case m.ApplyConfiguration != nil:
			compiled = p.compiler.CompileMutatingEvaluator(&patch.ApplyConfigurationCondition{Expression: m.ApplyConfiguration.Expression}, options, environment.NewExpressions)
			p.patchers = append(p.patchers, patch.NewApplyConfigurationPatcher(compiled))
		default:
			return fmt.Errorf("policy %s: mutation %d is neither jsonPatch nor applyConfiguration", p.Name, i)
		}
		for _, err := range compiled.CompilationErrors() {
			return fmt.Errorf("policy %s: mutation %d: %w", p.Name, i, err)
		}
	}
	return nil
}

// Mutates reports whether the policy is a MutatingAdmissionPolicy.
func (p *Policy) Mutates() bool { return len(p.patchers) > 0 }

// matches reports whether the policy is about an operation on a resource.
func (p *Policy) matches(r resource, operation string) bool {
	return slices.ContainsFunc(p.rules, func(rule v1.NamedRuleWithOperations) bool {
		is := func(list []string, value string) bool {
			return slices.Contains(list, value) || slices.Contains(list, "*")
		}
		operations := make([]string, len(rule.Operations))
		for i, o := range rule.Operations {
			operations[i] = string(o)
		}
		return is(operations, operation) && is(rule.APIGroups, r.kind.Group) && is(rule.APIVersions, r.kind.Version) && is(rule.Resources, r.plural.Resource)
	})
}
