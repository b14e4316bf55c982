// SPDX-License-Identifier: Apache-2.0

package render

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/api/konfig"
	"sigs.k8s.io/kustomize/api/types"
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
	dir   string            // as the user wrote it
	texts map[string]string // by absolute path, instead of what is on disk
	list  diag.List
	read  []*source.File // each once, in the order of reading
}

// absolute returns texts by the absolute paths of their files, in folders without symbolic
// links.
func absolute(texts map[string]string) map[string]string {
	all := map[string]string{}
	for name, text := range texts {
		path, err := filepath.Abs(name)
		if err != nil {
			continue
		}
		if resolved, err := filepath.EvalSymlinks(path); err == nil {
			path = resolved
		} else if dir, err := filepath.EvalSymlinks(filepath.Dir(path)); err == nil {
			path = filepath.Join(dir, filepath.Base(path)) // it is in texts alone
		}
		all[path] = text
	}
	return all
}

// held reports whether texts have a file that is not on disk.
func (l *localFiles) held(path string) bool {
	_, ok := l.texts[path]
	return ok && !l.FileSystem.Exists(path)
}

// Exists is true of files in texts, too.
func (l *localFiles) Exists(path string) bool { return l.held(path) || l.FileSystem.Exists(path) }

// CleanedAbs finds files in texts, too.
func (l *localFiles) CleanedAbs(path string) (filesys.ConfirmedDir, string, error) {
	if l.held(path) {
		return filesys.ConfirmedDir(filepath.Dir(path)), filepath.Base(path), nil
	}
	return l.FileSystem.CleanedAbs(path)
}

var errRefused = errors.New("kustomization refused")

// ReadFile refuses a kustomization that names something remote or missing.
func (l *localFiles) ReadFile(path string) ([]byte, error) {
	var text []byte
	if edited, ok := l.texts[path]; ok {
		text = []byte(edited)
	} else {
		var err error
		if text, err = l.FileSystem.ReadFile(path); err != nil {
			return text, err
		}
	}
	file := source.New(l.shown(path), string(text))
	if slices.ContainsFunc(l.read, func(f *source.File) bool { return f.Name == file.Name }) {
		return text, nil
	}
	l.read = append(l.read, file)
	if !isKustomization(path) {
		return text, nil
	}
	list := l.checkKustomization(file, filepath.Dir(path))
	l.list.Add(list)
	if list.Err() != nil {
		return nil, errRefused
	}
	return text, nil
}

func isKustomization(path string) bool {
	return slices.Contains(konfig.RecognizedKustomizationFileNames(), filepath.Base(path))
}

// explain finds what made a build fail in the files that were read: text that is not
// YAML, and fields that a kustomization does not have. The list may be empty.
func (l *localFiles) explain() diag.List {
	var list diag.List
	known := kustomizationFields()
	for _, f := range l.read {
		if !isManifest(f.Name) && !isKustomization(f.Name) {
			continue
		}
		nodes, problems := manifest.Parse(f)
		list.Add(problems)
		if !isKustomization(f.Name) || len(nodes) == 0 || nodes[0] == nil {
			continue
		}
		for _, field := range nodes[0].Fields {
			if !slices.Contains(known, field.Key) {
				d := list.Errorf(field.KeySpan, "kustomize", "a kustomization has no field %q", field.Key)
				d.Hint = diag.DidYouMean(field.Key, known)
			}
		}
	}
	return list
}

// kustomizationFields are the fields of a kustomization, in kustomize's order.
func kustomizationFields() []string {
	fields := []string{"apiVersion", "kind"}
	for f := range reflect.TypeFor[types.Kustomization]().Fields() {
		if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); name != "" && name != "-" {
			fields = append(fields, name)
		}
	}
	return fields
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

