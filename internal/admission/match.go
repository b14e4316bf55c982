// SPDX-License-Identifier: Apache-2.0

package admission

import (
	"slices"
	"strings"

	v1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
)

// matches reports whether match resources are about the request; nil is about all. Requests
// in another version than the rules name are not: the API server would convert the object.
func matches(m *v1.MatchResources, r *request) bool {
	if m == nil {
		return true
	}
	var namespace labels.Set
	if r.namespace != nil {
		namespace = r.namespace.Labels
	}
	if r.namespace != nil && !selects(m.NamespaceSelector, namespace) || !selects(m.ObjectSelector, r.labels) {
		return false
	}
	is := func(rule v1.NamedRuleWithOperations) bool { return isRule(rule, r) }
	if slices.ContainsFunc(m.ExcludeResourceRules, is) {
		return false
	}
	return len(m.ResourceRules) == 0 || slices.ContainsFunc(m.ResourceRules, is)
}

func selects(s *metav1.LabelSelector, set labels.Set) bool {
	if s == nil {
		return true
	}
	selector, err := metav1.LabelSelectorAsSelector(s)
	return err == nil && selector.Matches(set)
}

func isRule(rule v1.NamedRuleWithOperations, r *request) bool {
	has := func(list []string, value string) bool {
		return slices.Contains(list, value) || slices.Contains(list, "*")
	}
	operations := make([]string, len(rule.Operations))
	for i, o := range rule.Operations {
		operations[i] = string(o)
	}
	return has(operations, string(r.attributes.GetOperation())) && has(rule.APIGroups, r.plural.Group) && has(rule.APIVersions, r.plural.Version) &&
		slices.ContainsFunc(rule.Resources, func(text string) bool { return isResource(text, r) }) &&
		(len(rule.ResourceNames) == 0 || slices.Contains(rule.ResourceNames, r.attributes.GetName()))
}

// isResource reports whether the text of a rule, such as pods, */scale or *, is the resource.
func isResource(text string, r *request) bool {
	resource, sub, _ := strings.Cut(text, "/")
	return (resource == "*" || resource == r.plural.Resource) && (sub == r.subResource || sub == "*")
}
