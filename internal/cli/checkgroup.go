// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"

	"kilter.dev/kilter/internal/kube"
	"kilter.dev/kilter/internal/manifest"
)

// file is the objects of a file that is judged with others.
type file struct {
	name string
	unit
	steps []string // its absolute path
}

// mostSets is how many sets of alternatives see what goes with all of them: each goes over
// all of it.
const mostSets = 32

// group makes units of the files. All of them are one, unless some define the same object:
// then there is a unit for each set of alternatives, with what has none. Of folders that
// define the same object all that is in one is the alternative to all that is in another.
func (in *inputs) group() {
	var files []file
	seen := map[string]bool{}
	for _, f := range in.files {
		path := in.set.absolute(f.name)
		if f.steps = strings.Split(path, string(filepath.Separator)); !seen[path] {
			files = append(files, f)
		}
		seen[path] = true
	}
	for i, s := range choose(files, 0).with() {
		if i == 0 || len(s.files) > 0 {
			in.addUnit(in.together(s.files, s.beside))
		}
	}
	in.files = nil
}

// together is the unit of files that are judged beside neighbours, for the newest of the
// versions they are for.
func (in *inputs) together(files, neighbours []file) unit {
	all := unit{kube: in.kube, neighbours: map[string]bool{}}
	for i, f := range slices.Concat(files, neighbours) {
		all.objects = append(all.objects, f.objects...)
		if kube.AtLeast(cmp.Or(f.kube, kube.Default), cmp.Or(all.kube, kube.Default)) {
			all.kube = f.kube
		}
		if i < len(files) {
			all.raw = append(all.raw, f.raw...)
		} else {
			all.neighbours[f.name] = true
		}
	}
	return all
}

// choice is files of which some are alternatives.
type choice struct {
	common []file // that share no object with another one
	sets   []set
	byName map[string]int // where in sets
}

// set is files of which no two define the same object, though others define theirs, and what
// is beside them. Sets are named after what the alternatives are called in their folder:
// those of one name in several folders, such as dev and prod, belong together.
type set struct {
	name          string
	files, beside []file
}

// choose makes a choice of files whose paths are the same before the step at depth.
func choose(files []file, depth int) choice {
	if len(files) < 2 {
		return choice{common: files}
	}
	parts := partsAt(files, depth)
	if len(parts) == 1 {
		return choose(files, depth+1)
	}
	alone, groups := alternatives(parts)
	all := chooseAll(alone, depth+1)
	for _, group := range groups {
		name := group[0][0].steps[depth]
		for _, s := range chooseAll(group, depth+1).with() {
			s.name = name + "/" + s.name
			all.add(s)
		}
	}
	return all
}

// chooseAll makes one choice of parts that have no object in common.
func chooseAll(parts [][]file, depth int) choice {
	all := choice{byName: map[string]int{}}
	for _, part := range parts {
		c := choose(part, depth)
		all.common = append(all.common, c.common...)
		for _, s := range c.sets {
			all.add(s)
		}
	}
	return all
}

func (c *choice) add(s set) {
	i, ok := c.byName[s.name]
	if !ok {
		c.byName[s.name], c.sets = len(c.sets), append(c.sets, s)
		return
	}
	c.sets[i].files, c.sets[i].beside = append(c.sets[i].files, s.files...), append(c.sets[i].beside, s.beside...)
}

// with are the sets, at least one, with what is common to them: it is in the first one, and
// beside the next ones.
func (c choice) with() []set {
	if len(c.sets) == 0 {
		return []set{{files: c.common}}
	}
	for i := range c.sets {
		switch s := &c.sets[i]; {
		case i == 0:
			s.files = slices.Concat(c.common, s.files)
		case i < mostSets:
			s.beside = slices.Concat(c.common, s.beside)
		}
	}
	return c.sets
}

// partsAt parts files by a step of their paths: each file by itself, and all that is in a
// folder.
func partsAt(files []file, depth int) (parts [][]file) {
	byStep := map[string]int{}
	for _, f := range files {
		i, ok := byStep[f.steps[depth]]
		if !ok {
			i = len(parts)
			byStep[f.steps[depth]], parts = i, append(parts, nil)
		}
		parts[i] = append(parts[i], f)
	}
	return parts
}

// alternatives returns the parts that share no object with another one, and groups of the
// others in which no two define the same. The first group has those with the most objects, so
// that what all have in common is judged with as much as there can be beside it.
func alternatives(parts [][]file) (alone [][]file, groups [][][]file) {
	definedBy := map[manifest.ID]int{} // how many parts
	for _, part := range parts {
		for _, id := range ids(part) {
			definedBy[id]++
		}
	}
	var shared [][]file
	for _, part := range parts {
		if slices.ContainsFunc(ids(part), func(id manifest.ID) bool { return definedBy[id] > 1 }) {
			shared = append(shared, part)
		} else {
			alone = append(alone, part)
		}
	}
	slices.SortStableFunc(shared, func(a, b []file) int { return objects(b) - objects(a) })
	next := map[manifest.ID]int{} // the first group that does not define it
	for _, part := range shared {
		at := 0
		for _, id := range ids(part) {
			at = max(at, next[id])
		}
		for _, id := range ids(part) {
			next[id] = at + 1
		}
		if at == len(groups) {
			groups = append(groups, nil)
		}
		groups[at] = append(groups[at], part)
	}
	return alone, groups
}

func objects(part []file) (n int) {
	for _, f := range part {
		n += len(f.objects)
	}
	return n
}

// ids are those of the objects that have a name, each once.
func ids(part []file) (all []manifest.ID) {
	seen := map[manifest.ID]bool{}
	for _, f := range part {
		for _, o := range f.objects {
			if id := o.ID().In(""); o.Name != "" && !seen[id] {
				seen[id], all = true, append(all, id)
			}
		}
	}
	return all
}
