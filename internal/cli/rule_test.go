// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"kilter.dev/kilter/internal/lint"
)

var (
	ruleSection = regexp.MustCompile(`(?m)^(WHY|SOURCES|BEFORE|WHAT kilter check SAYS|AFTER kilter fix)\n\n((?: {4}.*\n|\n)+)`)
	ruleFix     = regexp.MustCompile(`(?m)^fix {7}(.+)$`)
	ruleSource  = regexp.MustCompile(`(?m)^(?:https://\S+|k8s\.io/\S+)$`)
)

// TestRuleShow: every rule is explained, with sources, an example and what is said of it where
// that is no file of a chart. One that can be fixed says how, each way once, and shows the
// example fixed.
func TestRuleShow(t *testing.T) {
	all, err := loadRules()
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range all.All {
		t.Run(r.Name, func(t *testing.T) {
			var out, errs strings.Builder
			if code := Main(context.Background(), []string{"rule", "show", r.Name}, strings.NewReader(""), &out, &errs); code != exitOK || errs.Len() > 0 {
				t.Fatalf("exit code %d: %s", code, errs.String())
			}
			sections := map[string]string{}
			for _, m := range ruleSection.FindAllStringSubmatch(out.String(), -1) {
				sections[m[1]] = strings.ReplaceAll("\n"+m[2], "\n    ", "\n")[1:]
			}
			if sections["WHY"] == "" || !ruleSource.MatchString(sections["SOURCES"]) {
				t.Errorf("not explained, or without a source: %q", sections)
			}
			chart := r.Name == "kube-version-compare" || r.Name == "template-not-stable"
			if said := sections["WHAT kilter check SAYS"]; strings.Contains(said, "["+r.Name+"]") == chart {
				t.Errorf("of the example it says %q", said)
			}
			showsFix(t, r, ruleFix.FindAllString(out.String(), -1), sections["AFTER kilter fix"])
			showsExample(t, r.Name, sections["BEFORE"], sections["AFTER kilter fix"])
		})
	}
}

func showsFix(t *testing.T, r *lint.Rule, fixes []string, after string) {
	t.Helper()
	if (len(fixes) > 0) != r.Fixable() || (after != "") != r.Fixable() {
		t.Errorf("it can be fixed: %v, but it shows the fixes %q, which make\n%s", r.Fixable(), fixes, after)
	}
	slices.Sort(fixes)
	if once := slices.Compact(slices.Clone(fixes)); len(once) < len(fixes) {
		t.Errorf("a fix is told twice: %q", fixes)
	}
}

// showsExample tests that the rule finds something in what is shown as it is before, and
// nothing after the fix.
func showsExample(t *testing.T, rule, before, after string) {
	t.Helper()
	if !findsIn(t, rule, before) {
		t.Errorf("nothing is found in the example:\n%s", before)
	}
	if after != "" && findsIn(t, rule, after) {
		t.Errorf("something is found in what was fixed:\n%s", after)
	}
}

// findsIn reports whether kilter check finds what the rule looks for in a text, all of which
// there is: a manifest, or a file of a chart.
func findsIn(t *testing.T, rule, text string) bool {
	t.Helper()
	dir := t.TempDir()
	files := map[string]string{"manifest.yaml": text}
	switch {
	case strings.HasPrefix(text, "apiVersion: v2\n"):
		files = map[string]string{"Chart.yaml": text}
	case strings.Contains(text, "{{"):
		files = map[string]string{"templates/manifest.yaml": text, "Chart.yaml": "apiVersion: v2\nname: web\nversion: 1.0.0\n"}
	}
	for name, text := range files {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	var out strings.Builder
	Main(context.Background(), []string{"check", "--closed", "--rule", rule, dir}, strings.NewReader(""), &out, io.Discard)
	return strings.Contains(out.String(), "["+rule+"]")
}
