// SPDX-License-Identifier: Apache-2.0

package profile

import (
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

// Omitted is a part of the profile's workload that serves only the profile's own command
// and image, such as container.env[HOME].
type Omitted struct {
	Path string
	Span source.Span
}

func (l *loader) infer(n *manifest.Node) {
	if !l.Keys(n, "parameters", "ports", "omit") {
		return
	}
	l.p.Infer = Infer{Span: n.Span, Parameters: l.inferred(n, "parameters"), Ports: l.inferred(n, "ports")}
	for _, item := range l.List(n, "omit", false) {
		if item.Shape != manifest.String {
			l.Errorf(item.Span, "an item of omit must be a path such as container.env[HOME]")
			continue
		}
		l.p.Infer.Omit = append(l.p.Infer.Omit, Omitted{Path: item.Text(), Span: item.Span})
	}
}

func (l *loader) inferred(n *manifest.Node, key string) []Inferred {
	m := l.Optional(n, key, manifest.Map)
	if m == nil {
		return nil
	}
	var list []Inferred
	for _, f := range m.Fields {
		if s := f.Value.Shape; s != manifest.String && s != manifest.Bool && s != manifest.Int {
			l.Errorf(f.Value.Span, "%s must be CEL, or a constant integer or boolean", f.Key)
			continue
		}
		list = append(list, Inferred{Name: f.Key, Span: f.KeySpan, Value: f.Value})
	}
	return list
}
