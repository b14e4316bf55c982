// SPDX-License-Identifier: Apache-2.0

package fix

import (
	"kilter.dev/kilter/internal/lint"
	"kilter.dev/kilter/internal/manifest"
)

// Change is a field of an object that a fix has set.
type Change struct {
	lint.Finding
	Path          string
	Before, After *manifest.Node // nil: nothing
}

// Objects makes the fixes of what judge finds in the nodes of the objects, which no text
// need hold, until there is nothing more to fix. Fixes that are in each other's way are
// made one after the other. It returns the fields that are changed, the objects that are
// added, and what is found in the end.
func Objects(objects []*manifest.Object, judge func([]*manifest.Object) []lint.Finding) (made []Change, added []*manifest.Object, left []lint.Finding) {
	s := &state{judge: judge, refused: map[key]bool{}}
	s.read = func() []*manifest.Object { return append(objects[:len(objects):len(objects)], added...) }
	for round := 0; ; round++ {
		jobs := s.jobs()
		if len(jobs) == 0 || round == rounds {
			return made, added, s.found
		}
		for _, j := range compatible(jobs) {
			made = append(made, j.make()...)
			if n := j.finding.Repair.Create; n != nil {
				created, _ := manifest.Objects([]*manifest.Node{n})
				added = append(added, created...)
			}
		}
	}
}

// make makes the fix, and returns what another one has not changed already.
func (j job) make() []Change {
	var made []Change
	object := j.finding.Object.Node
	for _, c := range j.changes {
		before := object.Get(c.path...)
		if (before == nil) == (c.value == nil) && manifest.Equal(before, c.value) {
			continue
		}
		if before != nil {
			before = before.Clone()
		}
		made = append(made, Change{j.finding, manifest.PathText(object, c.path), before, c.value})
	}
	if err := j.finding.Repair.Apply(object); err != nil {
		return nil // what it was tried on was the same
	}
	return made
}
