// SPDX-License-Identifier: Apache-2.0

package fix

import (
	"slices"
	"strconv"

	"kilter.dev/kilter/internal/manifest"
)

// change is a value that a fix sets, nil for one that it deletes.
type change struct {
	path  []string
	value *manifest.Node
}

// changes returns in what after differs from before, as deep as it can be told. A map that
// is new is told by its fields: others may add to it.
func changes(path []string, before, after *manifest.Node) []change {
	var all []change
	below := func(step string, before, after *manifest.Node) {
		all = append(all, changes(append(path[:len(path):len(path)], step), before, after)...)
	}
	switch {
	case before != nil && after != nil && manifest.Equal(before, after):
	case after != nil && after.Shape == manifest.Map && len(after.Fields) > 0 && isMapOrNothing(before):
		if before == nil {
			before = manifest.NewMap()
		}
		for _, f := range before.Fields {
			if after.Get(f.Key) == nil {
				below(f.Key, f.Value, nil)
			}
		}
		for _, f := range after.Fields {
			below(f.Key, before.Get(f.Key), f.Value)
		}
	case after != nil && before != nil && before.Shape == manifest.List && after.Shape == manifest.List && len(before.Items) <= len(after.Items):
		for i, item := range after.Items {
			below(strconv.Itoa(i), before.Get(strconv.Itoa(i)), item)
		}
	default:
		all = append(all, change{path, after})
	}
	return all
}

func isMapOrNothing(n *manifest.Node) bool {
	return n == nil || n.Shape == manifest.Map || n.Shape == manifest.Null
}

// inTheWay reports whether two changes cannot both be made.
func (c change) inTheWay(other change) bool {
	n := min(len(c.path), len(other.path))
	if !slices.Equal(c.path[:n], other.path[:n]) {
		return false
	}
	same := len(c.path) == len(other.path) && (c.value == nil) == (other.value == nil)
	return !same || !manifest.Equal(c.value, other.value)
}

// compatible returns the jobs that can be done at once: of those that are in each other's
// way the first, and of those that add the same object the first.
func compatible(jobs []job) []job {
	var chosen []job
	for _, j := range jobs {
		if !slices.ContainsFunc(chosen, j.inTheWay) {
			chosen = append(chosen, j)
		}
	}
	return chosen
}

func (j job) inTheWay(other job) bool {
	if a, b := j.finding.Repair.Create, other.finding.Repair.Create; a != nil && b != nil && sameObject(a, b) {
		return true
	}
	return j.finding.Object == other.finding.Object && slices.ContainsFunc(j.changes, func(c change) bool {
		return slices.ContainsFunc(other.changes, c.inTheWay)
	})
}

func sameObject(a, b *manifest.Node) bool {
	objects, _ := manifest.Objects([]*manifest.Node{a, b})
	return len(objects) == 2 && objects[0].ID().In("") == objects[1].ID().In("")
}
