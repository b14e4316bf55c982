// SPDX-License-Identifier: Apache-2.0

// Package policy turns rules into admission policies of Kubernetes: what kilter check finds
// an API server refuses or warns of, and what kilter fix mends it mends as it comes in.
package policy

import (
	"slices"

	"kilter.dev/kilter/internal/diag"
	"kilter.dev/kilter/internal/kube"
	"kilter.dev/kilter/internal/lint"
	"kilter.dev/kilter/internal/manifest"
)

// Options say what policies do, and where.
type Options struct {
	// KubeVersion is that of the API server, such as "1.36"; "" means kube.Default.
	KubeVersion string
	// Actions are what is done about findings of a severity: Deny, Warn or Audit.
	Actions map[diag.Severity]string
	// OptIn says that only namespaces with the label NamespaceLabel "enabled" have policies;
	// otherwise all have but those with "disabled", and those of Kubernetes itself.
	OptIn bool
	// Only restricts the rules to these; nil means all that can be policies.
	Only func(rule string) bool
}

// Actions are what can be done about findings.
var Actions = []string{"Deny", "Warn", "Audit"}

// NamespaceLabel is the label of namespaces that says whether policies hold in them.
const NamespaceLabel = "kilter.dev/policies"

// DefaultActions are what is done unless Options say otherwise.
var DefaultActions = map[diag.Severity]string{diag.Error: "Deny", diag.Warning: "Warn", diag.Info: "Audit"}

// Why says why a rule is no admission policy; "" when it is one.
func Why(r *lint.Rule) string {
	switch {
	case r.Scope() == lint.Raw:
		return "it is about the text, which the API server does not see"
	case r.Scope() == lint.Several:
		return "it needs other objects than the one that is admitted"
	case len(served(r)) == 0:
		return "its objects are files, which no API server serves"
	}
	return ""
}

// Mutates reports whether a rule is a policy that mends what it finds, too.
func Mutates(r *lint.Rule) bool {
	return Why(r) == "" && slices.ContainsFunc(r.Checks, func(c *lint.Check) bool { return c.Fix != nil && c.Fix.Patch != nil })
}

// Validating returns a ValidatingAdmissionPolicy and its binding for each severity of each
// rule that can be one, in the order of the rules.
func Validating(rules *lint.Rules, o Options) []*manifest.Node {
	var all []*manifest.Node
	for _, r := range rules.All {
		if Why(r) != "" || o.Only != nil && !o.Only(r.Name) {
			continue
		}
		for _, severity := range []diag.Severity{diag.Error, diag.Warning, diag.Info} {
			checks := o.checks(r, severity)
			if len(checks) == 0 {
				continue
			}
			name := Name(r, severity)
			all = append(all, validating(rules, r, name, checks), o.binding("ValidatingAdmissionPolicyBinding", name, severity))
		}
	}
	return all
}

// checks are those of a rule that have the severity and are for the version.
func (o Options) checks(r *lint.Rule, severity diag.Severity) []*lint.Check {
	return slices.DeleteFunc(o.of(r), func(c *lint.Check) bool { return c.Severity != severity })
}

// of are the checks of a rule that are for the version.
func (o Options) of(r *lint.Rule) []*lint.Check {
	version := o.KubeVersion
	if version == "" {
		version = kube.Default
	}
	return slices.DeleteFunc(slices.Clone(r.Checks), func(c *lint.Check) bool {
		return c.Since != "" && !kube.AtLeast(version, c.Since) || c.Before != "" && kube.AtLeast(version, c.Before)
	})
}

// Name is the name of the policy with the checks of a rule that have the severity.
func Name(r *lint.Rule, severity diag.Severity) string {
	if severity == r.Severity {
		return "kilter-" + r.Name
	}
	return "kilter-" + r.Name + "-" + severity.String()
}

// found is the variable that holds what is found, and maxText how many bytes of it are said:
// the API server drops a message of more than 5 KiB.
const (
	foundName = "found"
	maxText   = "5000"
)

