// SPDX-License-Identifier: Apache-2.0

package policy

import (
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"kilter.dev/kilter/internal/lint"
	"kilter.dev/kilter/internal/manifest"
)

// versions are those in which policies see the objects of Kubernetes' own groups: requests
// for another one are converted first, as matchPolicy Equivalent says, which is the default.
// Objects of other groups are seen as they are sent.
var versions = map[string]string{"": "v1", "apps": "v1", "autoscaling": "v2", "batch": "v1", "networking.k8s.io": "v1", "policy": "v1"}

// local are groups of files that no API server serves.
var local = []string{"kustomize.config.k8s.io", "kubelet.config.k8s.io", "kubeproxy.config.k8s.io", "kind.x-k8s.io", "kubeadm.k8s.io"}

// served are the kinds of a rule that an API server serves.
func served(r *lint.Rule) []lint.Kind {
	return slices.DeleteFunc(slices.Clone(r.Kinds), func(k lint.Kind) bool { return slices.Contains(local, k.Group) })
}

// resourceRules are what a policy looks at: one rule for the kinds of each group.
func resourceRules(kinds []lint.Kind) *manifest.Node {
	var groups []string
	resources := map[string][]string{}
	for _, k := range kinds {
		plural, _ := meta.UnsafeGuessKindToResource(schema.GroupVersionKind{Group: k.Group, Kind: k.Kind})
		if !slices.Contains(groups, k.Group) {
			groups = append(groups, k.Group)
		}
		resources[k.Group] = append(resources[k.Group], plural.Resource)
	}
	list := manifest.NewList()
	for _, group := range groups {
		version := versions[group]
		if version == "" {
			version = "*"
		}
		list.Items = append(list.Items, ordered(
			"apiGroups", texts(group), "apiVersions", texts(version), "operations", texts("CREATE", "UPDATE"), "resources", texts(resources[group]...),
		))
	}
	return list
}

// owned is true of what a controller of Kubernetes makes: its owner was judged, and whoever
// wrote that one is to hear of it.
const owned = "object.metadata.?ownerReferences.orValue([]).exists(o, o.?controller.orValue(false) && o.apiVersion in ['apps/v1', 'batch/v1'])"

// annotated is CEL for the annotations of an object and of the templates that are all that it
// makes.
var annotated = []string{
	"object.metadata.?annotations", "object.?spec.?template.?metadata.?annotations", "object.?spec.?jobTemplate.?metadata.?annotations",
	"object.?spec.?jobTemplate.?spec.?template.?metadata.?annotations",
}

// matchConditions are when a policy is asked at all: not of what is on its way out, which
// must not be held back from losing its finalizers, nor of what is owned or excepted.
func matchConditions(rule string) *manifest.Node {
	list := manifest.NewList()
	add := func(name, expression string) {
		list.Items = append(list.Items, ordered("name", manifest.NewString(name), "expression", manifest.NewString(expression)))
	}
	add("not-being-deleted", "!has(object.metadata.deletionTimestamp)")
	add("not-owned", "!("+owned+")")
	add("not-ignored", "!["+strings.Join(annotated, ", ")+"].exists(a, a.orValue({})[?"+literal(lint.IgnoreAnnotation)+"].orValue('').split(',').exists(r, r.trim() == "+literal(rule)+"))")
	return list
}

// ordered is a map with its fields in the order given: a name, then a node. Fields without
// one are left out.
func ordered(fields ...any) *manifest.Node {
	n := manifest.NewMap()
	for i := 0; i < len(fields); i += 2 {
		if value := fields[i+1].(*manifest.Node); value != nil {
			n.Set(fields[i].(string), value)
		}
	}
	return n
}

func texts(all ...string) *manifest.Node {
	list := manifest.NewList()
	for _, s := range all {
		list.Items = append(list.Items, manifest.NewString(s))
	}
	return list
}
