// SPDX-License-Identifier: Apache-2.0

// Package hole finds the ${CEL} holes in a text. It knows nothing of CEL but its strings.
package hole

import "strings"

// Piece is a stretch of a text: literal text, or the CEL of a hole, without its ${ and }.
type Piece struct {
	Start, End int // bytes of the CEL or of the text
	Hole       bool
	Open       bool // a hole without its }
}

// Split finds the holes of s; an empty s is one empty literal. A hole ends at the brace that closes it; braces and
// quotes inside the CEL's own strings do not count.
func Split(s string) []Piece {
	var pieces []Piece
	text := 0
	for i := 0; i < len(s); {
		j := strings.Index(s[i:], "${")
		if j < 0 {
			break
		}
		i += j
		if i > text {
			pieces = append(pieces, Piece{Start: text, End: i})
		}
		end := closing(s, i+2)
		if end < 0 {
			return append(pieces, Piece{Start: i + 2, End: len(s), Hole: true, Open: true})
		}
		pieces = append(pieces, Piece{Start: i + 2, End: end, Hole: true})
		i, text = end+1, end+1
	}
	if text < len(s) || len(pieces) == 0 {
		pieces = append(pieces, Piece{Start: text, End: len(s)})
	}
	return pieces
}

// closing returns the index of the } that closes the hole whose CEL starts at i, or -1.
func closing(s string, i int) int {
	depth := 0
	for i < len(s) {
		switch c := s[i]; c {
		case '{':
			depth++
		case '}':
			if depth == 0 {
				return i
			}
			depth--
		case '"', '\'':
			i = skipString(s, i)
			continue
		}
		i++
	}
	return -1
}

// skipString returns the index behind the CEL string that starts at i: single or
// double quotes, one or three of them, with backslash escapes unless prefixed by r.
func skipString(s string, i int) int {
	quote := s[i : i+1]
	if triple := strings.Repeat(quote, 3); strings.HasPrefix(s[i:], triple) {
		quote = triple
	}
	raw := i > 0 && (s[i-1] == 'r' || s[i-1] == 'R') && (i < 2 || !isWord(s[i-2]))
	for i += len(quote); i < len(s); i++ {
		if s[i] == '\\' && !raw {
			i++
			continue
		}
		if strings.HasPrefix(s[i:], quote) {
			return i + len(quote)
		}
	}
	return len(s)
}

func isWord(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}
