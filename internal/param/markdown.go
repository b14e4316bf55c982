// SPDX-License-Identifier: Apache-2.0

package param

import (
	"fmt"
	"strings"

	"kilter.dev/kilter/internal/manifest"
)

// Markdown returns the table of the parameters, in the order declared. Values in v
// stand for the defaults; an optional parameter without a value has an empty cell.
func (s *Schema) Markdown(v Values) string {
	var b strings.Builder
	b.WriteString("| Parameter | Type | Default | Description |\n|---|---|---|---|\n")
	s.writeRows(&b, v)
	return b.String()
}

func (s *Schema) writeRows(b *strings.Builder, values map[string]any) {
	for _, p := range s.Properties {
		if p.Group() && len(p.Properties) > 0 {
			group, _ := values[p.Name].(map[string]any)
			p.writeRows(b, group)
			continue
		}
		standard := ""
		if n := p.node(values[p.Name]); n != nil {
			standard = codeSpan(oneLine(n))
		}
		fmt.Fprintf(b, "| `%s` | %s | %s | %s |\n", p.Path, p.typeName(), standard, cell(sentence(p.Description, p.limits())))
	}
}

// limits is remark without what the other columns say.
func (s *Schema) limits() string {
	plain := *s
	plain.Format, plain.Default = "", manifest.NewMap()
	return plain.remark()
}

// typeName names the type as users do.
func (s *Schema) typeName() string {
	switch {
	case s.Format != "":
		return s.Format
	case s.Type == Array:
		return "list of " + s.Items.typeName()
	case s.Type == Object && s.Values != nil:
		return "map of " + s.Values.typeName()
	case s.Type == Object || s.AnyMap:
		return "object"
	}
	return string(s.Type)
}

// oneLine is a value as JSON without line breaks.
func oneLine(n *manifest.Node) string {
	var parts []string
	switch n.Shape {
	case manifest.Map:
		for _, f := range n.Fields {
			parts = append(parts, manifest.JSON(manifest.NewString(f.Key))+": "+oneLine(f.Value))
		}
		return "{" + strings.Join(parts, ", ") + "}"
	case manifest.List:
		for _, item := range n.Items {
			parts = append(parts, oneLine(item))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	}
	return manifest.JSON(n)
}

// codeSpan fences text with more backticks than it holds in a row.
func codeSpan(text string) string {
	fence := "`"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	if len(fence) > 1 {
		text = " " + text + " "
	}
	return fence + strings.ReplaceAll(text, "|", `\|`) + fence
}

// cell makes text safe in a table: one line, no bars, no HTML outside code spans.
func cell(text string) string {
	parts := strings.Split(strings.Join(words(text), " "), "`")
	for i := range parts {
		if i%2 == 0 {
			parts[i] = strings.ReplaceAll(parts[i], "<", "&lt;")
		}
	}
	return strings.ReplaceAll(strings.Join(parts, "`"), "|", `\|`)
}
