// SPDX-License-Identifier: Apache-2.0

// Package engines says the admission policies of Kubernetes as other policy engines want them:
// Kyverno and Gatekeeper. What a policy looks at and the CEL of what it asks and says are those
// of package policy, word for word, so that no two engines can disagree.
package engines

import (
	"fmt"
	"slices"

	"kilter.dev/kilter/generators/policy"
	"kilter.dev/kilter/internal/lint"
	"kilter.dev/kilter/internal/manifest"
)

// The engines: the API server of Kubernetes itself, and what is installed beside it.
const (
	Kubernetes = "kubernetes"
	Kyverno    = "kyverno"
	Gatekeeper = "gatekeeper"
)

// All are the names of the engines; the first is the one that needs nothing installed.
var All = []string{Kubernetes, Kyverno, Gatekeeper}

// WhyNoFix says why an engine has no policies that mend; "" when it has.
func WhyNoFix(engine string) string {
	if engine == Gatekeeper {
		return "its mutators have no CEL"
	}
	return ""
}

// Mutates reports whether an engine can mend what the rule finds, too.
func Mutates(engine string, r *lint.Rule) bool { return WhyNoFix(engine) == "" && policy.Mutates(r) }

// For returns policies of Kubernetes and their bindings, as package policy makes them of rules,
// as those of an engine, in the same order, but all templates of Gatekeeper before the
// constraints. The error says what the engine has no words for.
func For(engine string, rules *lint.Rules, objects []*manifest.Node) ([]*manifest.Node, error) {
	if engine == Kubernetes {
		return objects, nil
	}
	bindings := map[string]*manifest.Node{}
	for _, o := range objects {
		if name := text(o, "spec", "policyName"); name != "" {
			bindings[text(o, "kind")+" "+name] = o
		}
	}
	var all, constraints []*manifest.Node
	for _, o := range objects {
		if o.Get("spec", "policyName") != nil {
			continue
		}
		name := text(o, "metadata", "name")
		p := bound{name: name, policy: o, binding: bindings[text(o, "kind")+"Binding "+name]}
		if p.binding == nil {
			return nil, fmt.Errorf("policy %s has no binding", name)
		}
		made, err := p.as(engine, rules)
		if err != nil {
			return nil, fmt.Errorf("policy %s: %w", name, err)
		}
		all, constraints = append(all, made[0]), append(constraints, made[1:]...)
	}
	return append(all, constraints...), nil
}

// bound is a policy with the binding that says where it holds.
type bound struct {
	name            string
	policy, binding *manifest.Node
}

func (b bound) as(engine string, rules *lint.Rules) ([]*manifest.Node, error) {
	if engine == Kyverno {
		return b.kyverno()
	}
	return b.gatekeeper(rules)
}

// only checks that a map has no other fields than these, none of which may be lost on the way
// to an engine.
func only(n *manifest.Node, what string, fields ...string) error {
	if n == nil {
		return nil
	}
	for _, f := range n.Fields {
		if !slices.Contains(fields, f.Key) {
			return fmt.Errorf("the engine has nothing for %s.%s", what, f.Key)
		}
	}
	return nil
}

// text is a text at a path, "" where there is none.
func text(n *manifest.Node, path ...string) string {
	s, _ := manifest.Native(n.Get(path...)).(string)
	return s
}

// pick returns the fields that a map has of these, in this order.
func pick(n *manifest.Node, fields ...string) *manifest.Node {
	out := manifest.NewMap()
	for _, f := range fields {
		if value := n.Get(f); value != nil {
			out.Set(f, value.Clone())
		}
	}
	return out
}

// field is one of a map.
func field(key string, value *manifest.Node) manifest.Field {
	return manifest.Field{Key: key, Value: value}
}
