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
	said    map[string]bool  // findings of other renderings of a chart
	builds  map[string]build // the last of each kustomization
	made    []lint.Finding
	refused diag.List
	without int // findings that have no fix
}

// build is a build of a kustomization from the texts of files.
type build struct {
	texts map[string]string
	rendering
	err error
}

// fixed is a file as it was and as it has become.
type fixed struct {
	before string
	now    *source.File
}

func newFixer(in *inputs) *fixer {
	return &fixer{in: in, files: map[string]*fixed{}, said: map[string]bool{}, builds: map[string]build{}}
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
	return x.in.unread(found)
}

// unit fixes what is in files, and says where to change the rest. A fix after which something
// that is rendered from the files has the same finding is not made.
func (x *fixer) unit(u unit) {
	from := x.origin(u)
	vain := map[place]bool{}
	for {
		result := x.try(u, from, vain)
		known := len(vain)
		left, of, err := x.left(from, result, vain)
		switch {
		case err != nil:
			x.undone(result, err)
		case len(vain) == known:
			x.done(u, from, result, left, of)
		default:
			continue
		}
		return
	}
}

// try fixes what is in files, but for what is vain.
func (x *fixer) try(u unit, from origin, vain map[place]bool) fix.Result {
	refuse := func(f lint.Finding, among []*manifest.Object) error { return x.superfluous(u, f, among) }
	return fix.Unit{Files: from.files, Read: from.read, Refuse: refuse, Judge: func(objects []*manifest.Object) []lint.Finding {
		found := x.judge(u, objects)
		if from.again == nil {
			return found
		}
		found = slices.DeleteFunc(found, func(f lint.Finding) bool {
			return f.Repair == nil || f.Object == nil || f.Suppressed != nil || vain[placeOf(f, f.Object)]
		})
		for i, renderer := range from.units {
			if len(found) > 0 {
				rendered, _ := from.again(renderer, objects)
				found = rendered.agreed(found, x.judge(renderer, rendered.objects), i == 0)
			}
		}
		return found
	}}.Run()
}

// left returns what is found in the end, and adds to vain the fixes that were made and did
// not help, or brought another finding to their object.
func (x *fixer) left(from origin, result fix.Result, vain map[place]bool) (left []lint.Finding, of rendering, err error) {
	if from.again == nil {
		return result.Left, rendering{}, nil
	}
	var objects []*manifest.Object
	for _, f := range result.Files {
		objects = append(objects, from.read(f)...)
	}
	made := map[place]bool{}
	for _, f := range result.Made {
		made[placeOf(f, f.Object)] = true
	}
	for i, renderer := range from.units {
		rendered, err := from.again(renderer, objects)
		if err != nil && (i == 0 || len(result.Made) > 0) {
			return nil, rendered, err
		}
		found := x.judge(renderer, rendered.objects)
		if len(made) > 0 {
			rendered.condemn(found, x.judge(renderer, renderer.objects), made, vain)
		}
		if i == 0 {
			left, of = found, rendered
		}
	}
	return left, of, nil
}

// undone says that a rendering cannot be made any more from what was fixed.
func (x *fixer) undone(result fix.Result, why error) {
	for _, f := range result.Made {
		x.refuse(fix.Refusal{Finding: f, Why: why})
	}
}

// done keeps what was fixed, and says what else is found, once for all renderings.
func (x *fixer) done(u unit, from origin, result fix.Result, left []lint.Finding, of rendering) {
	for _, f := range result.Files {
		x.files[filepath.Clean(f.Name)].now = f
	}
	x.made = append(x.made, result.Made...)
	refused := map[place]bool{}
	for _, r := range result.Refused {
		x.refuse(r)
		refused[placeOf(r.Finding, r.Object)] = true
	}
	said := maps.Clone(x.said)
	for _, f := range left {
		if f.Suppressed != nil || u.again() && said[u.key(f)] {
			continue
		}
		x.said[u.key(f)] = true
		switch {
		case f.Repair == nil:
			x.without++
		case !slices.ContainsFunc(of.places(f), func(at place) bool { return refused[at] }):
			x.refuse(fix.Refusal{Finding: u.labelled(f), Why: errors.New(from.hint)})
		}
	}
}
