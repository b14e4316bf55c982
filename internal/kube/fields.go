// SPDX-License-Identifier: Apache-2.0

package kube

import (
	"fmt"
	"strconv"
	"strings"

	"kilter.dev/kilter/internal/diag"
	"kilter.dev/kilter/internal/manifest"
	"kilter.dev/kilter/internal/source"
)

// The codes of Fields.
const (
	UnknownField  = "unknown-field"          // a field that the type does not have
	WrongType     = "wrong-type"             // a value that the API server cannot read
	TypeTrap      = "yaml-type-trap"         // text that YAML takes for something else
	RemovedAPI    = "removed-api"            // an apiVersion and kind that are not served
	DroppedFields = "silently-dropped-field" // a field whose feature gate is off
)

// QuoteHint is the hint about text that stands without quotes and must not be told.
const QuoteHint = "write it in quotes"

// Fields reports what the API server of a version of Kubernetes would refuse to read of an
// object, drop without a word, or read as something else than it looks like. Each finding
// stands at its key or value. Kinds that Kubernetes does not define have no findings, and
// null is as good as nothing, but for items of lists. Of the values that are templates only
// the first is reported.
func Fields(o *manifest.Object, version string) diag.List {
	w := &walker{object: o, release: known().at(version)}
	if kind, ok := w.served(); ok {
		w.value(o.Node, &shape{letter: '@', name: kind.typeName}, "")
	}
	return templateOnce(w.list)
}

// templateOnce leaves one of the wrong types that are there because nobody rendered the text.
func templateOnce(list diag.List) diag.List {
	rest := list[:0]
	found := false
	for _, d := range list {
		if d.Code == WrongType && strings.Contains(d.Span.Text(), "{{") {
			if found {
				continue
			}
			found, d.Hint = true, manifest.TemplateHint
		}
		rest = append(rest, d)
	}
	return rest
}

// walker walks an object along its type.
type walker struct {
	object  *manifest.Object
	release *release
	list    diag.List
	path    []string  // to the value that is looked at
	field   int       // where in path the last field of a type is; items and values follow
	around  []*object // the types of the maps on the way to it
}

// value walks n, which must be an s. field is the name of the field it stands in.
func (w *walker) value(n *manifest.Node, s *shape, field string) {
	if n == nil || n.Shape == manifest.Null {
		return
	}
	switch s.letter {
	case '*':
	case '@':
		w.typed(n, s.name, field)
	case '[':
		if n.Shape != manifest.List {
			w.wrong(n, "a list")
			return
		}
		for i, item := range n.Items {
			w.path = append(w.path, strconv.Itoa(i))
			w.item(item, s.of, field)
			w.path = w.path[:len(w.path)-1]
		}
	case '{':
		if n.Shape != manifest.Map {
			w.wrong(n, "a map")
			return
		}
		for _, f := range n.Fields {
			w.path = append(w.path, f.Key)
			w.value(f.Value, s.of, field)
			w.path = w.path[:len(w.path)-1]
		}
	default:
		w.scalar(n, s.letter, field)
	}
}

// item walks an item of a list. The decoder of the API server makes an empty one of null.
func (w *walker) item(n *manifest.Node, s *shape, field string) {
	if n.Shape == manifest.Null && !w.any(s) {
		w.errorf(n.Span, WrongType, "%s is null, which the API server reads as an empty item", w.name()).Hint =
			"write the item, or remove the place for it"
		return
	}
	w.value(n, s, field)
}

// any reports whether an s is any JSON, or its type is not known.
func (w *walker) any(s *shape) bool {
	if s.letter != '@' {
		return s.letter == '*'
	}
	t := w.release.types[s.name]
	if t == nil {
		return true
	}
	t.read()
	return t.alias != nil && w.any(t.alias)
}

