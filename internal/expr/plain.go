// SPDX-License-Identifier: Apache-2.0

package expr

import (
	"strings"

	apicel "k8s.io/apiserver/pkg/cel"

	"kilter.dev/kilter/internal/param"
)

// plain returns a hole that is nothing but a reference, such as params.image.tag, as it
// would be compiled; nil for any other, and where there is something to report. Half of all
// holes are such, and parsing one is most of the work that a rendering has with it.
func (e *Env) plain(text string) *compiled {
	path := strings.Split(text, ".")
	for _, name := range path {
		if escaped, ok := apicel.Escape(name); !ok || escaped != name {
			return nil
		}
	}
	t, ok := e.variables[path[len(path)-1]]
	switch ref := (&Ref{Path: path, T: t}); {
	case path[0] == "variables" && len(path) == 2 && ok:
		return &compiled{tree: ref, ref: ref}
	case text == "workload.name" || text == "workload.namespace":
		ref.T = Type{Kind: String}
		return &compiled{tree: ref, ref: ref}
	case path[0] == "params" && len(path) > 1:
		s := e.param(path)
		if s == nil || s.Optional() || s.Group() || s.Type == param.Any {
			return nil
		}
		ref.Format, ref.T = s.Format, typeOf(s)
		return &compiled{tree: ref, ref: ref}
	}
	return nil
}

// at returns the value of a reference.
func (s *Scope) at(r *Ref) (value any, present bool) {
	switch name := r.Path[len(r.Path)-1]; {
	case r.Path[0] == "params":
		value, _ = param.Values(s.Params).At(strings.Join(r.Path[1:], "."))
	case r.Path[0] == "variables":
		value = s.Variables[name]
	case name == "name":
		value = s.Name
	default:
		value = s.Namespace
	}
	return value, value != nil
}
