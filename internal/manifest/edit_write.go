// SPDX-License-Identifier: Apache-2.0

package manifest

import (
	"slices"

	yaml "go.yaml.in/yaml/v3"
)

// writer makes the edits of one document.
type writer struct {
	*editor
	*document
	err error // the first change that cannot be made
}

// slot is where a value stands.
type slot struct {
	lead int       // behind the dash or colon; -1: the value is changed as a whole
	col  int       // column of the dash or key
	item bool      // behind a dash
	flow *brackets // around it; nil: none
}

func (w *writer) refuse(y *yaml.Node, format string, args ...any) {
	at := w.editor.at
	if n := w.written[y]; n != nil {
		at = n.Span
	}
	if w.err == nil {
		w.err = refusal(at, format, args...)
	}
}

// value turns y into after.
func (w *writer) value(at slot, y *yaml.Node, after *Node) {
	before := w.written[y]
	if before == nil || Equal(before, after) || w.err != nil {
		return
	}
	if y.Anchor != "" {
		w.shared[y] = after
		w.blame(y)
	}
	switch {
	case y.Kind == yaml.AliasNode:
		w.alias(at, y, after)
	case y.Kind == yaml.MappingNode && after.shape() == Map:
		w.fields(at, y, after)
	case y.Kind == yaml.SequenceNode && after.shape() == List:
		w.items(at, y, after)
	case y.Kind == yaml.ScalarNode && !after.isBlock():
		w.scalar(at, y, after)
	default:
		w.replace(at, y, after)
	}
}

// alias changes what an alias stands for: nothing is to be done where the anchored value
// changes alike.
func (w *writer) alias(at slot, y *yaml.Node, after *Node) {
	w.settled[y] = true
	if same, ok := w.shared[y.Alias]; ok && Equal(same, after) {
		return
	}
	if isCollection(y.Alias) && after.isBlock() {
		w.refuse(y, "*%s repeats the value of another place, which would change too; write it out here first", y.Value)
		return
	}
	w.replace(at, y, after)
}

// plan is what becomes of the entries of a map or list.
type plan struct {
	at      slot
	y       *yaml.Node
	entries []entry
	gone    []bool // by entry
	added   []addition
}

// addition is a new entry.
type addition struct {
	behind int // index of an entry that stays; -1: in front of all
	field  *Field
	item   *Node // where there is no field
}

func (w *writer) plan(at slot, y *yaml.Node) *plan {
	p := &plan{at: at, y: y, entries: w.entries(y)}
	p.gone = make([]bool, len(p.entries))
	return p
}

// slot is where the value of an entry stands.
func (w *writer) slot(p *plan, e entry) slot {
	s := slot{lead: e.lead, col: w.column(e.start), item: e.key == nil}
	if isFlow(p.y) {
		s.flow = w.brackets(p)
	}
	return s
}

// kept returns the index of the last entry up to i that stays, -1 for none.
func (p *plan) kept(i int) int {
	for ; i >= 0 && p.gone[i]; i-- {
	}
	return i
}

// fields turns the map y into after.
func (w *writer) fields(at slot, y *yaml.Node, after *Node) {
	p := w.plan(at, y)
	before := w.written[y]
	own := w.own(before, p.entries)
	for i, f := range own {
		p.gone[i] = f != nil && after.index(f.Key) < 0
	}
	if !slices.Contains(p.gone, false) {
		w.replace(at, y, after)
		return
	}
	for i, f := range own {
		if f != nil && !p.gone[i] {
			w.value(w.slot(p, p.entries[i]), p.entries[i].value, after.Get(f.Key))
		}
	}
	w.inherited(before, after, p, own)
	behind := p.kept(len(p.entries) - 1)
	if i := p.kept(slices.Index(p.gone, true)); i >= 0 {
		behind = i // what comes takes the place of what goes
	}
	for i := range after.Fields {
		f := &after.Fields[i]
		if !isOwn(own, f.Key) && !w.isMerged(before, f, p) {
			p.added = append(p.added, addition{behind: behind, field: f})
		}
	}
	w.carryOut(p)
}

// own returns the fields of n by the entry that writes them, nil for entries that merge
// fields, or whose key is there again below.
func (w *writer) own(n *Node, entries []entry) []*Field {
	own := make([]*Field, len(entries))
	byStart := make(map[int]*Field, len(n.Fields))
	for i := range n.Fields {
		byStart[n.Fields[i].KeySpan.Start] = &n.Fields[i]
	}
	for i, e := range entries {
		if e.key.Tag != "!!merge" {
			own[i] = byStart[w.keyStart(e.key)]
		}
	}
	return own
}

func isOwn(own []*Field, key string) bool {
	return slices.ContainsFunc(own, func(f *Field) bool { return f != nil && f.Key == key })
}

// inherited refuses to delete what "<<" merges, and to part a map or list from where it comes
// from, as alias does.
func (w *writer) inherited(before, after *Node, p *plan, own []*Field) {
	for _, f := range before.Fields {
		if isOwn(own, f.Key) {
			continue
		}
		i := after.index(f.Key)
		switch {
		case i < 0:
			w.refuse(p.y, "%q comes from another place by <<", f.Key)
		case f.Value.isBlock() && after.Fields[i].Value.isBlock() && !w.isMerged(before, &after.Fields[i], p):
			w.refuse(p.y, "%q comes from another place by <<, which would change too; write it out here first", f.Key)
		}
	}
}

// isMerged reports whether "<<" gives the map the field as it is to be.
func (w *writer) isMerged(before *Node, f *Field, p *plan) bool {
	i := before.index(f.Key)
	if i < 0 {
		return false
	}
	for _, e := range p.entries {
		sources := []*yaml.Node{e.value}
		if e.value.Kind == yaml.SequenceNode {
			sources = e.value.Content
		}
		for _, s := range sources {
			if same, ok := w.shared[s.Alias]; ok && e.key.Tag == "!!merge" && Equal(same.Get(f.Key), f.Value) {
				return true
			}
		}
	}
	return Equal(before.Fields[i].Value, f.Value)
}

// slotOf is where a value stands that is changed as a whole.
func (w *writer) slotOf(y *yaml.Node) slot {
	s := slot{lead: -1, item: true}
	if isFlow(y) {
		s.flow = &brackets{json: w.isJSON(), colon: ": ", comma: ", ", step: "  "}
	}
	return s
}
