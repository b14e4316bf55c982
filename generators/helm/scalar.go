// SPDX-License-Identifier: Apache-2.0

package helm

import (
	"fmt"
	"strconv"
	"strings"

	"kilter.dev/kilter/internal/expr"
	"kilter.dev/kilter/internal/manifest"
)

// scalar prints a template as a YAML scalar behind the head of an entry at column col.
// name is what the entry is called.
func (w *writer) scalar(t *expr.Template, name string, col int) string {
	_, v := expr.Split(t.Tree)
	if l, ok := v.(*expr.Literal); ok {
		n, err := manifest.FromNative(l.Value)
		if err == nil {
			return w.constant(n, name, col)
		}
	}
	if v.Type().Kind != expr.String {
		return "{{ " + w.pipeline(v) + " }}"
	}
	if strings.Contains(constantText(v), "\n") {
		return "{{ " + w.define(v, name) + " | quote }}"
	}
	return "{{ " + w.pipeline(v) + " | quote }}"
}

// constant prints a constant scalar, or {} or [].
func (w *writer) constant(n *manifest.Node, name string, col int) string {
	text := n.Text()
	switch {
	case n.Shape != manifest.String:
		return strings.TrimSuffix(manifest.Print(n), "\n")
	case strings.Contains(text, "{{") && strings.Contains(text, "\n"):
		return "{{ " + w.define(&expr.Literal{Value: text}, name) + " | quote }}"
	case strings.Contains(text, "{{"):
		return "{{ " + strconv.Quote(text) + " | quote }}"
	}
	// A line of control behind a block takes away the block's last line breaks.
	if !strings.HasSuffix(text, "\n\n") {
		if block, ok := manifest.Literal(text, strings.Repeat(" ", col+2)); ok {
			return block
		}
	}
	return manifest.Scalar(text)
}

// define writes a text of several lines as a named template of the file, where it can
// be read, and returns the call.
func (w *writer) define(t expr.Tree, name string) string {
	unique := "text." + w.base + "." + name
	for i := 2; w.names[unique]; i++ {
		unique = fmt.Sprintf("text.%s.%s-%d", w.base, name, i)
	}
	w.names[unique] = true
	w.defines.WriteString(w.named(unique, t) + "\n")
	return w.include(unique, ".")
}

// named prints a named template whose text is that of t, byte for byte.
func (p printer) named(name string, t expr.Tree) string {
	text := p.natural(t)
	end := "{{ end -}}\n"
	if strings.TrimRight(text, " \t\r\n") == text {
		end = "\n{{- end -}}\n"
	}
	return "{{- define " + strconv.Quote(p.chart+"."+name) + " -}}\n" + text + end
}

// constantText is the text of t that does not depend on values.
func constantText(t expr.Tree) string {
	switch x := t.(type) {
	case *expr.Literal:
		text, _ := x.Value.(string)
		return text
	case *expr.Call:
		if x.Op == expr.Concat {
			var b strings.Builder
			for _, a := range x.Args {
				b.WriteString(constantText(a))
			}
			return b.String()
		}
	}
	return ""
}

// natural prints t as text with actions in it, byte for byte, to stand behind -}} and
// before {{ without a dash.
func (p printer) natural(t expr.Tree) string {
	parts := []expr.Tree{t}
	if c, ok := t.(*expr.Call); ok && c.Op == expr.Concat {
		parts = c.Args
	}
	var b strings.Builder
	for _, part := range parts {
		l, ok := part.(*expr.Literal)
		if !ok {
			if c, ok := part.(*expr.Call); ok && c.Op == expr.Text {
				part = c.Args[0]
			}
			b.WriteString("{{ " + p.pipeline(part) + " }}")
			continue
		}
		text := fmt.Sprint(l.Value)
		if b.Len() == 0 { // -}} takes away the white space that follows it
			rest := strings.TrimLeft(text, " \t\r\n")
			if rest != text {
				b.WriteString("{{ " + strconv.Quote(text[:len(text)-len(rest)]) + " }}")
			}
			text = rest
		}
		b.WriteString(escape(text))
	}
	return b.String()
}

// escape makes text come out of a template as it is: no brace of it meets another one
// to open an action.
func escape(text string) string {
	text = strings.ReplaceAll(text, "{{", `{{ "{{" }}`)
	if strings.HasSuffix(text, "{") {
		text = strings.TrimSuffix(text, "{") + `{{ "{" }}`
	}
	return text
}