func (l *localFiles) checkKustomization(file *source.File, dir string) diag.List {
	nodes, list := manifest.Parse(file)
	if list.Err() != nil || len(nodes) == 0 {
		return list
	}
	for _, key := range fileLists {
		for _, item := range items(nodes[0].Get(key)) {
			l.checkEntry(&list, item, dir)
		}
	}
	for _, key := range []string{"patches", "patchesJson6902", "replacements"} {
		for _, item := range items(nodes[0].Get(key)) {
			l.checkEntry(&list, item.Get("path"), dir)
		}
	}
	for _, key := range []string{"generators", "transformers", "validators", "patchesStrategicMerge"} {
		for _, item := range items(nodes[0].Get(key)) { // YAML in place, or a path
			if !inPlace(item) {
				l.checkEntry(&list, item, dir)
			}
		}
	}
	for _, key := range []string{"configMapGenerator", "secretGenerator"} {
		for _, item := range items(nodes[0].Get(key)) {
			for _, file := range items(item.Get("files")) {
				l.checkPath(&list, file, afterKey(file.Text()), dir)
			}
			for _, file := range append(items(item.Get("envs")), item.Get("env")) {
				l.checkEntry(&list, file, dir)
			}
		}
	}
	l.checkEntry(&list, nodes[0].Get("openapi", "path"), dir)
	l.checkCharts(&list, nodes[0])
	return list
}

// chartFields are the fields of a kustomization for which kustomize calls helm.
var chartFields = []string{"helmCharts", "helmChartInflationGenerator"}

// checkCharts refuses charts in a kustomization: kustomize calls a program for them.
func (l *localFiles) checkCharts(list *diag.List, kustomization *manifest.Node) {
	for _, f := range kustomization.Fields {
		if slices.Contains(chartFields, f.Key) && len(f.Value.Items) > 0 {
			list.Errorf(f.KeySpan, "helm", "the charts of %s are rendered by the program helm, which Kilter does not run", f.Key).Hint = helmHint(l.dir)
		}
	}
}

// helmHint says how a kustomization in dir is built that calls helm.
func helmHint(dir string) string {
	return "have kustomize build it: kustomize build --enable-helm " + filepath.Clean(dir) + " | kilter check -"
}

// inPlace reports whether an entry that may be YAML or a path is YAML.
func inPlace(entry *manifest.Node) bool {
	return strings.Contains(entry.Text(), "\n") || strings.Contains(entry.Text(), ": ")
}

func items(n *manifest.Node) []*manifest.Node {
	if n == nil {
		return nil
	}
	return n.Items
}

// remote matches what kustomize fetches: URLs, user@host:path, github.com/…, git::….
var remote = regexp.MustCompile(`^(?i)(?:git::|[a-z][a-z0-9+.-]*://|[^/\s]+@[^/\s]+:|(?:www\.)?github\.com[:/])`)

// afterKey is the path in KEY=PATH, as the files of generators are written.
func afterKey(text string) string {
	if key, path, ok := strings.Cut(text, "="); ok && !strings.ContainsAny(key, "/?:") {
		return path
	}
	return text
}

// checkEntry checks one path of a kustomization in dir; nil and "" are not paths.
func (l *localFiles) checkEntry(list *diag.List, entry *manifest.Node, dir string) {
	l.checkPath(list, entry, entry.Text(), dir)
}

// checkPath checks the path that entry holds.
func (l *localFiles) checkPath(list *diag.List, entry *manifest.Node, path, dir string) {
	if path == "" {
		return
	}
	if remote.MatchString(path) {
		d := list.Errorf(entry.Span, "remote", "%q is remote: Kilter works without the network", entry.Text())
		d.Hint = "copy it here with kustomize localize, or give the output of kustomize build on standard input"
		return
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(dir, path)
	}
	if !l.Exists(path) {
		d := list.Errorf(entry.Span, "unreadable", "no file or folder %q", strings.TrimPrefix(path, dir+"/"))
		d.Hint = diag.DidYouMean(filepath.Base(path), siblings(path))
	}
}
