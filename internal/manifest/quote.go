// SPDX-License-Identifier: Apache-2.0

package manifest

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Scalar returns s as YAML on one line, for a key or value in block style: as it is
// where every reader of YAML 1.1 and 1.2 takes it for that string, otherwise in double
// quotes, with escapes for whatever a reader might fold, strip or refuse.
func Scalar(s string) string {
	if isPlain(s) {
		return s
	}
	return quote(s)
}

// quote returns s in double quotes.
func quote(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s { // a byte that is not UTF-8 comes as U+FFFD
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\r':
			b.WriteString(`\r`)
		case r == '\t':
			b.WriteString(`\t`)
		case unicode.IsPrint(r):
			b.WriteRune(r)
		case r <= 0xffff:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			fmt.Fprintf(&b, `\U%08x`, r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// text returns s in quotes of the style, or as Scalar does.
func (s style) text(text string) string {
	switch {
	case s == double:
		return quote(text)
	case s == single && isSingle(text):
		return "'" + strings.ReplaceAll(text, "'", "''") + "'"
	}
	return Scalar(text)
}

var (
	// plainStart is a start that no reader takes for an indicator or a number.
	plainStart = regexp.MustCompile(`^(\./|\.\./|[-]{0,2}[A-Za-z_]|[/$])`)
	quantity   = regexp.MustCompile(`^(0|[1-9][0-9]*)(\.[0-9]+)?([KMGTPE]i|ms|[mkMGTPsh%])$`)
	// word is what some reader takes for a boolean, null or number.
	word = regexp.MustCompile(`(?i)^-?(y|n|yes|no|on|off|true|false|null|nan|inf|infinity)$`)
)

func isPlain(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return false
		}
	}
	switch {
	case s == "" || s[len(s)-1] == ' ' || s[len(s)-1] == ':':
		return false
	case strings.Contains(s, ": ") || strings.Contains(s, " #"):
		return false
	case quantity.MatchString(s):
		return true
	}
	return plainStart.MatchString(s) && !word.MatchString(s)
}

// Literal returns a text of several lines as a literal block: the header, then its
// lines, each behind indent, without the last line break. indent is two spaces more
// than the column of the map or list that the block is in. It returns false for a
// text of one line, and for one that a block would not carry safely: with carriage
// returns, unprintable characters, or blanks at the end of a line.
func Literal(s, indent string) (string, bool) { return block(s, len(indent)-2, 2) }

// block is Literal for a map or list at column col, whose texts are step further in.
func block(s string, col, step int) (string, bool) {
	body := strings.TrimRight(s, "\n")
	if body == "" || !strings.Contains(s, "\n") || !isClean(s) {
		return "", false
	}
	var b strings.Builder
	b.WriteByte('|')
	if first := strings.TrimLeft(body, "\n"); first[0] == ' ' || first[0] == '\t' {
		b.WriteString(strconv.Itoa(step))
	}
	switch len(s) - len(body) {
	case 0:
		b.WriteByte('-')
	case 1:
	default:
		b.WriteByte('+')
	}
	indent := strings.Repeat(" ", col+step)
	for line := range strings.SplitSeq(strings.TrimSuffix(s, "\n"), "\n") {
		b.WriteByte('\n')
		if line != "" {
			b.WriteString(indent)
			b.WriteString(line)
		}
	}
	return b.String(), true
}

func isClean(s string) bool {
	if !utf8.ValidString(s) {
		return false
	}
	previous := rune(0)
	for _, r := range s {
		switch {
		case r == '\n' && (previous == ' ' || previous == '\t'):
			return false
		case r != '\n' && r != '\t' && !unicode.IsPrint(r):
			return false
		}
		previous = r
	}
	return previous != ' ' && previous != '\t'
}
