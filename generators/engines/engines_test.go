// SPDX-License-Identifier: Apache-2.0

package engines_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kilter.dev/kilter/generators/engines"
	"kilter.dev/kilter/generators/policy"
	"kilter.dev/kilter/internal/diag"
	"kilter.dev/kilter/internal/lint"
	"kilter.dev/kilter/internal/manifest"
	"kilter.dev/kilter/rules"
)

func load(t *testing.T) *lint.Rules {
	t.Helper()
	all, err := lint.Load(rules.FS)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func native(n *manifest.Node, path ...string) any { return manifest.Native(n.Get(path...)) }

// TestSameExpressions: for every policy there is one of the engine, with its CEL, its match
// conditions, its kinds and its namespaces.
func TestSameExpressions(t *testing.T) {
	all := load(t)
	objects := policy.Validating(all, policy.Options{})
	n := len(objects) / 2
	for _, engine := range []string{engines.Kyverno, engines.Gatekeeper} {
		made, err := engines.For(engine, all, objects)
		if err != nil {
			t.Fatal(err)
		}
		if want := map[string]int{engines.Kyverno: n, engines.Gatekeeper: 2 * n}[engine]; len(made) != want {
			t.Fatalf("%s: %d objects, want %d", engine, len(made), want)
		}
		for i := range n {
			p, binding := objects[2*i].Get("spec"), objects[2*i+1].Get("spec")
			spec, conditions, selector := made[i].Get("spec"), "matchConditions", made[i].Get("spec", "matchConstraints", "namespaceSelector")
			if engine == engines.Gatekeeper {
				spec, conditions, selector = spec.Get("targets", "0", "code", "0", "source"), "matchCondition", made[n+i].Get("spec", "match", "namespaceSelector")
			}
			for what, pair := range map[string][2]any{
				"failurePolicy":      {native(p, "failurePolicy"), native(spec, "failurePolicy")},
				"variables":          {native(p, "variables"), native(spec, "variables")},
				"expression":         {native(p, "validations", "0", "expression"), native(spec, "validations", "0", "expression")},
				"message":            {native(p, "validations", "0", "message"), native(spec, "validations", "0", "message")},
				"messageExpression":  {native(p, "validations", "0", "messageExpression"), native(spec, "validations", "0", "messageExpression")},
				"namespace selector": {native(binding, "matchResources", "namespaceSelector"), manifest.Native(selector)},
			} {
				if diff := cmp.Diff(pair[0], pair[1]); diff != "" || pair[0] == nil {
					t.Errorf("%s, %s, %s (-Kubernetes +engine): %s", engine, native(objects[2*i], "metadata", "name"), what, diff)
				}
			}
			have := spec.Get(conditions).Items
			for _, c := range p.Get("matchConditions").Items {
				if !slices.ContainsFunc(have, func(n *manifest.Node) bool { return cmp.Equal(manifest.Native(n), manifest.Native(c)) }) {
					t.Errorf("%s, %s: no condition %s", engine, native(objects[2*i], "metadata", "name"), manifest.Print(c))
				}
			}
		}
	}
}

// TestActions: each engine has a word for each action.
func TestActions(t *testing.T) {
	all := load(t)
	only := func(name string) bool { return name == "pdb-both-fields" }
	r := all.Find("pdb-both-fields")
	for action, want := range map[string]string{"Deny": "deny", "Warn": "warn", "Audit": "dryrun"} {
		o := policy.Options{Only: only, Actions: map[diag.Severity]string{r.Severity: action}}
		made, err := engines.For(engines.Gatekeeper, all, policy.Validating(all, o))
		if err != nil {
			t.Fatal(err)
		}
		if got := native(made[1], "spec", "enforcementAction"); got != want {
			t.Errorf("%s is %v, want %s", action, got, want)
		}
		if made, err = engines.For(engines.Kyverno, all, policy.Validating(all, o)); err != nil {
			t.Fatal(err)
		}
		if got := native(made[0], "spec", "validationActions", "0"); got != action {
			t.Errorf("%s is %v", action, got)
		}
	}
}

// TestNothingIsLost: what an engine has no words for is an error.
func TestNothingIsLost(t *testing.T) {
	all := load(t)
	only := func(name string) bool { return name == "pdb-unhealthy-policy" }
	fresh := func() []*manifest.Node { return policy.Validating(all, policy.Options{Only: only}) }
	something := manifest.NewMap(manifest.Field{Key: "kind", Value: manifest.NewString("Something")})
	for name, tt := range map[string]struct {
		engine, want string
		objects      func() []*manifest.Node
	}{
		"parameters": {engines.Kyverno, "spec.paramKind", func() []*manifest.Node {
			o := fresh()
			o[0].Get("spec").Set("paramKind", something)
			return o
		}},
		"parameters of a constraint": {engines.Gatekeeper, "binding.paramRef", func() []*manifest.Node {
			o := fresh()
			o[1].Get("spec").Set("paramRef", something)
			return o
		}},
		"names": {engines.Gatekeeper, "resourceRules.resourceNames", func() []*manifest.Node {
			o := fresh()
			o[0].Get("spec", "matchConstraints", "resourceRules", "0").Set("resourceNames", manifest.NewList())
			return o
		}},
		"no binding": {engines.Kyverno, "has no binding", func() []*manifest.Node { return fresh()[:1] }},
		"a fix": {engines.Gatekeeper, "spec.reinvocationPolicy", func() []*manifest.Node {
			return policy.Mutating(all, policy.Options{Only: only})
		}},
	} {
		if _, err := engines.For(tt.engine, all, tt.objects()); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", name, err, tt.want)
		}
	}
}
