// SPDX-License-Identifier: Apache-2.0

package render

import (
	"io"
	"os"

	"kilter.dev/kilter/internal/diag"
	"kilter.dev/kilter/internal/manifest"
	"kilter.dev/kilter/internal/source"
)

// Files returns the documents of the files at paths, in the order given. "-" reads
// o.Stdin. A folder stands for what Find finds in it, each rendered as what it is. All
// errors are in the list; a bad file does not hide the others. A path that holds no file to
// read is an error.
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
			w.list.Add(Unreadable(path, err))
			return
		}
		if info.IsDir() {
			w.folder(path)
			return
		}
	}
	file, list := ReadFile(path, w.options.Stdin)
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

// folder renders what is in dir.
func (w *walk) folder(dir string) {
	found, list := Find(dir)
	w.list.Add(list)
	for _, f := range found {
		switch {
		case f.Part:
		case f.Kind == KindChart:
			w.add(Chart(f.Path, w.options))
		case f.Kind == KindKustomization:
			w.add(builder{w.options.Function, w.options.Texts}.build(f.Path))
		default:
			w.path(f.Path)
		}
	}
}

// ReadFile reads name, or stdin where name is "-". The text is as it stands there, with a
// byte order mark. What is read twice may be empty the second time: it may be a pipe.
func ReadFile(name string, stdin io.Reader) (*source.File, diag.List) {
	if name != Stdin {
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, Unreadable(name, err)
		}
		return source.New(name, string(text)), nil
	}
	if stdin == nil {
		return nil, failed("unreadable", "nothing to read from standard input")
	}
	text, err := io.ReadAll(stdin)
	if err != nil {
		return nil, failed("unreadable", "read standard input: %v", err)
	}
	return source.New("<stdin>", string(text)), nil
}
