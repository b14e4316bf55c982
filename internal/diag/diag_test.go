// SPDX-License-Identifier: Apache-2.0

package diag_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kilter.dev/kilter/internal/diag"
	"kilter.dev/kilter/internal/source"
)

func TestPrint(t *testing.T) {
	f := source.New("a.yaml", "first: é\n\tsecond: xyz\n\n")
	var l diag.List
	l.Warnf(source.Span{File: f, Start: 11, End: 17}, "w", "odd %s", "name")
	d := l.Errorf(source.Span{File: f, Start: 7, End: 9}, "e", "wrong")
	d.Hint = "do it right"
	d.Related = []diag.Related{{Span: source.Span{File: f, Start: 19, End: 22}, Message: "as here"}}
	l.Errorf(source.Span{}, "", "nowhere")
	l.Sort()
	const want = `error: nowhere
a.yaml:1:8: error: wrong [e]
	first: é
	       ^
	a.yaml:2:10: as here
	hint: do it right
a.yaml:2:2: warning: odd name [w]
		second: xyz
		^^^^^^`
	if diff := cmp.Diff(want, l.Error()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	var b strings.Builder
	l[:1].Print(&b, true)
	if got := b.String(); got != "\x1b[31merror:\x1b[0m nowhere\n" {
		t.Errorf("in colour: %q", got)
	}
}

// TestPrintLongLine: of a long line that is shown which the diagnostic is about.
func TestPrintLongLine(t *testing.T) {
	line := strings.Repeat("é", 300) + "here" + strings.Repeat("x", 300)
	for _, c := range []struct{ start, end, from, marks int }{
		{0, 8, 0, 4},
		{600, 604, 60, 4},
		{600, len(line), 60, 100},
		{len(line) - 1, len(line), 159, 1},
		{10, 12, 5, 1},
	} {
		var l diag.List
		l.Errorf(source.Span{File: source.New("a.json", line), Start: c.start, End: c.end}, "", "wrong")
		lines := strings.Split(l.Error(), "\n\t")
		if len(lines) != 3 || len([]rune(lines[1])) != 160 || strings.HasPrefix(lines[1], "…") == (c.start < 100) || strings.HasSuffix(lines[1], "…") == (c.start > 700) {
			t.Fatalf("%d: shown is %q", c.start, lines)
		}
		if want := strings.Repeat(" ", c.from) + strings.Repeat("^", c.marks); lines[2] != want {
			t.Errorf("%d: want %q, got %q", c.start, want, lines[2])
		}
	}
}

func TestErr(t *testing.T) {
	var l diag.List
	if l.Err() != nil {
		t.Error("an empty list is an error")
	}
	l.Warnf(source.Span{}, "", "w")
	if l.Err() != nil {
		t.Error("a warning is an error")
	}
	l.Errorf(source.Span{}, "", "e")
	if l.Err() == nil {
		t.Error("an error is none")
	}
}

func TestDidYouMean(t *testing.T) {
	known := []string{"replicas", "image", "tag"}
	for name, want := range map[string]string{
		"replica": `did you mean "replicas"?`, "Image": `did you mean "image"?`, "tga": `did you mean "tag"?`, "zzzz": "", "": "", ".": "", "tub": "", "rep": `did you mean "replicas"?`, "tags": `did you mean "tag"?`, "re": "", "imag": `did you mean "image"?`, "imxxe": "",
	} {
		if got := diag.DidYouMean(name, known); got != want {
			t.Errorf("DidYouMean(%q) = %q, want %q", name, got, want)
		}
	}
}
