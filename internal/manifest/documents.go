// SPDX-License-Identifier: Apache-2.0

package manifest

import (
	"strings"
	"unicode/utf8"
)

// maxDepth is how deep values may be nested: far more than any Kubernetes object is, and
// little enough for every recursion over nodes.
const maxDepth = 500

// chunk is the text of one document and where it begins in the file.
type chunk struct {
	text   string
	offset int
}

// split parts text at lines that begin a document, so that a broken document cannot hide
// the others. The marker stays with the document it begins.
func split(text string) []chunk {
	offset := 0
	if strings.HasPrefix(text, "\ufeff") {
		offset = len("\ufeff")
	}
	var chunks []chunk
	start := offset
	for at := offset; at < len(text); {
		next := len(text)
		if i := strings.IndexByte(text[at:], '\n'); i >= 0 {
			next = at + i + 1
		}
		if isMarker(text[at:next]) && at > start {
			chunks = append(chunks, chunk{text[start:at], start})
			start = at
		}
		at = next
	}
	return append(chunks, chunk{text[start:], start})
}

func isMarker(line string) bool {
	rest, ok := strings.CutPrefix(line, "---")
	return ok && (rest == "" || strings.ContainsRune(" \t\r\n", rune(rest[0])))
}

// lineStarts are the offsets of the lines of text as the YAML parser counts them: it
// also ends a line at CR, NEL, LS and PS.
func lineStarts(text string) []int {
	starts := []int{0}
	for i := 0; i < len(text); {
		n := breakLen(text[i:])
		if n == 0 {
			_, size := utf8.DecodeRuneInString(text[i:])
			i += size
			continue
		}
		i += n
		starts = append(starts, i)
	}
	return starts
}

// breakLen is the length of the line break that s begins with, 0 without one.
func breakLen(s string) int {
	switch {
	case strings.HasPrefix(s, "\r\n"):
		return 2
	case s[0] == '\n', s[0] == '\r':
		return 1
	case strings.HasPrefix(s, "\u0085"):
		return 2
	case strings.HasPrefix(s, "\u2028"), strings.HasPrefix(s, "\u2029"):
		return 3
	}
	return 0
}
