// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"kilter.dev/kilter/internal/manifest"
	"kilter.dev/kilter/internal/render"
	"kilter.dev/kilter/internal/source"
)

// origin is where the objects of a unit come from.
type origin struct {
	files []*source.File // that can be edited
	read  func(*source.File) []*manifest.Object
	// again renders a unit when the objects in the files have become these; nil where nothing
	// is rendered.
	again func(unit, []*manifest.Object) (rendering, error)
	units []unit // that are rendered from the files, the one to be fixed first
	hint  string // what to do about what is not in the files
}

func (x *fixer) origin(u unit) origin {
	switch {
	case u.chart != "":
		return x.chart(u)
	case u.kustomization != "":
		return x.kustomization(u)
	case u.from != nil:
		return origin{
			again: func(u unit, _ []*manifest.Object) (rendering, error) { return rendering{objects: u.objects}, nil },
			units: []unit{u},
			hint:  "it is rendered from a workload file: change the parameters, or the profile",
		}
	}
	from := origin{read: plainObjects}
	if u.recipe {
		from.read = recipeObjects
	}
	for _, o := range u.objects {
		if f := x.file(o.Span.File); !slices.Contains(from.files, f) {
			from.files = append(from.files, f)
		}
	}
	return from
}

// kustomization has the files of resources that are in the paths of the command line: what
// is elsewhere may be built on by others.
func (x *fixer) kustomization(u unit) origin {
	from := origin{
		read: plainObjects, again: x.kustomized, units: []unit{u},
		hint: "it is built by a kustomization: patch it, or fix the file that it is built from where that is right for all that is built from it",
	}
	resources, _ := render.Sources(u.kustomization)
	for _, f := range render.Written(resources, nil) {
		if x.in.below(f.Name) {
			from.files = append(from.files, x.file(f))
		}
	}
	for _, other := range x.in.units {
		if other.kustomization == "" || other.kustomization == u.kustomization {
			continue
		}
		theirs, _ := render.Sources(other.kustomization)
		if slices.ContainsFunc(theirs, func(name string) bool { return slices.Contains(resources, name) }) {
			from.units = append(from.units, other)
		}
	}
	return from
}

// kustomized builds the kustomization of a unit, unless the last build of it was of the same.
func (x *fixer) kustomized(u unit, objects []*manifest.Object) (rendering, error) {
	texts := x.texts(objects)
	last, ok := x.builds[u.kustomization]
	if !ok || !maps.Equal(last.texts, texts) {
		built, list := x.in.kustomized(u.kustomization, texts)
		last = build{texts, built, list.Err()}
		x.builds[u.kustomization] = last
	}
	return last.rendering, last.err
}

// below reports whether a file is in one of the paths of the command line.
func (in *inputs) below(name string) bool {
	return slices.ContainsFunc(in.options.paths, func(path string) bool {
		if info, err := os.Stat(path); err == nil && !info.IsDir() {
			path = filepath.Dir(path)
		}
		return !outside(filepath.Rel(in.set.absolute(path), in.set.absolute(name)))
	})
}

// chart has the templates that are rendered to what they are, with whatever values.
func (x *fixer) chart(u unit) origin {
	from := origin{read: plainObjects, hint: "it is rendered from a chart: change the template, or the values that it has by default"}
	count := map[string]int{} // objects, by the template
	for _, o := range u.objects {
		count[o.Span.File.Origin]++
	}
	plain := map[string]bool{}
	for _, name := range slices.Sorted(maps.Keys(count)) {
		text, err := os.ReadFile(name)
		if f := source.New(name, string(text)); err == nil && !strings.Contains(f.Text, "{{") && len(plainObjects(f)) == count[name] {
			from.files, plain[name] = append(from.files, x.file(f)), true
		}
	}
	from.units = append([]unit{u}, slices.DeleteFunc(slices.Clone(x.in.units), func(other unit) bool {
		return other.chart != u.chart || other.with == u.with
	})...)
	from.again = func(u unit, objects []*manifest.Object) (rendering, error) {
		rest := slices.DeleteFunc(slices.Clone(u.objects), func(o *manifest.Object) bool { return plain[o.Span.File.Origin] })
		return rendering{objects: append(rest, objects...)}, nil
	}
	return from
}

// plainObjects returns the Kubernetes objects of a file.
func plainObjects(f *source.File) []*manifest.Object {
	docs, _ := manifest.Parse(f)
	objects, _ := manifest.Objects(slices.DeleteFunc(docs, func(n *manifest.Node) bool {
		return strings.HasPrefix(n.Get("apiVersion").Text(), "kilter.dev/")
	}))
	return objects
}

// recipeObjects returns the objects of a kustomization's own file.
func recipeObjects(f *source.File) []*manifest.Object {
	docs, _ := manifest.Parse(f)
	return recipes(docs)
}
