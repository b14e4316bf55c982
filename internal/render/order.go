// SPDX-License-Identifier: Apache-2.0

package render

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"helm.sh/helm/v3/pkg/release"
	"helm.sh/helm/v3/pkg/releaseutil"

	"kilter.dev/kilter/internal/source"
)

// collect puts the rendered files' documents into the order of `helm template`.
func (r *rendering) collect(files map[string]string) {
	place := newPlaces(files)
	if r.options.IncludeCRDs {
		for _, crd := range r.chart.CRDObjects() {
			r.documents = append(r.documents, source.New(r.filename(filepath.ToSlash(crd.Filename)), string(crd.File.Data)))
		}
	}
	hooks, manifests, err := releaseutil.SortManifests(files, nil, releaseutil.InstallOrder)
	if err != nil {
		r.unsorted = err
		for _, d := range place.all {
			r.add(d.name, d.padded())
		}
		return
	}
	for _, m := range manifests {
		r.add(m.Name, place.find(m.Name, m.Content))
	}
	if r.options.SkipHooks {
		return
	}
	for _, h := range hooks {
		if r.options.SkipTests && slices.Contains(h.Events, release.HookTest) {
			continue
		}
		r.add(h.Path, place.find(h.Path, h.Manifest))
	}
}

func (r *rendering) add(name, text string) {
	document := source.New(r.filename(name), text)
	document.Origin = document.Name
	r.documents = append(r.documents, document)
}

// filename is the path of the template that Helm calls name: CHART/templates/x.yaml
// becomes PATH/templates/x.yaml.
func (r *rendering) filename(name string) string {
	_, rest, _ := strings.Cut(name, "/")
	return filepath.Join(r.path, filepath.FromSlash(rest))
}

// places knows on which line of its rendered file a document begins.
type places struct{ all []*placed }

type placed struct {
	name, text string
	line       int // 0-based
	taken      bool
}

// newPlaces splits the files as Helm does. The order is that of names and lines.
func newPlaces(files map[string]string) *places {
	p := &places{}
	for _, name := range sortedKeys(files) {
		if strings.HasPrefix(filepath.Base(name), "_") || strings.TrimSpace(files[name]) == "" {
			continue
		}
		docs, at := splitManifests(files[name]), 0
		for i := range len(docs) {
			text := docs[fmt.Sprintf("manifest-%d", i)]
			at += max(strings.Index(files[name][at:], text), 0)
			p.all = append(p.all, &placed{name: name, text: text, line: strings.Count(files[name][:at], "\n")})
			at += len(text)
		}
	}
	return p
}

// splitManifests is Helm's, without the search where nothing separates documents.
func splitManifests(text string) map[string]string {
	if !strings.Contains(text, "---") {
		return map[string]string{"manifest-0": strings.TrimSpace(text)}
	}
	return releaseutil.SplitManifests(text)
}

// find returns text behind as many empty lines as stand before it in its file.
func (p *places) find(name, text string) string {
	for _, d := range p.all {
		if !d.taken && d.name == name && d.text == text {
			d.taken = true
			return d.padded()
		}
	}
	return text
}

func (d *placed) padded() string { return strings.Repeat("\n", d.line) + d.text + "\n" }

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
