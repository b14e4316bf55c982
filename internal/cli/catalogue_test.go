// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"kilter.dev/kilter/internal/diag"
)

// guide returns the files of the profile that docs/write-a-profile.md builds, by name.
func guide(t *testing.T) map[string]string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "write-a-profile.md"))
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for block := range strings.SplitSeq(string(text), "\n```") {
		info, body, _ := strings.Cut(block, "\n")
		if _, name, ok := strings.Cut(info, " profiles/web/"); ok {
			files[name] = body + "\n"
		}
	}
	if len(files) < 8 {
		t.Fatalf("only %d files in the guide", len(files))
	}
	return files
}

func compile(files map[string]string) error {
	fsys := fstest.MapFS{}
	for name, text := range files {
		fsys[name] = &fstest.MapFile{Data: []byte(text)}
	}
	_, err := found{name: "web", folder: "web", fsys: fsys}.blueprint()
	return err
}

// TestBrokenProfiles: a profile that is read in part is compiled all the same. Whatever
// line is missing or wrong, that ends in errors with places, never in a panic.
func TestBrokenProfiles(t *testing.T) {
	files := guide(t)
	if err := compile(files); err != nil {
		t.Fatal(err)
	}
	broken := 0
	for _, name := range slices.Sorted(maps.Keys(files)) {
		lines := strings.SplitAfter(files[name], "\n")
		for i, line := range lines {
			key, _, _ := strings.Cut(line, ":")
			for _, instead := range []string{"", key + ":\n", key + ": [1]\n", key + ": {a: {}}\n", strings.Replace(line, "}", "", 1)} {
				changed := maps.Clone(files)
				changed[name] = strings.Join(slices.Concat(lines[:i], []string{instead}, lines[i+1:]), "")
				err := compile(changed)
				var list diag.List
				switch {
				case err == nil:
				case errors.As(err, &list):
					broken++
				default:
					t.Errorf("%s: line %d as %q: %v", name, i+1, instead, err)
				}
			}
		}
	}
	if broken < 300 {
		t.Errorf("only %d changes broke the profile", broken)
	}
}
