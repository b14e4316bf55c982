// SPDX-License-Identifier: Apache-2.0

package manifest_test

import (
	"testing"

	"kilter.dev/kilter/internal/manifest"
	"kilter.dev/kilter/internal/source"
)

func FuzzParse(f *testing.F) {
	for _, s := range hostile {
		if len(s) < 200 {
			f.Add(s)
			f.Add("a: " + s + "\n- b: |2+\n" + s + "\n---\n" + s + ": 'x'")
		}
	}
	f.Add("a: &x !!str \"b\\u00e9\"\n? |\n  k\n: *x\n<<: [{c: >-\n  d\n}]\n")
	f.Fuzz(func(t *testing.T, text string) {
		file := source.New("t.yaml", text)
		docs, diags := manifest.Parse(file)
		for _, d := range diags {
			if d.Span.Start < 0 || d.Span.Start > d.Span.End || d.Span.End > len(text) {
				t.Fatalf("error at [%d, %d): %s", d.Span.Start, d.Span.End, d.Message)
			}
			if d.Message == "" || d.Span.File != file {
				t.Fatalf("error without message or file: %+v", d)
			}
		}
		for _, n := range docs {
			checkSpans(t, n)
		}
		manifest.Objects(docs)
		printed := manifest.Print(docs...)
		again := parse(t, printed)
		if !manifest.Equal(manifest.NewList(docs...), manifest.NewList(again...)) {
			t.Fatalf("printed and read back, it differs:\n%s", printed)
		}
		if twice := manifest.Print(again...); twice != printed {
			t.Fatalf("printed\n%s\nand then\n%s", printed, twice)
		}
	})
}
