// SPDX-License-Identifier: Apache-2.0

package manifest_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	yaml "go.yaml.in/yaml/v3"
	"pgregory.net/rapid"
	kube "sigs.k8s.io/yaml"

	"kilter.dev/kilter/internal/manifest"
)

func TestPrintIsReadBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := manifest.NewMap(manifest.Field{Key: "root", Value: nodes(3).Draw(t, "node")})
		checkReadBack(t, want)
	})
}

func TestPrintIsReadBackAtTheRoot(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		checkReadBack(t, nodes(2).Filter(func(n *manifest.Node) bool { return n.Shape != manifest.Null }).Draw(t, "node"))
	})
}

func TestHostileStringsAreReadBack(t *testing.T) {
	for _, s := range hostile {
		value := manifest.NewString(s)
		checkReadBack(t, manifest.NewMap(
			manifest.Field{Key: s, Value: value},
			manifest.Field{Key: "list", Value: manifest.NewList(value, manifest.NewList(manifest.NewList(value), value), manifest.NewMap(manifest.Field{Key: s, Value: value}))},
			manifest.Field{Key: "map", Value: manifest.NewMap(manifest.Field{Key: "in", Value: value}, manifest.Field{Key: "after", Value: manifest.NewInt(1)})},
		))
		checkReadBack(t, value)
	}
}

// checkReadBack prints n and reads it with each YAML reader Kubernetes tools use.
func checkReadBack(t rapid.TB, n *manifest.Node) {
	t.Helper()
	text := manifest.Print(n)
	docs := parse(t, text)
	if len(docs) != 1 || !manifest.Equal(docs[0], n) {
		t.Fatalf("printed:\n%s\nread back: %s\nwant: %s", text, manifest.JSON(docs[0]), manifest.JSON(n))
	}
	want := manifest.Native(docs[0])

	data, err := kube.YAMLToJSON([]byte(text))
	if err != nil {
		t.Fatalf("sigs.k8s.io/yaml: %v\nin:\n%s", err, text)
	}
	if diff := cmp.Diff(want, nativeJSON(t, data)); diff != "" {
		t.Fatalf("sigs.k8s.io/yaml reads (-want +got):\n%s\nin:\n%s", diff, text)
	}

	var got any
	if err := yaml.Unmarshal([]byte(text), &got); err != nil {
		t.Fatalf("yaml/v3: %v\nin:\n%s", err, text)
	}
	v3, err := manifest.FromNative(got)
	if err != nil {
		t.Fatalf("yaml/v3 reads %#v: %v", got, err)
	}
	if !manifest.Equal(v3, n) {
		t.Fatalf("yaml/v3 reads %s\nwant: %s\nin:\n%s", manifest.JSON(v3), manifest.JSON(n), text)
	}

	if diff := cmp.Diff(want, nativeJSON(t, []byte(manifest.JSON(n)))); diff != "" {
		t.Fatalf("JSON reads (-want +got):\n%s", diff)
	}
}

// nativeJSON decodes JSON as the API server does: integers where they fit.
func nativeJSON(t rapid.TB, data []byte) any {
	t.Helper()
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.UseNumber()
	var v any
	if err := decoder.Decode(&v); err != nil {
		t.Fatalf("%v\nin: %s", err, data)
	}
	n, err := manifest.FromNative(v)
	if err != nil {
		t.Fatal(err)
	}
	return manifest.Native(n)
}

func TestPrintLayout(t *testing.T) {
	text := `apiVersion: v1
args:
- --port=8080
- -c
- |
  set -e
  exec "$@"
- - nested
  - - deeper
- name: a
  ports:
  - 80
  - - 1
  text: |-
    two
    lines
empty: {}
none: []
nothing: null
keep: |+
  kept

"on": "yes"
memory: 1.5Gi
version: "1.10"
indented: |2
    two
  none
long: ` + strings.Repeat("word ", 40) + `end
---
- a
- b: 1
  c: 2
---
"8080"
`
	if diff := cmp.Diff(text, manifest.Print(parse(t, text)...)); diff != "" {
		t.Errorf("Print (-want +got):\n%s", diff)
	}
}

