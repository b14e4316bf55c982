// SPDX-License-Identifier: Apache-2.0

package render_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"kilter.dev/kilter/internal/manifest"
	"kilter.dev/kilter/internal/render"
	"kilter.dev/kilter/internal/source"
)

// TestCorpus: real manifests and odd ones are read without a panic, the same by name, by
// folder and from standard input, and objects that are taken print and parse again.
func TestCorpus(t *testing.T) {
	for _, dir := range []string{"corpus", "odd-yaml"} {
		root := filepath.Join("..", "..", "..", "shared", dir)
		files, _ := filepath.Glob(filepath.Join(root, "*.yaml"))
		if len(files) == 0 {
			t.Skipf("no files in %s", root)
		}
		documents := 0
		for _, file := range files {
			nodes, list := render.Path(file, render.Options{})
			documents += len(nodes)
			if len(nodes) == 0 && list.Err() == nil && !empty(t, file) {
				t.Errorf("%s: nothing, and no error", file)
			}
			again(t, file, nodes)
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			stdin, _ := render.Path(render.Stdin, render.Options{Stdin: bytes.NewReader(text)})
			if manifest.Print(stdin...) != manifest.Print(nodes...) {
				t.Errorf("%s differs on standard input", file)
			}
		}
		nodes, _ := render.Path(root, render.Options{})
		if len(nodes) != documents {
			t.Errorf("%s: %d documents, its files hold %d", root, len(nodes), documents)
		}
	}
}

// empty says whether the file holds no document but null ones.
func empty(t *testing.T, file string) bool {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return len(bytes.Trim(text, "-\n \t")) == 0
}

// again prints the objects among the nodes and reads them back.
func again(t *testing.T, file string, nodes []*manifest.Node) {
	t.Helper()
	objects, list := manifest.Objects(nodes)
	if list.Err() != nil {
		return
	}
	for _, o := range objects {
		back, list := manifest.Parse(source.New(file, manifest.Print(o.Node)))
		if err := list.Err(); err != nil || len(back) != 1 || !manifest.Equal(back[0], o.Node) {
			t.Errorf("%s: %s %s does not come back: %v", file, o.Kind, o.Name, err)
		}
	}
}
