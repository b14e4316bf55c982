// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"path/filepath"
	"slices"

	"kilter.dev/kilter/internal/lint"
	"kilter.dev/kilter/internal/manifest"
)

// rendering is the objects that something renders to.
type rendering struct {
	objects []*manifest.Object
	// of are the objects in files that kustomize built one of: that of a resource, and of
	// patches. nil: the objects are what stands in files.
	of map[*manifest.Object][]*manifest.Object
}

func (r rendering) writtenAs(o *manifest.Object) []*manifest.Object {
	if r.of == nil {
		return []*manifest.Object{o}
	}
	return r.of[o]
}

// written is an object in a file, however the text of the file changes.
type written struct {
	file string
	manifest.ID
}

func writtenOf(o *manifest.Object) written {
	return written{filepath.Clean(o.Span.File.Name), o.ID()}
}

// place is what findings of a rule, with a fix, about the same field have in common.
type place struct {
	rule, fix, path string
	written
}

func placeOf(f lint.Finding, o *manifest.Object) place {
	return place{f.Code, f.Fix, f.Path, writtenOf(o)}
}

// places returns the places in files that a finding in the rendering may be about.
func (r rendering) places(f lint.Finding) (all []place) {
	if f.Object == nil {
		return nil
	}
	for _, w := range r.writtenAs(f.Object) {
		all = append(all, placeOf(f, w))
	}
	return all
}

// condemn adds to vain those of the fixes made that leave their finding, or after which their
// object has one that was not there before.
func (r rendering) condemn(found, before []lint.Finding, made, vain map[place]bool) {
	type known struct {
		rule, path string
		manifest.ID
	}
	had := map[known]bool{}
	for _, f := range before {
		if f.Object != nil && f.Suppressed == nil {
			had[known{f.Code, f.Path, f.Object.ID()}] = true
		}
	}
	for _, f := range found {
		if f.Object == nil || f.Suppressed != nil {
			continue
		}
		brought := !had[known{f.Code, f.Path, f.Object.ID()}]
		for _, at := range r.places(f) {
			for m := range made {
				if m == at || brought && m.written == at.written {
					vain[m] = true
				}
			}
		}
	}
}

// agreed returns those of the findings in files that everything has, with the same fix, which
// is rendered of their objects, when this is found in the rendering: others are mended by what
// renders them, or ask for something else there. present says that something must be rendered.
func (r rendering) agreed(inFiles, found []lint.Finding, present bool) []lint.Finding {
	type part struct {
		place
		of *manifest.Object
	}
	repairs := map[part][]*lint.Repair{}
	for _, f := range found {
		for _, at := range r.places(f) {
			if f.Suppressed == nil {
				repairs[part{at, f.Object}] = append(repairs[part{at, f.Object}], f.Repair)
			}
		}
	}
	become := map[written][]*manifest.Object{}
	for _, o := range r.objects {
		for _, w := range r.writtenAs(o) {
			become[writtenOf(w)] = append(become[writtenOf(w)], o)
		}
	}
	return slices.DeleteFunc(inFiles, func(f lint.Finding) bool {
		objects := become[writtenOf(f.Object)]
		return present && len(objects) == 0 || slices.ContainsFunc(objects, func(o *manifest.Object) bool {
			return !slices.ContainsFunc(repairs[part{placeOf(f, f.Object), o}], f.Repair.Same)
		})
	})
}
