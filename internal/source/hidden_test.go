// SPDX-License-Identifier: Apache-2.0

package source_test

import (
	"fmt"
	"testing"

	"kilter.dev/kilter/internal/source"
)

// TestHide: nothing of what is hidden is in an excerpt, wherever it starts, and a copy hides
// the same.
func TestHide(t *testing.T) {
	f := source.New("f", "a: é1, b: xy\r\nc: |\n  x\n  y\nd: z\n")
	at := func(start, end int) source.Span { return source.Span{File: f, Start: start, End: end} }
	for _, hidden := range [][2]int{{3, 6}, {11, 13}, {18, 27}} {
		source.Hide(at(hidden[0], hidden[1]))
		source.Hide(at(hidden[0], hidden[1]))
	}
	for _, c := range []struct {
		start, end int
		want       string
		hidden     bool
	}{
		{0, 1, "a: ..., b: ... 0 1", false},
		{3, 6, "a: ..., b: ... 3 6", true},
		{5, 5, "a: ..., b: ... 3 6", true},
		{0, 4, "a: ..., b: ... 0 6", false},
		{8, 9, "a: ..., b: ... 8 9", false},
		{8, 99, "a: ..., b: ... 8 14", false},
		{15, 27, "c: ... 0 6", false},
		{22, 23, "... 0 3", true},
		{28, 32, "d: z 0 4", false},
	} {
		for _, s := range []source.Span{at(c.start, c.end), {File: f.Copy(), Start: c.start, End: c.end}} {
			text, from, to := s.Excerpt()
			if got := fmt.Sprint(text, " ", from, " ", to); got != c.want || s.Hidden() != c.hidden {
				t.Errorf("[%d, %d) is %q, hidden: %v; want %q", c.start, c.end, got, s.Hidden(), c.want)
			}
		}
	}
	if text, _, _ := (source.Span{}).Excerpt(); text != "" || (source.Span{}).Hidden() {
		t.Errorf("nowhere is %q", text)
	}
}
