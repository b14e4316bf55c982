// SPDX-License-Identifier: Apache-2.0

package engines

import (
	"kilter.dev/kilter/internal/manifest"
)

// kyverno is the policy as one of Kyverno's, which have the spec of those of Kubernetes, and
// say themselves where they hold and what is done.
func (b bound) kyverno() ([]*manifest.Node, error) {
	spec, bound := b.policy.Get("spec").Clone(), b.binding.Get("spec")
	if err := only(spec, "spec", "failurePolicy", "reinvocationPolicy", "matchConstraints", "matchConditions", "variables", "validations", "mutations"); err != nil {
		return nil, err
	}
	if err := only(bound, "binding", "policyName", "validationActions", "matchResources"); err != nil {
		return nil, err
	}
	constraints := spec.Get("matchConstraints")
	if where := bound.Get("matchResources"); where != nil {
		if err := only(where, "binding.matchResources", "namespaceSelector", "objectSelector"); err != nil {
			return nil, err
		}
		for _, f := range where.Fields {
			constraints.Set(f.Key, f.Value.Clone())
		}
	}
	kind := "MutatingPolicy"
	if actions := bound.Get("validationActions"); actions != nil {
		kind = "ValidatingPolicy"
		spec = merged(manifest.NewMap(field("validationActions", actions.Clone())), spec)
		// A rule about Pods has policies for their controllers already: Kyverno is to make none.
		spec.Set("autogen", manifest.NewMap(field("podControllers", manifest.NewMap(field("controllers", manifest.NewList())))))
	}
	return []*manifest.Node{manifest.NewMap(
		field("apiVersion", manifest.NewString("policies.kyverno.io/v1")),
		field("kind", manifest.NewString(kind)),
		field("metadata", b.policy.Get("metadata").Clone()),
		field("spec", spec),
	)}, nil
}

// merged adds the fields of a map to another.
func merged(to, from *manifest.Node) *manifest.Node {
	for _, f := range from.Fields {
		to.Set(f.Key, f.Value)
	}
	return to
}
