// SPDX-License-Identifier: Apache-2.0

package engines

import (
	"fmt"
	"slices"
	"strings"

	"kilter.dev/kilter/internal/lint"
	"kilter.dev/kilter/internal/manifest"
)

// actions are Gatekeeper's words for what is done about findings.
var actions = map[string]string{"Deny": "deny", "Warn": "warn", "Audit": "dryrun"}

// gatekeeper is the policy as a ConstraintTemplate, and its binding as the constraint.
func (b bound) gatekeeper(rules *lint.Rules) ([]*manifest.Node, error) {
	spec := b.policy.Get("spec")
	if err := only(spec, "spec", "failurePolicy", "matchConstraints", "matchConditions", "variables", "validations"); err != nil {
		return nil, err
	}
	rule := rules.Find(text(b.policy, "metadata", "labels", "kilter.dev/rule"))
	if rule == nil {
		return nil, fmt.Errorf("it is of no rule")
	}
	asked, err := asked(spec)
	if err != nil {
		return nil, err
	}
	source := pick(spec, "failurePolicy")
	source.Set("matchCondition", asked)
	source.Set("variables", spec.Get("variables").Clone())
	validations := manifest.NewList()
	for _, v := range spec.Get("validations").Items {
		// A reason is the code of the API server's answer; Gatekeeper's is always Forbidden.
		if err := only(v, "validations", "expression", "message", "messageExpression", "reason"); err != nil {
			return nil, err
		}
		validations.Items = append(validations.Items, pick(v, "expression", "message", "messageExpression"))
	}
	source.Set("validations", validations)
	constraint, err := b.constraint(rule)
	if err != nil {
		return nil, err
	}
	return []*manifest.Node{b.template(source), constraint}, nil
}

// kind is the kind of the policy's constraint: each template has one of its own.
func (b bound) kind() string {
	var kind strings.Builder
	for word := range strings.SplitSeq(b.name, "-") {
		kind.WriteString(strings.ToUpper(word[:1]) + word[1:])
	}
	return kind.String()
}

func (b bound) template(source *manifest.Node) *manifest.Node {
	metadata := b.policy.Get("metadata").Clone()
	metadata.Set("name", manifest.NewString(strings.ToLower(b.kind()))) // as Gatekeeper demands
	metadata.Get("annotations").Set("description", manifest.NewString(text(b.policy, "metadata", "annotations", "kilter.dev/title")))
	return manifest.NewMap(
		field("apiVersion", manifest.NewString("templates.gatekeeper.sh/v1")),
		field("kind", manifest.NewString("ConstraintTemplate")),
		field("metadata", metadata),
		field("spec", manifest.NewMap(
			field("crd", manifest.NewMap(field("spec", manifest.NewMap(field("names", manifest.NewMap(field("kind", manifest.NewString(b.kind())))))))),
			field("targets", manifest.NewList(manifest.NewMap(
				field("target", manifest.NewString("admission.k8s.gatekeeper.sh")),
				field("code", manifest.NewList(manifest.NewMap(field("engine", manifest.NewString("K8sNativeValidation")), field("source", source)))),
			))),
		)),
	)
}

func (b bound) constraint(rule *lint.Rule) (*manifest.Node, error) {
	spec := b.binding.Get("spec")
	if err := only(spec, "binding", "policyName", "validationActions", "matchResources"); err != nil {
		return nil, err
	}
	if n := len(spec.Get("validationActions").Items); n != 1 {
		return nil, fmt.Errorf("a constraint takes one action, not %d", n)
	}
	match := manifest.NewMap(field("kinds", kinds(rule, b.policy.Get("spec", "matchConstraints", "resourceRules"))))
	if where := spec.Get("matchResources"); where != nil {
		if err := only(where, "binding.matchResources", "namespaceSelector"); err != nil {
			return nil, err
		}
		match = merged(match, where.Clone())
	}
	return manifest.NewMap(
		field("apiVersion", manifest.NewString("constraints.gatekeeper.sh/v1beta1")),
		field("kind", manifest.NewString(b.kind())),
		field("metadata", b.policy.Get("metadata").Clone()),
		field("spec", manifest.NewMap(
			field("enforcementAction", manifest.NewString(actions[text(spec.Get("validationActions"), "0")])),
			field("match", match),
		)),
	), nil
}

// kinds are those of a rule in the groups that resource rules name, one entry for each group.
func kinds(rule *lint.Rule, resourceRules *manifest.Node) *manifest.Node {
	list := manifest.NewList()
	for _, r := range resourceRules.Items {
		names := manifest.NewList()
		for _, k := range rule.Kinds {
			if slices.Contains(listed(r.Get("apiGroups")), k.Group) {
				names.Items = append(names.Items, manifest.NewString(k.Kind))
			}
		}
		list.Items = append(list.Items, manifest.NewMap(field("apiGroups", r.Get("apiGroups").Clone()), field("kinds", names)))
	}
	return list
}

// asked are the conditions on which a policy is asked. Gatekeeper's webhook gets more than the
// resource rules of the policy let through: deletions and subresources, and objects in every
// version, since it does not have the API server convert them.
func asked(spec *manifest.Node) (*manifest.Node, error) {
	list := manifest.NewList()
	add := func(name, expression string) {
		list.Items = append(list.Items, manifest.NewMap(field("name", manifest.NewString(name)), field("expression", manifest.NewString(expression))))
	}
	add("not-deleted", "request.operation != 'DELETE'") // what is audited has no operation
	add("whole-object", "!has(request.subResource) || request.subResource == ''")
	constraints := spec.Get("matchConstraints")
	if err := only(constraints, "matchConstraints", "resourceRules"); err != nil {
		return nil, err
	}
	var versions, groups []string
	for _, r := range constraints.Get("resourceRules").Items {
		if err := only(r, "resourceRules", "apiGroups", "apiVersions", "operations", "resources"); err != nil {
			return nil, err
		}
		for _, version := range listed(r.Get("apiVersions")) {
			for _, group := range listed(r.Get("apiGroups")) {
				switch {
				case version == "*":
					groups = append(groups, "request.kind.group == '"+group+"'")
				case group == "":
					versions = append(versions, "'"+version+"'")
				default:
					versions = append(versions, "'"+group+"/"+version+"'")
				}
			}
		}
	}
	if versions != nil {
		add("version", strings.Join(append([]string{"object.apiVersion in [" + strings.Join(versions, ", ") + "]"}, groups...), " || "))
	}
	list.Items = append(list.Items, spec.Get("matchConditions").Clone().Items...)
	return list, nil
}

// listed are the texts of a list.
func listed(n *manifest.Node) []string {
	var all []string
	for _, item := range n.Items {
		all = append(all, text(item))
	}
	return all
}
