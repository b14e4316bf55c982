// SPDX-License-Identifier: Apache-2.0

package manifest

import (
	"bytes"
	"encoding/json"
	"strings"
)

// JSON returns n as JSON with two spaces of indent, keys in their order, without a
// last line break. Characters that only matter to HTML are not escaped.
func JSON(n *Node) string {
	var b strings.Builder
	writeJSON(&b, n, "\n")
	return b.String()
}

// writeJSON writes n; line is a line break and the indent of n's own lines.
func writeJSON(b *strings.Builder, n *Node, line string) {
	switch {
	case n.shape() == String:
		b.WriteString(quoteJSON(n.Text()))
	case !n.isBlock():
		b.WriteString(scalarText(n))
	case n.Shape == Map:
		for i, f := range n.Fields {
			b.WriteString([]string{",", "{"}[first(i)] + line + "  " + quoteJSON(f.Key) + ": ")
			writeJSON(b, f.Value, line+"  ")
		}
		b.WriteString(line + "}")
	default:
		for i, item := range n.Items {
			b.WriteString([]string{",", "["}[first(i)] + line + "  ")
			writeJSON(b, item, line+"  ")
		}
		b.WriteString(line + "]")
	}
}

func first(i int) int {
	if i == 0 {
		return 1
	}
	return 0
}

func quoteJSON(s string) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.Encode(s) // a string always encodes
	return strings.TrimSuffix(b.String(), "\n")
}
