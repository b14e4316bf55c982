// SPDX-License-Identifier: Apache-2.0

package render

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"kilter.dev/kilter/internal/diag"
	"kilter.dev/kilter/internal/manifest"
)

// Found is what a folder holds: a chart or kustomization as a whole, or a file, which is
// KindManifests whatever is in it.
type Found struct {
	Path string
	Kind Kind
	// Part says that only others can use it: it is a library chart or a Component.
	Part bool
}

// Find returns what there is to render in dir, at any depth, in the order of names: the
// charts, also packed ones, the kustomizations, and the *.yaml, *.yml and *.json files elsewhere. Hidden files
// and folders are left out, profiles of Kilter, and what is no file, such as a pipe.
func Find(dir string) (found []Found, list diag.List) {
	top := dir
	if info, err := os.Lstat(dir); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		top += string(filepath.Separator) // a link is not followed by its name alone
	}
	err := filepath.WalkDir(top, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			list.Add(Unreadable(path, err))
		case path == top:
		case strings.HasPrefix(entry.Name(), "."):
			if entry.IsDir() {
				return filepath.SkipDir
			}
		case entry.IsDir():
			kind := detectFolder(path)
			if kind == KindManifests && !isProfile(path) {
				return nil
			}
			if kind != KindManifests {
				found = append(found, Found{path, kind, isPart(path, kind)})
			}
			return filepath.SkipDir
		case isSpecial(path):
		case isPacked(path):
			if chart := packed(path); chart != nil {
				found = append(found, Found{path, KindChart, isLibrary(chart)})
			}
		case isManifest(path):
			found = append(found, Found{Path: path, Kind: KindManifests})
		}
		return nil
	})
	if err != nil {
		list.Add(Unreadable(dir, err))
	}
	return found, list
}

// isPart reports whether dir holds a library chart or a Component, which are rendered by
// their users alone.
func isPart(dir string, kind Kind) bool {
	if kind == KindKustomization {
		path, _ := KustomizationFile(dir)
		return firstOf(path).Get("kind").Text() == "Component"
	}
	return isLibrary(firstOf(filepath.Join(dir, "Chart.yaml")))
}

// isLibrary reads what Chart.yaml holds.
func isLibrary(chart *manifest.Node) bool { return chart.Get("type").Text() == "library" }

// isProfile reports whether dir holds a profile of Kilter or a part of one: templates, not manifests.
func isProfile(dir string) bool {
	if info, err := os.Stat(filepath.Join(dir, "templates")); err != nil || !info.IsDir() {
		return false
	}
	return firstOf(filepath.Join(dir, "profile.yaml")).Get("kind").Text() == "Profile" ||
		firstOf(filepath.Join(dir, "part.yaml")).Get("kind").Text() == "Part"
}

// firstOf returns the first document of a file, nil when there is none to read.
func firstOf(path string) *manifest.Node {
	return builder{}.first(path)
}

// Tops returns what of found is rendered by itself: not the parts, and not the kustomizations
// that another one in it builds on. What is in them is rendered, as it is meant to be, with
// what uses them.
func Tops(found []Found) []Found {
	used := map[string]bool{}
	for _, f := range found {
		if f.Kind != KindKustomization {
			continue
		}
		path, _ := KustomizationFile(f.Path)
		root := firstOf(path)
		for _, key := range builtOn {
			for _, entry := range items(root.Get(key)) {
				used[filepath.Join(f.Path, filepath.FromSlash(entry.Text()))] = true
			}
		}
	}
	return slices.DeleteFunc(slices.Clone(found), func(f Found) bool {
		return f.Part || f.Kind == KindKustomization && used[filepath.Clean(f.Path)]
	})
}

// isSpecial reports whether what is there is no file: nobody may ever write into a pipe.
func isSpecial(path string) bool {
	info, err := os.Stat(path)
	return err == nil && !info.Mode().IsRegular()
}

func isManifest(path string) bool {
	switch strings.ToLower(filepath.Ext(path)) {
	case ".yaml", ".yml", ".json":
		return true
	}
	return false
}
