// SPDX-License-Identifier: Apache-2.0

package manifest

import (
	"math"
	"strconv"
	"strings"
)

// maxSimpleKey is the length in bytes beyond which a key is written in the explicit
// "? key" form: readers refuse longer ones in front of a colon (1,024 characters).
const maxSimpleKey = 512

// Print returns the documents as YAML in block style, parted by "---" lines: two
// spaces of indent, list items in their parent's column. Any reader of YAML 1.1 or 1.2
// gets the same values back; bytes that are not UTF-8 are printed as U+FFFD.
func Print(docs ...*Node) string {
	p := printer{layout: ours}
	for i, doc := range docs {
		if i > 0 {
			p.WriteString("---\n")
		}
		p.value(doc, 0)
		p.WriteByte('\n')
	}
	return p.String()
}

// layout is how block style is laid out, in columns.
type layout struct {
	step int   // from a map to a map or text in it
	list int   // from a map to the dashes of a list in it
	gap  int   // from a dash to its item
	flat bool  // texts of several lines are quoted, not blocks
	key  style // of keys: single, double, or plain where that is safe
}

var ours = layout{step: 2, gap: 2}

type printer struct {
	strings.Builder
	layout
}

// value writes n where the cursor stands, without the last line break. Entries of a
// map or list start at column col, where the cursor is; lines of a text a step further.
func (p *printer) value(n *Node, col int) {
	switch {
	case n.isBlock() && n.Shape == Map:
		for i, f := range n.Fields {
			p.entry(i, col)
			p.field(f, col)
		}
	case n.isBlock():
		for i, item := range n.Items {
			p.entry(i, col)
			p.WriteString("-" + strings.Repeat(" ", p.gap-1))
			if item.isBlock() {
				p.value(item, col+p.gap)
			} else {
				p.scalar(item, col)
			}
		}
	default:
		p.scalar(n, col)
	}
}

func (p *printer) entry(i, col int) {
	if i > 0 {
		p.line(col)
	}
}

func (p *printer) line(col int) {
	p.WriteByte('\n')
	for range col {
		p.WriteByte(' ')
	}
}

func (p *printer) field(f Field, col int) {
	key := p.key.text(f.Key)
	if len(key) > maxSimpleKey {
		p.WriteString("? ")
		p.WriteString(key)
		p.line(col)
	} else {
		p.WriteString(key)
	}
	p.WriteByte(':')
	if !f.Value.isBlock() {
		p.WriteByte(' ')
		p.scalar(f.Value, col)
		return
	}
	p.below(f.Value, col)
}

// below writes a map or list on the lines behind its key, which is at column col.
func (p *printer) below(n *Node, col int) {
	if n.Shape == List {
		col += p.list
	} else {
		col += p.step
	}
	p.line(col)
	p.value(n, col)
}

// scalar writes a scalar, or an empty map or list, of a collection at column col.
func (p *printer) scalar(n *Node, col int) {
	if n.shape() == String {
		if block, ok := block(n.Text(), col, p.step); ok && !p.flat {
			p.WriteString(block)
			return
		}
		p.WriteString(Scalar(n.Text()))
		return
	}
	p.WriteString(scalarText(n))
}

func (n *Node) isBlock() bool { return n != nil && len(n.Fields)+len(n.Items) > 0 }

// scalarText is the text of what is not a string: the same in YAML and JSON.
func scalarText(n *Node) string {
	switch n.shape() {
	case Bool:
		b, _ := n.Value.(bool)
		return strconv.FormatBool(b)
	case Int:
		i, _ := n.Value.(int64)
		return strconv.FormatInt(i, 10)
	case Float:
		f, _ := n.Value.(float64)
		return floatText(f)
	case Map:
		return "{}"
	case List:
		return "[]"
	}
	return "null"
}

// floatText writes a number so that YAML 1.1 (which wants a point before the exponent
// and a sign in it), YAML 1.2 and JSON read it back.
func floatText(f float64) string {
	size := math.Abs(f)
	switch {
	case math.IsNaN(f) || math.IsInf(f, 0):
		return "null" // JSON has no word for it
	case f == math.Trunc(f) && size < 1<<63:
		return strconv.FormatInt(int64(f), 10) // all digits: it is read as an integer
	case size >= 1e-6 && size < 1e21:
		return strconv.FormatFloat(f, 'f', -1, 64)
	}
	text := strconv.FormatFloat(f, 'e', -1, 64)
	if !strings.Contains(text, ".") {
		text = strings.Replace(text, "e", ".0e", 1)
	}
	return text
}
