// SPDX-License-Identifier: Apache-2.0

package manifest

import (
	"slices"
	"strings"

	yaml "go.yaml.in/yaml/v3"

	"kilter.dev/kilter/internal/diag"
	"kilter.dev/kilter/internal/source"
)

// EditCode is the diagnostic code of a change that cannot be made in the text.
const EditCode = "edit"

// Change turns Before, a document that Parse returned or a node in it, into After: a
// changed Clone of it, which may hold made nodes.
type Change struct{ Before, After *Node }

// Edits returns the edits of before's file that turn before into after, none when they
// are equal. Text that does not change stays as it is, byte for byte: comments, order,
// quotes, indentation, line breaks. What is added follows the text around it, behind the
// last field of its map. See EditFile.
func Edits(before, after *Node) ([]source.Edit, error) {
	if before == nil {
		return nil, refusal(source.Span{}, "it is in no file")
	}
	return EditFile(before.Span.File, []Change{{before, after}})
}

// EditFile returns the edits of f that make several changes and then append documents. The
// edits are sorted and do not touch each other. They are proven: their result is read
// again and compared with what is meant. Where it would be anything else, such as in an
// anchored value that other places repeat, there are no edits but a diag.List that says
// why, at the place to change by hand.
func EditFile(f *source.File, changes []Change, added ...*Node) ([]source.Edit, error) {
	if f == nil {
		return nil, refusal(source.Span{}, "it is in no file")
	}
	var err error
	for _, way := range []way{minimal, whole, quoted} {
		e := newEditor(f, way)
		if err = e.changes(changes); err != nil {
			continue
		}
		if err = e.appendAll(added); err != nil {
			return nil, err
		}
		edits := e.edits()
		if err = e.prove(edits); err == nil {
			return edits, nil
		}
	}
	return nil, err
}

// way is how a text is changed: where one does not read back as meant, the next may.
type way int

const (
	minimal way = iota // only what differs in a text
	whole              // the text in its style
	quoted             // the text in double quotes
)

func refusal(at source.Span, format string, args ...any) error {
	var l diag.List
	l.Errorf(at, EditCode, "cannot be edited safely: "+format, args...)
	return l
}

// editor collects the edits of one file.
type editor struct {
	file  *source.File
	way   way
	text  string // of the file, with a last line break
	docs  []*document
	errs  int // problems of the file as it is
	added []*Node

	cuts    []cut
	at      source.Span // what is being changed
	changed []anchored
}

func newEditor(f *source.File, way way) *editor {
	e := &editor{file: f, way: way, text: f.Text, at: source.Span{File: f}}
	if e.text != "" && !endsLine(e.text) {
		e.text += e.lineBreak(len(e.text))
	}
	for _, c := range split(f.Text) {
		if isBlank(f.Text[c.start:c.end]) {
			continue
		}
		d := newDocument(&parser{file: f, base: c.start, text: f.Text[c.start:c.end]})
		if d.node != nil {
			e.docs = append(e.docs, d)
		}
		e.errs += len(d.diags)
	}
	return e
}

// document is one document of the file that is edited.
type document struct {
	*parser
	node    *Node                // the root
	raw     map[*Node]*yaml.Node // what the library read nodes from
	want    map[*Node]*Node      // what becomes of nodes
	shared  map[*yaml.Node]*Node // what becomes of anchored nodes
	settled map[*yaml.Node]bool  // aliases that go, or change as is meant
	samples []sample             // how it is laid out
}

func newDocument(p *parser) *document {
	p.written = map[*yaml.Node]*Node{}
	d := &document{parser: p, node: p.document(), raw: map[*Node]*yaml.Node{}, want: map[*Node]*Node{}, shared: map[*yaml.Node]*Node{}, settled: map[*yaml.Node]bool{}}
	for y, n := range p.written {
		d.raw[n] = y
	}
	if d.node != nil {
		d.measure(p.root)
	}
	return d
}

func (e *editor) changes(changes []Change) error {
	for _, c := range changes {
		if c.Before.Span.File != e.file {
			return refusal(c.Before.Span, "it is not of %s", e.file.Name)
		}
		d, n := e.find(c.Before)
		if n == nil {
			return refusal(c.Before.Span, "it is not what the file holds")
		}
		after := written(n, c.Before, c.After)
		if old, ok := d.want[n]; ok {
			if !Equal(old, after) {
				return refusal(c.Before.Span, "it is repeated, and not changed alike")
			}
			continue
		}
		d.want[n] = after
		e.at = n.Span
		w := &writer{editor: e, document: d}
		w.value(w.slotOf(d.raw[n]), d.raw[n], after)
		if w.err != nil {
			return w.err
		}
	}
	return nil
}

