// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kilter.dev/kilter/internal/lint"
	"kilter.dev/kilter/internal/source"
)

// TestCheckPage: the configuration that docs/check.md shows is one.
func TestCheckPage(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "check.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, text, found := strings.Cut(string(page), "```yaml\n# .kilter.yaml\n")
	text, _, closed := strings.Cut(text, "```")
	if !found || !closed {
		t.Fatal("docs/check.md shows no .kilter.yaml")
	}
	all, err := loadRules()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := lint.ParseConfig(source.New(".kilter.yaml", text), all); err != nil {
		t.Error(err)
	}
}

func TestRelativePaths(t *testing.T) {
	s := &settings{folder: "/repo/team/app"}
	from := s.pathFrom("/repo/team")
	for name, want := range map[string]string{
		"a.yaml": "app/a.yaml", "../b.yaml": "b.yaml", "/repo/c.yaml": "../c.yaml", "<stdin>": "<stdin>", "": "",
	} {
		if got := from(name); got != want {
			t.Errorf("%q is %q, not %q", name, got, want)
		}
	}
}
