// SPDX-License-Identifier: Apache-2.0

package render

import (
	"path/filepath"
	"slices"
	"strings"

	"kilter.dev/kilter/internal/diag"
	"kilter.dev/kilter/internal/manifest"
	"kilter.dev/kilter/internal/source"
)

// Function is what Kilter does as a KRM function: config is its functionConfig, docs what it
// is called with, none for a generator. They may be changed; the result holds all there are then.
type Function func(config *manifest.Node, docs []*manifest.Node) ([]*manifest.Node, diag.List)

// builder builds kustomizations whose functions are Kilter's own. kustomize can call functions
// only as programs, of whatever name a kustomization says, so it is left to build what comes
// before a call and what comes after it, and between them function is called here. The result
// is that of kustomize with functions enabled. It is refused where a base calls the function and
// gives its objects other names, since what builds on it may know them by those before.
type builder struct {
	function Function          // nil: functions are refused
	texts    map[string]string // as those of Options
}

// build builds the kustomization in dir.
func (b builder) build(dir string) ([]*manifest.Node, diag.List) {
	file, ok := KustomizationFile(dir)
	if b.function == nil || !ok || !b.calls(dir) {
		return kustomization(dir, b.texts)
	}
	s := &steps{builder: b, dir: dir, file: file, rest: b.first(file).Clone()}
	for _, step := range []func(){s.bases, s.generators, s.components, s.transformers} {
		if step(); s.list.Err() != nil {
			return nil, s.list
		}
	}
	docs := s.built(s.rest)
	return docs, s.list
}

// calls reports whether the kustomization in dir calls the function, or one that it builds on.
func (b builder) calls(dir string) bool {
	return b.some(dir, map[string]bool{}, func(dir string, kustomization *manifest.Node) bool {
		return slices.ContainsFunc([]string{"generators", "transformers"}, func(key string) bool {
			return slices.ContainsFunc(items(kustomization.Get(key)), func(entry *manifest.Node) bool { return b.configs(dir, entry) != nil })
		})
	})
}

// some reports whether a test is true of the kustomization in dir, or of one that it builds on.
func (b builder) some(dir string, seen map[string]bool, test func(dir string, kustomization *manifest.Node) bool) bool {
	file, ok := KustomizationFile(dir)
	if !ok || seen[file] {
		return false
	}
	seen[file] = true
	kustomization := b.first(file)
	if test(dir, kustomization) {
		return true
	}
	for _, key := range builtOn {
		for _, entry := range items(kustomization.Get(key)) {
			if entry.Text() != "" && b.some(filepath.Join(dir, filepath.FromSlash(entry.Text())), seen, test) {
				return true
			}
		}
	}
	return false
}

// parse returns the documents of a file of a kustomization, nil when it cannot be read.
func (b builder) parse(name string) []*manifest.Node {
	for _, f := range Written([]string{name}, b.texts) {
		if docs, list := manifest.Parse(f); list.Err() == nil {
			return docs
		}
	}
	return nil
}

// first returns the first of them, nil when there is none.
func (b builder) first(name string) *manifest.Node {
	if docs := b.parse(name); len(docs) > 0 {
		return docs[0]
	}
	return nil
}

// functionAnnotation says of an object that it is the functionConfig of a function, and of which.
const functionAnnotation = "config.kubernetes.io/function"

// configs returns the functionConfigs of Kilter that an entry of a kustomization in dir names
// or holds; nil when there is something else, too.
func (b builder) configs(dir string, entry *manifest.Node) []*manifest.Node {
	var docs []*manifest.Node
	switch {
	case inPlace(entry):
		docs, _ = manifest.Parse(source.New("", entry.Text()))
	case filepath.IsLocal(entry.Text()):
		name := filepath.Join(dir, filepath.FromSlash(entry.Text()))
		if _, ok := KustomizationFile(name); ok {
			docs, _ = kustomization(name, b.texts)
		} else {
			docs = b.parse(name)
		}
	}
	for _, n := range docs {
		if n.Span.File.Name == "" {
			n.Place(nil, entry.Span)
		}
		if !strings.HasPrefix(n.Get("apiVersion").Text(), "kilter.dev/") || n.Get("metadata", "annotations", functionAnnotation).Text() == "" {
			return nil
		}
	}
	return docs
}
