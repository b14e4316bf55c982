// SPDX-License-Identifier: Apache-2.0

package krm

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"kilter.dev/kilter/internal/manifest"
	"kilter.dev/kilter/internal/source"
)

// The wire format of KRM functions (functions-spec.md of kustomize, cmd/config/docs/api-conventions).
const listKind = "ResourceList"

var listVersions = []string{"config.kubernetes.io/v1", "config.kubernetes.io/v1beta1", "config.kubernetes.io/v1alpha1"}

// The annotations of items that a function reads. It keeps all others too: kustomize finds
// names, references and hashes by them.
const (
	localConfig = "config.kubernetes.io/local-config" // "true": not for the cluster
	filePath    = "config.kubernetes.io/path"         // also behind "internal."
	fileIndex   = "config.kubernetes.io/index"
	byKustomize = "kustomize.config.k8s.io/id" // on all that comes from kustomize
)

// List is a ResourceList as a function gets it.
type List struct {
	before, root *manifest.Node
}

// IsList reports whether text may be a ResourceList: Read tells for sure.
func IsList(text string) bool { return strings.Contains(text, listKind) }

// Read reads a ResourceList.
func Read(f *source.File) (*List, error) {
	docs, errs := manifest.Parse(f)
	if err := errs.Err(); err != nil {
		return nil, err
	}
	switch {
	case len(docs) == 0:
		return nil, fmt.Errorf("standard input is empty; it must hold a %s of %s", listKind, listVersions[0])
	case len(docs) > 1 || docs[0].Get("kind").Text() != listKind:
		return nil, fmt.Errorf("standard input holds no %s of %s", listKind, listVersions[0])
	}
	root := docs[0]
	if version := root.Get("apiVersion").Text(); !slices.Contains(listVersions, version) {
		errs.Errorf(at(root, "apiVersion"), Code, "a %s of %q is not known", listKind, version).Hint = "the versions are " + strings.Join(listVersions, ", ")
	}
	for _, key := range []string{"items", "results"} {
		if n := root.Get(key); n != nil && n.Shape != manifest.List && n.Shape != manifest.Null {
			errs.Errorf(n.Span, Code, "%s must be a list, not this %s", key, n.Shape)
		}
	}
	for i, n := range items(root.Get("items")) {
		if n.Shape != manifest.Map {
			errs.Errorf(n.Span, Code, "item %d must be an object, not this %s", i, n.Shape)
		}
	}
	return &List{before: root, root: root.Clone()}, errs.Err()
}

func at(n *manifest.Node, key string) source.Span {
	if v := n.Get(key); v != nil {
		return v.Span
	}
	return n.Span
}

// Config returns the functionConfig, nil for none.
func (l *List) Config() *manifest.Node {
	if c := l.root.Get("functionConfig"); c != nil && c.Shape == manifest.Map {
		return c
	}
	return nil
}

// Objects returns the items that are for the cluster, to be changed where they stand.
// kustomize passes the functionConfig itself as an item where it has no other; like all
// that is not for the cluster it is marked local-config.
func (l *List) Objects() []*manifest.Node {
	var out []*manifest.Node
	for _, n := range items(l.root.Get("items")) {
		if n.Get("metadata", "annotations", localConfig).Text() != "true" {
			out = append(out, n)
		}
	}
	return out
}

// Add puts objects behind the items.
func (l *List) Add(objects []*manifest.Node) {
	if len(objects) == 0 {
		return
	}
	if n := l.root.Get("items"); n == nil || n.Shape != manifest.List {
		l.root.Set("items", manifest.NewList())
	}
	list := l.root.Get("items")
	list.Items = append(list.Items, objects...)
}

// Report puts results behind those that are there.
func (l *List) Report(results []Result) {
	if len(results) == 0 {
		return
	}
	list := l.root.Get("results")
	if list == nil || list.Shape != manifest.List {
		list = manifest.NewList()
		l.root.Set("results", list)
	}
	for _, r := range results {
		list.Items = append(list.Items, l.result(r))
	}
}

// result is a result as the specification has it; what is empty is left out.
func (l *List) result(r Result) *manifest.Node {
	message := r.Message
	if r.Code != "" && r.Code != Code {
		message += " [" + r.Code + "]"
	}
	if r.Hint != "" {
		message += "; " + r.Hint
	}
	n := manifest.NewMap(
		manifest.Field{Key: "message", Value: manifest.NewString(message)},
		manifest.Field{Key: "severity", Value: manifest.NewString(r.Severity.String())},
	)
	ref := manifest.NewMap()
	for _, f := range []struct{ key, value string }{
		{"apiVersion", r.Object.APIVersion}, {"kind", r.Object.Kind}, {"namespace", r.Object.Namespace}, {"name", r.Object.Name},
	} {
		setText(ref, f.key, f.value)
	}
	field := manifest.NewMap()
	setText(field, "path", r.Path)
	if r.Current != nil {
		field.Set("currentValue", r.Current)
	}
	if r.Proposed != nil {
		field.Set("proposedValue", r.Proposed)
	}
	setMap(n, "resourceRef", ref)
	setMap(n, "field", field)
	setMap(n, "file", l.file(r))
	return n
}

// file is the file of the object of a result, as the caller knows it.
func (l *List) file(r Result) *manifest.Node {
	file := manifest.NewMap()
	for _, n := range items(l.root.Get("items")) {
		if n.Get("kind").Text() != r.Object.Kind || n.Get("metadata", "name").Text() != r.Object.Name || n.Get("metadata", "namespace").Text() != r.Object.Namespace {
			continue
		}
		annotations := n.Get("metadata", "annotations")
		path, index := annotations.Get("internal."+filePath).Text(), annotations.Get("internal."+fileIndex).Text()
		if path == "" {
			path, index = annotations.Get(filePath).Text(), annotations.Get(fileIndex).Text()
		}
		if setText(file, "path", path); path != "" {
			if i, err := strconv.ParseInt(index, 10, 64); err == nil {
				file.Set("index", manifest.NewInt(i))
			}
		}
		break
	}
	return file
}

func setText(n *manifest.Node, key, text string) {
	if text != "" {
		n.Set(key, manifest.NewString(text))
	}
}

func setMap(n *manifest.Node, key string, m *manifest.Node) {
	if len(m.Fields) > 0 {
		n.Set(key, m)
	}
}

// Text returns the list as it is now. The text is edited, so that comments and layout stay.
// kustomize strips both before a function sees them, and again behind it: there it is written
// anew, which takes less time.
func (l *List) Text() string {
	f := l.before.Span.File
	if f != nil && !strings.Contains(f.Text, byKustomize) {
		if edits, err := manifest.Edits(l.before, l.root); err == nil {
			if text, err := source.Apply(f, edits); err == nil {
				return text
			}
		}
	}
	return manifest.Print(l.root)
}
