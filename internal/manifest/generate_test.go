// SPDX-License-Identifier: Apache-2.0

package manifest_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"kilter.dev/kilter/internal/manifest"
	"kilter.dev/kilter/internal/source"
)

// hostile are strings that some printer or reader of YAML gets wrong.
var hostile = []string{
	"", " ", "  ", "\n", "\n\n", "\t", "a\tb", "\ta\nb", "{{", "{{ .Values.x }}", "a {{ b }}", "`", "a`b", `\`, `\\`, `"`, `'`, `a"b'c`,
	"\x7f", "\u0085", "a\u0085b", "\u2028", "a\u2029b", "\ufeff", "\ufeffa", "a\ufeff", "\r", "a\r\nb", "a\r\nb\r\n", "\x00", "\x1b[31m", "\u00a0",
	"y", "N", "yes", "No", "on", "OFF", "true", "False", "~", "null", "NULL", "Null", ".inf", "-.INF", ".nan", "NaN", "inf",
	"0", "-0", "00", "07", "08", "0777", "0o17", "0x1f", "0b11", "-0b11", "1_000", "1e6", "1E6", "+1", "-1", "1.", ".5", "-.5", "1.10", "1.5", "12e03",
	"190:20:30", "20:30", "2001-01-01", "2001-12-14t21:59:43.10-05:00", "9223372036854775808", "18446744073709551616", "1e400", "685.230_15e+03",
	"8Gi", "500m", "1.5Gi", "100k", "25%", "30s", "5E", "1e", "0x", "0b", "-", "--", "---", "...", "--- a", "--flag=1", "-c", "-1m",
	"- a", "-a", "? a", "?", ": a", ":", "a:", "a: b", "a:b", "a :b", "# x", "a #b", "a# b", "#", ",", "[", "]", "{", "}", "[]", "{}", "[a", "a]", "a, b",
	"&a", "*a", "!a", "!!int 1", "|", ">", "|-", "%a", "@a", "=", "<<", "$(A)", "${A}", "a: {{ b }}: c", "http://a:80/b?c=d#e", "nginx:1.29", "k8s.io/a-b_c",
	" a", "a ", "a\n", "a\nb", "a\nb\n", "a\n\nb\n\n", "\na", "\n\na\n", " a\nb\n", "  a\n b\n", "\n  a\nb", "a \nb", "a\n \nb", "a\n\tb\n", "#a\nb\n", "---\na\n", "a\n---\nb\n", "a: b\n- c\n",
	"é", "über\nälter\n", "日本語", "👩‍🚀", "emoji 🚀", "🚀\n🚀\n", "\U0010ffff", "\ufffd", "\ue000", strings.Repeat("long words ", 200), strings.Repeat("x", 3000), strings.Repeat("long line ", 50) + "\nb\n",
}

var alphabet = []rune("ab01 \t\n\r:#-?{}[],&*!|>'\"%@`~.=<\\/+_eExy\u0085\u2028\ufeff\x7f\x00é🚀")

func texts() *rapid.Generator[string] {
	return rapid.OneOf(
		rapid.SampledFrom(hostile),
		rapid.StringOf(rapid.SampledFrom(alphabet)),
		rapid.StringOf(rapid.SampledFrom([]rune("ab:- #\n\n  "))),
		rapid.String(),
		rapid.Custom(func(t *rapid.T) string {
			return rapid.SampledFrom(hostile).Draw(t, "left") + rapid.SampledFrom(hostile).Draw(t, "right")
		}),
	)
}

func nodes(depth int) *rapid.Generator[*manifest.Node] {
	scalars := rapid.OneOf(
		rapid.Map(texts(), manifest.NewString),
		rapid.Map(texts(), manifest.NewString),
		rapid.Map(rapid.Int64(), manifest.NewInt),
		rapid.Map(rapid.Bool(), manifest.NewBool),
		rapid.Map(rapid.Float64().Filter(func(f float64) bool { return !math.IsNaN(f) && !math.IsInf(f, 0) }), func(f float64) *manifest.Node {
			return &manifest.Node{Shape: manifest.Float, Value: f}
		}),
		rapid.Just(&manifest.Node{}),
	)
	if depth == 0 {
		return scalars
	}
	return rapid.OneOf(
		scalars,
		rapid.Map(rapid.SliceOfN(rapid.Deferred(func() *rapid.Generator[*manifest.Node] { return nodes(depth - 1) }), 0, 4), func(items []*manifest.Node) *manifest.Node {
			return manifest.NewList(items...)
		}),
		rapid.Custom(func(t *rapid.T) *manifest.Node {
			n := manifest.NewMap()
			for i := range rapid.IntRange(0, 4).Draw(t, "fields") {
				n.Set(texts().Draw(t, fmt.Sprint("key", i)), nodes(depth-1).Draw(t, fmt.Sprint("value", i)))
			}
			return n
		}),
	)
}

// parse is the documents of text, which has no errors.
func parse(t rapid.TB, text string) []*manifest.Node {
	t.Helper()
	docs, diags := manifest.Parse(source.New("t.yaml", text))
	if len(diags) > 0 {
		t.Fatalf("%s\nin:\n%s", diags.Error(), text)
	}
	return docs
}

func parseOne(t testing.TB, text string) *manifest.Node {
	t.Helper()
	docs := parse(t, text)
	if len(docs) != 1 {
		t.Fatalf("got %d documents, want one of:\n%s", len(docs), text)
	}
	return docs[0]
}