// find returns the node of the file that before is a copy of.
func (e *editor) find(before *Node) (*document, *Node) {
	for _, d := range e.docs {
		if n := d.search(d.node, before); n != nil {
			return d, n
		}
	}
	return nil, nil
}

func (d *document) search(n, before *Node) *Node {
	s := before.Span
	switch {
	case n.Span.End < s.Start || n.Span.Start > s.End || n.Span.File == nil:
		return nil
	case n.Span == s && n.Shape == before.Shape:
		return n
	case d.raw[n] == nil || d.raw[n].Kind == yaml.AliasNode:
		return nil // what is below stands elsewhere
	}
	for _, f := range n.Fields {
		if found := d.search(f.Value, before); found != nil {
			return found
		}
	}
	for _, item := range n.Items {
		if found := d.search(item, before); found != nil {
			return found
		}
	}
	return nil
}

// written returns after without what before has and n, which the file holds, has not:
// Objects gives an item of a DeploymentList the apiVersion and kind that it leaves out.
func written(n, before, after *Node) *Node {
	if n.Shape != Map || after.shape() != Map {
		return after
	}
	var given []Field
	for _, f := range before.Fields {
		if i := n.index(f.Key); (i < 0 || !Equal(n.Fields[i].Value, f.Value)) && Equal(after.Get(f.Key), f.Value) {
			given = append(given, f)
		}
	}
	if given == nil {
		return after
	}
	own := *after
	own.Fields = slices.Clone(after.Fields)
	for _, f := range given {
		if i := n.index(f.Key); i >= 0 {
			own.Set(f.Key, n.Fields[i].Value)
		} else {
			own.Delete(f.Key)
		}
	}
	return &own
}

// prove reads the edited text and compares it with what is meant.
func (e *editor) prove(edits []source.Edit) error {
	text, err := source.Apply(e.file, edits)
	if err != nil {
		return e.wrong(err.Error())
	}
	docs, diags := Parse(source.New(e.file.Name, text))
	if len(diags) != e.errs {
		return e.wrong("the text would not be read any more")
	}
	if len(docs) != len(e.docs)+len(e.added) {
		return e.wrong("documents would come or go")
	}
	for i, d := range e.docs {
		if want := replaced(d.node, d.want); !Equal(docs[i], want) {
			e.at = unlike(d.node, want, docs[i])
			return e.wrong("the text would be read as something else")
		}
	}
	if !slices.EqualFunc(docs[len(e.docs):], e.added, Equal) {
		return e.wrong("the new document would be read as something else")
	}
	return nil
}

// unlike returns the place in old where got is not what is wanted.
func unlike(old, want, got *Node) source.Span {
	for _, f := range old.Fields {
		w, g := want.Get(f.Key), got.Get(f.Key)
		if f.Value.Span.File != nil && w != nil && g != nil && !Equal(w, g) {
			return unlike(f.Value, w, g)
		}
	}
	if len(want.Items) == len(old.Items) && len(got.Items) == len(old.Items) {
		for i, item := range old.Items {
			if !Equal(want.Items[i], got.Items[i]) {
				return unlike(item, want.Items[i], got.Items[i])
			}
		}
	}
	return old.Span
}

func (e *editor) wrong(reason string) error {
	if why := e.blamed(); why != nil {
		return why
	}
	return refusal(e.at, "%s", reason)
}

// replaced returns a copy of n in which the nodes of want are replaced.
func replaced(n *Node, want map[*Node]*Node) *Node {
	if other, ok := want[n]; ok {
		return other
	}
	c := *n
	c.Fields = slices.Clone(n.Fields)
	for i := range c.Fields {
		c.Fields[i].Value = replaced(c.Fields[i].Value, want)
	}
	c.Items = slices.Clone(n.Items)
	for i := range c.Items {
		c.Items[i] = replaced(c.Items[i], want)
	}
	return &c
}

func endsLine(s string) bool {
	return strings.HasSuffix(s, "\n") || strings.HasSuffix(s, "\r")
}
