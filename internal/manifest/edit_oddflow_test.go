// SPDX-License-Identifier: Apache-2.0

package manifest_test

import (
	"encoding/json"
	"fmt"
	"strings"

	"pgregory.net/rapid"

	"kilter.dev/kilter/internal/manifest"
)

// flow writes n in brackets; line is the line break and indent of what follows in them.
func (o *odd) flow(n *manifest.Node, path, line string) {
	open, closing := "{", "}"
	if n.Shape == manifest.List {
		open, closing = "[", "]"
	}
	pad := rapid.SampledFrom([]string{"", "", " "}).Draw(o.T, "pad")
	inner := line
	if line != "" {
		inner, pad = line+"  ", line
	}
	hugging := line != "" && o.chance(20, "hugging") // [a,
	if hugging {
		pad = ""
	}
	o.WriteString(open + pad)
	size := len(n.Fields) + len(n.Items)
	for i := range size {
		value, at := (*manifest.Node)(nil), fmt.Sprint(path, "/", i)
		if line != "" {
			o.WriteString("  ")
		}
		if n.Shape == manifest.Map {
			at = path + "/" + n.Fields[i].Key
			value = n.Fields[i].Value
			o.WriteString(o.text(n.Fields[i].Key, true) + ": ")
		} else {
			value = n.Items[i]
		}
		if len(value.Fields)+len(value.Items) == 0 {
			o.WriteString(o.scalar(value, true))
		} else {
			o.flow(value, at, inner)
		}
		last := i == size-1
		if !last || o.chance(10, "last comma") {
			o.WriteString(",")
		}
		switch {
		case hugging && last: // b]
		case line != "":
			o.comment(at, false)
			o.WriteString(line)
		case !last:
			o.WriteString(" ")
		}
	}
	if line == "" {
		o.WriteString(pad)
	} else if size == 0 {
		o.WriteString(line)
	}
	o.WriteString(closing)
}

func (o *odd) scalar(n *manifest.Node, flow bool) string {
	if n.Shape == manifest.String {
		return o.text(n.Text(), flow)
	}
	return flowText(n)
}

// text writes a text, or a key, in some quotes.
func (o *odd) text(s string, flow bool) string {
	safe := manifest.Scalar(s)
	plain := safe == s && !(flow && strings.ContainsAny(s, ",[]{}?"))
	switch {
	case len(s) > 100:
		if plain {
			return "'" + strings.ReplaceAll(s, "'", "''") + "'"
		}
		if flow && safe == s {
			return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"`
		}
		return safe
	case plain && o.chance(60, "plain"):
		return s
	case plain && o.chance(50, "single"):
		return "'" + strings.ReplaceAll(s, "'", "''") + "'"
	case manifest.SurvivesJSON(s):
		data, _ := json.Marshal(s)
		return string(data)
	case plain:
		return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"`
	}
	return safe
}

func flowText(n *manifest.Node) string { return strings.TrimSuffix(manifest.Print(n), "\n") }

func (o *odd) json(n *manifest.Node, line string) {
	text := manifest.JSON(n)
	if !o.pretty {
		data, _ := json.Marshal(manifest.Native(n))
		text = string(data)
	}
	o.WriteString(strings.ReplaceAll(text, "\n", line))
}
