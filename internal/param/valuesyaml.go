// SPDX-License-Identifier: Apache-2.0

package param

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"kilter.dev/kilter/internal/manifest"
)

// lineWidth is where comments wrap, in characters.
const lineWidth = 100

// ValuesYAML returns the values.yaml of a chart: every parameter in the order declared,
// under a comment in the style of helm-docs. Values in v stand for the defaults, and an
// optional parameter without a value is null. Check of the text gives v, when Check gave v.
func (s *Schema) ValuesYAML(v Values) string {
	var b strings.Builder
	b.WriteString("# yaml-language-server: $schema=values.schema.json\n")
	if len(s.Properties) == 0 {
		b.WriteString("{}\n")
	}
	for _, p := range s.Properties {
		b.WriteByte('\n')
		p.writeYAML(&b, v[p.Name], 0)
	}
	return b.String()
}

func (s *Schema) writeYAML(b *strings.Builder, v any, depth int) {
	s.writeComment(b, depth)
	if !s.Group() || len(s.Properties) == 0 {
		b.WriteString(entryYAML(s.Name, s.node(v), depth))
		return
	}
	fmt.Fprintf(b, "%s%s:\n", indent(depth), s.Name)
	group, _ := v.(map[string]any)
	for _, p := range s.Properties {
		p.writeYAML(b, group[p.Name], depth+1)
	}
}

// node is the value to print: v, else the default.
func (s *Schema) node(v any) *manifest.Node {
	if s.Group() {
		return manifest.NewMap()
	}
	if v == nil {
		return s.Default
	}
	n, err := manifest.FromNative(v)
	if err != nil { // not made by Check
		return s.Default
	}
	return n
}

// entryYAML prints one entry at a depth. It prints the maps around it too and cuts them
// off, so that texts of several lines are indented as in the whole file.
func entryYAML(name string, v *manifest.Node, depth int) string {
	n := manifest.NewMap(entryOf(name, v))
	for range depth {
		n = manifest.NewMap(entryOf("in", n))
	}
	return strings.Join(strings.SplitAfter(manifest.Print(n), "\n")[depth:], "")
}

func (s *Schema) writeComment(b *strings.Builder, depth int) {
	text := sentence(s.Description, s.remark())
	if text == "" {
		return
	}
	for i, line := range wrap(text, lineWidth-2*depth-len("# -- ")) {
		fmt.Fprintf(b, "%s# %s%s\n", indent(depth), []string{"-- ", ""}[min(i, 1)], line)
	}
}

// remark says in a few words which values are allowed: "1 to 65535, optional".
func (s *Schema) remark() string {
	var parts []string
	add := func(format string, args ...any) { parts = append(parts, fmt.Sprintf(format, args...)) }
	if s.Format != "" {
		add("%s", s.Format)
	}
	if s.Enum != nil {
		add("%s", oneOf(s.Enum))
	}
	limits := func(low, high *int64, unit func(int64) string) {
		switch {
		case low != nil && high != nil:
			add("%d to %s", *low, unit(*high))
		case low != nil:
			add("at least %s", unit(*low))
		case high != nil:
			add("at most %s", unit(*high))
		}
	}
	limits(s.Minimum, s.Maximum, func(n int64) string { return strconv.FormatInt(n, 10) })
	limits(s.MinLength, s.MaxLength, func(n int64) string { return plural(n, "character") })
	limits(s.MinItems, s.MaxItems, func(n int64) string { return plural(n, "item") })
	if s.Optional() {
		add("optional")
	}
	return strings.Join(parts, ", ")
}

func sentence(description, remark string) string {
	switch {
	case remark == "":
		return description
	case description == "":
		return "(" + remark + ")"
	}
	return description + " (" + remark + ")"
}

// wrap breaks text into lines of at most width characters where words allow it. It
// leaves nothing that could end a comment.
func wrap(text string, width int) []string {
	var lines []string
	line, length := "", 0
	for _, word := range words(text) {
		size := len([]rune(word))
		if length > 0 && length+1+size > width {
			lines = append(lines, line)
			line, length = "", 0
		}
		if length > 0 {
			line, length = line+" ", length+1
		}
		line, length = line+word, length+size
	}
	return append(lines, line)
}

// words splits at white space and at characters that do not print.
func words(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return unicode.IsSpace(r) || !unicode.IsPrint(r) })
}

func indent(depth int) string { return strings.Repeat("  ", depth) }
