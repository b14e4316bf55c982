// SPDX-License-Identifier: Apache-2.0

package render

import (
	"path/filepath"
	"slices"

	"sigs.k8s.io/kustomize/api/konfig"

	"kilter.dev/kilter/internal/manifest"
)

// builtOn are the fields of a kustomization that name files of objects, and folders with
// kustomizations of their own.
var builtOn = []string{"resources", "bases", "components"}

// Resources returns the files with the objects that the kustomization at path builds on, at
// any depth, each once. Patches are not among them. What cannot be read is left out:
// Kustomization says why.
func Resources(path string) []string {
	var files []string
	builds(path, func(dir string, kustomization *manifest.Node) {
		for _, key := range builtOn {
			files = appendFiles(files, dir, items(kustomization.Get(key)))
		}
	})
	return files
}

// Patches returns the files of patches of the kustomization at path and of those that it
// builds on, in the same way as Resources.
func Patches(path string) []string {
	var files []string
	builds(path, func(dir string, kustomization *manifest.Node) {
		for _, patch := range items(kustomization.Get("patches")) {
			files = appendFiles(files, dir, []*manifest.Node{patch.Get("path")})
		}
		files = appendFiles(files, dir, items(kustomization.Get("patchesStrategicMerge")))
	})
	return files
}

// builds calls visit for the kustomization at path and those that it builds on, each once.
func builds(path string, visit func(dir string, kustomization *manifest.Node)) {
	seen := map[string]bool{}
	var build func(dir string)
	build = func(dir string) {
		file, ok := KustomizationFile(dir)
		if !ok || seen[file] {
			return
		}
		seen[file] = true
		kustomization := firstOf(file)
		visit(dir, kustomization)
		for _, key := range builtOn {
			for _, entry := range items(kustomization.Get(key)) {
				if entry.Text() != "" {
					build(filepath.Join(dir, filepath.FromSlash(entry.Text())))
				}
			}
		}
	}
	build(root(path, konfig.RecognizedKustomizationFileNames()...))
}

// appendFiles appends those files that entries of a kustomization in dir name, and that are
// not there yet.
func appendFiles(files []string, dir string, entries []*manifest.Node) []string {
	for _, entry := range entries {
		name := filepath.Join(dir, filepath.FromSlash(entry.Text()))
		if isFile(name) && !slices.Contains(files, name) {
			files = append(files, name)
		}
	}
	return files
}
