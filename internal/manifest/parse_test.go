// SPDX-License-Identifier: Apache-2.0

package manifest_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	kube "sigs.k8s.io/yaml"

	"kilter.dev/kilter/internal/manifest"
	"kilter.dev/kilter/internal/source"
)

func TestDocuments(t *testing.T) {
	for text, want := range map[string]string{
		"": ``,
		"---\n\n---\n---\n# only a comment\n---\n":                                ``,
		"null\n---\n~\n---\na\n":                                                  `"a"@5:1`,
		"a: 1\n--- # second\nb: 2\n--- {c: 3}\n":                                  `{"a": 1}@1:1 {"b": 2}@3:1 {"c": 3}@4:5`,
		"\ufeffa: 1\n---\n\ufeffb: 2\n":                                           `{"a": 1}@1:2 {"b": 2}@3:2`,
		"\ufeff---\na: 1\n\ufeff---\nb: 2\n":                                      `{"a": 1}@2:1 {"b": 2}@4:1`,
		"a: 1\r\n---\r\nb: |\r\n  x\r\n  y\r\n":                                   `{"a": 1}@1:1 {"b": "x\ny\n"}@3:1`,
		"%YAML 1.1\n---\na: 1\n...\n# x\n%TAG ! tag:a,2000:\n--- !x\nb: 2\n...\n": `{"a": 1}@3:1 {"b": 2}@8:1`,
		"a: |\n  ---\n  x\nb: |\n  ----\n":                                        `{"a": "---\nx\n", "b": "----\n"}@1:1`,
		"a\n---\n\"b\"\n---\n- c\n---\n[]\n":                                      `"a"@1:1 "b"@3:1 ["c"]@5:1 []@7:1`,
		"a:\n  \n  b: 1\t# x\n":                                                   `{"a": {"b": 1}}@1:1`,
		"a: \"x\n  y\\\n  z\n\n  w\"\nb: 'p\n q'":                                 `{"a": "x yz\nw", "b": "p q"}@1:1`,
		"a: >\n  x\n  y\n\n  z\nb: &x\n  c: 1\n":                                  `{"a": "x y\nz\n", "b": {"c": 1}}@1:1`,
	} {
		var got []string
		for _, n := range parse(t, text) {
			line, col := n.Span.Position()
			got = append(got, fmt.Sprintf("%s@%d:%d", flow(n), line, col))
		}
		if diff := cmp.Diff(want, strings.Join(got, " ")); diff != "" {
			t.Errorf("%q (-want +got):\n%s", text, diff)
		}
	}
}

// flow is n as JSON on one line.
func flow(n *manifest.Node) string {
	if n == nil {
		return "null"
	}
	switch n.Shape {
	case manifest.Map:
		var fields []string
		for _, f := range n.Fields {
			fields = append(fields, fmt.Sprintf("%q: %s", f.Key, flow(f.Value)))
		}
		return "{" + strings.Join(fields, ", ") + "}"
	case manifest.List:
		var items []string
		for _, item := range n.Items {
			items = append(items, flow(item))
		}
		return "[" + strings.Join(items, ", ") + "]"
	}
	return manifest.JSON(n)
}

func TestABadDocumentHidesNoOther(t *testing.T) {
	for _, bad := range []string{"a: b: c", "a: 'x", "a: [1", "a: \xff", "a: \x01", "a: &x [*x]", "- a\nb", "{a: 1}\nb: 2", "a: *x", "%FOO", "a:\n\tb: 1", "a: \"\\q\"", strings.Repeat("[", 20000)} {
		docs, diags := manifest.Parse(source.New("t.yaml", "first: 1\n---\n"+bad+"\n---\nlast: 2\n"))
		if len(diags) != 1 || len(docs) != 2 || docs[0].Get("first") == nil || docs[1].Get("last") == nil {
			t.Errorf("%.20q: %d documents, %v", bad, len(docs), diags)
		}
		for _, d := range diags {
			if line, _ := d.Span.Position(); line < 3 || line > 3+strings.Count(bad, "\n") {
				t.Errorf("%.20q: error in line %d: %s", bad, line, d.Message)
			}
		}
	}
}

