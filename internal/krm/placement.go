// SPDX-License-Identifier: Apache-2.0

package krm

import (
	"cmp"
	"slices"

	"kilter.dev/kilter/internal/manifest"
)

// placement is where objects go that name no namespace: Helm or kustomize places them later.
type placement struct {
	namespace string   // "" where there is no telling
	named     []string // namespaces that it may be, in order of appearance: several, or none
}

// placed finds the placement: the namespace of the request, else the only one that objects name.
func placed(r Request, objects []*manifest.Object) placement {
	var named []string
	for _, o := range objects {
		if o.Namespace != "" && !slices.Contains(named, o.Namespace) {
			named = append(named, o.Namespace)
		}
	}
	switch {
	case r.Namespace != "":
		return placement{namespace: r.Namespace}
	case len(named) == 1:
		return placement{namespace: named[0]}
	}
	return placement{named: named}
}

// of is the namespace of an object.
func (p placement) of(o *manifest.Object) string { return cmp.Or(o.Namespace, p.namespace) }

// unclear reports whether there is no telling what stands beside an object.
func (p placement) unclear(o *manifest.Object) bool { return p.of(o) == "" && len(p.named) > 0 }
