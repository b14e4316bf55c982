// SPDX-License-Identifier: Apache-2.0

package kube

import (
	"compress/gzip"
	_ "embed"
	"io"
	"slices"
	"strconv"
	"strings"
	"sync"
)

//go:generate go run ./bundle bundle.txt.gz

// bundle is what the versions know; bundle/main.go says what stands in it.
//
//go:embed bundle.txt.gz
var bundle string

// Kind is a kind of object that the API server stores.
type Kind struct {
	APIVersion, Kind string
	// Resource is the plural in URLs and RBAC rules.
	Resource   string
	Namespaced bool

	typeName string
}

// release is what one version of Kubernetes knows.
type release struct {
	version string
	kinds   map[string]Kind // by "APIVERSION KIND"
	types   map[string]*object
	gates   []Gate
}

// history is what all of them know.
type history struct {
	releases []*release        // oldest first
	gone     map[string]string // version that removed "APIVERSION KIND" before the oldest
	groups   map[string]bool   // groups of kinds and of what is gone
}

// known reads the bundle, once. It never changes after that.
var known = sync.OnceValue(func() *history {
	h := &history{gone: map[string]string{}, groups: map[string]bool{}}
	for line := range strings.Lines(unpack(bundle)) {
		h.read(strings.TrimSuffix(line, "\n"))
	}
	return h
})

func unpack(packed string) string {
	r, err := gzip.NewReader(strings.NewReader(packed))
	if err != nil {
		panic("kube: the bundle that was built in is broken: " + err.Error())
	}
	text, err := io.ReadAll(r)
	if err != nil {
		panic("kube: the bundle that was built in is broken: " + err.Error())
	}
	return string(text)
}

func (h *history) read(line string) {
	word, rest, _ := strings.Cut(line, " ")
	switch word {
	case "versions":
		for version := range strings.FieldsSeq(rest) {
			h.releases = append(h.releases, &release{version: version, kinds: map[string]Kind{}, types: map[string]*object{}})
		}
	case "type":
		mask, rest, _ := strings.Cut(rest, " ")
		name, body, _ := strings.Cut(rest, " ")
		o := &object{name: name, body: body}
		h.each(mask, func(r *release) { r.types[name] = o })
	case "kind":
		f := strings.Fields(rest)
		h.groups[groupOf(f[1])] = true
		k := Kind{APIVersion: f[1], Kind: f[2], Resource: strings.Trim(f[3], "-"), Namespaced: f[4] == "Namespaced", typeName: f[5]}
		h.each(f[0], func(r *release) { r.kinds[f[1]+" "+f[2]] = k })
	case "gone":
		id, version, _ := cutLast(rest)
		h.gone[id] = version
		h.groups[groupOf(id)] = true
	case "gate":
		h.readGate(rest)
	}
}

// each calls f with the releases of a mask.
func (h *history) each(mask string, f func(*release)) {
	bits, _ := strconv.ParseUint(mask, 16, 64)
	for i, r := range h.releases {
		if bits&(1<<i) != 0 {
			f(r)
		}
	}
}

// at returns the release of a version; the nearest one for versions that are not known.
func (h *history) at(version string) *release {
	i := slices.IndexFunc(h.releases, func(r *release) bool { return !AtLeast(version, r.version) })
	if i < 0 {
		i = len(h.releases)
	}
	return h.releases[max(i-1, 0)]
}

func groupOf(apiVersion string) string {
	group, _, found := strings.Cut(apiVersion, "/")
	if !found {
		return ""
	}
	return group
}

func cutLast(s string) (before, after string, found bool) {
	i := strings.LastIndexByte(s, ' ')
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+1:], true
}

// object is a type with fields, or one that stands for another.
type object struct {
	name, body string

	once   sync.Once
	fields map[string]*shape // nil where the type has no fields of its own
	alias  *shape            // what it stands for
	names  []string          // of the fields
	gates  map[string]string // feature gates of fields that have one
}

// shape says what a value must be.
type shape struct {
	letter byte     // as in the bundle: s i l n b q x y t * @ [ {
	name   string   // of the type, for @
	keys   []string // by which a list is a map, for [
	of     *shape   // item or value, for [ and {
}

func (o *object) read() {
	o.once.Do(func() {
		if !strings.Contains(o.body, "=") {
			o.alias = readShape(o.body)
			return
		}
		o.fields, o.gates = map[string]*shape{}, map[string]string{}
		for field := range strings.SplitSeq(o.body, " ") {
			name, word, _ := strings.Cut(field, "=")
			o.fields[name] = readShape(word)
			o.names = append(o.names, name)
			if gate := gateOf(o.name, name); gate != "" {
				o.gates[name] = gate
			}
		}
	})
}

func readShape(word string) *shape {
	s := &shape{letter: word[0]}
	switch s.letter {
	case '@':
		s.name = word[1:]
	case '{':
		s.of = readShape(word[2:])
	case '[':
		keys, item, _ := strings.Cut(word[1:], "]")
		if keys != "" {
			s.keys = strings.Split(keys, ",")
		}
		s.of = readShape(item)
	}
	return s
}
