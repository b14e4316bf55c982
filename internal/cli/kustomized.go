// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"kilter.dev/kilter/internal/diag"
	"kilter.dev/kilter/internal/lint"
	"kilter.dev/kilter/internal/manifest"
	"kilter.dev/kilter/internal/render"
	"kilter.dev/kilter/internal/source"
)

// kustomized builds the kustomization at path, when these are the texts of files, by their
// names. What a file of its resources or patches says as it is built has its place there, and
// all else is at the kustomization's own file.
func (in *inputs) kustomized(path string, texts map[string]string) (rendering, diag.List) {
	docs, list := in.build(path, texts)
	objects, errs := manifest.Objects(docs)
	if list.Add(errs); len(objects) == 0 {
		return rendering{}, list
	}
	r := rendering{objects, map[*manifest.Object][]*manifest.Object{}}
	resources, patches := render.Sources(path)
	of := in.builtOf(path, render.Written(append(resources, patches...), texts), texts)
	own := source.New(objects[0].Span.File.Origin, "")
	own.Origin = own.Name
	for _, object := range objects {
		var from []*manifest.Node
		for _, written := range of[object.ID()] {
			from = append(from, written.Node)
		}
		object.Place(from, source.Span{File: own})
		r.of[object] = of[object.ID()]
	}
	return r, list
}

func (in *inputs) build(path string, texts map[string]string) ([]*manifest.Node, diag.List) {
	rules := func() (*lint.Rules, error) { return in.set.rules, nil }
	return render.Path(path, render.Options{Texts: texts, Function: called(in.options.profiles, rules)})
}

// mark begins annotations that number the objects in files.
const mark = "mark.kilter.dev/"

// builtOf returns of which objects in the files each object is built. kustomize itself is
// asked, in a build in which each of them has an annotation of its own: those of resources and
// of patches go on into what is built, whatever becomes of the name.
func (in *inputs) builtOf(path string, files []*source.File, texts map[string]string) map[manifest.ID][]*manifest.Object {
	texts = maps.Clone(texts)
	if texts == nil {
		texts = map[string]string{}
	}
	var written []*manifest.Object
	for _, f := range files {
		docs, _ := manifest.Parse(f)
		objects, _ := manifest.Objects(docs)
		for _, o := range objects {
			own := *o
			own.Node = o.Clone()
			if annotations, err := o.Reach("metadata", "annotations"); err == nil {
				annotations.Set(mark+strconv.Itoa(len(written)), manifest.NewString(""))
			}
			written = append(written, &own)
		}
		if len(objects) > 0 {
			texts[filepath.Clean(f.Name)] = manifest.Print(docs...)
		}
	}
	docs, _ := in.build(path, texts)
	built, _ := manifest.Objects(docs)
	of := map[manifest.ID][]*manifest.Object{}
	for _, o := range built {
		of[o.ID()] = marked(o, written)
	}
	return of
}

// marked returns those of the objects in files that o is marked with, in their order.
func marked(o *manifest.Object, written []*manifest.Object) (of []*manifest.Object) {
	var numbers []int
	if annotations := o.Get("metadata", "annotations"); annotations != nil {
		for _, f := range annotations.Fields {
			text, ok := strings.CutPrefix(f.Key, mark)
			if i, err := strconv.Atoi(text); ok && err == nil && 0 <= i && i < len(written) {
				numbers = append(numbers, i)
			}
		}
	}
	slices.Sort(numbers)
	for _, i := range slices.Compact(numbers) {
		of = append(of, written[i])
	}
	return of
}
