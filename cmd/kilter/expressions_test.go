// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestExpressions: the table of docs/expressions.md shows what each example gives and
// what the chart computes. The rows are the entries of one ConfigMap.
func TestExpressions(t *testing.T) {
	file := filepath.Join("..", "..", "docs", "expressions.md")
	page := readDocument(t, file)
	dir := t.TempDir()
	if err := page.extract(dir); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(text), "<!-- expressions -->\n")
	table, after, ok2 := strings.Cut(rest, "<!-- /expressions -->\n")
	if !ok || !ok2 {
		t.Fatal("no <!-- expressions --> ... <!-- /expressions -->")
	}
	want := fill(t, dir, table)
	switch {
	case want == table:
	case *update:
		if err := os.WriteFile(file, []byte(before+"<!-- expressions -->\n"+want+"<!-- /expressions -->\n"+after), 0o644); err != nil {
			t.Fatal(err)
		}
	default:
		t.Errorf("the table differs; -update rewrites it (-written +real):\n%s", cmp.Diff(table, want))
	}
}

// fill returns the table with its third and fourth column computed.
func fill(t *testing.T, dir, table string) string {
	lines := strings.SplitAfter(strings.TrimSuffix(table, "\n"), "\n")
	template := "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: \"${workload.name}\"}\ndata:\n"
	for i, line := range lines[2:] {
		example := strings.ReplaceAll(strings.Trim(cells(line)[1], "`"), `\|`, "|")
		template += fmt.Sprintf("  r%02d: '${%s}'\n", i, strings.ReplaceAll(example, "'", "''"))
	}
	folder := filepath.Join(dir, "profiles", "sheet", "templates")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "rows.yaml"), []byte(template), 0o644); err != nil {
		t.Fatal(err)
	}
	if out := shell(dir, "kilter new web --profiles profiles --profile sheet"); !strings.HasPrefix(out, "Wrote ") {
		t.Fatal(out)
	}
	var objects []struct{ Data map[string]any }
	if err := json.Unmarshal([]byte(shell(dir, "kilter render web --profiles profiles -o json")), &objects); err != nil {
		t.Fatal(err)
	}
	chart, err := os.ReadFile(filepath.Join(dir, "web", "chart", "templates", "rows.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	out := lines[0] + lines[1]
	for i, line := range lines[2:] {
		c, key := cells(line), fmt.Sprintf("r%02d", i)
		value, ok := objects[0].Data[key]
		out += fmt.Sprintf("| %s | %s | %s | %s |\n", c[0], c[1], shown(value, ok), lowered(string(chart), key))
	}
	return out
}

var bar = regexp.MustCompile(`(^|[^\\])\|`)

// cells are the cells of a row.
func cells(line string) []string {
	line = strings.TrimSpace(bar.ReplaceAllString(line, "$1\x00"))
	all := strings.Split(strings.Trim(line, "\x00"), "\x00")
	for i := range all {
		all[i] = strings.TrimSpace(all[i])
	}
	return all
}

func shown(value any, ok bool) string {
	if !ok {
		return "nothing"
	}
	text, err := json.Marshal(value)
	if err != nil {
		return err.Error()
	}
	if len(text) > 20 {
		return "`" + string(text[:16]) + "…`"
	}
	return "`" + string(text) + "`"
}

// lowered is what the chart computes for a key: the action, and the condition around it.
func lowered(chart, key string) string {
	m := regexp.MustCompile(`(?m)(?:^ *\{\{- if (.*) \}\}\n)? *` + key + `: (.*)$`).FindStringSubmatch(chart)
	if m == nil {
		return "missing"
	}
	action, ok := strings.CutPrefix(m[2], "{{ ")
	if !ok {
		return "the text itself"
	}
	action = "`" + strings.TrimSuffix(strings.TrimSuffix(action, " }}"), " | quote") + "`"
	if m[1] != "" {
		action += " if `" + m[1] + "`"
	}
	return strings.ReplaceAll(action, "|", `\|`)
}
