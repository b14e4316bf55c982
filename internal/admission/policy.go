// SPDX-License-Identifier: Apache-2.0

// Package admission evaluates admission policies as the API server does: in its own
// environment of CEL, with its limits of cost, on objects of its own types with defaults.
package admission

import (
	"encoding/json"

	v1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/util/version"
	plugin "k8s.io/apiserver/pkg/admission/plugin/cel"
	"k8s.io/apiserver/pkg/admission/plugin/policy/mutating/patch"
	"k8s.io/apiserver/pkg/cel/environment"

	"kilter.dev/kilter/internal/diag"
	"kilter.dev/kilter/internal/kube"
	"kilter.dev/kilter/internal/manifest"
)

// Policy is a ValidatingAdmissionPolicy or a MutatingAdmissionPolicy.
type Policy struct {
	Name string

	kube        string // the version of Kubernetes
	match       *v1.MatchResources
	params      bool // it has some
	failure     v1.FailurePolicyType
	validations []v1.Validation

	compiler   *plugin.CompositedCompiler
	conditions plugin.ConditionEvaluator
	checks     plugin.ConditionEvaluator
	messages   plugin.ConditionEvaluator
	audits     plugin.ConditionEvaluator
	auditKeys  []string
	patchers   []patch.Patcher
}

// spec is what the two kinds of policies have between them.
type spec struct {
	ParamKind        *v1.ParamKind         `json:"paramKind"`
	FailurePolicy    *v1.FailurePolicyType `json:"failurePolicy"`
	MatchConstraints *v1.MatchResources    `json:"matchConstraints"`
	MatchConditions  []v1.MatchCondition   `json:"matchConditions"`
	Variables        []v1.Variable         `json:"variables"`
	Validations      []v1.Validation       `json:"validations"`
	Mutations        []v1.Mutation         `json:"mutations"`
	AuditAnnotations []v1.AuditAnnotation  `json:"auditAnnotations"`
}

// Compile reads a policy, as a new one is read by an API server of the version, which is
// such as "1.34". The error is a diag.List of all that
// it would refuse.
func Compile(object *manifest.Object, kubeVersion string) (*Policy, error) {
	data, err := json.Marshal(manifest.Native(object.Get("spec")))
	if err != nil {
		return nil, err
	}
	var s spec
	if err := json.Unmarshal(data, &s); err != nil {
		var errs diag.List
		errs.Errorf(object.Get("spec").Span, Code, "%v", err)
		return nil, errs
	}
	// New expressions are read by what the version before knows, too.
	number := version.MustParseGeneric(kube.Minor(kubeVersion))
	compiler, err := plugin.NewCompositedCompiler(environment.MustBaseEnvSet(version.MajorMinor(number.Major(), number.Minor()-1)))
	if err != nil {
		return nil, err
	}
	p := &Policy{
		Name: object.Name, kube: kubeVersion, match: s.MatchConstraints, params: s.ParamKind != nil,
		failure: v1.Fail, validations: s.Validations, compiler: compiler,
	}
	if s.FailurePolicy != nil {
		p.failure = *s.FailurePolicy
	}
	c := compilation{Policy: p, object: object}
	c.compile(s)
	return p, c.errs.Err()
}

// Mutates reports whether the policy is a MutatingAdmissionPolicy.
func (p *Policy) Mutates() bool { return len(p.patchers) > 0 }
