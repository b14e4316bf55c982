// SPDX-License-Identifier: Apache-2.0

// Package workload knows what makes pods, and what selects, scales and serves them: which
// pod templates an object holds, which PodDisruptionBudgets, autoscalers, Services and
// claims belong to it, and the numbers that count in the end: replicas, percentages in
// pods, and the evictions a budget allows.
package workload

import (
	"slices"
	"strconv"
	"strings"

	"kilter.dev/kilter/internal/kube"
	"kilter.dev/kilter/internal/manifest"
)

// View is an object, or one that it embeds, as rules see it.
type View struct {
	Object *manifest.Object
	// Path is where the view stands in the object, empty for the object itself. A path in
	// Value that does not start with apiVersion, kind or metadata leads on from there.
	Path []string
	// Group and Kind are what Value is to be read as: a Job in a JobSet is a batch/Job.
	Group, Kind string
	// Value is typed and defaulted: see kube.Defaulted.
	Value map[string]any

	part part
}

// The roots that paths of rules may start with.
const (
	podTemplateRoot = "podTemplate"
	podSpecRoot     = "podSpec"
	jobSpecRoot     = "jobSpec"
)

// IsRoot reports whether a path may start with name instead of a field of the object.
func IsRoot(name string) bool {
	return name == podTemplateRoot || name == podSpecRoot || name == jobSpecRoot
}

// Root returns the path in Value of the root called name, false when the kind has none.
func (v View) Root(name string) ([]string, bool) {
	template := v.part.template
	switch {
	case name == podTemplateRoot && v.part.hasPods:
		return template, true
	case name == podSpecRoot && v.part.hasPods:
		return append(slices.Clone(template), "spec"), true
	case name == jobSpecRoot && v.Group == "batch" && v.Kind == "CronJob":
		return []string{"spec", "jobTemplate", "spec"}, true
	case name == jobSpecRoot && v.Group == "batch" && v.Kind == "Job":
		return []string{"spec"}, true
	}
	return nil, false
}

// views returns the views of an object: see Set.Views.
func views(o *manifest.Object, version string) ([]View, error) {
	var all []View
	for _, p := range parts(o) {
		value, err := p.value(o, version)
		if err != nil {
			return nil, err
		}
		all = append(all, View{Object: o, Path: p.path, Group: p.group, Kind: p.kind, Value: value, part: p})
	}
	return all, nil
}

// value is the part of an object as a defaulted object. What an embedded object does not
// say of itself is what the outer one says.
func (p part) value(o *manifest.Object, version string) (map[string]any, error) {
	value := fields(o.Node)
	if len(p.path) > 0 {
		value = p.embedded(value, fields(o.Get(p.path...)))
	}
	defaulted, err := kube.Defaulted(value, version)
	if err != nil || len(p.template) != 1 || p.template[0] == "template" {
		return defaulted, err
	}
	// The field has another name in the custom resource: the value answers to both.
	defaulted[p.template[0]] = defaulted["template"]
	return defaulted, nil
}

func (p part) embedded(outer, inner map[string]any) map[string]any {
	value := map[string]any{"apiVersion": p.apiVersion, "kind": p.kind, "metadata": metadata(outer, inner)}
	if p.kind == "PodTemplate" {
		value["template"] = inner[p.template[0]]
		return value
	}
	value["metadata"].(map[string]any)["ownerReferences"] = []any{map[string]any{
		"apiVersion": outer["apiVersion"], "kind": outer["kind"], "controller": true,
	}}
	// The default of sigs.k8s.io/jobset/pkg/webhooks.
	spec, _ := inner["spec"].(map[string]any)
	if spec != nil && spec["completionMode"] == nil {
		spec["completionMode"] = "Indexed"
	}
	value["spec"] = spec
	return value
}

// metadata is that of the outer object; labels and annotations of the inner one win.
func metadata(outer, inner map[string]any) map[string]any {
	own, _ := inner["metadata"].(map[string]any)
	all, _ := outer["metadata"].(map[string]any)
	merged := map[string]any{"name": all["name"], "namespace": all["namespace"]}
	for _, key := range []string{"labels", "annotations"} {
		both := map[string]any{}
		for _, from := range []map[string]any{all, own} {
			texts, _ := from[key].(map[string]any)
			for k, v := range texts {
				both[k] = v
			}
		}
		merged[key] = both
	}
	return merged
}

