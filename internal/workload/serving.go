// SPDX-License-Identifier: Apache-2.0

package workload

import (
	"slices"
	"strings"

	"kilter.dev/kilter/internal/manifest"
)

// Templates are the paths of the pod templates that an object holds: the empty one for a
// Pod, which is its own template, and none for what makes no pods.
func Templates(o *manifest.Object) [][]string {
	var all [][]string
	for _, p := range parts(o) {
		if p.hasPods {
			all = append(all, slices.Concat(p.path, p.template))
		}
	}
	return all
}

// Reference is an object in their namespace that pods name.
type Reference struct{ Kind, Name string }

// References are what pods of a spec name.
func References(spec *manifest.Node) []Reference {
	var all []Reference
	for _, t := range named {
		for _, path := range expand(spec, nil, strings.Split(t.path, ".")) {
			if name := spec.Get(path...).Text(); name != "" {
				all = append(all, Reference{t.kind, name})
			}
		}
	}
	return all
}

// Serving are the objects that scale the object's pods, or select some of them: its
// autoscalers, then PodDisruptionBudgets, Services, NetworkPolicies and PodMonitors.
func (s *Set) Serving(o *manifest.Object) []*manifest.Object {
	var all []*manifest.Object
	add := func(entries []*entry) {
		for _, e := range entries {
			if !slices.Contains(all, e.object) {
				all = append(all, e.object)
			}
		}
	}
	if e := s.byObject[o]; e != nil {
		add(e.autoscalers)
		for _, w := range e.workloads {
			add(slices.Concat(w.budgets, w.services, w.others))
		}
	}
	return all
}

// Scale returns how many pods the last of the object's templates has.
func (s *Set) Scale(o *manifest.Object) Scale {
	e := s.byObject[o]
	if e == nil || len(e.workloads) == 0 {
		return Scale{}
	}
	return e.workloads[len(e.workloads)-1].scale()
}

// Named returns the object of the set that has the identity of o; nil when there is none.
func (s *Set) Named(o *manifest.Object) *manifest.Object {
	if e := s.byID[o.ID().In(s.unset)]; e != nil {
		return e.object
	}
	return nil
}
