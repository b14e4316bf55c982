// SPDX-License-Identifier: Apache-2.0

package workload

import (
	"math"

	"k8s.io/apimachinery/pkg/util/intstr"
)

// Covered are pods that a PodDisruptionBudget selects, and what owns them.
type Covered struct {
	// Pods is how many of the owner's pods the budget selects.
	Pods int
	// Scale is how many the owner is to have in all; it only counts when Control is Scaled.
	Scale   int
	Control Control
}

// Disruptions is the status of a PodDisruptionBudget: how many pods it expects, how many
// of them must be healthy, and how many may be evicted.
type Disruptions struct {
	Expected, Desired, Allowed int
	// Err says why the budget cannot be computed. Kubernetes then allows no eviction, and
	// leaves Expected and Desired as they were.
	Err error
}

// Budget returns the status of a PodDisruptionBudget once all pods are healthy, given
// minAvailable or maxUnavailable. It follows getExpectedPodCount, getExpectedScale and
// updatePdbStatus of k8s.io/kubernetes v1.37.2, pkg/controller/disruption/disruption.go.
func Budget(minAvailable, maxUnavailable *intstr.IntOrString, covered []Covered) Disruptions {
	healthy := 0
	for _, c := range covered {
		healthy = sum(healthy, max(c.Pods, 0))
	}
	var d Disruptions
	switch {
	case maxUnavailable != nil:
		if d.Expected, d.Err = expected(covered); d.Err == nil {
			var unavailable int
			unavailable, d.Err = intstr.GetScaledValueFromIntOrPercent(maxUnavailable, d.Expected, true)
			d.Desired = max(d.Expected-unavailable, 0)
		}
	case minAvailable != nil && minAvailable.Type == intstr.Int:
		d.Expected, d.Desired = healthy, int(minAvailable.IntVal)
	case minAvailable != nil:
		if d.Expected, d.Err = expected(covered); d.Err == nil {
			d.Desired, d.Err = intstr.GetScaledValueFromIntOrPercent(minAvailable, d.Expected, true)
		}
	}
	if d.Err != nil {
		return Disruptions{Err: d.Err}
	}
	if d.Expected > 0 {
		d.Allowed = max(healthy-d.Desired, 0)
	}
	return d
}

// expected is the sum of what the owners of the pods are to have.
func expected(covered []Covered) (int, error) {
	total := 0
	for _, c := range covered {
		switch {
		case c.Pods <= 0 || c.Control == Bare:
		case c.Control == Unscaled:
			return 0, errNoScale
		default:
			total = sum(total, max(c.Scale, 0))
		}
	}
	return total, nil
}

// sum is a+b, at most what Kubernetes can count.
func sum(a, b int) int { return int(min(int64(a)+int64(b), math.MaxInt32)) }

const errNoScale = noScale("the controller of the pods has no scale subresource")

type noScale string

func (e noScale) Error() string { return string(e) }
