// SPDX-License-Identifier: Apache-2.0

package admission

import (
	"encoding/json"
	"fmt"
	"slices"

	v1 "k8s.io/api/admissionregistration/v1"

	"kilter.dev/kilter/internal/manifest"
)

// Binding lets a policy hold somewhere, and says what is done about what it finds.
type Binding struct {
	Name, Policy string

	actions []v1.ValidationAction
	match   *v1.MatchResources
	params  *v1.ParamRef
}

// ReadBinding reads a ValidatingAdmissionPolicyBinding or a MutatingAdmissionPolicyBinding.
func ReadBinding(object *manifest.Object) (*Binding, error) {
	data, err := json.Marshal(manifest.Native(object.Get("spec")))
	if err != nil {
		return nil, err
	}
	var s v1.ValidatingAdmissionPolicyBindingSpec
	if err := json.Unmarshal(data, &s); err != nil {
		return nil, fmt.Errorf("%s %s: %w", object.Kind, object.Name, err)
	}
	return &Binding{Name: object.Name, Policy: s.PolicyName, actions: s.ValidationActions, match: s.MatchResources, params: s.ParamRef}, nil
}

// Does reports whether an action, Deny, Warn or Audit, is taken about what is found.
func (b *Binding) Does(action string) bool {
	return slices.Contains(b.actions, v1.ValidationAction(action))
}

// ValidateBound is Validate where a binding lets the policy hold; elsewhere it does not match.
// Where the binding wants parameters and there are none, it says whether that is refused.
func (p *Policy) ValidateBound(b *Binding, asked Request) Verdict {
	if holds, err := p.holds(b, asked); err != nil || !holds {
		return Verdict{Err: err}
	}
	if b.params != nil && asked.Params == nil {
		refused := b.params.ParameterNotFoundAction != nil && *b.params.ParameterNotFoundAction == v1.DenyAction
		if !refused {
			return Verdict{Matches: true}
		}
		return p.failed(Verdict{Matches: true}, fmt.Errorf("no params found for policy binding with `Deny` parameterNotFoundAction"))
	}
	return p.Validate(asked)
}

// MutateBound is Mutate where a binding lets the policy hold; elsewhere nothing changes.
func (p *Policy) MutateBound(b *Binding, asked Request) (map[string]any, error) {
	holds, err := p.holds(b, asked)
	if err != nil {
		return nil, err
	}
	if !holds || b.params != nil && asked.Params == nil {
		o, err := typed(asked.Object, p.kube)
		if err != nil {
			return nil, err
		}
		return native(o)
	}
	return p.Mutate(asked)
}

func (p *Policy) holds(b *Binding, asked Request) (bool, error) {
	r, err := read(asked, p.kube)
	return err == nil && matches(b.match, r), err
}
