// SPDX-License-Identifier: Apache-2.0

package manifest_test

import (
	"fmt"
	"strings"

	"pgregory.net/rapid"

	"kilter.dev/kilter/internal/manifest"
)

// odd writes YAML in every style that hands and tools use, mixed.
type odd struct {
	*rapid.T
	strings.Builder
	nl       string
	pretty   bool // JSON on many lines
	comments []comment
	step     int      // of the file; 0: each map has its own
	blanks   []string // in front of the next comment; nil: any
	anchors  []anchor
	anchored bool // whether there are anchors and aliases
}

// comment is a comment and the entry that it belongs to; head says that it stands above.
type comment struct {
	text, path string
	head       bool
}

// anchor is a value that aliases can repeat.
type anchor struct {
	name  string
	value *manifest.Node
}

func oddFile(t *rapid.T, n *manifest.Node, anchored bool) *odd {
	o := &odd{T: t, anchored: anchored, nl: rapid.SampledFrom([]string{"\n", "\n", "\r\n"}).Draw(t, "line break"), step: rapid.IntRange(0, 4).Draw(t, "step")}
	if o.chance(10, "byte order mark") {
		o.WriteString("\ufeff")
	}
	if !anchored && o.chance(15, "JSON") && manifest.SurvivesJSON(manifest.JSON(n)) {
		o.pretty = o.chance(50, "pretty")
		o.json(n, o.nl)
	} else {
		o.root(n)
	}
	text := o.String()
	if o.chance(30, "no last line break") {
		text = strings.TrimSuffix(text, o.nl)
	} else if !strings.HasSuffix(text, o.nl) {
		text += o.nl
	}
	o.Reset()
	o.WriteString(text)
	return o
}

func (o *odd) chance(percent int, label string) bool {
	return rapid.IntRange(1, 100).Draw(o.T, label) <= percent
}

func (o *odd) root(n *manifest.Node) {
	if o.chance(20, "marker") {
		o.WriteString("---")
		o.comment("", false)
		o.WriteString(o.nl)
	}
	if !o.isBlock(n) {
		o.inline(n, 0, "")
		o.WriteString(o.nl)
		return
	}
	o.block(n, 0, "", false)
}

func (o *odd) isBlock(n *manifest.Node) bool {
	return len(n.Fields)+len(n.Items) > 0 && !o.chance(25, "flow")
}

// comment writes a comment, behind a value or on a line of its own.
func (o *odd) comment(path string, head bool) {
	if !o.chance(20, "comment") {
		return
	}
	c := comment{fmt.Sprintf("# c%d.", len(o.comments)), path, head}
	o.comments = append(o.comments, c)
	if !head {
		blanks := o.blanks
		if blanks == nil {
			blanks = []string{" ", "  ", "\t", " \t "}
		}
		o.WriteString(rapid.SampledFrom(blanks).Draw(o.T, "blank"))
	}
	o.WriteString(c.text + rapid.SampledFrom([]string{"", " a: b", "\ttab", " é {"}).Draw(o.T, "words"))
}

func (o *odd) lineComment(path string, col int) {
	size := len(o.comments)
	was := o.Len()
	o.WriteString(strings.Repeat(" ", col))
	if o.comment(path, true); len(o.comments) > size {
		o.WriteString(o.nl)
		return
	}
	text := o.String()[:was]
	o.Reset()
	o.WriteString(text)
	if o.chance(8, "blank line") {
		o.WriteString(o.nl)
	}
}

// block writes the lines of n, whose first may have begun.
func (o *odd) block(n *manifest.Node, col int, path string, begun bool) {
	indent := strings.Repeat(" ", col)
	if a := o.alias(); a != nil && n.Shape == manifest.Map && a.value.Shape == manifest.Map && begun == false {
		o.WriteString(indent + "<<: *" + a.name + o.nl)
	}
	entry := func(i int, path string) {
		if i > 0 || !begun {
			o.lineComment(path, col)
			o.WriteString(indent)
		}
	}
	for i, f := range n.Fields {
		path := path + "/" + f.Key
		entry(i, path)
		o.WriteString(o.text(f.Key, false) + ":")
		o.value(f.Value, col, path, false)
	}
	gap := rapid.SampledFrom([]int{2, 2, 2, 3, 4}).Draw(o.T, "gap")
	for i, item := range n.Items {
		path := fmt.Sprint(path, "/", i)
		entry(i, path)
		o.WriteString("-")
		if !o.isBlock(item) {
			o.value(item, col, path, true)
			continue
		}
		o.WriteString(strings.Repeat(" ", gap-1))
		o.block(item, col+gap, path, true)
	}
}

// alias returns the anchor of an alias to write, nil for none.
func (o *odd) alias() *anchor {
	if len(o.anchors) == 0 || !o.chance(20, "alias") {
		return nil
	}
	return &o.anchors[rapid.IntRange(0, len(o.anchors)-1).Draw(o.T, "of")]
}

// value writes what is behind a colon or dash.
func (o *odd) value(n *manifest.Node, col int, path string, inline bool) {
	if a := o.alias(); a != nil {
		o.WriteString(" *" + a.name)
		o.comment(path, false)
		o.WriteString(o.nl)
		return
	}
	if o.anchored && o.chance(20, "anchor") && !(inline && o.isBlock(n)) {
		name := fmt.Sprint("a", o.Len())
		o.WriteString(" &" + name)
		defer func() { o.anchors = append(o.anchors, anchor{name, n}) }()
	}
	if n.Shape == manifest.Null && o.chance(40, "nothing") {
		o.blanks = []string{" ", "   "} // a tab behind a dash is an error
		o.comment(path, false)
		o.blanks = nil
		o.WriteString(o.nl)
		return
	}
	if inline || !o.isBlock(n) {
		o.WriteString(strings.Repeat(" ", rapid.SampledFrom([]int{1, 1, 1, 3}).Draw(o.T, "gap")))
		o.inline(n, col, path)
		o.WriteString(o.nl)
		return
	}
	o.comment(path, false)
	o.WriteString(o.nl)
	by := o.step
	if by == 0 {
		by = rapid.IntRange(1, 4).Draw(o.T, "step")
	}
	if len(n.Items) > 0 && o.chance(50, "dedented") {
		by = 0
	}
	o.block(n, col+by, path, false)
}

func (o *odd) inline(n *manifest.Node, col int, path string) {
	if text := n.Text(); n.Shape == manifest.String && strings.Contains(text, "\n") && o.chance(70, "literal") {
		if block, ok := manifest.Literal(text, strings.Repeat(" ", col+2)); ok {
			header, lines, _ := strings.Cut(block, "\n")
			o.WriteString(header)
			o.comment(path, false)
			o.WriteString(o.nl + strings.ReplaceAll(lines, "\n", o.nl))
			return
		}
	}
	if len(n.Fields)+len(n.Items) == 0 {
		o.WriteString(o.scalar(n, false))
	} else {
		line := ""
		if o.chance(30, "lines") {
			line = o.nl + strings.Repeat(" ", col+1)
		}
		o.flow(n, path, line)
	}
	o.comment(path, false)
}
