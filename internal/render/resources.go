// SPDX-License-Identifier: Apache-2.0

package render

import (
	"os"
	"path/filepath"
	"slices"

	"sigs.k8s.io/kustomize/api/konfig"
)

// builtOn are the fields of a kustomization that name files of objects, and folders with
// kustomizations of their own.
var builtOn = []string{"resources", "bases", "components"}

// Resources returns the files with the objects that the kustomization at path builds on, at
// any depth, each once. Patches are not among them. What cannot be read is left out:
// Kustomization says why.
func Resources(path string) []string {
	var files []string
	seen := map[string]bool{}
	var visit func(dir string)
	visit = func(dir string) {
		file, ok := KustomizationFile(dir)
		if !ok || seen[file] {
			return
		}
		seen[file] = true
		kustomization := firstOf(file)
		for _, key := range builtOn {
			for _, entry := range items(kustomization.Get(key)) {
				named := filepath.Join(dir, filepath.FromSlash(entry.Text()))
				switch info, err := os.Stat(named); {
				case entry.Text() == "" || err != nil:
				case info.IsDir():
					visit(named)
				case !slices.Contains(files, named):
					files = append(files, named)
				}
			}
		}
	}
	visit(root(path, konfig.RecognizedKustomizationFileNames()...))
	return files
}
