// SPDX-License-Identifier: Apache-2.0

package manifest_test

import (
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
