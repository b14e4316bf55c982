// SPDX-License-Identifier: Apache-2.0

package render

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"slices"

	"sigs.k8s.io/kustomize/api/konfig"
	"sigs.k8s.io/kustomize/kyaml/filesys"

	"kilter.dev/kilter/internal/diag"
	"kilter.dev/kilter/internal/manifest"
	"kilter.dev/kilter/internal/source"
)

// localFiles is the disk as kustomize may see it. Each kustomization that kustomize
// reads is checked first: what it names must be there, and nothing may be remote, since
// kustomize would fetch it. The problems are in list, with positions.
type localFiles struct {
	filesys.FileSystem
	dir  string // as the user wrote it
	list diag.List
	seen []string
}

var errRefused = errors.New("kustomization refused")

// ReadFile refuses a kustomization that names something remote or missing.
func (l *localFiles) ReadFile(path string) ([]byte, error) {
	text, err := l.FileSystem.ReadFile(path)
	if err != nil || !slices.Contains(konfig.RecognizedKustomizationFileNames(), filepath.Base(path)) {
		return text, err
	}
	if slices.Contains(l.seen, path) {
		return text, nil
	}
	l.seen = append(l.seen, path)
	list := checkKustomization(source.New(l.shown(path), string(text)), filepath.Dir(path))
	l.list.Add(list)
	if list.Err() != nil {
		return nil, errRefused
	}
	return text, nil
}

// shown is path as the user would write it: relative where dir is.
func (l *localFiles) shown(path string) string {
	if filepath.IsAbs(l.dir) {
		return path
	}
	here, err := os.Getwd()
	if err != nil {
		return path
	}
	if resolved, err := filepath.EvalSymlinks(here); err == nil {
		here = resolved
	}
	if rel, err := filepath.Rel(here, path); err == nil {
		return rel
	}
	return path
}

// fileLists are the fields of a kustomization that list files and folders.
// Generators, transformers and validators may also be YAML in place.
var fileLists = []string{"resources", "bases", "components", "crds", "configurations"}

func checkKustomization(file *source.File, dir string) diag.List {
	nodes, list := manifest.Parse(file)
	if list.Err() != nil || len(nodes) == 0 {
		return list
	}
	for _, key := range fileLists {
		for _, item := range items(nodes[0].Get(key)) {
			checkEntry(&list, item, dir)
		}
	}
	for _, key := range []string{"patches", "patchesJson6902", "replacements"} {
		for _, item := range items(nodes[0].Get(key)) {
			checkEntry(&list, item.Get("path"), dir)
		}
	}
	for _, key := range []string{"generators", "transformers", "validators"} {
		for _, item := range items(nodes[0].Get(key)) {
			if remote.MatchString(item.Text()) {
				checkEntry(&list, item, dir)
			}
		}
	}
	checkEntry(&list, nodes[0].Get("openapi", "path"), dir)
	return list
}

func items(n *manifest.Node) []*manifest.Node {
	if n == nil {
		return nil
	}
	return n.Items
}

// remote matches what kustomize fetches: URLs, user@host:path, github.com/…, git::….
var remote = regexp.MustCompile(`^(?i)(?:git::|[a-z][a-z0-9+.-]*://|[^/\s]+@[^/\s]+:|(?:www\.)?github\.com[:/])`)

// checkEntry checks one path of a kustomization in dir; nil and "" are not paths.
func checkEntry(list *diag.List, entry *manifest.Node, dir string) {
	path := entry.Text()
	if path == "" {
		return
	}
	if remote.MatchString(path) {
		d := list.Errorf(entry.Span, "remote", "%q is remote: Kilter works without the network", path)
		d.Hint = "copy it here with kustomize localize, or give the output of kustomize build on standard input"
		return
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(dir, path)
	}
	if _, err := os.Stat(path); os.IsNotExist(err) {
		d := list.Errorf(entry.Span, "unreadable", "no file or folder %q", entry.Text())
		d.Hint = diag.DidYouMean(filepath.Base(path), siblings(path))
	}
}
