// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"cmp"
	"path/filepath"
	"slices"

	"kilter.dev/kilter/internal/kube"
	"kilter.dev/kilter/internal/manifest"
)

// file is the objects of a file that is judged with its neighbours.
type file struct {
	name string
	unit
}

// mostSets is how many sets of alternatives see the rest of their folder: each of them goes over
// all of it.
const mostSets = 32

// group makes units of the files. Those of a folder are one, unless some define the same
// object: then there is a unit for each set of alternatives, with what has none.
func (in *inputs) group() {
	var folders []string
	byFolder := map[string][]file{}
	for _, f := range in.files {
		folder := filepath.Dir(f.name)
		if byFolder[folder] == nil {
			folders = append(folders, folder)
		}
		byFolder[folder] = append(byFolder[folder], f)
	}
	for _, folder := range folders {
		common, sets := alternatives(byFolder[folder])
		if len(sets) == 0 {
			sets = [][]file{nil}
		}
		for i, set := range sets {
			var neighbours []file
			switch {
			case i == 0:
				set = slices.Concat(common, set)
			case i < mostSets:
				neighbours = common
			}
			in.units = append(in.units, in.together(set, neighbours))
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

// alternatives parts files into those that share no object with another one, and sets of the
// others in which no two define the same. The first set has those with the most objects, so
// that what all sets have in common is judged with as much as there can be beside it.
func alternatives(files []file) (common []file, sets [][]file) {
	defined := map[manifest.ID]map[string]bool{}
	for _, f := range files {
		for _, id := range f.ids() {
			if defined[id] == nil {
				defined[id] = map[string]bool{}
			}
			defined[id][f.name] = true
		}
	}
	var shared []file
	for _, f := range files {
		if slices.ContainsFunc(f.ids(), func(id manifest.ID) bool { return len(defined[id]) > 1 }) {
			shared = append(shared, f)
		} else {
			common = append(common, f)
		}
	}
	slices.SortStableFunc(shared, func(a, b file) int { return len(b.objects) - len(a.objects) })
	next := map[manifest.ID]int{} // the first set that does not define it
	for _, f := range shared {
		set := 0
		for _, id := range f.ids() {
			set = max(set, next[id])
		}
		for _, id := range f.ids() {
			next[id] = set + 1
		}
		if set == len(sets) {
			sets = append(sets, nil)
		}
		sets[set] = append(sets[set], f)
	}
	return common, sets
}

// ids are those of the objects that have a name.
func (f file) ids() (all []manifest.ID) {
	for _, o := range f.objects {
		if o.Name != "" {
			all = append(all, o.ID())
		}
	}
	return all
}
