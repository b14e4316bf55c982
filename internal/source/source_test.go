// SPDX-License-Identifier: Apache-2.0

package source_test

import (
	"testing"

	"kilter.dev/kilter/internal/source"
)

func TestPosition(t *testing.T) {
	f := source.New("f", "aé\nb\r\n\nd")
	for _, c := range []struct {
		start int
		want  string
	}{{0, "f:1:1"}, {1, "f:1:2"}, {3, "f:1:3"}, {4, "f:2:1"}, {7, "f:3:1"}, {8, "f:4:1"}, {9, "f:4:2"}, {99, "f:4:2"}, {-1, "f:1:1"}} {
		if got := (source.Span{File: f, Start: c.start}).String(); got != c.want {
			t.Errorf("offset %d is %s, want %s", c.start, got, c.want)
		}
	}
	if got := (source.Span{}).String(); got != "" {
		t.Errorf("nowhere is %q", got)
	}
}

func TestLine(t *testing.T) {
	f := source.New("f", "aé\nb\r\n\nd")
	for line, want := range []string{"", "aé", "b", "", "d", ""} {
		if got := f.Line(line); got != want {
			t.Errorf("line %d is %q, want %q", line, got, want)
		}
	}
	if got := (source.Span{File: f, Start: 1, End: 3}).Text(); got != "é" {
		t.Errorf("text %q", got)
	}
	if f.LineStart(2) != 4 || f.LineStart(9) != len(f.Text) || f.LineStart(0) != 0 {
		t.Error("wrong line starts")
	}
}
