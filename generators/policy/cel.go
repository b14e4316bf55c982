// SPDX-License-Identifier: Apache-2.0

package policy

import (
	"regexp"
	"strings"

	"kilter.dev/kilter/internal/lint"
)

// literal is s as CEL text.
func literal(s string) string {
	return "'" + strings.NewReplacer(`\`, `\\`, `'`, `\'`, "\n", `\n`, "\t", `\t`, "\r", `\r`).Replace(s) + "'"
}

// concatenation is CEL for a text with holes: a string.
func concatenation(t *lint.Text) string {
	var parts []string
	for _, p := range t.Parts {
		switch {
		case p.Hole != nil:
			parts = append(parts, "string("+p.Hole.Text()+")")
		case p.Text != "":
			parts = append(parts, literal(p.Text))
		}
	}
	if parts == nil {
		return "''"
	}
	return strings.Join(parts, " + ")
}

// plainKey matches keys that can be selected with a dot, and are no word of CEL's own.
var plainKey = regexp.MustCompile(`^[a-z][a-zA-Z0-9]*$`)

// reserved are words that CEL selects no field by.
var reserved = map[string]bool{
	"false": true, "in": true, "null": true, "true": true, "as": true, "break": true, "const": true, "continue": true, "else": true,
	"for": true, "function": true, "if": true, "import": true, "let": true, "loop": true, "namespace": true, "package": true,
	"return": true, "var": true, "void": true, "while": true,
}

// selected is CEL for the field called key of the map of.
func selected(of, key string) string {
	if plainKey.MatchString(key) && !reserved[key] {
		return of + "." + key
	}
	return of + "[" + literal(key) + "]"
}

// optional is CEL for the field called key of the map of, each of which may be absent.
func optional(of, key string) string {
	if plainKey.MatchString(key) && !reserved[key] {
		return of + ".?" + key
	}
	return of + "[?" + literal(key) + "]"
}

// has is CEL that asks whether the map of has a field called key.
func has(of, key string) string { return literal(key) + " in " + of }

// both joins conditions, of which "" is always true.
func both(conditions ...string) string {
	var all []string
	for _, c := range conditions {
		if c != "" {
			all = append(all, "("+c+")")
		}
	}
	return strings.Join(all, " && ")
}
