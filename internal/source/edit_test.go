// SPDX-License-Identifier: Apache-2.0

package source_test

import (
	"testing"

	"kilter.dev/kilter/internal/source"
)

func TestApply(t *testing.T) {
	f, other := source.New("f", "abcdef"), source.New("g", "abcdef")
	edit := func(start, end int, text string) source.Edit {
		return source.Edit{Span: source.Span{File: f, Start: start, End: end}, New: text}
	}
	for want, edits := range map[string][]source.Edit{
		"abcdef":   nil,
		"1abcdef2": {edit(6, 6, "2"), edit(0, 0, "1")},
		"a12Xdef":  {edit(1, 3, "X"), edit(1, 1, "1"), edit(1, 1, "2")},
		"XY":       {edit(3, 6, "Y"), edit(0, 3, "X")},
	} {
		if got, err := source.Apply(f, edits); got != want || err != nil {
			t.Errorf("got %q, %v, want %q", got, err, want)
		}
	}
	for _, edits := range [][]source.Edit{
		{edit(0, 2, ""), edit(1, 3, "")},
		{edit(0, 2, ""), edit(1, 1, "x")},
		{edit(5, 7, "")},
		{edit(2, 1, "")},
		{edit(-1, 1, "")},
		{{Span: source.Span{File: other, Start: 0, End: 1}}},
	} {
		if got, err := source.Apply(f, edits); err == nil {
			t.Errorf("%v gives %q and no error", edits, got)
		}
	}
}
