// SPDX-License-Identifier: Apache-2.0

package manifest_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"kilter.dev/kilter/internal/manifest"
	"kilter.dev/kilter/internal/source"
)

func TestAt(t *testing.T) {
	for _, c := range []struct{ text, part, want string }{
		{"a: x ${b} y", "${b}", "6:${b}"},
		{"a: 'it''s ${b}'", "${b}", "11:${b}"},
		{"a: 'it''s ${b}'", "'", "7:''"},
		{`a: "q\"\x41\u00e9\U0001F680 ${b}"`, "${b}", "29:${b}"},
		{`a: "q\"\x41\u00e9 ${b}"`, "é", `12:\u00e9`},
		{`a: "${\"b\"}"`, `${"b"}`, `5:${\"b\"}`},
		{`a: "\N\_\L\P\0\e x"`, "x", "18:x"},
		{"a: |\n  x\n\n  y ${b}\n", "${b}", "15:${b}"},
		{"a: |\r\n  x\r\n  y ${b}\r\n", "${b}", "16:${b}"},
		{"a: |2\n   x\n  y ${b}\n", "${b}", "16:${b}"},
		{"a: |2\n   x\n  y ${b}\n", " x", "9: x"},
		{"a: |\n  ${b\n    c}\n  d\n", "${b\n  c}", "8:${b\n    c}"},
		{"- &x !!str x ${b}", "${b}", "14:${b}"},
		{"a: >\n  x\n  ${b}\n", "${b}", "12:${b}"},
		{"a: >\n  x\n  ${b}\n", " ", "9:\n  "},
		{"a: >-\n\n  x y\n\n\n  z\n    more\n    more\n\n  q ${b}\n\n", "${b}", "43:${b}"},
		{"a: >-\n\n  x y\n\n\n  z\n    more\n    more\n\n  q ${b}\n\n", "  more\n  more", "22:  more\n    more"},
		{"a: >2\r\n   x\r\n  y ${b}\r\n", "${b}", "18:${b}"},
		{"a: x\n  ${b}", "${b}", "8:${b}"},
		{"a: x \t\n\n\n   é y\n b", "\n\né y b", "5: \t\n\n\n   é y\n b"},
		{"a: x \t\n\n\n   é y\n b", "y b", "16:y\n b"},
		{"a: \"x\n  ${b}\"", "${b}", "9:${b}"},
		{"a: \"x \\\n  \\ ${b}\n  y\"", "  ${b}", "6: \\\n  \\ ${b}"},
		{"a: \"x \\\n  \\ ${b}\n  y\"", "${b} y", "13:${b}\n  y"},
		{"a: 'it''s\n\n  ${b}'", "${b}", "14:${b}"},
	} {
		f := source.New("t.yaml", c.text)
		docs, diags := manifest.Parse(f)
		if len(diags) > 0 || len(docs) != 1 {
			t.Fatalf("%q: %v", c.text, diags)
		}
		n := docs[0].Get("a")
		if docs[0].Shape == manifest.List {
			n = docs[0].Items[0]
		}
		start := strings.Index(n.Text(), c.part)
		if start < 0 {
			t.Fatalf("%q has no %q", n.Text(), c.part)
		}
		span := n.At(start, start+len(c.part))
		_, want, _ := strings.Cut(c.want, ":")
		if span.Text() != want || !strings.HasPrefix(c.want, itoa(span.Start+1)+":") {
			t.Errorf("%q: %q is at %d:%q, want %s", c.text, c.part, span.Start+1, span.Text(), c.want)
		}
	}
}

func itoa(i int) string { return manifest.JSON(manifest.NewInt(int64(i))) }

func TestAtOfOthers(t *testing.T) {
	n := parseOne(t, "a: &x text\nb: *x\n")
	if got := n.Get("b").At(1, 2).Text(); got != "*x" {
		t.Errorf("in an alias: %q", got)
	}
	n.Get("a").Value = "changed"
	if got := n.Get("a").At(1, 2).Text(); got != "text" {
		t.Errorf("in a changed node: %q", got)
	}
	if got := manifest.NewString("made").At(1, 2); got != (source.Span{}) {
		t.Errorf("in a made node: %v", got)
	}
	if got := (*manifest.Node)(nil).At(1, 2); got != (source.Span{}) {
		t.Errorf("in nil: %v", got)
	}
	if got := manifest.NewText(source.New("notes.txt", "a\r\nb: ${c}\n")).At(6, 10).Text(); got != "${c}" {
		t.Errorf("in a text: %q", got)
	}
	if got := parseOne(t, "a: 'x'").Get("a").At(-5, 50).Text(); got != "x" {
		t.Errorf("out of range: %q", got)
	}
}

// What At returns for a part that no escape is in is that part, wherever the printer
// or a user put it.
func TestAtIsTheTextItself(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		safe := rapid.StringMatching(`[a-z${}é. ]{0,6}[a-z]`)
		value := safe.Draw(t, "before") + rapid.SampledFrom([]string{"", "\n", "\n\n", " ", "'", `"`, "\t", `\`, "\x7f", "🚀"}).Draw(t, "between") + "x" + safe.Draw(t, "part")
		part := value[strings.LastIndex(value, "x")+1:]
		n := manifest.NewMap(manifest.Field{Key: "k", Value: manifest.NewList(manifest.NewString(value))})
		text := manifest.Print(n)
		switch {
		case rapid.Bool().Draw(t, "single") && !strings.ContainsAny(value, "\n\x7f"):
			text = "k: ['" + strings.ReplaceAll(value, "'", "''") + "']\n"
		case rapid.Bool().Draw(t, "crlf"):
			text = strings.ReplaceAll(text, "\n", "\r\n")
		}
		got := parse(t, text)[0].Get("k", "0")
		if got.Text() != value {
			t.Fatalf("%q is read as %q", value, got.Text())
		}
		start := strings.LastIndex(value, "x") + 1
		if span := got.At(start, start+len(part)); span.Text() != part {
			t.Fatalf("%q of %q is at %q in:\n%s", part, value, span.Text(), text)
		}
		if whole := got.At(0, len(value)); !strings.Contains(got.Span.Text(), whole.Text()) {
			t.Fatalf("%q is not in %q", whole.Text(), got.Span.Text())
		}
	})
}

// TestAtOfLines: each word of a text that is folded over several lines, in any style, is where it
// stands.
func TestAtOfLines(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		head := rapid.SampledFrom([]string{"k: ", "k: '", "k: \"", "k: >-\n  ", "k: >\n\n  ", "k: >2+\n  ", "k: |\n  "}).Draw(t, "style")
		gaps := []string{" ", "\n  ", "\n\n  ", " \t\n  ", "\n \n\n  ", "\n     ", "\n\n    ", "\n  \t"}
		text := head + "w0"
		words := rapid.IntRange(1, 8).Draw(t, "words")
		for i := range words {
			text += rapid.SampledFrom(gaps).Draw(t, "gap") + "w" + itoa(i+1)
		}
		if quote := head[3:]; quote == "'" || quote == "\"" {
			text += quote
		}
		if text += "\n"; rapid.Bool().Draw(t, "crlf") {
			text = strings.ReplaceAll(text, "\n", "\r\n")
		}
		n := parse(t, text)[0].Get("k")
		for i := range words + 1 {
			word := "w" + itoa(i)
			at := strings.Index(n.Text(), word)
			if got := n.At(at, at+len(word)).Text(); got != word {
				t.Fatalf("%q of %q is at %q in:\n%s", word, n.Text(), got, text)
			}
		}
	})
}
