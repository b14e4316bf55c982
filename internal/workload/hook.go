// SPDX-License-Identifier: Apache-2.0

package workload

import (
	"slices"
	"strconv"
	"strings"

	"kilter.dev/kilter/internal/manifest"
)

// later returns the phase of an installation in which Helm runs the hook o while named is
// not there yet: "pre-install", "post-install", or "" for none. Before the installation
// there is nothing but hooks of that phase that come before, after it everything but hooks
// that come later (helm.sh/helm/v3/pkg/action.Configuration.execHook).
func later(o, named *manifest.Object) string {
	phases, its := phasesOf(o), phasesOf(named)
	switch {
	case slices.Contains(phases, "pre-install") && !(slices.Contains(its, "pre-install") && before(named, o)):
		return "pre-install"
	case slices.Contains(phases, "post-install") && slices.Contains(its, "post-install") && !before(named, o):
		return "post-install"
	}
	return ""
}

// before reports whether Helm runs the hook a before b. Of one weight and name are what b
// needs and b itself, and Helm sorts kinds in the order of what needs what.
func before(a, b *manifest.Object) bool {
	if x, y := weightOf(a), weightOf(b); x != y {
		return x < y
	}
	return a.Name <= b.Name
}

func phasesOf(o *manifest.Object) []string {
	phases := strings.Split(annotation(o, "helm.sh/hook"), ",")
	for i, p := range phases {
		phases[i] = strings.ToLower(strings.TrimSpace(p))
	}
	return phases
}

// weightOf is 0 for what is no number.
func weightOf(o *manifest.Object) int {
	weight, _ := strconv.Atoi(annotation(o, "helm.sh/hook-weight"))
	return weight
}

func annotation(o *manifest.Object, name string) string {
	return o.Get("metadata", "annotations", name).Text()
}
