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

// FuzzEdits changes one place of a document, chosen by seed, to another value.
func FuzzEdits(f *testing.F) {
	for _, c := range editCases {
		f.Add(c.before, c.value, uint(7))
		f.Add(c.after, "{a: [b, 'c: d']}", uint(3))
	}
	f.Fuzz(func(t *testing.T, text, value string, seed uint) {
		file := source.New("t.yaml", text)
		docs, diags := manifest.Parse(file)
		values, _ := manifest.Parse(source.New("v.yaml", value))
		if len(docs) == 0 || len(values) == 0 || len(diags) > 0 {
			return
		}
		doc := int(seed % uint(len(docs)))
		after := docs[doc].Clone()
		var places []*manifest.Node
		each(after, func(n *manifest.Node) { places = append(places, n) })
		place := places[int(seed/2%uint(len(places)))]
		switch {
		case seed%2 == 0:
			*place = *values[0]
		case place.Shape == manifest.Map && len(place.Fields) > 0:
			place.Delete(place.Fields[0].Key)
			place.Set("new", values[0])
		case place.Shape == manifest.List:
			place.Items = append(place.Items, values[0])
		}
		edits, err := manifest.Edits(docs[doc], after)
		if err != nil {
			return
		}
		got, err := source.Apply(file, edits)
		if err != nil {
			t.Fatal(err)
		}
		again := parse(t, got)
		docs[doc] = after
		if !manifest.Equal(manifest.NewList(docs...), manifest.NewList(again...)) {
			t.Fatalf("%s\n---- has become\n%s", text, got)
		}
	})
}
