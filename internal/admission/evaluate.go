// SPDX-License-Identifier: Apache-2.0

package admission

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/google/cel-go/common/types"
	v1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured/unstructuredscheme"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/admission"
	plugin "k8s.io/apiserver/pkg/admission/plugin/cel"
	"k8s.io/apiserver/pkg/admission/plugin/policy/mutating/patch"
	budget "k8s.io/apiserver/pkg/apis/cel"
	"k8s.io/apiserver/pkg/authorization/authorizer"
	"k8s.io/client-go/applyconfigurations"
	"k8s.io/client-go/kubernetes/scheme"

	"kilter.dev/kilter/internal/kube"
)

// Verdict is what a policy says of a request.
type Verdict struct {
	Matches bool   // it is about the request at all
	Denied  bool   // whatever the bindings make of it
	Message string // why; of several validations, the first
	Err     error  // what kept it from being evaluated
	// Annotations are what the policy adds to the audit log, by key.
	Annotations map[string]string
	Cost        int64 // of what an evaluation may cost at most, MaxCost
}

// MaxCost is what the API server lets an evaluation of a policy cost.
const MaxCost = budget.RuntimeCELCostBudget

func (p *Policy) context() context.Context { return p.compiler.CreateContext(context.Background()) }

// applies evaluates the match conditions.
func (p *Policy) applies(r *request) (bool, error) {
	results, _, err := p.conditions.ForInput(p.context(), r.attributes, r.admission(), r.bindings(), r.namespaceObject(), budget.RuntimeCELCostBudgetMatchConditions)
	if err != nil {
		return false, err
	}
	var errs []error
	for _, result := range results {
		if result.Error != nil {
			errs = append(errs, result.Error)
		} else if result.EvalResult != types.True {
			return false, nil
		}
	}
	return true, errors.Join(errs...)
}

// Validate evaluates a ValidatingAdmissionPolicy for a request.
func (p *Policy) Validate(asked Request) Verdict {
	r, err := read(asked, p.kube)
	if err != nil {
		return Verdict{Err: err}
	}
	if !matches(p.match, r) {
		return Verdict{}
	}
	if applies, err := p.applies(r); err != nil || !applies {
		return p.failed(Verdict{Matches: err != nil}, err)
	}
	results, left, err := p.checks.ForInput(p.context(), r.attributes, r.admission(), r.bindings(), r.namespaceObject(), MaxCost)
	if err != nil {
		return p.failed(Verdict{Matches: true}, err)
	}
	texts, left, err := p.messages.ForInput(p.context(), r.attributes, r.admission(), r.bindings(), r.namespaceObject(), left)
	v := Verdict{Matches: true, Cost: MaxCost - left}
	for i, result := range results {
		switch {
		case v.Denied:
		case result.Error != nil:
			v = p.failed(v, result.Error)
		case result.EvalResult != types.True && err != nil:
			v = p.failed(v, err)
		case result.EvalResult != types.True:
			v.Denied, v.Message = true, p.message(i, texts[i])
		}
	}
	return p.audit(v, r)
}

// audit adds the annotations of the audit log.
func (p *Policy) audit(v Verdict, r *request) Verdict {
	results, _, err := p.audits.ForInput(p.context(), r.attributes, r.admission(), r.bindings(), r.namespaceObject(), MaxCost)
	if err != nil {
		return p.failed(v, err)
	}
	for i, result := range results {
		if result.Error != nil {
			v = p.failed(v, result.Error)
			continue
		}
		if text, ok := result.EvalResult.Value().(string); ok && strings.TrimSpace(text) != "" {
			if v.Annotations == nil {
				v.Annotations = map[string]string{}
			}
			v.Annotations[p.auditKeys[i]] = strings.TrimSpace(text)
		}
	}
	return v
}

// failed is the verdict where an evaluation fails.
func (p *Policy) failed(v Verdict, err error) Verdict {
	if err != nil {
		v.Err, v.Denied, v.Message = err, p.failure == v1.Fail, err.Error()
	}
	return v
}

// message is what the API server says for a validation.
func (p *Policy) message(i int, result plugin.EvaluationResult) string {
	if result.Error == nil && result.EvalResult != nil {
		text, _ := result.EvalResult.Value().(string)
		text = strings.TrimSpace(text)
		if text != "" && len(text) <= budget.MaxEvaluatedMessageExpressionSizeBytes && !strings.Contains(text, "\n") {
			return text
		}
	}
	if message := strings.TrimSpace(p.validations[i].Message); message != "" {
		return message
	}
	return "failed expression: " + strings.TrimSpace(p.validations[i].Expression)
}

// Mutate returns what a MutatingAdmissionPolicy makes of the object of a request, with the
// defaults of the API server before and after. Where the policy is not about it, that is the
// object with its defaults.
func (p *Policy) Mutate(asked Request) (map[string]any, error) {
	r, err := read(asked, p.kube)
	if err != nil {
		return nil, err
	}
	if !matches(p.match, r) {
		return native(r.attributes.VersionedObject.Object())
	}
	applies, err := p.applies(r)
	if err != nil {
		return nil, err
	}
	if !applies {
		return native(r.attributes.VersionedObject.Object())
	}
	converter := applyconfigurations.NewTypeConverter(scheme.Scheme)
	for i, patcher := range p.patchers {
		patched, err := patcher.Patch(p.context(), patch.Request{MatchedResource: r.plural, VersionedAttributes: r.attributes, ObjectInterfaces: interfaces(r.attributes), TypeConverter: converter, OptionalVariables: r.bindings(), Namespace: r.namespaceObject()}, MaxCost)
		if err != nil {
			return nil, fmt.Errorf("policy %s: mutation %d: %w", p.Name, i, err)
		}
		value, err := native(patched)
		if err != nil {
			return nil, err
		}
		if patched, err = kube.Typed(value, p.kube); err != nil {
			return nil, err
		}
		r.attributes.VersionedObject.Set(patched)
	}
	return native(r.attributes.VersionedObject.Object())
}

// bindings are the variables that not every policy has.
func (r *request) bindings() plugin.OptionalVariableBindings {
	return plugin.OptionalVariableBindings{VersionedParams: r.params, Authorizer: nobody{}}
}

// nobody is an authorizer that has no opinion.
type nobody struct{}

func (nobody) Authorize(context.Context, authorizer.Attributes) (authorizer.Decision, string, error) {
	return authorizer.DecisionNoOpinion, "", nil
}

func (r *request) namespaceObject() *corev1.Namespace {
	return plugin.CreateNamespaceObject(r.namespace)
}

func native(o runtime.Object) (map[string]any, error) {
	return runtime.DefaultUnstructuredConverter.ToUnstructured(o)
}

// interfaces are what knows the types of a request's object.
func interfaces(a *admission.VersionedAttributes) admission.ObjectInterfaces {
	known := admission.NewObjectInterfacesFromScheme(scheme.Scheme).(*admission.RuntimeObjectInterfaces)
	if _, ok := a.VersionedObject.Object().(*unstructured.Unstructured); ok {
		known.ObjectCreater, known.ObjectTyper = unstructuredscheme.NewUnstructuredCreator(), unstructuredscheme.NewUnstructuredObjectTyper()
	}
	return known
}
