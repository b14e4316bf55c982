// SPDX-License-Identifier: Apache-2.0

package helm

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"kilter.dev/kilter/internal/blueprint"
	"kilter.dev/kilter/internal/expr"
	"kilter.dev/kilter/internal/manifest"
)

// writer writes the template file of one object. Every line of text ends in a line
// break, and every line of control starts with {{-, which takes away the break and the
// indent before it; so what is left out leaves no blank line.
type writer struct {
	printer
	base    string // the file's name without .yaml
	body    strings.Builder
	defines strings.Builder // named templates of the file
	names   map[string]bool // of these templates
	dash    bool            // the next line starts a list item
	known   []string        // keys of the tests that hold where the writer is
}

// object returns the template file of root; base is its name without .yaml.
func (p printer) object(root *blueprint.Node, base string) string {
	w := &writer{printer: p, base: base, names: map[string]bool{}}
	test := w.unknown(root.Presence())
	switch {
	case root.Text != nil:
		w.objects(root.Text)
	case test == nil:
		w.fields(root, 0)
	default:
		w.body.WriteString("{{- if " + w.test(test) + " -}}\n")
		w.assume(test, func() { w.fields(root, 0) })
		w.body.WriteString("{{- end }}\n")
	}
	return w.defines.String() + w.body.String()
}

// objects writes one document per item of a list.
func (w *writer) objects(t *expr.Template) {
	_, v := expr.Split(t.Tree)
	w.line(0, "{{- range "+w.pipeline(v)+" }}")
	w.line(0, "---")
	w.line(0, "{{ "+w.include("value.yaml", ".")+" }}")
	w.line(0, "{{- end }}")
}

// line writes one line, or the lines of a literal block, at a column.
func (w *writer) line(col int, text string) {
	if w.dash {
		w.dash = false
		w.body.WriteString(strings.Repeat(" ", col-2) + "- ")
	} else {
		w.body.WriteString(strings.Repeat(" ", col))
	}
	w.body.WriteString(text + "\n")
}

// fields writes the entries of a map at a column.
func (w *writer) fields(n *blueprint.Node, col int) {
	var entries []func()
	var nodes []*blueprint.Node
	var keys []string
	for _, f := range n.Fields {
		nodes = append(nodes, f.Value)
		entries = append(entries, func() { w.entry(w.key(f), f.Key, f.Value, col) })
		keys = append(keys, w.merged(f))
	}
	w.runs(nodes, entries, col)
	if n.Merge != nil {
		w.merge(n.Merge, keys, col)
	}
}

// merged is the key that a merged map may not have because of f: none, which "" stands for,
// where f does not exist.
func (w *writer) merged(f blueprint.Field) string {
	name := strconv.Quote(f.Key)
	if f.Name != nil {
		_, v := expr.Split(f.Name.Tree)
		name = w.typed(v)
	}
	if test := w.unknown(f.Value.Presence()); test != nil {
		return fmt.Sprintf(`(ternary %s "" %s)`, name, w.operand(test))
	}
	return name
}

// runs writes entries, with one test around neighbours that exist under the same one.
func (w *writer) runs(nodes []*blueprint.Node, entries []func(), col int) {
	for i := 0; i < len(nodes); {
		test, end := w.unknown(nodes[i].Presence()), i+1
		for end < len(nodes) && test != nil && expr.Key(w.unknown(nodes[end].Presence())) == expr.Key(test) {
			end++
		}
		if end == i+1 {
			entries[i]()
		} else {
			w.when(test, col, func() {
				for _, write := range entries[i:end] {
					write()
				}
			})
		}
		i = end
	}
}

// key prints the key of a field and its colon.
func (w *writer) key(f blueprint.Field) string {
	switch {
	case f.Name != nil:
		_, v := expr.Split(f.Name.Tree)
		return "{{ " + w.pipeline(v) + " | quote }}:"
	case strings.Contains(f.Key, "{{"):
		return "{{ " + strconv.Quote(f.Key) + " | quote }}:"
	}
	return manifest.Scalar(f.Key) + ":"
}

// entry writes what stands behind head, "key:" or "-", when it exists.
func (w *writer) entry(head, name string, n *blueprint.Node, col int) {
	test := w.unknown(n.Presence())
	if l, ok := test.(*expr.Literal); ok && l.Value == false {
		return
	}
	if n.Text != nil && isTree(n.Text.Tree) {
		w.tree(head, n.Text, test, col)
		return
	}
	w.when(test, col, func() { w.content(head, name, n, col) })
}

// when writes lines that exist only if the test holds; nil always does.
func (w *writer) when(test expr.Tree, col int, write func()) {
	if test == nil {
		write()
		return
	}
	w.line(col, "{{- if "+w.test(test)+" }}")
	w.assume(test, write)
	w.line(col, "{{- end }}")
}

