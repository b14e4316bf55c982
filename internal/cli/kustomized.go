// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"os"
	"path/filepath"
	"strings"

	"kilter.dev/kilter/internal/diag"
	"kilter.dev/kilter/internal/manifest"
	"kilter.dev/kilter/internal/render"
	"kilter.dev/kilter/internal/source"
)

// kustomized returns the objects that the kustomization at path builds, when these are the
// texts of files, by their names. What a file of its resources or patches says as it is built
// has its place there, and all else is at the kustomization's own file.
func kustomized(path string, texts map[string]string) ([]*manifest.Object, diag.List) {
	docs, list := render.Path(path, render.Options{Texts: texts})
	objects, errs := manifest.Objects(docs)
	if list.Add(errs); len(objects) == 0 {
		return nil, list
	}
	resources, patchFiles := render.Sources(path)
	written, patches := objectsIn(read(resources, texts)), objectsIn(read(patchFiles, texts))
	own := source.New(objects[0].Span.File.Origin, "")
	own.Origin = own.Name
	for _, o := range objects {
		from := []*manifest.Node{writtenAs(o, written)}
		for _, patch := range patches {
			if becomes(patch, o) {
				from = append(from, patch.Node)
			}
		}
		o.Place(from, source.Span{File: own})
	}
	return objects, list
}

func objectsIn(files []*source.File) (objects []*manifest.Object) {
	for _, f := range files {
		objects = append(objects, plainObjects(f)...)
	}
	return objects
}

// read returns the files that can be read, with the texts that are given.
func read(names []string, texts map[string]string) (files []*source.File) {
	for _, name := range names {
		text, known := texts[filepath.Clean(name)]
		if !known {
			data, err := os.ReadFile(name)
			if err != nil {
				continue
			}
			text = string(data)
		}
		files = append(files, source.New(name, text))
	}
	return files
}

// writtenAs returns what an object was before it was built, nil for none and where it may be
// one of two: of those that it may be, that with the longest name.
func writtenAs(built *manifest.Object, written []*manifest.Object) (best *manifest.Node) {
	longest := -1
	for _, o := range written {
		switch n := len(o.Name); {
		case n < longest || !becomes(o, built):
		case n == longest:
			best = nil
		default:
			best, longest = o.Node, n
		}
	}
	return best
}

// becomes reports whether an object may be built of the one that is written: the name may
// have got a prefix and a suffix.
func becomes(written, built *manifest.Object) bool {
	return written.Kind == built.Kind && written.ID().Group == built.ID().Group && strings.Contains(built.Name, written.Name)
}
