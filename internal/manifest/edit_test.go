// SPDX-License-Identifier: Apache-2.0

package manifest_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"kilter.dev/kilter/internal/manifest"
	"kilter.dev/kilter/internal/source"
)

// edit returns the text in which the n-th document has become after.
func edit(t rapid.TB, text string, n int, after *manifest.Node) (string, error) {
	t.Helper()
	f := source.New("t.yaml", text)
	docs, diags := manifest.Parse(f)
	if len(diags) > 0 {
		t.Fatalf("%s\nin:\n%s", diags.Error(), text)
	}
	edits, err := manifest.Edits(docs[n], after)
	if err != nil {
		return "", err
	}
	got, err := source.Apply(f, edits)
	if err != nil {
		t.Fatal(err)
	}
	return got, nil
}

// Each case is the text before, the value it becomes, and the text after.
var editCases = []struct{ name, before, value, after string }{
	{"plain scalar", "a: 1 # one\nb: 2\n", "{a: 3, b: 2}", "a: 3 # one\nb: 2\n"},
	{"text stays plain", "image:   nginx:1.27 # tag\n", "{image: 'nginx:1.28'}", "image:   nginx:1.28 # tag\n"},
	{"double quotes stay", "a: \"caf\\u00e9 1\"\n", "{a: 'café \"2\"'}", "a: \"caf\\u00e9 \\\"2\\\"\"\n"},
	{"single quotes stay", "a: 'it''s 1'\n", `{a: "it's 2'"}`, "a: 'it''s 2'''\n"},
	{"plain needs quotes", "a: b\n", "{a: 'yes'}", "a: \"yes\"\n"},
	{"number to text", "cpu: 1\n", "{cpu: '2'}", "cpu: \"2\"\n"},
	{"quoted to number", "n: \"1\"\n", "{n: 1}", "n: 1\n"},
	{"null", "a:\nb: 1\n", "{a: x, b: 1}", "a: x\nb: 1\n"},
	{"null with comment", "a: # c\nb: 1\n", "{a: {c: 1}, b: 1}", "a: # c\n  c: 1\nb: 1\n"},
	{"tilde to map", "a: ~ # c\nb: 1\n", "{a: {c: 1}, b: 1}", "a: # c\n  c: 1\nb: 1\n"},
	{"empty map to block", "a: {}\nb: 1\n", "{a: {c: {d: 1}}, b: 1}", "a:\n  c:\n    d: 1\nb: 1\n"},
	{"to null", "a:\n  b: 1\n", "{a: null}", "a: null\n"},
	{"map to scalar", "a: # c\n  b: 1\nc: 2\n", "{a: x, c: 2}", "a: x # c\nc: 2\n"},
	{"scalar to list", "a: x # c\nb: 1\n", "{a: [x, z], b: 1}", "a: # c\n- x\n- z\nb: 1\n"},

	{"new field", "a: 1\n", "{a: 1, b: 2}", "a: 1\nb: 2\n"},
	{"new field without last line break", "a: 1", "{a: 1, b: 2}", "a: 1\nb: 2"},
	{"new field, CRLF", "a:\r\n  b: 1\r\nc: 1\r\n", "{a: {b: 1, d: {e: 1}}, c: 1}", "a:\r\n  b: 1\r\n  d:\r\n    e: 1\r\nc: 1\r\n"},
	{"new field behind its comment", "a:\n  b: 1 # b\n  # more\nc: 1\n", "{a: {b: 1, d: 2}, c: 1}", "a:\n  b: 1 # b\n  d: 2\n  # more\nc: 1\n"},
	{"new field behind the comments of what is in the last", "a:\n  b:\n    c: 1\n    # of c\n\n     # of b\n  # of a\n# all\n", "{a: {b: {c: 1}, d: 1}}", "a:\n  b:\n    c: 1\n    # of c\n\n     # of b\n  d: 1\n  # of a\n# all\n"},
	{"new items inside and outside, behind their comments", "- - a\n  # in\n# out\n", "[[a, b], c]", "- - a\n  - b\n  # in\n- c\n# out\n"},
	{"new item behind a comment that ends the text", "- a: 1\n  # in", "[a: 1, b: 1]", "- a: 1\n  # in\n- b: 1"},
	{"new fields inside and outside", "a:\n  b:\n    c: 1\n", "{a: {b: {c: 1, d: 1}, e: 1}, f: 1}", "a:\n  b:\n    c: 1\n    d: 1\n  e: 1\nf: 1\n"},
	{"four spaces", "a:\n    b:\n        - c\n", "{a: {b: [c], d: {e: [f, g: 1]}}}", "a:\n    b:\n        - c\n    d:\n        e:\n            - f\n            - g: 1\n"},
	{"wide dashes", "a:\n-   b: 1\n    c: 1\n", "{a: [{b: 1, c: 1}, {b: 2, c: 2}]}", "a:\n-   b: 1\n    c: 1\n-   b: 2\n    c: 2\n"},
	{"quoted keys", "\"a\": 1\n", "{a: 1, b: 2}", "\"a\": 1\n\"b\": 2\n"},
	{"behind a block that keeps its end", "a: |+\n  x\n\n", "{a: \"x\\n\\n\", b: 1}", "a: |+\n  x\n\nb: 1\n"},
	{"new text of lines", "a: 1\n", "{a: 1, b: \"x\\ny\\n\"}", "a: 1\nb: |\n  x\n  y\n"},

	{"field goes", "a: 1\nb: 2 # two\nc: 3\n", "{a: 1, c: 3}", "a: 1\nc: 3\n"},
	{"field goes, first of an item", "- a: 1 # one\n  b: 2\n", "[{b: 2}]", "- b: 2\n"},
	{"fields go, first of an item", "- a: 1 # one\n  # head of b\n  b: 2\n  # head of c\n  c: 3\n", "[{c: 3}]", "- # head of c\n  c: 3\n"},
	{"last field goes", "a:\n  # why\n  b: 1 # b\nc: 1\n", "{a: {}, c: 1}", "a: {}\n  # why\nc: 1\n"},
	{"field goes at the end", "a: 1\nb: 2", "{a: 1}", "a: 1"},
	{"field goes behind a block, at the end", "a: |\n  x\nb: 2", "{a: \"x\\n\"}", "a: |\n  x\n"},
	{"field with lines goes", "a: 1\nb:\n  c: |\n    x\n    y\nd: 1\n", "{a: 1, d: 1}", "a: 1\nd: 1\n"},
	{"field takes the place of another", "a: 1\n# why\nb: 2 # two\nc: 3\n", "{a: 1, c: 3, d: 4}", "a: 1\nd: 4\n# why\nc: 3\n"},
	{"field takes the place of another, in braces", "{a: 1, b: 2, c: 3}\n", "{a: 1, c: 3, d: 4}", "{a: 1, d: 4, c: 3}\n"},
	{"field takes the place of the first", "a: 1\nb: 2\n", "{b: 2, c: 3}", "b: 2\nc: 3\n"},
	{"all but one go, one comes", "a:\n  b: 1\n  c: 2\n", "{a: {d: 1}}", "a:\n  d: 1\n"},
	{"byte order mark", "\ufeffa: 1\nb: 2\n", "{b: 2, c: 3}", "\ufeffb: 2\nc: 3\n"},

	{"item comes", "a:\n- x\n- z\n", "{a: [x, w, z]}", "a:\n- x\n- w\n- z\n"},
	{"item comes first", "a:\n  - x # c\n", "{a: [w, x]}", "a:\n  - w\n  - x # c\n"},
	{"item goes", "a:\n  - x\n  - y # c\n  - z\n", "{a: [x, z]}", "a:\n  - x\n  - z\n"},
	{"items go", "a:\n  - x\n  - y # c\n", "{a: []}", "a: []\n"},
	{"item of lists", "- - a\n  - b\n- c\n", "[[b], c]", "- - b\n- c\n"},
	{"item changes", "c:\n- name: a\n  image: x\n- name: b\n  image: y\n", "{c: [{name: z}, {name: a, image: x, tty: true}, {name: b, image: q}]}",
		"c:\n- name: z\n- name: a\n  image: x\n  tty: true\n- name: b\n  image: q\n"},
	{"last item goes, one comes", "- a\n- b: 1", "[a, c]", "- a\n- c"},

	{"literal changes", "a: | # sh\n  x  \n\n  y\n  z\nb: 1\n", "{a: \"x  \\n\\nyy\\nz\\n\", b: 1}", "a: | # sh\n  x  \n\n  yy\n  z\nb: 1\n"},
	{"literal grows", "a: |\n    x\n    y\n", "{a: \"x\\nn\\n\\ny\\n\"}", "a: |\n    x\n    n\n\n    y\n"},
	{"folded changes", "a: >- # sh\n  x\n  y\n\n    more\n  z w\nb: 1\n", "{a: \"x yy\\n\\n  more\\nz w\", b: 1}", "a: >- # sh\n  x\n  yy\n\n    more\n  z w\nb: 1\n"},
	{"folded line joins", "a: >\n  x\n  y\n  z\n", "{a: \"x-y z\\n\"}", "a: >\n  x-y\n  z\n"},
	{"folded changes in several lines", "a: >-\n  x 1\n  y\n  z 1 1\nb: 1\n", "{a: x 2 y z 2 1, b: 1}", "a: >-\n  x 2\n  y\n  z 2 1\nb: 1\n"},
	{"double quotes change in several lines", "a: \"x1\n  y\n\n  z1\"\n", "{a: \"xx1 y\\nz\"}", "a: \"xx1\n  y\n\n  z\"\n"},
	{"plain of lines changes", "a: x\n\n  y  \n  z # c\nb: 1\n", "{a: \"x\\ny1 z\", b: 1}", "a: x\n\n  y1  \n  z # c\nb: 1\n"},
	{"double quotes of lines change", "a: \"x \\\n  y:\n\n  z\"\nb: 1\n", "{a: \"x y:\\nzz\", b: 1}", "a: \"x \\\n  y:\n\n  zz\"\nb: 1\n"},
	{"single quotes of lines change", "a: 'x:\n\n  y\n  z'\nb: 1\n", "{a: \"x:\\ny' z\", b: 1}", "a: 'x:\n\n  y''\n  z'\nb: 1\n"},
	{"literal to text", "a: | # c\n  x\n  y\nb: 1\n", "{a: z, b: 1}", "a: z # c\nb: 1\n"},

	{"flow field comes", "a: {b: 1} # c\n", "{a: {b: 1, c: x}}", "a: {b: 1, c: x} # c\n"},
	{"flow field comes, spaced", "a: { b: 1 }\n", "{a: {b: 1, c: 'x,y'}}", "a: { b: 1, c: \"x,y\" }\n"},
	{"flow field goes", "a: {b: 1, c: 2, d: 3}\n", "{a: {b: 1, d: 3}}", "a: {b: 1, d: 3}\n"},
	{"last flow field goes", "a: {b: 1, c: 2}\n", "{a: {b: 1}}", "a: {b: 1}\n"},
	{"all flow fields go", "a: {b: 1, c: 2}\n", "{a: {}}", "a: {}\n"},
	{"flow in flow", "a: {b: {}}\n", "{a: {b: {c: [1, d: 2]}}}", "a: {b: {c: [1, {d: 2}]}}\n"},
	{"flow null", "a: {b: , c}\n", "{a: {b: 1, c: null}}", "a: {b: 1, c}\n"},
	{"flow items", "a: [1, 2, 3]\n", "{a: [0, 1, 3, 4]}", "a: [0, 1, 3, 4]\n"},
	{"flow lines", "a: [\n  x, # x\n  z # z\n]\n", "{a: [x, w, z, zz]}", "a: [\n  x, # x\n  w,\n  z, # z\n  zz\n]\n"},
	{"flow lines, last comma", "a: [\n  x,\n]\n", "{a: [x, w]}", "a: [\n  x,\n  w,\n]\n"},
	{"flow lines, comment before the last", "a: [\n  x, # x\n  y # y\n]\n", "{a: [x]}", "a: [\n  x, # x\n]\n"},

	{"flow lines, last goes", "a: [\n  x,\n  y # y\n]\n", "{a: [x]}", "a: [\n  x\n]\n"},
	{"flow lines, last goes, last comma", "a: [\n  x, # x\n  # y\n  y, # y\n]\n", "{a: [x]}", "a: [\n  x, # x\n  # y\n]\n"},
	{"flow lines, several come and go", "a: [\n  x, # x\n  y,\n  z # z\n]\n", "{a: [x, b: 1, c: 1]}", "a: [\n  x, # x\n  {b: 1},\n  {c: 1} # z\n]\n"},

	{"JSON", `{"a":1,"b":[1,2]}`, "{a: 1, b: [1, 2, x], c: {d: 'y'}}", `{"a":1,"b":[1,2,"x"],"c":{"d":"y"}}`},
	{"JSON of lines", "{\n  \"a\": 1,\n  \"b\": {}\n}\n", "{a: 1, b: {c: [x]}, d: {e: {}}}",
		"{\n  \"a\": 1,\n  \"b\": {\n    \"c\": [\n      \"x\"\n    ]\n  },\n  \"d\": {\n    \"e\": {}\n  }\n}\n"},
	{"JSON field goes", "{\n\t\"a\": 1,\n\t\"b\": {\n\t\t\"c\": 1\n\t}\n}\n", "{b: {c: 1, d: {e: 1}}}", "{\n\t\"b\": {\n\t\t\"c\": 1,\n\t\t\"d\": {\n\t\t\t\"e\": 1\n\t\t}\n\t}\n}\n"},

	{"anchor changes alike", "a: &x {b: 1}\nc: *x\n", "{a: {b: 2}, c: {b: 2}}", "a: &x {b: 2}\nc: *x\n"},
	{"anchor in block", "a: &x\n  b: 1\nc: *x\n", "{a: {b: 1, d: 1}, c: {b: 1, d: 1}}", "a: &x\n  b: 1\n  d: 1\nc: *x\n"},
	{"alias of a text", "a: &x 1\nc: *x\n", "{a: 1, c: 2}", "a: &x 1\nc: 2\n"},
	{"alias of an alias changes alike", "a: &o\n  b: &x 1\nd: *x\ne: *o\n", "{a: {b: 2}, d: 2, e: {b: 2}}", "a: &o\n  b: &x 2\nd: *x\ne: *o\n"},
	{"alias goes", "a: &x {b: 1}\nc: *x\n", "{a: {b: 1}}", "a: &x {b: 1}\n"},
	{"merged field is overridden", "a: &x {b: 1}\nc:\n  <<: *x\n  d: 1\n", "{a: {b: 1}, c: {b: 2, d: 1}}", "a: &x {b: 1}\nc:\n  <<: *x\n  d: 1\n  b: 2\n"},
	{"merged map changes alike", "a: &x {b: 1}\nc:\n  <<: *x\n  d: 1\n", "{a: {b: 2}, c: {b: 2, d: 1}}", "a: &x {b: 2}\nc:\n  <<: *x\n  d: 1\n"},
	{"tag", "a: !!str 1 # c\nb: !!map\n  c: 1\n", "{a: '2', b: {}}", "a: !!str \"2\" # c\nb: !!map {}\n"},
	{"explicit key", "? a\n: b\n? c\n: d\n", "{c: e}", "? c\n: e\n"},
}

