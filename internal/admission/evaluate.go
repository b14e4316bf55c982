// SPDX-License-Identifier: Apache-2.0

package admission

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/google/cel-go/common/types"
	admissionv1 "k8s.io/api/admission/v1"
	v1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured/unstructuredscheme"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/admission"
	plugin "k8s.io/apiserver/pkg/admission/plugin/cel"
	"k8s.io/apiserver/pkg/admission/plugin/policy/mutating/patch"
	budget "k8s.io/apiserver/pkg/apis/cel"
	"k8s.io/client-go/kubernetes/scheme"

	"kilter.dev/kilter/internal/kube"
	"kilter.dev/kilter/internal/manifest"
)

// Verdict is what a policy says of a request.
type Verdict struct {
	Matches bool   // it is about the request at all
	Denied  bool   // whatever the bindings make of it
	Message string // why; of several validations, the first
	Err     error  // what kept it from being evaluated
	Cost    int64  // of what an evaluation may cost at most, MaxCost
}

// MaxCost is what the API server lets an evaluation of a policy cost.
const MaxCost = budget.RuntimeCELCostBudget

// resource is what a request is about.
type resource struct {
	kind   schema.GroupVersionKind
	plural schema.GroupVersionResource
}

// request is an object on its way into the API server.
type request struct {
	resource
	attributes *admission.VersionedAttributes
}

// newRequest reads an object, and the one that it replaces, which may be nil, into their types.
func (p *Policy) newRequest(object, old *manifest.Object) (*request, error) {
	typed, err := kube.Typed(manifest.Native(object.Node).(map[string]any), p.kube)
	if err != nil {
		return nil, err
	}
	operation, before := admission.Create, runtime.Object(nil)
	if old != nil {
		operation = admission.Update
		if before, err = kube.Typed(manifest.Native(old.Node).(map[string]any), p.kube); err != nil {
			return nil, err
		}
	}
	r := &request{resource: resource{kind: typed.GetObjectKind().GroupVersionKind()}}
	r.plural, _ = meta.UnsafeGuessKindToResource(r.kind)
	r.attributes = &admission.VersionedAttributes{
		Attributes: admission.NewAttributesRecord(
			typed, before, r.kind, manifest.Namespace(object.Namespace), object.Name, r.plural, "", operation, nil, false, nil,
		),
		VersionedKind: r.kind,
	}
	r.attributes.VersionedObject.Set(typed)
	r.attributes.VersionedOldObject.Set(before)
	return r, nil
}

func (p *Policy) context() context.Context { return p.compiler.CreateContext(context.Background()) }

// applies evaluates the match conditions.
func (p *Policy) applies(r *request) (bool, error) {
	results, _, err := p.conditions.ForInput(p.context(), r.attributes, r.admission(), plugin.OptionalVariableBindings{}, nil, budget.RuntimeCELCostBudgetMatchConditions)
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

// Validate evaluates a ValidatingAdmissionPolicy for an object that is created, or that
// replaces old, where that is not nil.
func (p *Policy) Validate(object, old *manifest.Object) Verdict {
	r, err := p.newRequest(object, old)
	if err != nil {
		return Verdict{Err: err}
	}
	if !p.matches(r.resource, string(r.attributes.GetOperation())) {
		return Verdict{}
	}
	if applies, err := p.applies(r); err != nil || !applies {
		return p.failed(Verdict{Matches: err != nil}, err)
	}
	results, left, err := p.checks.ForInput(p.context(), r.attributes, r.admission(), plugin.OptionalVariableBindings{}, nil, MaxCost)
	if err != nil {
		return p.failed(Verdict{Matches: true}, err)
	}
	texts, left, err := p.messages.ForInput(p.context(), r.attributes, r.admission(), plugin.OptionalVariableBindings{}, nil, left)
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

// Mutate returns what a MutatingAdmissionPolicy makes of an object that is created, with the
// defaults of the API server before and after. Where the policy is not about it, that is the
// object with its defaults.
func (p *Policy) Mutate(object *manifest.Object) (map[string]any, error) {
	r, err := p.newRequest(object, nil)
	if err != nil {
		return nil, err
	}
	if !p.matches(r.resource, string(admission.Create)) {
		return native(r.attributes.VersionedObject.Object())
	}
	applies, err := p.applies(r)
	if err != nil {
		return nil, err
	}
	if !applies {
		return native(r.attributes.VersionedObject.Object())
	}
	for i, patcher := range p.patchers {
		patched, err := patcher.Patch(p.context(), patch.Request{MatchedResource: r.plural, VersionedAttributes: r.attributes, ObjectInterfaces: interfaces(r.attributes)}, MaxCost)
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

// admission is the request as CEL sees it.
func (r *request) admission() *admissionv1.AdmissionRequest {
	return plugin.CreateAdmissionRequest(r.attributes.Attributes, metav1.GroupVersionResource(r.plural), metav1.GroupVersionKind(r.kind))
}