func TestPrintNil(t *testing.T) {
	got := manifest.Print(nil, manifest.NewList(nil), manifest.NewMap(manifest.Field{Key: "a"}))
	if want := "null\n---\n- null\n---\na: null\n"; got != want {
		t.Errorf("Print = %q, want %q", got, want)
	}
}

func TestPrintReplacesWhatIsNotUTF8(t *testing.T) {
	n := manifest.NewMap(manifest.Field{Key: "a\xff", Value: manifest.NewString("b\xc3\nc")})
	if got, want := manifest.Print(n), "\"a\ufffd\": \"b\ufffd\\nc\"\n"; got != want {
		t.Errorf("Print = %q, want %q", got, want)
	}
}

func TestScalar(t *testing.T) {
	for s, want := range map[string]string{
		"nginx:1.29": `nginx:1.29`, "/bin/sh": `/bin/sh`, "--a=b": `--a=b`, "-ec": `-ec`, "$(POD_IP)": `$(POD_IP)`, "./run": `./run`,
		"8Gi": `8Gi`, "500m": `500m`, "1.5Gi": `1.5Gi`, "25%": `25%`, "30s": `30s`, "a b, c": `a b, c`, "it's": `it's`, `say "x"`: `say "x"`,
		"8": `"8"`, "1.10": `"1.10"`, "1e6": `"1e6"`, "08Gi": `"08Gi"`, "1.2.3": `"1.2.3"`, "10.0.0.1": `"10.0.0.1"`, "5E": `"5E"`,
		"on": `"on"`, "Y": `"Y"`, "NuLL": `"NuLL"`, "~": `"~"`, "nan": `"nan"`, "Infinity": `"Infinity"`, "-inf": `"-inf"`, "": `""`, "=": `"="`, "<<": `"<<"`, "-": `"-"`, "-1": `"-1"`, "-.inf": `"-.inf"`,
		"a: b": `"a: b"`, "a:": `"a:"`, "a #b": `"a #b"`, "a ": `"a "`, " a": `" a"`, "{{ a }}": `"{{ a }}"`, "*": `"*"`, "@a": `"@a"`, "`a`": "\"`a`\"",
		"a\tb": `"a\tb"`, "a\nb": `"a\nb"`, "a\r\n": `"a\r\n"`, `\`: `"\\"`, `"`: `"\""`, "\x7f": `"\u007f"`, "\u0085": `"\u0085"`, "\u2028": `"\u2028"`,
		"\ufeff": `"\ufeff"`, "\x00": `"\u0000"`, "é": `"é"`, "🚀": `"🚀"`, "\U000e0001": `"\U000e0001"`, "a\xffb": "\"a\ufffdb\"",
	} {
		if got := manifest.Scalar(s); got != want {
			t.Errorf("Scalar(%q) = %s, want %s", s, got, want)
		}
	}
}

func TestLiteral(t *testing.T) {
	for s, want := range map[string]string{
		"a\nb\n":   "|\n  a\n  b",
		"a\nb":     "|-\n  a\n  b",
		"a\n\n":    "|+\n  a\n",
		"\na\n":    "|\n\n  a",
		" a\nb\n":  "|2\n   a\n  b",
		"\n\ta\nb": "|2-\n\n  \ta\n  b",
		"a\n\tb\n": "|\n  a\n  \tb",
		"🚀 —\n":    "|\n  🚀 —",
		"a":        "", "": "", "\n": "", "a \n": "", "a\n ": "", "a\r\nb\n": "", "a\x7f\n": "", "a\u2028\n": "", "a\xff\n": "",
	} {
		got, ok := manifest.Literal(s, "  ")
		if got != want || ok != (want != "") {
			t.Errorf("Literal(%q) = %q, %v, want %q", s, got, ok, want)
		}
	}
}

func TestJSON(t *testing.T) {
	n := parseOne(t, "b: [1, {c: <&>}]\na: {}\ne: []\nf: 1.5\ng: \"\\u2028\"\nh: null\n")
	want := `{
  "b": [
    1,
    {
      "c": "<&>"
    }
  ],
  "a": {},
  "e": [],
  "f": 1.5,
  "g": "\u2028",
  "h": null
}`
	if diff := cmp.Diff(want, manifest.JSON(n)); diff != "" {
		t.Errorf("JSON (-want +got):\n%s", diff)
	}
}
