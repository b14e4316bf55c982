// SPDX-License-Identifier: Apache-2.0

package manifest

import (
	"slices"
	"sort"

	yaml "go.yaml.in/yaml/v3"
)

// sample is one measure of a layout, as a document has it.
type sample struct {
	line int
	set  func(*layout)
}

// measure notes how the maps and lists in y are laid out.
func (d *document) measure(y *yaml.Node) {
	for i, child := range y.Content {
		if set := measured(y, i); set != nil {
			d.samples = append(d.samples, sample{child.Line, set})
		}
		d.measure(child)
	}
}

// measured returns what the place of a child of y says about the layout, nil for nothing.
func measured(y *yaml.Node, i int) func(*layout) {
	child := y.Content[i]
	by := child.Column - y.Column
	switch {
	case isFlow(y) || hasProps(y) || hasProps(child):
	case y.Kind == yaml.SequenceNode && by >= 2:
		return func(l *layout) { l.gap = by }
	case y.Kind != yaml.MappingNode:
	case i%2 == 0:
		return func(l *layout) { l.key = keyStyle(child) }
	case !isOpen(child) || child.Line == y.Content[i-1].Line:
	case child.Kind == yaml.MappingNode && by > 0:
		return func(l *layout) { l.step = by }
	case child.Kind == yaml.SequenceNode && by >= 0:
		return func(l *layout) { l.list = by }
	}
	return nil
}

func hasProps(y *yaml.Node) bool { return y.Anchor != "" || y.Style&yaml.TaggedStyle != 0 }

func keyStyle(y *yaml.Node) style {
	switch {
	case y.Style&yaml.DoubleQuotedStyle != 0:
		return double
	case y.Style&yaml.SingleQuotedStyle != 0:
		return single
	}
	return plain
}

// layoutAt returns the layout of what is nearest to the line.
func (d *document) layoutAt(line int) layout {
	distance := func(s sample) int { return max(s.line-line, line-s.line) }
	farthest := slices.Clone(d.samples)
	slices.SortStableFunc(farthest, func(a, b sample) int { return distance(b) - distance(a) })
	l := ours
	for _, s := range farthest {
		s.set(&l)
	}
	return l
}

// lineOf returns the line of the document, from 1, that the offset is in.
func (d *document) lineOf(at int) int {
	return sort.SearchInts(d.lines, at-d.base+1)
}
