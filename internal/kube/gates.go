// SPDX-License-Identifier: Apache-2.0

package kube

import (
	"slices"
	"strings"
)

// Gate is a feature gate as one version of Kubernetes has it.
type Gate struct {
	Name string
	// Stage is Alpha, Beta, GA or Deprecated.
	Stage string
	// On is its default, which no flag changes where it is Locked.
	On, Locked bool
}

// Gates returns the feature gates that the programs of a version know, by name. Any other
// name in --feature-gates keeps them from starting.
func Gates(version string) []Gate { return slices.Clone(known().at(version).gates) }

// gate returns the feature gate called name, if the version knows it.
func (r *release) gate(name string) (Gate, bool) {
	i, found := slices.BinarySearchFunc(r.gates, name, func(g Gate, name string) int { return strings.Compare(g.Name, name) })
	if !found {
		return Gate{}, false
	}
	return r.gates[i], true
}

// readGate reads "NAME STATES"; the bundle has them by name.
func (h *history) readGate(text string) {
	stages := map[byte]string{'A': "Alpha", 'B': "Beta", 'G': "GA", 'D': "Deprecated"}
	name, states, _ := strings.Cut(text, " ")
	for i, r := range h.releases {
		state := states[2*i : 2*i+2]
		if stage := stages[state[0]]; stage != "" {
			r.gates = append(r.gates, Gate{name, stage, state[1] == '+' || state[1] == 'T', state[1] == 'T' || state[1] == 'F'})
		}
	}
}
