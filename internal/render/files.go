// SPDX-License-Identifier: Apache-2.0

package render

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"kilter.dev/kilter/internal/diag"
	"kilter.dev/kilter/internal/manifest"
	"kilter.dev/kilter/internal/source"
)

// Files returns the documents of the files at paths, in the order given. "-" reads
// o.Stdin. A folder stands for its *.yaml, *.yml and *.json files at any depth, sorted;
// in it a chart or a kustomization is rendered as such, and hidden folders are left
// out. All errors are in the list; a bad file does not hide the others. A path that
// holds no file to read is an error.
func Files(paths []string, o Options) ([]*manifest.Node, diag.List) {
	w := &walk{options: o}
	for _, path := range paths {
		w.read = 0
		w.path(path)
		if w.read == 0 && w.list.Err() == nil {
			w.list.Errorf(source.Span{}, "nothing-there", "no manifests in %q", path).Hint =
				"give a chart, a kustomization, or YAML or JSON files"
		}
	}
	return w.nodes, w.list
}

// walk collects documents.
type walk struct {
	options Options
	nodes   []*manifest.Node
	list    diag.List
	read    int // files and folders rendered for the current path
}

func (w *walk) path(path string) {
	if path != Stdin {
		info, err := os.Stat(path)
		if err != nil {
			w.list.Add(unreadable(path, err))
			return
		}
		if info.IsDir() {
			w.folder(path)
			return
		}
	}
	file, list := readFile(path, w.options.Stdin)
	w.list.Add(list)
	if file != nil {
		w.add(manifest.Parse(file))
	}
}

func (w *walk) add(nodes []*manifest.Node, list diag.List) {
	w.read++
	w.nodes = append(w.nodes, nodes...)
	w.list.Add(list)
}

// folder visits dir in the order of names.
func (w *walk) folder(dir string) {
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			w.list.Add(unreadable(path, err))
		case entry.IsDir():
			return w.enter(dir, path)
		case isManifest(path):
			w.path(path)
		}
		return nil
	})
	if err != nil {
		w.list.Add(unreadable(dir, err))
	}
}

// enter renders the folder at path as a whole where it is a chart or a kustomization.
func (w *walk) enter(top, path string) error {
	if path == top {
		return nil
	}
	if strings.HasPrefix(filepath.Base(path), ".") {
		return filepath.SkipDir
	}
	switch detectFolder(path) {
	case KindChart:
		w.add(Chart(path, w.options))
	case KindKustomization:
		if !isComponent(path) {
			w.add(Kustomization(path))
		}
	default:
		return nil
	}
	return filepath.SkipDir
}

func isManifest(path string) bool {
	switch strings.ToLower(filepath.Ext(path)) {
	case ".yaml", ".yml", ".json":
		return true
	}
	return false
}