// typed walks n, which must be of the type called name.
func (w *walker) typed(n *manifest.Node, name, field string) {
	t := w.release.types[name]
	if t == nil {
		return
	}
	t.read()
	if t.alias != nil {
		w.value(n, t.alias, field)
		return
	}
	if n.Shape != manifest.Map {
		w.wrong(n, "a map")
		return
	}
	outer := w.field
	defer func() { w.field = outer }()
	for _, f := range n.Fields {
		w.field = len(w.path)
		w.path = append(w.path, f.Key)
		if s, ok := t.fields[f.Key]; ok {
			w.dropped(t, f)
			w.around = append(w.around, t)
			w.value(f.Value, s, f.Key)
			w.around = w.around[:len(w.around)-1]
		} else {
			w.unknown(t, f)
		}
		w.path = w.path[:len(w.path)-1]
	}
}

// keySpan is the place of a field's key; of its value where the key was made.
func keySpan(f manifest.Field) source.Span {
	if f.KeySpan.File == nil && f.Value != nil {
		return f.Value.Span
	}
	return f.KeySpan
}

// unknown reports a field that t does not have.
func (w *walker) unknown(t *object, f manifest.Field) {
	since, until := known().lifetime(t.name, f.Key)
	var d *diag.Diagnostic
	switch {
	case since != "" && !AtLeast(w.release.version, since):
		d = w.errorf(keySpan(f), UnknownField, "%s has no field %q before Kubernetes %s", t.label(), f.Key, since)
		d.Hint = fmt.Sprintf("the target is Kubernetes %s: remove the field, or give another --kube-version", w.release.version)
		return
	case until != "":
		d = w.errorf(keySpan(f), UnknownField, "%s has no field %q since Kubernetes %s", t.label(), f.Key, until)
	default:
		d = w.errorf(keySpan(f), UnknownField, "%s has no field %q", t.label(), f.Key)
	}
	if d.Hint = diag.DidYouMean(f.Key, t.names); d.Hint == "" {
		d.Hint = w.belongs(f.Key)
	}
}

// belongs is where a field of that name could stand, going outwards: a wrong indentation
// is the usual reason.
func (w *walker) belongs(key string) string {
	for i := len(w.around) - 1; i >= 0; i-- {
		if _, ok := w.around[i].fields[key]; ok {
			return fmt.Sprintf("a %s has a field %q: is the indentation right?", w.around[i].label(), key)
		}
	}
	return ""
}

// label is the name of a type as users know it: "PodSpec".
func (o *object) label() string { return o.name[strings.LastIndexByte(o.name, '.')+1:] }

// lifetime returns the first version whose type has a field, and the first version after
// that whose type has it no more; "" for none.
func (h *history) lifetime(typeName, field string) (since, until string) {
	for _, r := range h.releases {
		t := r.types[typeName]
		if t == nil {
			continue
		}
		t.read()
		_, has := t.fields[field]
		switch {
		case has && since == "":
			since = r.version
		case !has && since != "" && until == "":
			until = r.version
		}
	}
	return since, until
}

// wrong reports a value that is not what it must be.
func (w *walker) wrong(n *manifest.Node, want string) *diag.Diagnostic {
	return w.errorf(n.Span, WrongType, "%s must be %s, not %s", w.name(), want, describe(n))
}

func (w *walker) errorf(span source.Span, code, format string, args ...any) *diag.Diagnostic {
	d := w.list.Errorf(span, code, format, args...)
	d.Path = manifest.PathText(w.object.Node, w.path)
	d.Object = diag.Ref{APIVersion: w.object.APIVersion, Kind: w.object.Kind, Namespace: w.object.Namespace, Name: w.object.Name}
	return d
}

func (w *walker) warnf(span source.Span, code, format string, args ...any) *diag.Diagnostic {
	d := w.errorf(span, code, format, args...)
	d.Severity = diag.Warning
	return d
}

// name is the last field on the way, with what follows it: "replicas", "args[1]",
// "labels.version"; the kind at the top.
func (w *walker) name() string {
	if len(w.path) == 0 {
		return w.object.Kind
	}
	return manifest.PathText(w.object.Get(w.path[:w.field]...), w.path[w.field:])
}
