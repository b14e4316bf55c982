// SPDX-License-Identifier: Apache-2.0

package render

import (
	"os"
	"path/filepath"
	"slices"

	"sigs.k8s.io/kustomize/api/konfig"

	"kilter.dev/kilter/internal/manifest"
	"kilter.dev/kilter/internal/source"
)

// builtOn are the fields of a kustomization that name files of objects, and folders with
// kustomizations of their own.
var builtOn = []string{"resources", "bases", "components"}

// Sources returns the files with the objects that the kustomization at path builds on, and
// those with patches of them, at any depth, each once. What cannot be read is left out:
// Kustomization says why.
func Sources(path string) (resources, patches []string) {
	seen := map[string]bool{}
	var build func(dir string)
	build = func(dir string) {
		file, ok := KustomizationFile(dir)
		if !ok || seen[file] {
			return
		}
		seen[file] = true
		kustomization := firstOf(file)
		for _, patch := range items(kustomization.Get("patches")) {
			patches = appendFiles(patches, dir, patch.Get("path"))
		}
		patches = appendFiles(patches, dir, items(kustomization.Get("patchesStrategicMerge"))...)
		var entries []*manifest.Node
		for _, key := range builtOn {
			entries = append(entries, items(kustomization.Get(key))...)
		}
		resources = appendFiles(resources, dir, entries...)
		for _, entry := range entries {
			if entry.Text() != "" {
				build(filepath.Join(dir, filepath.FromSlash(entry.Text())))
			}
		}
	}
	build(root(path, konfig.RecognizedKustomizationFileNames()...))
	return resources, patches
}

// Written returns the files that can be read, with the texts of Options. A pipe is read once,
// where its text is needed, and not here.
func Written(names []string, texts map[string]string) (files []*source.File) {
	for _, name := range names {
		text, known := texts[filepath.Clean(name)]
		if !known {
			if !isFile(name) {
				continue
			}
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

// appendFiles appends those files that entries of a kustomization in dir name, and that are
// not there yet.
func appendFiles(files []string, dir string, entries ...*manifest.Node) []string {
	for _, entry := range entries {
		name := filepath.Join(dir, filepath.FromSlash(entry.Text()))
		if isFile(name) && !slices.Contains(files, name) {
			files = append(files, name)
		}
	}
	return files
}
