// SPDX-License-Identifier: Apache-2.0

package source

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Edit replaces the text of a span; an empty span inserts.
type Edit struct {
	Span Span
	New  string
}

// Apply returns the text of f with the edits made, which all refer to f as it is. Edits
// that overlap, or that lie outside f, are an error; of two insertions at one place the
// earlier in edits comes first, and both before an edit that replaces what follows.
func Apply(f *File, edits []Edit) (string, error) {
	sorted := slices.Clone(edits)
	slices.SortStableFunc(sorted, func(a, b Edit) int {
		return cmp.Or(a.Span.Start-b.Span.Start, min(a.Span.End-a.Span.Start, 1)-min(b.Span.End-b.Span.Start, 1))
	})
	var text strings.Builder
	at := 0
	for _, e := range sorted {
		if e.Span.File != f || e.Span.Start < at || e.Span.End < e.Span.Start || e.Span.End > len(f.Text) {
			return "", fmt.Errorf("%s: edits of %d to %d overlap or lie outside the text", f.Name, e.Span.Start, e.Span.End)
		}
		text.WriteString(f.Text[at:e.Span.Start])
		text.WriteString(e.New)
		at = e.Span.End
	}
	text.WriteString(f.Text[at:])
	return text.String(), nil
}