func TestErrors(t *testing.T) {
	for text, want := range map[string]string{
		"a: b: c":                 `1:5 ":" starts a value where none can stand`,
		"a:\n  b: 1\n   c: 2":     `3:5 ":" starts a value where none can stand`,
		"x: 1\na:\n  b: 1\n c: 2": `4:2 line is not an entry of the map it stands in`,
		"a:\n\tb: 1":              `2:2 a tab cannot indent`,
		"a:\n  b: 1\n\tc: 2":      `3:2 a tab cannot indent`,
		"a: [1, 2\nb: c":          `1:4 "[" is not closed`,
		"a: {b: 1\n":              `1:4 "{" is not closed`,
		"a: [ # c\n 'b]',\nc: d":  `1:4 "[" is not closed`,
		"a: " + strings.Repeat(`x"`, 1e5) + "\nb: [\n": `2:4 "[" is not closed`, // in no more than a pass
		"x: 1\na: 'x\nb: 1":                            `2:4 the quote is not closed`,
		"a: @x":                                        `1:4 "@" cannot start a value`,
		"a: ]":                                         `1:4 "]" closes nothing`,
		"a: 'b' c":                                     `1:8 there is more text behind the value`,
		"a: - b":                                       `1:4 "-" starts a list item where none can stand`,
		"a: 1\nfoo":                                    `2:1 line is not "key: value"`,
		"- a\nb: c":                                    `2:1 line is not an item of the list it stands in`,
		"{a: 1}\nb: 2":                                 `2:1 there is more text behind the document`,
		`a: "\q"`:                                      `1:5 "\q" is not an escape in double quotes`,
		"a: *b":                                        `1:1 alias "*b" has no anchor`,
		"a: &b {c: *b}":                                `1:11 alias "b" stands inside the value it repeats`,
		"a: 1\nb: 2\na: 3":                             `3:1 key "a" is there twice (1:1 first written here)`,
		"1: a\n'1': b":                                 `2:1 key "1" is there twice (1:1 first written here)`,
		"a: .inf":                                      `1:4 ".inf" is a number that JSON, and so Kubernetes, cannot hold`,
		"a: !!int x":                                   `1:10 "x" is not what its tag says`,
		"~: x":                                         `1:1 ~ cannot be a key: it is not a string`,
		"? [a]\n: b":                                   `1:3 a key must be a string, not a map or list`,
		"<<: 3":                                        `1:5 "<<" takes a map or a list of maps, not this integer`,
		"a: é\x7f":                                     `1:5 character U+007F is not allowed in YAML`,
		"a: 1\n---\n# \x7f\n":                          `3:3 character U+007F is not allowed in YAML`,
		"a: é\xff":                                     `1:5 byte 0xff is not UTF-8`,
		"\xff\xfea\x00:\x00 \x001\x00":                 `1:1 byte 0xff is not UTF-8`,
		"\x7fELF\x00\x00\n---\n\x00\xff":               `1:1 this is no text`,
		"a: {{ .Values.a }}":                           `1:5 a key must be a string, not a map or list`,
		"{{- if .Values.x }}\na: b":                    `1:1 "{" is not closed`,
		"a: 1\nb\n{{- if x }}":                         `2:1 line is not "key: value"`,
		"a:\n\t\n  b: 1":                               `2:1 a tab cannot indent`,
		"a: [":                                         `1:4 "[" is not closed`,
		strings.Repeat("- ", 600):                      `1:1003 nested more than 500 levels deep`,
	} {
		_, diags := manifest.Parse(source.New("t.yaml", text))
		var got []string
		for _, d := range diags {
			line := strings.TrimPrefix(d.Span.String(), "t.yaml:") + " " + d.Message
			for _, r := range d.Related {
				line += fmt.Sprintf(" (%s %s)", strings.TrimPrefix(r.Span.String(), "t.yaml:"), r.Message)
			}
			got = append(got, line)
		}
		if diff := cmp.Diff(want, strings.Join(got, "\n")); diff != "" {
			t.Errorf("%q (-want +got):\n%s", text, diff)
		}
	}
}

func TestTemplatesAreHinted(t *testing.T) {
	for _, text := range []string{"a: {{ .Values.a }}", "{{- if .Values.x }}\na: b", "image: {{ .Values.x }}:{{ .Values.y }}", "a: {{ .Values.a }}\nb: {{ .Values.b }}\nb: 1"} {
		docs, diags := manifest.Parse(source.New("t.yaml", text))
		if len(docs) > 0 || len(diags) != 1 || !strings.Contains(diags[0].Hint, "render the chart first") {
			t.Errorf("%q: %v", text, diags)
		}
	}
}

func TestTheLastOfEqualKeysStands(t *testing.T) {
	docs, diags := manifest.Parse(source.New("t.yaml", "a: 1\nb: 2\na: 3\n"))
	if len(docs) != 1 || len(diags) != 1 || flow(docs[0]) != `{"a": 3, "b": 2}` {
		t.Errorf("got %v, %v", docs, diags)
	}
}