// text is CEL for all that is found, in one line.
const text = "variables." + foundName + ".join('; ').replace('\\n', ' ')"

func validating(rules *lint.Rules, r *lint.Rule, name string, checks []*lint.Check) *manifest.Node {
	var expressions []*lint.Expression
	var roots []string
	for _, c := range checks {
		expressions, roots = append(expressions, c.Expressions()...), append(roots, rootsOf(c)...)
	}
	variables := variables(rules, expressions, roots)
	variables.Items = append(variables.Items, variable(foundName, findings(checks)))
	return ordered(
		"apiVersion", manifest.NewString("admissionregistration.k8s.io/v1"),
		"kind", manifest.NewString("ValidatingAdmissionPolicy"),
		"metadata", metadata(r, name),
		"spec", ordered(
			"failurePolicy", manifest.NewString("Ignore"),
			"matchConstraints", ordered("resourceRules", resourceRules(served(r))),
			"matchConditions", matchConditions(r.Name),
			"variables", variables,
			"validations", manifest.NewList(ordered(
				"expression", manifest.NewString("variables."+foundName+".size() == 0"),
				"message", manifest.NewString("not so: "+r.Title),
				"messageExpression", manifest.NewString("bytes("+text+").size() <= "+maxText+" ? "+text+" : "+text+".substring(0, 1200) + '…'"),
				"reason", manifest.NewString("Invalid"),
			)),
		),
	)
}

// rootsOf are the variables for the roots of the lists that a check looks at.
func rootsOf(c *lint.Check) []string {
	var names []string
	if c.Each != nil {
		for _, path := range c.Each.Lists {
			names = append(names, path[0])
		}
	}
	return names
}

func metadata(r *lint.Rule, name string) *manifest.Node {
	return ordered(
		"name", manifest.NewString(name),
		"labels", ordered("app.kubernetes.io/part-of", manifest.NewString("kilter"), "kilter.dev/rule", manifest.NewString(r.Name)),
		"annotations", ordered("kilter.dev/title", manifest.NewString(r.Title)),
	)
}

// variables are those that expressions need.
func variables(rules *lint.Rules, of []*lint.Expression, names []string) *manifest.Node {
	list := manifest.NewList()
	for _, v := range rules.Variables(of, names...) {
		list.Items = append(list.Items, variable(v.Name, v.Value.Text()))
	}
	return list
}

func variable(name, expression string) *manifest.Node {
	return ordered("name", manifest.NewString(name), "expression", manifest.NewString(expression))
}

// binding lets a policy hold in namespaces, with what is done about the severity.
func (o Options) binding(kind, name string, severity diag.Severity) *manifest.Node {
	var actions *manifest.Node
	if kind == "ValidatingAdmissionPolicyBinding" {
		action := o.Actions[severity]
		if action == "" {
			action = DefaultActions[severity]
		}
		actions = texts(action)
	}
	return ordered(
		"apiVersion", manifest.NewString("admissionregistration.k8s.io/v1"),
		"kind", manifest.NewString(kind),
		"metadata", ordered("name", manifest.NewString(name)),
		"spec", ordered(
			"policyName", manifest.NewString(name),
			"validationActions", actions,
			"matchResources", ordered("namespaceSelector", ordered("matchExpressions", o.namespaces())),
		),
	)
}

func (o Options) namespaces() *manifest.Node {
	label := func(key, operator string, values ...string) *manifest.Node {
		return ordered("key", manifest.NewString(key), "operator", manifest.NewString(operator), "values", texts(values...))
	}
	if o.OptIn {
		return manifest.NewList(label(NamespaceLabel, "In", "enabled"))
	}
	return manifest.NewList(
		label("kubernetes.io/metadata.name", "NotIn", "kube-system", "kube-public", "kube-node-lease"),
		label(NamespaceLabel, "NotIn", "disabled"),
	)
}
