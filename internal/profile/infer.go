// SPDX-License-Identifier: Apache-2.0

package profile

import (
	"slices"

	"kilter.dev/kilter/internal/manifest"
	"kilter.dev/kilter/internal/source"
)

// Infer says what a workload that a user already has answers of the profile's questions,
// and what of the profile it must not get.
type Infer struct {
	Parameters []Inferred // by path of the parameter, in the order written
	Ports      []Inferred // by name of a port of the main container: its number
	Omit       []Omitted
	Span       source.Span // zero: the profile infers nothing
}

// Inferred is what is asked of a workload. Value is CEL without ${ and }, or a constant.
type Inferred struct {
	Name  string
	Span  source.Span // of Name
	Value *manifest.Node
}

// Omitted is a part of the profile's workload that a workload which is there does not get: it
// serves only the profile's own command and image, such as container.env[HOME], or limits what
// runs, by a default that was never measured on it.
type Omitted struct {
	Path   string
	Unless []string       // paths of parameters: it stays where one is given or inferred
	When   *manifest.Node // a condition in CEL on the workload: it stays where that is false; nil: always
	Reason string         // why it does not go with such a workload; with When
	Span   source.Span
}

func (l *loader) infer(n *manifest.Node) {
	if !l.Keys(n, "parameters", "ports", "omit") {
		return
	}
	l.p.Infer.Span = n.Span
	l.p.Infer.Parameters = l.inferred(n, "parameters", l.p.Infer.Parameters)
	l.p.Infer.Ports = l.inferred(n, "ports", l.p.Infer.Ports)
	for _, item := range l.List(n, "omit", false) {
		switch {
		case item.Shape == manifest.String:
			l.p.Infer.Omit = append(l.p.Infer.Omit, Omitted{Path: item.Text(), Span: item.Span})
		case item.Shape != manifest.Map:
			l.Errorf(item.Span, "an item of omit must be a path such as container.env[HOME], or have path, and unless, or when and reason")
		case l.Keys(item, "path", "unless", "when", "reason"):
			when := l.Optional(item, "when", manifest.String)
			l.p.Infer.Omit = append(l.p.Infer.Omit, Omitted{
				Path: l.Text(item, "path", true), Unless: l.strings(item, "unless"), When: when, Reason: l.Text(item, "reason", when != nil), Span: item.Span,
			})
		}
	}
}

// inferred adds what n[key] holds to list; a part's item gives way to the profile's.
func (l *loader) inferred(n *manifest.Node, key string, list []Inferred) []Inferred {
	m := l.Optional(n, key, manifest.Map)
	if m == nil {
		return list
	}
	for _, f := range m.Fields {
		if s := f.Value.Shape; s != manifest.String && s != manifest.Bool && s != manifest.Int {
			l.Errorf(f.Value.Span, "%s must be CEL, or a constant integer or boolean", f.Key)
			continue
		}
		list = slices.DeleteFunc(list, func(old Inferred) bool { return old.Name == f.Key })
		list = append(list, Inferred{Name: f.Key, Span: f.KeySpan, Value: f.Value})
	}
	return list
}