func TestAliasesAndMergeKeys(t *testing.T) {
	for text, want := range map[string]string{
		"a: &x {b: 1}\nc: *x\n":                                 `{"a": {"b": 1}, "c": {"b": 1}}`,
		"&k a: &v b\n*v : *k\n":                                 `{"a": "b", "b": "a"}`,
		"a: &x 1\nb: &x 2\nc: *x\n":                             `{"a": 1, "b": 2, "c": 2}`,
		"x: &x {a: 1, b: 1}\nz:\n  <<: *x\n  b: 2\n":            `{"x": {"a": 1, "b": 1}, "z": {"a": 1, "b": 2}}`,
		"x: &x {a: 1}\nw: &y {a: 2, b: 2}\nz: {<<: [*x, *y]}\n": `{"x": {"a": 1}, "w": {"a": 2, "b": 2}, "z": {"a": 1, "b": 2}}`,
		"a: 1\n<<: {a: 2}\n":                                    `{"a": 2}`, // as Kubernetes and Helm read it
		"'<<': {a: 2}\n":                                        `{"<<": {"a": 2}}`,
	} {
		n := parseOne(t, text)
		data, err := kube.YAMLToJSON([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(nativeJSON(t, data), manifest.Native(n)); diff != "" {
			t.Errorf("%q (-Kubernetes +ours):\n%s", text, diff)
		}
		got := parseOne(t, want)
		if !manifest.Equal(got, n) {
			t.Errorf("%q = %s, want %s", text, flow(n), want)
		}
	}
}

func TestAliasesAreCopies(t *testing.T) {
	n := parseOne(t, "a: &x {b: 1}\nc: *x\n")
	n.Get("c").Set("b", manifest.NewInt(2))
	if got := flow(n); got != `{"a": {"b": 1}, "c": {"b": 2}}` {
		t.Errorf("got %s", got)
	}
	if got := n.Get("c").Span.Text(); got != "*x" {
		t.Errorf("span of the alias is %q", got)
	}
}

func TestBillionLaughs(t *testing.T) {
	var b strings.Builder
	b.WriteString("a0: &a0 [x, x]\n")
	for i := range 40 {
		fmt.Fprintf(&b, "a%d: &a%d [*a%d, *a%d]\n", i+1, i+1, i, i)
	}
	docs, diags := manifest.Parse(source.New("t.yaml", b.String()+"---\nb: 1\n"))
	if len(docs) != 1 || len(diags) != 1 || !strings.Contains(diags[0].Message, "aliases repeat more than") {
		t.Errorf("got %d documents, %v", len(docs), diags)
	}
}

func TestSpans(t *testing.T) {
	text := `# comment
map: &a !!map
  "quoted key": 'single ''q'''
  é: "dou\"ble" # comment
  plain: a b  c
  folded plain: a
    b
  empty:
  tagged: !!str &t 12
list:
- one
- {a: [1, "x]"], b: {}}
- - nested
block: |2-
    two
   one

  # text
# comment
fold: >
  x
  y
flow: [
  a, # ]
  b,
]
end: 1
`
	n := parseOne(t, text)
	for path, want := range map[string]string{
		"map/quoted key":   "'single ''q'''",
		"map/é":            `"dou\"ble"`,
		"map/plain":        "a b  c",
		"map/folded plain": "a\n    b",
		"map/empty":        "",
		"map/tagged":       "12",
		"list":             "- one\n- {a: [1, \"x]\"], b: {}}\n- - nested",
		"list/1":           `{a: [1, "x]"], b: {}}`,
		"list/1/a":         `[1, "x]"]`,
		"list/1/b":         `{}`,
		"list/2":           "- nested",
		"block":            "|2-\n    two\n   one\n\n  # text",
		"fold":             ">\n  x\n  y",
		"flow":             "[\n  a, # ]\n  b,\n]",
		"end":              "1",
	} {
		if got := n.Get(strings.Split(path, "/")...).Span.Text(); got != want {
			t.Errorf("span of %s is %q, want %q", path, got, want)
		}
	}
	if got, want := n.Span.Text(), strings.TrimSuffix(strings.TrimPrefix(text, "# comment\n"), "\n"); got != want {
		t.Errorf("span of the document is %q", got)
	}
	if got := n.Get("map").Span.Text(); !strings.HasPrefix(got, `"quoted key"`) || !strings.HasSuffix(got, "12") {
		t.Errorf("span of map is %q", got)
	}
	for i, want := range []string{`"quoted key"`, "é", "plain", "folded plain", "empty", "tagged"} {
		if got := n.Get("map").Fields[i].KeySpan.Text(); got != want {
			t.Errorf("span of key %d is %q, want %q", i, got, want)
		}
	}
}

// TestParseAcrossBuffers: a byte order mark within a text is at home anywhere.
func TestParseAcrossBuffers(t *testing.T) {
	for n := range 1100 {
		text := "- " + strings.Repeat("x", n) + "\n- {a: \"\ufeff\",\n   c: d}\n# c\n- e\n"
		docs, diags := manifest.Parse(source.New("t.yaml", text))
		if len(diags) > 0 || len(docs) != 1 {
			t.Fatalf("%d characters before it: %v", n, diags)
		}
		if got := docs[0].Get("2").Span.String(); got != "t.yaml:5:3" {
			t.Fatalf("%d characters before it: the last item is at %s", n, got)
		}
	}
}
