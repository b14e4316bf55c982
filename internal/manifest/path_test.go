// SPDX-License-Identifier: Apache-2.0

package manifest_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kilter.dev/kilter/internal/manifest"
	"kilter.dev/kilter/internal/source"
)

func TestPaths(t *testing.T) {
	docs, _ := manifest.Parse(source.New("", `{list: [{a: 1}], map: {"0": 1, a/b: {c: 1}, 'say "x"': 1, "[]": 1}}`))
	for text, path := range map[string][]string{
		"":                   nil,
		"list[0].a":          {"list", "0", "a"},
		"map.0":              {"map", "0"},
		`map["a/b"].c`:       {"map", "a/b", "c"},
		`map["say \"x\""]`:   {"map", `say "x"`},
		`map["[]"]`:          {"map", "[]"},
		"gone.gone[1][2].3a": {"gone", "gone", "1", "2", "3a"},
	} {
		if got := manifest.PathText(docs[0], path); got != text {
			t.Errorf("%q is written %s, want %s", path, got, text)
		}
		if diff := cmp.Diff(path, manifest.ParsePath(text)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", text, diff)
		}
	}
	for text, path := range map[string][]string{
		"rules[].alert":        {"rules", "[]", "alert"},
		"env[HOME]":            {"env", "HOME"},
		"annotations[a.b/c].d": {"annotations", "a.b/c", "d"},
		"a[b":                  {"a", "[b"},
		`a["b`:                 {"a", `["b`},
		".a..b":                {"a", "b"},
	} {
		if diff := cmp.Diff(path, manifest.ParsePath(text)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", text, diff)
		}
	}
}

func TestPathOf(t *testing.T) {
	const text = "a: {b: [x, {c: yes}]}\nd:\n  e.f: some words\n"
	f := source.New("", text)
	docs, _ := manifest.Parse(f)
	at := func(part string) source.Span {
		i := strings.Index(text, part)
		return source.Span{File: f, Start: i, End: i + len(part)}
	}
	for part, want := range map[string]string{
		"x": "a.b[0]", "c": "a.b[1].c", "yes": "a.b[1].c", "{c: yes}": "a.b[1]", "e.f": `d["e.f"]`, "words": `d["e.f"]`, "d": "d",
	} {
		path, ok := manifest.PathOf(docs[0], at(part))
		if got := manifest.PathText(docs[0], path); got != want || !ok {
			t.Errorf("%q is at %q, %v, want %q", part, got, ok, want)
		}
	}
	for _, span := range []source.Span{{}, {File: source.New("", text), Start: 1, End: 2}, at("\n")} {
		if path, ok := manifest.PathOf(docs[0].Get("a"), span); ok {
			t.Errorf("%v is at %q", span, path)
		}
	}
	if _, ok := manifest.PathOf(nil, at("x")); ok {
		t.Error("nothing holds something")
	}
}
