// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"errors"
	"maps"
	"path/filepath"
	"slices"

	"kilter.dev/kilter/internal/diag"
	"kilter.dev/kilter/internal/fix"
	"kilter.dev/kilter/internal/lint"
	"kilter.dev/kilter/internal/manifest"
	"kilter.dev/kilter/internal/source"
)

// fixer fixes the units of the inputs.
type fixer struct {
	in      *inputs
	files   map[string]*fixed // by name
	order   []string
	said    map[string]bool // findings of other renderings of a chart
	made    []lint.Finding
	refused diag.List
	without int // findings that have no fix
}

// fixed is a file as it was and as it has become.
type fixed struct {
	before string
	now    *source.File
}

func newFixer(in *inputs) *fixer {
	return &fixer{in: in, files: map[string]*fixed{}, said: map[string]bool{}}
}

// file returns a file that was read as it has become.
func (x *fixer) file(f *source.File) *source.File {
	name := filepath.Clean(f.Name)
	if x.files[name] == nil {
		x.files[name] = &fixed{before: f.Text, now: f}
		x.order = append(x.order, name)
	}
	return x.files[name].now
}

// texts are the texts that the files have become, with those of objects in between.
func (x *fixer) texts(objects []*manifest.Object) map[string]string {
	texts := map[string]string{}
	for name, f := range x.files {
		texts[name] = f.now.Text
	}
	for _, o := range objects {
		texts[filepath.Clean(o.Span.File.Name)] = o.Span.File.Text
	}
	return texts
}

// judge returns the findings of a unit whose objects have become these. What suppresses
// findings is counted each time anew.
func (x *fixer) judge(u unit, objects []*manifest.Object) []lint.Finding {
	set := x.in.set
	found := append(slices.Clone(u.raw), set.rules.Run(objects, x.in.judging(u))...)
	set.config.Grade(found)
	s := *set.suppressor
	s.Apply(objects, found)
	s.Accept(found)
	return found
}

// unit fixes what is in files, and says where to change the rest.
func (x *fixer) unit(u unit) {
	from := x.origin(u)
	result := fix.Unit{Files: from.files, Read: from.read, Judge: func(objects []*manifest.Object) []lint.Finding {
		found := x.judge(u, objects)
		if from.again == nil {
			return found
		}
		rendered, _ := from.again(objects)
		return both(found, x.judge(u, rendered))
	}}.Run()
	if from.again != nil {
		var objects []*manifest.Object
		for _, f := range result.Files {
			objects = append(objects, from.read(f)...)
		}
		rendered, err := from.again(objects)
		if err != nil {
			x.undone(result, err)
			return
		}
		result.Left = x.judge(u, rendered)
	}
	for _, f := range result.Files {
		x.files[filepath.Clean(f.Name)].now = f
	}
	x.made = append(x.made, result.Made...)
	for _, r := range result.Refused {
		x.refuse(r)
	}
	x.rest(u, result, from.hint)
}

// both returns the findings in the files of a rendering that are in the rendering, too:
// others are mended by what renders them.
func both(written, rendered []lint.Finding) []lint.Finding {
	return slices.DeleteFunc(written, func(f lint.Finding) bool {
		return !slices.ContainsFunc(rendered, func(r lint.Finding) bool { return r.Suppressed == nil && renders(r, f) })
	})
}

// renders reports whether r is the finding f of a file in what it is rendered to.
func renders(r, f lint.Finding) bool {
	return r.Code == f.Code && r.Path == f.Path && r.Object != nil && f.Object != nil && becomes(f.Object, r.Object)
}

// undone says that a rendering cannot be made any more from what was fixed.
func (x *fixer) undone(result fix.Result, why error) {
	for _, f := range result.Made {
		x.refuse(fix.Refusal{Finding: f, Why: why})
	}
}

// rest says what else is found, once for all renderings of a chart.
func (x *fixer) rest(u unit, result fix.Result, hint string) {
	said := maps.Clone(x.said)
	for _, f := range result.Left {
		if f.Suppressed != nil || u.again() && said[u.key(f)] {
			continue
		}
		x.said[u.key(f)] = true
		switch {
		case f.Repair == nil:
			x.without++
		case !slices.ContainsFunc(result.Refused, func(r fix.Refusal) bool { return renders(f, r.Finding) }):
			x.refuse(fix.Refusal{Finding: u.labelled(f), Why: errors.New(hint)})
		}
	}
}
