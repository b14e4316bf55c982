// SPDX-License-Identifier: Apache-2.0

package manifest

import "strings"

// plain walks a plain scalar, or a text that is none of YAML.
func (t *trace) plain() {
	if t.raw == t.value {
		t.step(len(t.raw), t.raw)
		return
	}
	for t.at < len(t.raw) && !t.lost {
		rest := t.raw[t.at:]
		if size := foldLen(rest); size > 0 {
			t.step(size, foldText(rest[:size]))
		} else {
			t.step(1, rest[:1])
		}
	}
}

// foldLen is the length of the blanks and line breaks at the start of s, 0 where there is no
// line break among them.
func foldLen(s string) int {
	size := blankLen(s)
	if breakLen(s[size:]) == 0 {
		return 0
	}
	for n := breakLen(s[size:]); n > 0; n = breakLen(s[size:]) {
		size += n
		size += blankLen(s[size:])
	}
	return size
}

func blankLen(s string) int { return len(s) - len(strings.TrimLeft(s, " \t")) }

// foldText is what blanks and line breaks read as in a scalar that is no block.
func foldText(s string) string {
	lines := 0
	for s = s[blankLen(s):]; s != ""; s = s[blankLen(s):] {
		s, lines = s[breakLen(s):], lines+1
	}
	return joined(lines)
}

// joined is what is read between two lines of a text that is folded, so many breaks apart.
func joined(breaks int) string {
	if breaks == 1 {
		return " "
	}
	return strings.Repeat("\n", breaks-1)
}

// folded walks a folded block line by line. The breaks beside a line that is indented more
// than the block stay.
func (t *trace) folded() {
	t.at = lineLen(t.raw)
	indent := max(blockIndent(t.raw[t.at:], t.value), 0)
	wasMore := false
	for first := true; t.at < len(t.raw) && !t.lost; first = false {
		size, breaks, line := 0, 0, ""
		for line == "" && t.at+size < len(t.raw) {
			size, breaks = size+breakLen(t.raw[t.at+size:]), breaks+1
			line = t.raw[t.at+size:]
			line = line[:lineLen(line)]
			skip := min(indent, len(line)-len(strings.TrimLeft(line, " ")))
			size, line = size+skip, line[skip:]
		}
		isMore := blankLen(line) > 0
		switch {
		case first:
			t.step(size, strings.Repeat("\n", breaks-1)) // one ends the header
		case wasMore || isMore:
			t.step(size, strings.Repeat("\n", breaks))
		default:
			t.step(size, joined(breaks))
		}
		t.step(len(line), line)
		wasMore = isMore
	}
	if rest := t.value[min(t.decoded, len(t.value)):]; strings.Trim(rest, "\n") == "" {
		t.step(0, rest) // line breaks behind the span
	}
}
