// SPDX-License-Identifier: Apache-2.0

package krm

import (
	"slices"
	"strconv"
	"strings"

	"kilter.dev/kilter/internal/diag"
	"kilter.dev/kilter/internal/manifest"
)

// omit takes out what serves the profile's own command and image alone, and what limits a
// workload by nothing but a default: one that runs well may need more. What stays open so is
// said, once for each parameter.
func (a *application) omit(main *manifest.Node) {
	var said []string
	for _, o := range a.inference.Omit {
		if slices.ContainsFunc(o.Unless, a.answered) || !o.Holds(a.queryValues) {
			continue
		}
		path := manifest.ParsePath(o.Path)
		value := lookup(a.model.Node, "", located(a.model, main, path))
		remove(a.model.Node, "", located(a.model, main, path))
		own := located(a.workload, a.main, path)
		if value == nil || lookup(a.workload.Node, "", own) != nil {
			continue
		}
		text := manifest.PathText(a.workload.Node, own)
		switch {
		case o.Reason != "":
			a.note(diag.Info, text, "%s is left open: %s", text, o.Reason)
		case len(o.Unless) > 0 && !slices.Contains(said, o.Unless[0]):
			said = append(said, o.Unless[0])
			a.note(diag.Info, text, "%s is left open: the profile's default, %s, may not do for what runs already; say what does with parameters.%s", text, scalar(value), o.Unless[0])
		}
	}
}

// located are the steps of a path that may begin with container, the one given, podSpec,
// podTemplate or jobSpec.
func located(t target, main *manifest.Node, path []string) []string {
	spec := append(slices.Clone(t.path), "spec")
	roots := map[string][]string{
		"container":   append(spec, "containers", strconv.Itoa(slices.Index(items(t.podSpec().Get("containers")), main))),
		"podSpec":     spec,
		"podTemplate": t.path,
		"jobSpec":     t.path[:max(len(t.path)-1, 0)],
	}
	if root, ok := roots[path[0]]; ok {
		return append(slices.Clone(root), path[1:]...)
	}
	return path
}

// answered reports whether the request or the workload itself says what a parameter is.
func (a *application) answered(parameter string) bool {
	n := a.written.Get(strings.Split(parameter, ".")...)
	return n != nil && n.Shape != manifest.Null
}

// lookup is what is at steps below n, a list called list or anything else; nil for nothing.
func lookup(n *manifest.Node, list string, steps []string) *manifest.Node {
	if n == nil || len(steps) == 0 {
		return n
	}
	if n.Shape != manifest.List {
		return lookup(n.Get(steps[0]), steps[0], steps[1:])
	}
	for i, item := range n.Items {
		if isCalled(list, item, steps[0]) || strconv.Itoa(i) == steps[0] {
			return lookup(item, "", steps[1:])
		}
	}
	return nil
}

// remove deletes what is at steps below n, a list called list or anything else. Items of a
// list are named by their key or their index.
func remove(n *manifest.Node, list string, steps []string) {
	switch {
	case n == nil:
	case n.Shape == manifest.List:
		for i, item := range slices.Backward(n.Items) {
			switch {
			case !isCalled(list, item, steps[0]) && strconv.Itoa(i) != steps[0]:
			case len(steps) == 1:
				n.Items = slices.Delete(n.Items, i, i+1)
			default:
				remove(item, "", steps[1:])
			}
		}
	case len(steps) > 1:
		remove(n.Get(steps[0]), steps[0], steps[1:])
	default:
		n.Delete(steps[0])
	}
}

func isCalled(list string, item *manifest.Node, key string) bool {
	return key != "" && (scalar(item.Get(mergeKey(list))) == key || itemKey(list, item) == key)
}
