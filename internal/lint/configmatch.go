// SPDX-License-Identifier: Apache-2.0

package lint

import (
	"path"
	"slices"
	"strings"

	"kilter.dev/kilter/internal/diag"
	"kilter.dev/kilter/internal/manifest"
	"kilter.dev/kilter/internal/source"
)

// exception says which findings a repository accepts: those of its rules that meet every
// selector that is not empty.
type exception struct {
	rules             []named
	paths             []string // globs, relative to the folder of the configuration
	kinds             []string // Deployment, or apps/Deployment
	names, namespaces []string // globs
	until             string   // the last day it counts, "" for always
	reason            string

	span, untilSpan source.Span
}

// named is a name and where it stands.
type named struct {
	name string
	span source.Span
}

// selects reports whether the exception is about an object in a file; the zero Ref is none.
func (e *exception) selects(o diag.Ref, file string) bool {
	group, _, found := strings.Cut(o.APIVersion, "/")
	if !found {
		group = ""
	}
	kind := Kind{group, o.Kind}.String()
	return matches(e.paths, func(p string) bool { return matchPath(p, file) }) &&
		(len(e.kinds) == 0 || slices.Contains(e.kinds, o.Kind) || slices.Contains(e.kinds, kind)) &&
		matches(e.names, func(p string) bool { return glob(p, o.Name) }) &&
		matches(e.namespaces, func(p string) bool { return glob(p, manifest.Namespace(o.Namespace)) })
}

// matches reports whether one of the patterns matches, or there is none.
func matches(patterns []string, match func(string) bool) bool {
	return len(patterns) == 0 || slices.ContainsFunc(patterns, match)
}

func glob(pattern, name string) bool {
	ok, err := path.Match(pattern, name)
	return ok && err == nil
}

// matchPath reports whether the pattern matches name or a folder above it. Segments match
// as in path.Match, and ** any number of them.
func matchPath(pattern, name string) bool {
	segments := strings.Split(path.Clean(pattern), "/")
	if len(segments) == 1 && segments[0] == "." {
		return true
	}
	segments = slices.CompactFunc(segments, func(a, b string) bool { return a == "**" && b == "**" })
	return matchSegments(segments, strings.Split(path.Clean(name), "/"))
}

func matchSegments(pattern, name []string) bool {
	for i, segment := range pattern {
		if segment == "**" {
			for skip := range len(name) + 1 {
				if matchSegments(pattern[i+1:], name[skip:]) {
					return true
				}
			}
			return false
		}
		if len(name) == 0 || !glob(segment, name[0]) {
			return false
		}
		name = name[1:]
	}
	return true
}
