// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"os"

	"kilter.dev/kilter/internal/diag"
	"kilter.dev/kilter/internal/manifest"
	"kilter.dev/kilter/internal/render"
)

// parsed is what was read of a file.
type parsed struct {
	docs []*manifest.Node
	list diag.List
}

// readAhead reads the files of manifests among paths, as many at the same time as there are
// processors: to parse is most of the work, and no file depends on another. What is no file,
// such as a pipe, is left to whoever takes it, since it can be read only once.
func (in *inputs) readAhead(paths []string) {
	var files []string
	for _, path := range paths {
		info, err := os.Stat(path)
		if err != nil || !info.Mode().IsRegular() {
			continue
		}
		if kind, err := render.Detect(path); err == nil && kind == render.KindManifests {
			files = append(files, path)
		}
	}
	if len(files) < 2 {
		return
	}
	read := make([]parsed, len(files))
	atOnce(len(files), func(i int) {
		read[i].docs, read[i].list = render.Files(files[i:i+1], render.Options{})
	})
	for i, path := range files {
		in.ahead[path] = read[i]
	}
}

// take returns what a file, or standard input, holds. What was read ahead is not kept: whoever
// asks again gets documents of their own.
func (in *inputs) take(path string) ([]*manifest.Node, diag.List) {
	if p, ok := in.ahead[path]; ok {
		delete(in.ahead, path)
		return p.docs, p.list
	}
	return render.Files([]string{path}, render.Options{Stdin: in.options.in})
}

// filesOf are the paths of the files among what a folder holds.
func filesOf(found []render.Found) (paths []string) {
	for _, f := range found {
		if f.Kind == render.KindManifests {
			paths = append(paths, f.Path)
		}
	}
	return paths
}
