// SPDX-License-Identifier: Apache-2.0

package policy

import (
	"slices"

	"kilter.dev/kilter/internal/kube"
	"kilter.dev/kilter/internal/lint"
	"kilter.dev/kilter/internal/manifest"
)

// Mutating returns a MutatingAdmissionPolicy and its binding for each rule that has a fix for
// its object, in the order of the rules. Before Kubernetes 1.36 they are v1beta1, which is off
// unless the feature gate MutatingAdmissionPolicy and that API are turned on.
func Mutating(rules *lint.Rules, o Options) []*manifest.Node {
	version := "admissionregistration.k8s.io/v1"
	if o.KubeVersion != "" && !kube.AtLeast(o.KubeVersion, "1.36") {
		version = "admissionregistration.k8s.io/v1beta1"
	}
	var all []*manifest.Node
	for _, r := range rules.All {
		checks := o.fixes(r)
		if !Mutates(r) || len(checks) == 0 || o.Only != nil && !o.Only(r.Name) {
			continue
		}
		name := FixName(r)
		binding := o.binding("MutatingAdmissionPolicyBinding", name, r.Severity)
		binding.Set("apiVersion", manifest.NewString(version))
		all = append(all, mutating(rules, r, name, version, checks), binding)
	}
	return all
}

// FixName is the name of the policy that makes the fixes of a rule.
func FixName(r *lint.Rule) string { return "kilter-fix-" + r.Name }

// fixes are the checks of a rule with a fix for the object itself that are for the version.
func (o Options) fixes(r *lint.Rule) []*lint.Check {
	return slices.DeleteFunc(o.of(r), func(c *lint.Check) bool { return c.Fix == nil || c.Fix.Patch == nil })
}

func mutating(rules *lint.Rules, r *lint.Rule, name, version string, checks []*lint.Check) *manifest.Node {
	var expressions []*lint.Expression
	var roots []string
	for _, c := range checks {
		expressions = append(append(expressions, c.Expressions()...), c.Fix.Expressions()...)
		roots = append(roots, rootsOf(c)...)
		for _, f := range c.Fix.Patch.Fields {
			roots = append(roots, f.Key)
		}
	}
	return ordered(
		"apiVersion", manifest.NewString(version),
		"kind", manifest.NewString("MutatingAdmissionPolicy"),
		"metadata", metadata(r, name),
		"spec", ordered(
			"failurePolicy", manifest.NewString("Ignore"),
			"reinvocationPolicy", manifest.NewString("IfNeeded"),
			"matchConstraints", ordered("resourceRules", resourceRules(served(r))),
			"matchConditions", matchConditions(r.Name),
			"variables", variables(rules, expressions, roots),
			"mutations", manifest.NewList(ordered(
				"patchType", manifest.NewString("JSONPatch"), "jsonPatch", ordered("expression", manifest.NewString(patches(checks))),
			)),
		),
	)
}
