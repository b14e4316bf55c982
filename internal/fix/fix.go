// SPDX-License-Identifier: Apache-2.0

// Package fix makes the fixes of findings in the text of files. Fixes change nodes; what
// they change is then edited in the text, so that everything else stays as it is.
package fix

import (
	"errors"
	"fmt"
	"slices"

	"kilter.dev/kilter/internal/lint"
	"kilter.dev/kilter/internal/manifest"
	"kilter.dev/kilter/internal/source"
)

// Unit is files whose objects are judged together.
type Unit struct {
	Files []*source.File
	// Read returns the objects of a file.
	Read func(*source.File) []*manifest.Object
	// Judge returns the findings of all objects. Those with a Suppression are not fixed.
	Judge func([]*manifest.Object) []lint.Finding
	// Refuse says why a finding of all objects must not be fixed; nil, as its result, is no reason.
	Refuse func(lint.Finding, []*manifest.Object) error
}

// Result is what became of a unit.
type Result struct {
	Files   []*source.File // those of the unit, in their order; one that did not change is the same
	Made    []lint.Finding // that are fixed; a position is that of the text it was found in
	Refused []Refusal      // that have a fix which cannot be made in the text
	Left    []lint.Finding // all that is found in the end
}

// Refusal is a finding whose fix cannot be made, and why: a diag.List or a plain error.
type Refusal struct {
	lint.Finding
	Why error
}

// rounds is how often a unit is judged. A fix may make room for another one, or be in the
// way of it.
const rounds = 20

var (
	errNoChange = errors.New("it is so already, and does not help")
	errRounds   = errors.New("other fixes undo it")
)

// taken says that the name of an object to add is that of another one.
func taken(n *manifest.Node) error {
	what := "and does not help"
	if n.Get("spec", "selector") != nil {
		what = "but selects other pods"
	}
	return fmt.Errorf("%s %q is there already, %s: add one with another name", n.Get("kind").Text(), n.Get("metadata", "name").Text(), what)
}

// Run fixes until there is nothing more to fix. Fixes that are in each other's way are made
// one after the other, each from what is found then.
func (u Unit) Run() Result {
	s := &state{judge: u.Judge, against: u.Refuse, files: slices.Clone(u.Files), refused: map[key]bool{}, made: map[key]bool{}}
	s.read = func() (objects []*manifest.Object) {
		for _, f := range s.files {
			objects = append(objects, u.Read(f)...)
		}
		return objects
	}
	for round := 0; ; round++ {
		jobs := s.jobs()
		if round == rounds {
			for _, j := range jobs {
				s.refuse(j, errRounds)
			}
		}
		if len(jobs) == 0 || round == rounds {
			s.result.Files, s.result.Left = s.files, s.found
			return s.result
		}
		s.round(compatible(jobs))
	}
}

// key is what a finding has in common with the same one in a later round.
type key struct {
	rule, fix, path string
	object          manifest.ID
}

func keyOf(f lint.Finding) key { return key{f.Code, f.Fix, f.Path, f.Object.ID()} }

type state struct {
	read    func() []*manifest.Object
	judge   func([]*manifest.Object) []lint.Finding
	against func(lint.Finding, []*manifest.Object) error
	files   []*source.File
	objects []*manifest.Object
	found   []lint.Finding
	refused map[key]bool
	made    map[key]bool
	result  Result
}

// job is a fix that is to be made.
type job struct {
	finding lint.Finding
	after   *manifest.Node // what the object becomes when only this fix is made
	changes []change
}

// jobs judges the objects as they are, and returns the fixes that can be tried.
func (s *state) jobs() []job {
	s.objects = s.read()
	s.found = s.judge(s.objects)
	var jobs []job
	for _, f := range s.found {
		if f.Repair == nil || f.Object == nil || f.Suppressed != nil || s.refused[keyOf(f)] {
			continue
		}
		j := job{finding: f, after: f.Object.Node.Clone()}
		err := f.Repair.Apply(j.after)
		if err == nil && s.against != nil {
			err = s.against(f, s.objects)
		}
		j.changes = changes(nil, f.Object.Node, j.after)
		switch {
		case err != nil:
			s.refuse(j, err)
		case len(j.changes) == 0 && f.Repair.Create == nil:
			s.refuse(j, errNoChange)
		case len(j.changes) == 0 && s.has(f.Repair.Create):
			s.refuse(j, taken(f.Repair.Create))
		default:
			jobs = append(jobs, j)
		}
	}
	return jobs
}

// has reports whether an object is there already.
func (s *state) has(n *manifest.Node) bool {
	objects, _ := manifest.Objects([]*manifest.Node{n})
	return len(objects) == 1 && slices.ContainsFunc(s.objects, func(o *manifest.Object) bool { return o.ID().In("") == objects[0].ID().In("") })
}

func (s *state) refuse(j job, why error) {
	if k := keyOf(j.finding); !s.refused[k] {
		s.refused[k] = true
		s.result.Refused = append(s.result.Refused, Refusal{j.finding, why})
	}
}

// round makes fixes, file by file.
func (s *state) round(jobs []job) {
	for i, f := range s.files {
		in := slices.DeleteFunc(slices.Clone(jobs), func(j job) bool { return j.finding.Object.Span.File != f })
		if len(in) > 0 {
			s.files[i] = s.edit(f, in)
		}
	}
}

// edit makes fixes in a file.
func (s *state) edit(f *source.File, jobs []job) *source.File {
	edited, err := apply(f, jobs)
	if err != nil {
		jobs = slices.DeleteFunc(jobs, func(j job) bool {
			_, err := apply(f, []job{j})
			if err != nil {
				s.refuse(j, err)
			}
			return err != nil
		})
		if edited, err = apply(f, jobs); err != nil && len(jobs) > 1 {
			jobs = jobs[:1] // the others have their turn
			edited, err = apply(f, jobs)
		}
	}
	if err != nil || len(jobs) == 0 {
		return f
	}
	for _, j := range jobs {
		if k := keyOf(j.finding); !s.made[k] {
			s.made[k] = true
			s.result.Made = append(s.result.Made, j.finding)
		}
	}
	return edited
}

// apply returns f with the fixes made.
func apply(f *source.File, jobs []job) (*source.File, error) {
	var all []manifest.Change
	var added []*manifest.Node
	byObject := map[*manifest.Object]*manifest.Node{}
	for _, j := range jobs {
		object := j.finding.Object
		if byObject[object] == nil {
			byObject[object] = object.Node.Clone()
			all = append(all, manifest.Change{Before: object.Node, After: byObject[object]})
		}
		if err := j.finding.Repair.Apply(byObject[object]); err != nil {
			return nil, err
		}
		if n := j.finding.Repair.Create; n != nil {
			added = append(added, n)
		}
	}
	edits, err := manifest.EditFile(f, all, added...)
	if err != nil {
		return nil, err
	}
	text, err := source.Apply(f, edits)
	return source.New(f.Name, text), err
}
