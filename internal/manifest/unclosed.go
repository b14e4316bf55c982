// SPDX-License-Identifier: Apache-2.0

package manifest

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// open returns the offsets of the brackets that are open at the end of a text, or where the
// wrong one is closed, the outermost first. What stands in quotes or in a comment is none; what
// stands in a block scalar may be taken for one.
func open(text string) (at []int) {
	begins := true // a value may begin here
	for i := 0; i < len(text); i++ {
		c, block := text[i], len(at) == 0
		switch {
		case c == '\n':
			begins = begins || block
		case among(c, " \t\r"):
			begins = begins || block && i > 0 && among(text[i-1], ":?-")
		case c == '#' && (i == 0 || among(text[i-1], " \t\r\n")):
			i += lineLen(text[i:]) - 1
		case begins && block && among(c, "!&"): // before the value
			i += strings.IndexFunc(text[i:]+"\n", unicode.IsSpace) - 1
		case begins && among(c, `"'`):
			length := quotedLen(text[i:], c)
			if length < 0 {
				return at
			}
			i += length - 1
			begins = false
		case among(c, "[{") && (begins || !block):
			at = append(at, i)
			begins = true
		case among(c, "]}") && !block:
			if text[at[len(at)-1]]+2 != c {
				return at
			}
			at = at[:len(at)-1]
			begins = false
		default:
			begins = !block && among(c, ",:")
		}
	}
	return at
}

func among(c byte, set string) bool { return strings.IndexByte(set, c) >= 0 }

// inBrackets reports whether the library's message is about what stands in brackets.
func inBrackets(message string) bool {
	return slices.Contains([]string{"did not find expected ',' or ']'", "did not find expected ',' or '}'", "did not find expected node content"}, message)
}

// unclosed reports the innermost of the brackets that are not closed, and says where those
// around it are; it reports nothing where the text goes wrong for another reason.
func (p *parser) unclosed(message string) bool {
	if !inBrackets(message) {
		return false
	}
	at := open(p.text)
	if len(at) == 0 || problem(p.text[:at[0]+1]) == "" { // that is in a block scalar
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