func (w *writer) content(head, name string, n *blueprint.Node, col int) {
	switch {
	case n.Literal != nil:
		w.line(col, head+" "+w.constant(n.Literal, name, col))
	case n.Text != nil:
		w.line(col, head+" "+w.scalar(n.Text, name, col))
	case n.Shape == manifest.List:
		w.line(col, head)
		var entries []func()
		for _, item := range n.Items {
			entries = append(entries, func() { w.entry("-", name, item, col+2) })
		}
		w.runs(n.Items, entries, col+2)
	case head == "-" && w.startsPlainly(n):
		w.dash = true
		w.fields(n, col+2)
	default:
		w.line(col, head)
		w.fields(n, col+2)
	}
}

// startsPlainly reports whether the first line of a map can follow the dash of its item.
func (w *writer) startsPlainly(n *blueprint.Node) bool {
	if len(n.Fields) == 0 {
		return false
	}
	first := n.Fields[0].Value
	return w.unknown(first.Presence()) == nil && (first.Text == nil || !isTree(first.Text.Tree))
}

// isTree reports whether t is a list, a map or anything.
func isTree(t expr.Tree) bool {
	switch t.Type().Kind {
	case expr.List, expr.Map, expr.Any:
		return true
	}
	return false
}

// tree writes a whole hole that holds a list, a map or anything; a list in a list adds
// its items.
func (w *writer) tree(head string, t *expr.Template, test expr.Tree, col int) {
	_, v := expr.Split(t.Tree)
	text := w.pipeline(v)
	lines := func(text string) {
		switch {
		case head != "-":
			w.line(col, head)
			w.nested(text, col+2)
		case v.Type().Kind == expr.Map:
			w.nested("list "+inParens(text), col)
		case v.Type().Kind == expr.Any:
			text = inParens(text)
			w.nested("ternary "+text+" (list "+text+`) (kindIs "slice" `+text+")", col)
		default:
			w.nested(text, col)
		}
	}
	if c, ok := test.(*expr.Call); ok && c.Op == expr.NonEmpty && !w.mayBeScalar(v) {
		w.line(col, "{{- with "+text+" }}")
		lines(".")
		w.line(col, "{{- end }}")
		return
	}
	w.when(test, col, func() { lines(text) })
}

// nested prints a value of any depth as YAML whose lines start at col.
func (w *writer) nested(value string, col int) {
	w.line(col, "{{- "+w.include("value.yaml", inParens(value))+" | nindent "+strconv.Itoa(col)+" }}")
}

// merge writes the entries of a map but those whose keys, printed as operands, are
// written out.
func (w *writer) merge(t *expr.Template, keys []string, col int) {
	_, v := expr.Split(t.Tree)
	text := w.pipeline(v)
	if len(keys) == 0 && slices.Contains(w.known, expr.Key(nonEmpty(v))) {
		w.nested(text, col)
		return
	}
	if len(keys) > 0 {
		text = "omit " + w.typed(v) + " " + strings.Join(keys, " ")
	}
	w.line(col, "{{- with "+text+" }}")
	w.nested(".", col)
	w.line(col, "{{- end }}")
}

func nonEmpty(t expr.Tree) expr.Tree {
	return &expr.Call{Op: expr.NonEmpty, Args: []expr.Tree{t}, T: expr.Type{Kind: expr.Bool}}
}

// assume runs write where test holds.
func (w *writer) assume(test expr.Tree, write func()) {
	before := len(w.known)
	w.known = append(w.known, expr.Key(test))
	if c, ok := test.(*expr.Call); ok && c.Op == expr.And {
		for _, a := range c.Args {
			w.known = append(w.known, expr.Key(a))
		}
	}
	write()
	w.known = w.known[:before]
}

// unknown returns what is left of a test where others are known to hold.
func (w *writer) unknown(test expr.Tree) expr.Tree {
	c, ok := test.(*expr.Call)
	switch {
	case !ok && test == nil, slices.Contains(w.known, expr.Key(test)):
		return nil
	case !ok:
		return test
	case c.Op == expr.Or:
		for _, a := range c.Args {
			if w.unknown(a) == nil {
				return nil
			}
		}
	case c.Op == expr.And:
		var left []expr.Tree
		for _, a := range c.Args {
			if a = w.unknown(a); a != nil && !implied(a, c.Args) {
				left = append(left, a)
			}
		}
		return expr.All(left...)
	}
	return test
}

// implied reports whether t asks for the presence of a value that another test asks to
// be not empty.
func implied(t expr.Tree, tests []expr.Tree) bool {
	has, ok := t.(*expr.Call)
	if !ok || has.Op != expr.Has {
		return false
	}
	return slices.ContainsFunc(tests, func(other expr.Tree) bool {
		c, ok := other.(*expr.Call)
		return ok && c.Op == expr.NonEmpty && expr.Key(c.Args[0]) == expr.Key(has.Args[0])
	})
}
