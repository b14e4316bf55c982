// SPDX-License-Identifier: Apache-2.0

package golden_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kilter.dev/kilter/internal/diag"
	"kilter.dev/kilter/internal/lint"
	"kilter.dev/kilter/internal/manifest"
	"kilter.dev/kilter/internal/source"
)

// TestCorpus: how much every rule finds in rendered public charts is as in corpus.txt, so
// that a change of a rule shows itself there. Run it with -update to write that anew.
func TestCorpus(t *testing.T) {
	const golden = "corpus.txt"
	names, err := filepath.Glob(filepath.Join("..", "..", "shared", "corpus", "*.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	if len(names) == 0 {
		t.Skip("the corpus of public charts, ../shared/corpus, is not beside the project")
	}
	got := counted(t, loadRules(t), names)
	if *update {
		if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got, "\n")); diff != "" {
		t.Errorf("the rules find something else; where that is meant, run go test ./golden -run TestCorpus -update (-want +got):\n%s", diff)
	}
}

// tally is what a rule finds: how often with each severity, how often with a fix, and in how
// many files.
type tally struct {
	severity   map[diag.Severity]int
	fix, files int
}

// counted are the tallies of all rules, a line each, for files that are judged one by one.
func counted(t *testing.T, all *lint.Rules, names []string) string {
	t.Helper()
	tallies := map[string]*tally{}
	for _, rule := range all.All {
		tallies[rule.Name] = &tally{severity: map[diag.Severity]int{}}
	}
	objects := 0
	for _, name := range names {
		there, findings := found(t, all, name)
		objects += there
		seen := map[string]bool{}
		for _, f := range findings {
			rule := tallies[f.Code]
			rule.severity[f.Severity]++
			if f.Fix != "" {
				rule.fix++
			}
			if !seen[f.Code] {
				rule.files++
			}
			seen[f.Code] = true
		}
	}
	var s strings.Builder
	fmt.Fprintf(&s, "%d files, %d objects\n\n%-33s %5s %7s %5s %5s %5s\n", len(names), objects, "rule", "error", "warning", "info", "fix", "files")
	for _, rule := range all.All {
		c := tallies[rule.Name]
		fmt.Fprintf(&s, "%-33s %5d %7d %5d %5d %5d\n", rule.Name, c.severity[diag.Error], c.severity[diag.Warning], c.severity[diag.Info], c.fix, c.files)
	}
	return s.String()
}

// found is what all rules find in a file, and how many objects it has.
func found(t *testing.T, all *lint.Rules, name string) (objects int, findings []lint.Finding) {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	docs, errs := manifest.Parse(source.New(name, string(text)))
	parsed, more := manifest.Objects(docs)
	errs.Add(more)
	findings, _ = all.Parsed(errs, lint.Options{})
	return len(parsed), append(findings, all.Run(parsed, lint.Options{})...)
}
