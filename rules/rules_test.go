// SPDX-License-Identifier: Apache-2.0

package rules_test

import (
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
	"k8s.io/apimachinery/pkg/util/version"
	"k8s.io/apiserver/pkg/cel/environment"

	"kilter.dev/kilter/internal/diag"
	"kilter.dev/kilter/internal/fix/fixtest"
	"kilter.dev/kilter/internal/lint"
	"kilter.dev/kilter/internal/manifest"
	"kilter.dev/kilter/internal/render"
	"kilter.dev/kilter/internal/source"
	"kilter.dev/kilter/rules"
)

func load(t testing.TB) *lint.Rules {
	t.Helper()
	all, err := lint.Load(rules.FS)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// TestExpressions type-checks the CEL of every rule as an API server of the oldest
// supported version would.
func TestExpressions(t *testing.T) {
	all := load(t)
	oldest := environment.MustBaseEnvSet(version.MajorMinor(1, 32)).NewExpressionsEnv()
	if err := all.Check(oldest); err != nil {
		t.Error(err)
	}
}

// TestEveryRuleHasAFixture and no fixture is without a rule.
func TestEveryRuleHasAFixture(t *testing.T) {
	var fixtures []string
	names, err := fs.Glob(rules.FS, "testdata/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		fixtures = append(fixtures, strings.TrimSuffix(path.Base(name), ".txtar"))
	}
	if diff := cmp.Diff(load(t).Names(), fixtures); diff != "" {
		t.Errorf("rules and fixtures (-rules +fixtures):\n%s", diff)
	}
}

// TestFixtures runs each rule on its fixture: a finding on each line with a want comment,
// none elsewhere; what the fixes make of it is clean, and as the fixture says.
func TestFixtures(t *testing.T) {
	all := load(t)
	for _, rule := range all.All {
		t.Run(rule.Name, func(t *testing.T) {
			data, err := fs.ReadFile(rules.FS, "testdata/"+rule.Name+".txtar")
			if err != nil {
				t.Skip("no fixture; TestEveryRuleHasAFixture says so")
			}
			checkFixture(t, all, rule, data)
		})
	}
}

func checkFixture(t *testing.T, all *lint.Rules, rule *lint.Rule, fixture []byte) {
	t.Helper()
	archive := txtar.Parse(fixture)
	o, err := fixtest.Options(string(archive.Comment))
	if err != nil {
		t.Fatal(err)
	}
	o.Only = func(name string) bool { return name == rule.Name }
	wants, fixes := checkCharts(t, all, archive, o), 0
	for _, in := range fixtest.InputsOf(rule.Name, archive, o) {
		wants += checkWants(t, all, in.File, in.Options)
		if fixed := checkFixes(t, all, in.File, in.Options); fixed != "" {
			fixes++
			compareFixed(t, archive, in.File, fixed)
		}
	}
	if wants == 0 {
		t.Error("no line with a want comment: the fixture cannot show that the rule finds anything")
	}
	if rule.Fixable() && fixes == 0 {
		t.Error("the rule has a fix, but the fixture nothing to fix")
	}
}

func objectsOf(t *testing.T, f *source.File) []*manifest.Object {
	t.Helper()
	objects, errs := parse(f)
	if err := errs.Err(); err != nil {
		t.Fatal(err)
	}
	return objects
}

func parse(f *source.File) ([]*manifest.Object, diag.List) {
	docs, errs := manifest.Parse(f)
	objects, more := manifest.Objects(docs)
	errs.Add(more)
	return objects, errs
}

var want = regexp.MustCompile(`# want(?: (error|warning|info))?(?:: (.+))?$`)

// checkWants compares the findings with the want comments, and returns how many there are.
func checkWants(t *testing.T, all *lint.Rules, in *source.File, o lint.Options) int {
	t.Helper()
	objects, errs := parse(in)
	found, errs := all.Parsed(errs, o)
	if err := errs.Err(); err != nil {
		t.Fatal(err)
	}
	found = append(found, all.Run(objects, o)...)
	return checkLines(t, in, slices.DeleteFunc(found, func(f lint.Finding) bool { return f.Unread && !o.Only(f.Code) }))
}

// checkCharts judges the charts of a fixture, the folders with a Chart.yaml, as they are
// written and as they render, twice. Want comments stand in either.
func checkCharts(t *testing.T, all *lint.Rules, archive *txtar.Archive, o lint.Options) (wants int) {
	t.Helper()
	dir := t.TempDir()
	if err := txtar.Write(archive, dir); err != nil {
		t.Fatal(err)
	}
	for _, f := range archive.Files {
		chart, isChart := strings.CutSuffix(f.Name, "/Chart.yaml")
		if !isChart {
			continue
		}
		var files []*source.File
		for _, f := range archive.Files {
			if strings.HasPrefix(f.Name, chart+"/") {
				files = append(files, source.New(f.Name, string(f.Data)))
			}
		}
		findings := all.Chart(files, o)
		if first, second := rendered(t, dir, chart), rendered(t, dir, chart); len(findings) == 0 {
			findings = all.Renderings(first, second, o)
			files = filesOf(first)
		}
		for _, f := range files {
			wants += checkLines(t, f, findings)
		}
	}
	return wants
}

func rendered(t *testing.T, dir, chart string) []*manifest.Object {
	t.Helper()
	docs, errs := render.Chart(filepath.Join(dir, chart), render.Options{})
	objects, more := manifest.Objects(docs)
	errs.Add(more)
	if err := errs.Err(); err != nil {
		t.Fatal(err)
	}
	return objects
}

func filesOf(objects []*manifest.Object) (files []*source.File) {
	for _, o := range objects {
		if !slices.Contains(files, o.Node.Span.File) {
			files = append(files, o.Node.Span.File)
		}
	}
	return files
}

// oneOfMany matches words for several things behind a number that may be 1.
var oneOfMany = regexp.MustCompile(`\b1 (?:free |old |new )?(?:GPUs|pods|replicas|failures|members|ranks|containers|nodes|runs|claims)\b`)

// checkLines compares the findings in a file with its want comments, and returns how many
// there are.
func checkLines(t *testing.T, in *source.File, all []lint.Finding) int {
	t.Helper()
	findings := map[int][]lint.Finding{}
	for _, f := range all {
		if f.Span.File != nil && f.Span.File != in {
			continue
		}
		line, _ := f.Span.Position()
		findings[line] = append(findings[line], f)
	}
	wants, number := 0, 0
	for _, f := range all {
		if text := f.Message + "; " + f.Hint; oneOfMany.MatchString(text) {
			t.Errorf("%s: a number may be 1: %s", f.Span, text)
		}
	}
	for line := range strings.Lines(in.Text) {
		number++
		found := findings[number]
		m := want.FindStringSubmatch(strings.TrimRight(line, "\r\n"))
		if m == nil {
			for _, f := range found {
				t.Errorf("%s: unexpected: %s: %s", f.Span, f.Severity, f.Message)
			}
			continue
		}
		wants++
		if len(found) == 0 || slices.ContainsFunc(found, func(f lint.Finding) bool { return !meets(f.Diagnostic, m[1], m[2]) }) {
			t.Errorf("%s:%d: want what meets %q alone; found: %s", in.Name, number, m[0], list(found))
		}
		for i, f := range found {
			if slices.ContainsFunc(found[:i], func(g lint.Finding) bool { return g.Message == f.Message }) {
				t.Errorf("%s: said twice: %s", f.Span, f.Message)
			}
		}
	}
	for _, f := range findings[0] {
		t.Errorf("a finding without a place: %s", f.Message)
	}
	return wants
}

func meets(d diag.Diagnostic, severity, message string) bool {
	return (severity == "" || severity == d.Severity.String()) && regexp.MustCompile(message).MatchString(d.Message)
}

func list(found []lint.Finding) string {
	if len(found) == 0 {
		return "nothing"
	}
	var texts []string
	for _, f := range found {
		texts = append(texts, fmt.Sprintf("%s: %s", f.Severity, f.Message))
	}
	return strings.Join(texts, "; ")
}
