// SPDX-License-Identifier: Apache-2.0

package lint

import (
	"strings"

	"kilter.dev/kilter/internal/diag"
	"kilter.dev/kilter/internal/kube"
	"kilter.dev/kilter/internal/manifest"
	"kilter.dev/kilter/internal/workload"
)

// typed is an object with what kube.Fields says of it.
type typed struct {
	*manifest.Object                  // as it was given
	judged           *manifest.Object // as the other rules see it: one that cannot be read, with the fixes of its types
	fields           []Finding
}

// typed reads an object along its type. One value that the API server cannot read, with a
// known fix, must not hide what else is wrong with the object.
func (r *run) typed(o *manifest.Object) typed {
	t := typed{Object: o, judged: o}
	var mended *manifest.Node
	for _, d := range kube.Fields(o, r.options.KubeVersion) {
		repair := requoted(o, &d)
		t.fields = append(t.fields, Finding{Diagnostic: d, Repair: repair})
		if repair == nil {
			continue
		}
		if mended == nil {
			mended = o.Node.Clone()
		}
		if repair.Apply(mended) == nil {
			for _, p := range repair.patches {
				mended.Get(p.path...).Span = o.Get(p.path...).Span // findings have a place in the text
			}
		}
	}
	if mended == nil {
		return t
	}
	if _, err := workload.Index(nil, r.options.KubeVersion).Views(o); err == nil {
		return t // the API server reads it, and may refuse it then
	}
	if objects, _ := manifest.Objects([]*manifest.Node{mended}); len(objects) == 1 {
		t.judged = objects[0]
		r.given[t.judged] = o
	}
	return t
}

// notJudged is what a value without a fix means for the object.
const notJudged = "no other rule judges the object until this is mended"

// native adds what Go finds in the fields of an object, which is not read into its type for
// the reason that unread gives. The codes of these findings are names of rules.
func (r *run) native(t typed, unread error) {
	for _, f := range t.fields {
		f.Unread = unread != nil && f.Repair == nil && f.Severity == diag.Error && (f.Code == kube.WrongType || f.Code == kube.TypeTrap)
		if f.Unread {
			f.Hint = strings.TrimPrefix(f.Hint+"; "+notJudged, "; ")
		}
		chosen := r.options.Only == nil || r.options.Only(f.Code) || f.Unread
		if chosen && (!r.options.Errors || f.Severity == diag.Error) {
			r.add(f.Diagnostic, t.Object, f.Repair)
			r.findings[len(r.findings)-1].Unread = f.Unread
		}
	}
}
