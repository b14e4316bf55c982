// SPDX-License-Identifier: Apache-2.0

package workload

import (
	"errors"
	"slices"

	"k8s.io/apimachinery/pkg/util/intstr"

	"kilter.dev/kilter/internal/manifest"
)

func (s *Set) ofBudget(e *entry, related map[string]any) {
	related["workloads"] = s.workloads(e.selects)
	related["budget"] = e.budget()
	related["overlaps"] = s.values(others(e, e.selects))
	related["selectorError"] = e.selector.problem
	var elsewhere []string
	if len(e.selects) == 0 && e.selector.Selector != nil && !e.selector.Empty() {
		for _, name := range s.byName {
			if len(s.in(name).pods.matching(e.selector)) > 0 {
				elsewhere = append(elsewhere, name)
			}
		}
	}
	related["elsewhere"] = anys(elsewhere)
}

// budget is the status of a PodDisruptionBudget.
func (e *entry) budget() map[string]any {
	now, known := e.disruptions(func(s Scale) int { return s.Replicas })
	least, _ := e.disruptions(func(s Scale) int {
		if s.Autoscaled {
			return max(s.Min, 1)
		}
		return s.Replicas
	})
	reason := ""
	if now.Err != nil {
		reason = now.Err.Error()
	}
	if !known && now.Err == nil {
		now, least = Disruptions{}, Disruptions{}
	}
	return map[string]any{
		"known": known || now.Err != nil, "expected": int64(now.Expected), "desired": int64(now.Desired), "allowed": int64(now.Allowed),
		"allowedAtMinimum": int64(least.Allowed), "syncFails": now.Err != nil, "reason": reason,
	}
}

// disruptions is the status when each workload has as many pods as replicas says; known is
// false when the number of some is not.
func (e *entry) disruptions(replicas func(Scale) int) (d Disruptions, known bool) {
	known = true
	if e.selector.problem != "" {
		return Disruptions{Err: errors.New(e.selector.problem)}, known
	}
	var covered []Covered
	for _, w := range e.selects {
		n := 1
		if w.counts(e.selector) {
			n = replicas(w.scale())
		} else {
			known = false
		}
		covered = append(covered, Covered{Pods: w.selectedOf(e.selector, n), Scale: n, Control: w.count.control})
	}
	spec := e.object.Get("spec")
	return Budget(intOrString(spec.Get("minAvailable")), intOrString(spec.Get("maxUnavailable")), covered), known
}

func intOrString(n *manifest.Node) *intstr.IntOrString {
	if isNull(n) {
		return nil
	}
	v := intstr.FromInt32(int32(integer(n, 0)))
	if n.Shape == manifest.String {
		v = intstr.FromString(n.Text())
	}
	return &v
}

// others are the PodDisruptionBudgets other than e that select some of the pods.
func others(e *entry, selects []*workload) []*entry {
	var all []*entry
	for _, w := range selects {
		for _, b := range w.budgets {
			if b != e && !slices.Contains(all, b) {
				all = append(all, b)
			}
		}
	}
	return all
}
