// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"kilter.dev/kilter/generators/engines"
	"kilter.dev/kilter/generators/policy"
	"kilter.dev/kilter/internal/lint"
	"kilter.dev/kilter/internal/profile"
	"kilter.dev/kilter/profiles"
	"kilter.dev/kilter/rules"
)

// TestProfilesTable: README.md lists the built-in profiles, with links that lead somewhere.
func TestProfilesTable(t *testing.T) {
	root := filepath.Join("..", "..")
	names, err := profile.List(profiles.FS)
	if err != nil || len(names) == 0 {
		t.Fatal("no profiles", err)
	}
	rows := "| profile | for | ready to use |\n|---|---|---|\n"
	for _, name := range names {
		sub, err := fs.Sub(profiles.FS, name)
		if err != nil {
			t.Fatal(err)
		}
		p, err := profile.Load(sub, profiles.Parts(), "profiles/"+name)
		if err != nil {
			t.Fatal(err)
		}
		links, folders := fmt.Sprintf("[chart](charts/%s)", name), []string{"profiles/" + name + "/README.md", "charts/" + name}
		if len(p.Component.Kinds) > 0 {
			links += fmt.Sprintf(", [component](components/%s)", name)
			folders = append(folders, "components/"+name)
		}
		rows += fmt.Sprintf("| [%s](profiles/%[1]s/README.md) | %[2]s | %[3]s |\n", name, strings.Join(strings.Fields(p.Description), " "), links)
		for _, folder := range folders {
			if _, err := os.Stat(filepath.Join(root, filepath.FromSlash(folder))); err != nil {
				t.Error(err)
			}
		}
	}
	compareTable(t, filepath.Join(root, "README.md"), "profiles", rows)
}

// TestRulesTable: docs/rules.md lists the rules.
func TestRulesTable(t *testing.T) {
	all, err := lint.Load(rules.FS)
	if err != nil || len(all.All) == 0 {
		t.Fatal("no rules", err)
	}
	rows := "| rule | severity | looks at | fix | what good looks like |\n|---|---|---|---|---|\n"
	for _, r := range all.All {
		fix := ""
		if r.Fixable() {
			fix = "yes"
		}
		rows += fmt.Sprintf("| [%s](../rules/%[1]s.yaml) | %s | %s | %s | %s |\n", r.Name, r.Severity, r.Scope(), fix, strings.ReplaceAll(r.Title, "|", `\|`))
	}
	compareTable(t, filepath.Join("..", "..", "docs", "rules.md"), "rules", rows)
}

// TestPoliciesTable: docs/policies.md says which rules are policies, and of which engine.
func TestPoliciesTable(t *testing.T) {
	all, err := lint.Load(rules.FS)
	if err != nil {
		t.Fatal(err)
	}
	rows := "| rule | Kubernetes | Kyverno | Gatekeeper | why not |\n|---|---|---|---|---|\n"
	for _, r := range all.All {
		why := policy.Why(r)
		rows += fmt.Sprintf("| [%s](../rules/%[1]s.yaml) |", r.Name)
		for _, e := range engines.All {
			switch {
			case why != "":
				rows += "  |"
			case engines.Mutates(e, r):
				rows += " validates, mutates |"
			default:
				rows += " validates |"
			}
		}
		rows += fmt.Sprintf(" %s |\n", why)
	}
	compareTable(t, filepath.Join("..", "..", "docs", "policies.md"), "policies", rows)
}

// compareTable compares, or under -update rewrites, what stands between the comments NAME
// and /NAME of a page.
func compareTable(t *testing.T, file, name, rows string) {
	t.Helper()
	have, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	table := regexp.MustCompile(`(?s)(<!-- ` + name + ` -->\n).*?(<!-- /` + name + ` -->\n)`)
	want := table.ReplaceAllString(string(have), "${1}"+strings.ReplaceAll(rows, "$", "$$")+"${2}")
	switch {
	case !table.Match(have):
		t.Errorf("%s has no <!-- %s --> ... <!-- /%[2]s -->", file, name)
	case want == string(have):
	case *update:
		if err := os.WriteFile(file, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	default:
		t.Errorf("the table of %s in %s is old; -update rewrites it as:\n%s", name, file, rows)
	}
}

var link = regexp.MustCompile(`\]\(([^)#:]+)(#[^)]*)?\)`)

// TestLinks: every link from a page to a file of this repository leads somewhere.
func TestLinks(t *testing.T) {
	pages, err := filepath.Glob(filepath.Join("..", "..", "docs", "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, page := range append(pages, filepath.Join("..", "..", "README.md")) {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range link.FindAllStringSubmatch(string(text), -1) {
			seen++
			if _, err := os.Stat(filepath.Join(filepath.Dir(page), filepath.FromSlash(m[1]))); err != nil {
				t.Errorf("%s: %v", page, err)
			}
		}
	}
	if seen < 5 {
		t.Errorf("only %d links found", seen)
	}
}