func TestEdits(t *testing.T) {
	for _, c := range editCases {
		t.Run(c.name, func(t *testing.T) {
			got, err := edit(t, c.before, 0, parseOne(t, c.value))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(strings.Split(c.after, "\n"), strings.Split(got, "\n")); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestEditsThatAreRefused(t *testing.T) {
	for _, c := range []struct{ name, before, value, want string }{
		{"alias", "a: &x {b: 1}\nc: *x\n", "{a: {b: 1}, c: {b: 2}}", "t.yaml:2:4: error: cannot be edited safely: *x repeats the value of another place"},
		{"anchor", "a: &x {b: 1}\nc: *x\n", "{a: {b: 2}, c: {b: 1}}", "t.yaml:1:7: error: cannot be edited safely: its anchor &x is for other places to repeat"},
		{"anchored item", "- &x a\n- *x\n", "[b, a]", "t.yaml:1:6: error: cannot be edited safely: its anchor &x"},
		{"anchor goes", "a: &x 1\nb: *x\n", "{b: 1}", "t.yaml:1:7: error: cannot be edited safely: its anchor &x is for other places to repeat"},
		{"anchor that nobody repeats around one", "a: &o\n  b: &x {c: 1}\nd: *x\n", "{a: {b: {c: 2}}, d: {c: 1}}", "t.yaml:2:9: error: cannot be edited safely: its anchor &x is for"},
		{"anchor that changes alike around one", "a: &o\n  b: &x 1\nd: *x\ne: *o\n", "{a: {b: 2}, d: 1, e: {b: 2}}", "t.yaml:2:9: error: cannot be edited safely: its anchor &x is for"},
		{"anchors that nobody repeats", "a: &o\n  b: &x !!str 1\n", "{a: {b: 2}}", "t.yaml:2:15: error: cannot be edited safely: the text would be"},
		{"merged field goes", "a: &x {b: 1}\nc:\n  <<: *x\n", "{a: {b: 1}, c: {}}", `t.yaml:3:3: error: cannot be edited safely: "b" comes from another place by <<`},
		{"merged map is overridden", "a: &x {b: {e: 1}}\nc:\n  <<: *x\n  d: 1\n", "{a: {b: {e: 1}}, c: {b: {e: 2}, d: 1}}", `t.yaml:3:3: error: cannot be edited safely: "b" comes from another place by <<, which would change too; write it out here first`},
		{"merged field reappears", "a: &x {b: 1}\nc:\n  <<: *x\n  b: 2\n", "{a: {b: 1}, c: {d: 1}}", "t.yaml:3:3: error: cannot be edited safely: the text would be read as something else"},
		{"pair without braces", "[a: 1]\n", "[{a: 1, b: 2}]", "t.yaml:1:2: error: cannot be edited safely: it has no braces"},
		{"tag", "a: !!str 1\n", "{a: 2}", "the text would be read as something else"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := edit(t, c.before, 0, parseOne(t, c.value))
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %s\n%s", err, c.want, got)
			}
		})
	}
}

// apply returns the text with several changes made and documents added.
func apply(t testing.TB, f *source.File, changes []manifest.Change, added ...*manifest.Node) string {
	t.Helper()
	edits, err := manifest.EditFile(f, changes, added...)
	if err != nil {
		t.Fatal(err)
	}
	got, err := source.Apply(f, edits)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func TestEditsOfSeveralObjects(t *testing.T) {
	text := "# one\r\napiVersion: v1\r\nkind: A\r\n---\r\n# no object\r\n--- # list\r\napiVersion: v1\r\nkind: AList\r\nitems:\r\n- metadata: {name: x}\r\n- metadata:\r\n    name: z\r\n    labels: {} # none\r\n...\r\n---\r\n{\"kind\": \"C\", \"apiVersion\": \"v1\"}"
	f := source.New("t.yaml", text)
	docs, _ := manifest.Parse(f)
	objects, diags := manifest.Objects(docs)
	if len(objects) != 4 || len(diags) > 0 {
		t.Fatal(objects, diags)
	}
	var changes []manifest.Change
	for _, o := range objects {
		after := o.Node.Clone()
		if m := after.Get("metadata"); m != nil {
			m.Set("labels", parseOne(t, "{a: b}"))
		} else {
			after.Set("metadata", parseOne(t, "{labels: {a: b}}"))
		}
		changes = append(changes, manifest.Change{Before: o.Node, After: after})
	}
	got := apply(t, f, changes, parseOne(t, "kind: D\nlist: [x]\n"))
	want := strings.NewReplacer(
		"kind: A\r\n", "kind: A\r\nmetadata:\r\n  labels:\r\n    a: b\r\n",
		"{name: x}", "{name: x, labels: {a: b}}",
		" {} # none\r\n", " # none\r\n      a: b\r\n",
		`"v1"}`, `"v1", "metadata": {"labels": {"a": "b"}}}`+"\r\n---\r\nkind: D\r\nlist:\r\n- x",
	).Replace(text)
	if diff := cmp.Diff(strings.Split(want, "\n"), strings.Split(got, "\n")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for _, o := range objects {
		if edits, err := manifest.Edits(o.Node, o.Node.Clone()); len(edits) > 0 || err != nil {
			t.Errorf("%s: %v, %v", o.Kind, edits, err)
		}
	}
}

func TestAppendDocument(t *testing.T) {
	n := parseOne(t, "kind: X\na: {b: [c]}\n")
	for before, want := range map[string]string{
		"":                              "kind: X\na:\n  b:\n  - c\n",
		"# only\n":                      "# only\n---\nkind: X\na:\n  b:\n  - c\n",
		"a: 1\n---\n":                   "a: 1\n---\nkind: X\na:\n  b:\n  - c\n",
		"a: 1\n...\n":                   "a: 1\n...\n---\nkind: X\na:\n  b:\n  - c\n",
		"a: |+\n  x\n\n":                "a: |+\n  x\n\n---\nkind: X\na:\n  b:\n  - c\n",
		"a:\n    b:\n      - x":         "a:\n    b:\n      - x\n---\nkind: X\na:\n    b:\n      - c",
		"a: 1\r\n":                      "a: 1\r\n---\r\nkind: X\r\na:\r\n  b:\r\n  - c\r\n",
		"{\"a\": 1}\n---\n{\"b\": 2}\n": "{\"a\": 1}\n---\n{\"b\": 2}\n---\nkind: X\na:\n  b:\n  - c\n",
	} {
		if got := apply(t, source.New("t.yaml", before), nil, n); got != want {
			t.Errorf("%q\n got %q\nwant %q", before, got, want)
		}
	}
	_, err := manifest.AppendDocument(source.New("t.json", `{"a": 1}`), n)
	if err == nil || !strings.Contains(err.Error(), "JSON") {
		t.Errorf("a file of JSON: %v", err)
	}
}

func TestEditsOfWhatIsNotInTheFile(t *testing.T) {
	n := parseOne(t, "a: 1\n")
	if _, err := manifest.Edits(parseOne(t, "a: {b: 1}").Get("a").Clone(), n); err != nil {
		t.Error(err)
	}
	for _, before := range []*manifest.Node{nil, {}, manifest.NewMap()} {
		if _, err := manifest.Edits(before, n); err == nil {
			t.Errorf("no error for %v", before)
		}
	}
	if _, err := manifest.EditFile(source.New("u.yaml", "a: 1"), []manifest.Change{{Before: n, After: n}}); err == nil {
		t.Error("no error for a node of another file")
	}
}
