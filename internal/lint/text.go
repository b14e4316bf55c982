// SPDX-License-Identifier: Apache-2.0

package lint

import (
	"fmt"
	"slices"
	"strings"

	"github.com/google/cel-go/common/types/ref"
	"google.golang.org/protobuf/types/known/structpb"

	"kilter.dev/kilter/internal/hole"
	"kilter.dev/kilter/internal/manifest"
)

// Text is a string of a rule file with holes.
type Text struct {
	Parts []Part
	whole bool // one hole and nothing else: its value keeps its type
}

// Part is a piece of a Text: a hole, or what stands between them.
type Part struct {
	Text string
	Hole *Expression // nil: Text
}

// template reads the holes of n; the expressions of holes that are not closed end with the text.
func (r *Rules) template(n *manifest.Node) *Text {
	pieces := hole.Split(n.Text())
	t := &Text{whole: len(pieces) == 1 && pieces[0].Hole}
	for _, p := range pieces {
		if p.Hole {
			t.Parts = append(t.Parts, Part{Hole: r.expression(n, p.Start, p.End)})
		} else {
			t.Parts = append(t.Parts, Part{Text: n.Text()[p.Start:p.End]})
		}
	}
	return t
}

func (t *Text) holes() []*Expression {
	var all []*Expression
	for _, p := range t.Parts {
		if p.Hole != nil {
			all = append(all, p.Hole)
		}
	}
	return all
}

// string returns the text with the values of its holes.
func (t *Text) string(s *scope) (string, error) {
	var b strings.Builder
	for _, p := range t.Parts {
		if p.Hole == nil {
			b.WriteString(p.Text)
			continue
		}
		value, err := p.Hole.eval(s)
		if err != nil {
			return "", err
		}
		native, err := nativeOf(value)
		if err != nil {
			return "", err
		}
		fmt.Fprint(&b, native)
	}
	return b.String(), nil
}

// node returns the text as a node: of the hole's type when it is one whole hole.
func (t *Text) node(s *scope) (*manifest.Node, error) {
	if !t.whole {
		text, err := t.string(s)
		return manifest.NewString(text), err
	}
	value, err := t.Parts[0].Hole.eval(s)
	if err != nil {
		return nil, err
	}
	native, err := nativeOf(value)
	if err != nil {
		return nil, err
	}
	n, err := manifest.FromNative(native)
	if err == nil {
		sortBy(t.Parts[0].Hole.keys(), n)
	}
	return n, err
}

// sortBy gives the maps in n the order in which their keys stand in keys; others follow.
func sortBy(keys []string, n *manifest.Node) {
	place := func(f manifest.Field) int {
		if i := slices.Index(keys, f.Key); i >= 0 {
			return i
		}
		return len(keys)
	}
	slices.SortStableFunc(n.Fields, func(a, b manifest.Field) int { return place(a) - place(b) })
	for _, f := range n.Fields {
		sortBy(keys, f.Value)
	}
	for _, item := range n.Items {
		sortBy(keys, item)
	}
}

// nativeOf returns a CEL value as what JSON decoders make.
func nativeOf(v ref.Val) (any, error) {
	switch x := v.Value().(type) {
	case int64, string, bool, float64:
		return x, nil
	}
	// Lists and maps go by way of JSON, in which 3 and 3.0 are the same.
	value, err := v.ConvertToNative(jsonType)
	if err != nil {
		return nil, fmt.Errorf("%s cannot stand in an object: %w", v.Type().TypeName(), err)
	}
	return whole(value.(*structpb.Value).AsInterface()), nil
}

// whole turns the numbers in v that are integers into integers.
func whole(v any) any {
	switch x := v.(type) {
	case float64:
		if i := int64(x); float64(i) == x {
			return i
		}
	case []any:
		for i := range x {
			x[i] = whole(x[i])
		}
	case map[string]any:
		for k := range x {
			x[k] = whole(x[k])
		}
	}
	return v
}