func fields(n *manifest.Node) map[string]any {
	m, _ := manifest.Native(n).(map[string]any)
	return m
}

// part is an object within an object, or the object itself.
type part struct {
	path                    []string
	apiVersion, group, kind string
	hasPods                 bool
	template                []string // where its pod template is, when it hasPods; from path
}

// templates says where the pod template of a kind is.
var templates = []struct {
	group, kind string
	path        []string
}{
	{"apps", "Deployment", []string{"spec", "template"}},
	{"apps", "StatefulSet", []string{"spec", "template"}},
	{"apps", "DaemonSet", []string{"spec", "template"}},
	{"apps", "ReplicaSet", []string{"spec", "template"}},
	{"", "ReplicationController", []string{"spec", "template"}},
	{"batch", "Job", []string{"spec", "template"}},
	{"batch", "CronJob", []string{"spec", "jobTemplate", "spec", "template"}},
	{"", "Pod", nil},
	{"", "PodTemplate", []string{"template"}},
}

// embeds says which objects a custom resource embeds, and where; "*" is every item.
var embeds = []struct {
	group, kind, path, apiVersion, as, template string
}{
	{"jobset.x-k8s.io", "JobSet", "spec.replicatedJobs.*.template", "batch/v1", "Job", "spec.template"},
	{"leaderworkerset.x-k8s.io", "LeaderWorkerSet", "spec.leaderWorkerTemplate", "v1", "PodTemplate", "leaderTemplate"},
	{"leaderworkerset.x-k8s.io", "LeaderWorkerSet", "spec.leaderWorkerTemplate", "v1", "PodTemplate", "workerTemplate"},
	{"sparkoperator.k8s.io", "SparkApplication", "spec.driver", "v1", "PodTemplate", "template"},
	{"sparkoperator.k8s.io", "SparkApplication", "spec.executor", "v1", "PodTemplate", "template"},
	{"sparkoperator.k8s.io", "ScheduledSparkApplication", "spec.template.driver", "v1", "PodTemplate", "template"},
	{"sparkoperator.k8s.io", "ScheduledSparkApplication", "spec.template.executor", "v1", "PodTemplate", "template"},
}

// parts are the object itself and the objects it embeds.
func parts(o *manifest.Object) []part {
	self := part{apiVersion: o.APIVersion, group: group(o.APIVersion), kind: o.Kind}
	for _, t := range templates {
		if t.group == self.group && t.kind == self.kind {
			self.hasPods, self.template = true, t.path
		}
	}
	all := []part{self}
	for _, e := range embeds {
		if e.group != self.group || e.kind != self.kind {
			continue
		}
		template := strings.Split(e.template, ".")
		for _, path := range expand(o.Node, nil, strings.Split(e.path, ".")) {
			if n := o.Get(append(slices.Clone(path), template...)...); n != nil && n.Shape == manifest.Map {
				all = append(all, part{path, e.apiVersion, group(e.apiVersion), e.as, true, template})
			}
		}
	}
	return all
}

// expand returns the paths in n that a path with "*" stands for.
func expand(n *manifest.Node, at, path []string) [][]string {
	if len(path) == 0 {
		return [][]string{at}
	}
	if path[0] != "*" {
		return expand(n.Get(path[0]), append(slices.Clone(at), path[0]), path[1:])
	}
	if n == nil || n.Shape != manifest.List {
		return nil
	}
	var all [][]string
	for i, item := range n.Items {
		all = append(all, expand(item, append(slices.Clone(at), strconv.Itoa(i)), path[1:])...)
	}
	return all
}

// group is the group of an apiVersion, "" for the core; kinds of the old group extensions
// are those of apps.
func group(apiVersion string) string {
	name, _, found := strings.Cut(apiVersion, "/")
	switch {
	case !found:
		return ""
	case name == "extensions":
		return "apps"
	}
	return name
}
