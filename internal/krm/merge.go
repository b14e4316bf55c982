// SPDX-License-Identifier: Apache-2.0

package krm

import (
	"fmt"
	"slices"
	"strings"

	"kilter.dev/kilter/internal/diag"
	"kilter.dev/kilter/internal/manifest"
)

// merger merges what a profile says into what is there, and notes each change.
type merger struct {
	enforce bool
	note    func(path string, current, proposed *manifest.Node)
}

// given are the fields of a container that is there already which are never set: they say
// what it runs.
var given = []string{"image", "imagePullPolicy", "command", "args", "workingDir"}

// mapping merges the map from into to, which is at path.
func (m merger) mapping(to, from *manifest.Node, path string) {
	for _, f := range from.Fields {
		m.field(to, f, below(path, f.Key))
	}
}

// field merges one field of a map.
func (m merger) field(to *manifest.Node, f manifest.Field, path string) {
	current := to.Get(f.Key)
	if current == nil || current.Shape == manifest.Null {
		if !empty(f.Value) && m.clear(to, f.Key, path) {
			m.note(path, nil, f.Value)
			to.Set(f.Key, f.Value.Clone())
		}
		return
	}
	switch {
	case manifest.Equal(current, f.Value):
	case current.Shape == manifest.Map && f.Value.Shape == manifest.Map && !whole[f.Key]:
		m.mapping(current, f.Value, path)
	case current.Shape == manifest.List && f.Value.Shape == manifest.List && mergeKey(f.Key) != "":
		m.list(current, f.Value, f.Key, path)
	case m.enforce:
		m.note(path, current, f.Value)
		to.Set(f.Key, f.Value.Clone())
	}
}

// empty reports whether n is a map or list of which fitting left nothing.
func empty(n *manifest.Node) bool {
	return n.Shape == manifest.Map && len(n.Fields) == 0 || n.Shape == manifest.List && len(n.Items) == 0
}

// clear reports whether key may be set beside what the map has. When the profile wins, what
// may not stand beside it goes.
func (m merger) clear(to *manifest.Node, key, path string) bool {
	if key == "rollingUpdate" {
		if t := to.Get("type").Text(); t != "" && t != "RollingUpdate" {
			return false // Recreate and OnDelete have none
		}
	}
	for _, rival := range rivals(key) {
		if rival == key || to.Get(rival) == nil {
			continue
		}
		if !m.enforce {
			return false
		}
		m.note(strings.TrimSuffix(path, key)+rival, to.Get(rival), nil)
		to.Delete(rival)
	}
	return true
}

// list merges the items of a list by their key; new ones come last.
func (m merger) list(to, from *manifest.Node, list, path string) {
	own := to.Items
	for _, item := range from.Items {
		key := itemKey(list, item)
		at := slices.IndexFunc(own, func(i *manifest.Node) bool { return itemKey(list, i) == key })
		switch {
		case at < 0:
			m.note(fmt.Sprintf("%s[%d]", path, len(to.Items)), nil, item)
			to.Items = append(to.Items, item.Clone())
		case manifest.Equal(to.Items[at], item):
		case partial[list]:
			m.mapping(to.Items[at], item, fmt.Sprintf("%s[%d]", path, at))
		case m.enforce:
			m.note(fmt.Sprintf("%s[%d]", path, at), to.Items[at], item)
			to.Items[at] = item.Clone()
		}
	}
}

// below is the path of a field.
func below(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}

// changed is the result of one change.
func changed(o *manifest.Object, audit bool, path string, current, proposed *manifest.Node) Result {
	verb, value := "set ", ""
	switch {
	case proposed == nil:
		verb = "remove "
	case scalar(proposed) != "":
		value = " to " + scalar(proposed)
	}
	if scalar(current) != "" {
		value += ", was " + scalar(current)
	}
	if audit {
		verb = "would " + verb
	}
	return Result{
		Audit:      audit,
		Diagnostic: diag.Diagnostic{Severity: diag.Info, Code: Code, Message: verb + path + value, Object: ref(o), Path: path},
		Current:    current, Proposed: proposed,
	}
}
