// SPDX-License-Identifier: Apache-2.0

package manifest

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// beforeValue matches what stands on a line in front of a value in a block.
var beforeValue = regexp.MustCompile(`(?:^|[:?-][ \t])[ \t]*(?:[!&][^ \t]*[ \t]+)*$`)

// open returns the offsets of the brackets that are open at the end of a text, or where the
// wrong one is closed, the outermost first. What stands in quotes or in a comment is none; what
// stands in a block scalar may be taken for one.
func open(text string) (at []int) {
	line := 0
	for i := 0; i < len(text); i++ {
		starts := func() bool {
			if len(at) > 0 {
				return strings.ContainsAny(lastOf(strings.TrimRight(text[:i], " \t\r\n")), "[{,:")
			}
			return beforeValue.MatchString(text[line:i])
		}
		switch c := text[i]; {
		case c == '\n':
			line = i + 1
		case c == '#' && (i == line || strings.ContainsRune(" \t", rune(text[i-1]))):
			i += lineLen(text[i:]) - 1
		case (c == '"' || c == '\'') && starts():
			length := quotedLen(text[i:], c)
			if length < 0 {
				return at
			}
			i += length - 1
		case (c == '[' || c == '{') && (len(at) > 0 || starts()):
			at = append(at, i)
		case (c == ']' || c == '}') && len(at) > 0:
			if text[at[len(at)-1]]+2 != c {
				return at
			}
			at = at[:len(at)-1]
		}
	}
	return at
}

// lastOf is the last byte of s, "" for none.
func lastOf(s string) string { return s[max(0, len(s)-1):] }

// inBrackets reports whether the library's message is about what stands in brackets.
func inBrackets(message string) bool {
	return slices.Contains([]string{"did not find expected ',' or ']'", "did not find expected ',' or '}'", "did not find expected node content"}, message)
}

// unclosed reports the innermost of the brackets that are not closed, and says where those
// around it are; it reports nothing where the text goes wrong for another reason.
func (p *parser) unclosed(message string) bool {
	at := open(p.text)
	if !inBrackets(message) || len(at) == 0 || problem(p.text[:at[0]+1]) == "" { // that is in a block scalar
		return false
	}
	around, inner := at[:len(at)-1], at[len(at)-1]
	what := map[byte]string{'[': "list", '{': "map"}[p.text[inner]]
	d := p.diags.Errorf(p.span(inner, inner+1), Code, "%q is not closed", p.text[inner:inner+1])
	d.Hint = fmt.Sprintf("write %q where the %s ends, or put the text in quotes", string(rune(p.text[inner]+2)), what) // as ASCII has it
	for _, i := range slices.Backward(around) {
		d.Related = append(d.Related, related(p.span(i, i+1), fmt.Sprintf("inside this %q", p.text[i:i+1])))
	}
	return true
}
