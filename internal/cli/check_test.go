// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
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

// TestCheckIsDeterministic: many units are judged at once, and the report is the same.
func TestCheckIsDeterministic(t *testing.T) {
	dir := t.TempDir()
	for i := range 40 {
		text := fmt.Sprintf("apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec:\n  replicas: %d\n  selector: {matchLabels: {app: web}}\n"+
			"  template:\n    metadata: {labels: {app: web}}\n    spec: {containers: [{name: web, image: nginx, resources: {limits: {nvidia.com/gpu: 1}}}]}\n", i%5)
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%02d.yaml", i)), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	first := ""
	for range 3 {
		var out strings.Builder
		if code := Main(context.Background(), []string{"check", dir, "-o", "json"}, strings.NewReader(""), &out, io.Discard); code != exitFindings {
			t.Fatalf("exit code %d", code)
		}
		if first == "" {
			first = out.String()
		}
		if out.String() != first {
			t.Fatal("two reports about the same input differ")
		}
	}
}

// TestRepositoryIsClean: Kilter finds nothing in its own repository: what tests need that is
// wrong is in archives.
func TestRepositoryIsClean(t *testing.T) {
	check := func(args ...string) (string, int) {
		var out, log strings.Builder
		code := Main(context.Background(), append([]string{"check", filepath.Join("..", ".."), "--fail-on", "info"}, args...), strings.NewReader(""), &out, &log)
		return out.String(), code
	}
	if out, code := check(); code != exitOK || out != "" {
		t.Errorf("exit code %d\n%s", code, out)
	}
	var report struct{ Summary struct{ Objects int } }
	out, _ := check("-o", "json")
	if err := json.Unmarshal([]byte(out), &report); err != nil || report.Summary.Objects < 200 {
		t.Errorf("only %d objects were found: %v", report.Summary.Objects, err)
	}
}
