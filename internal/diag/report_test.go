// SPDX-License-Identifier: Apache-2.0

package diag_test

import (
	"io"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kilter.dev/kilter/internal/diag"
	"kilter.dev/kilter/internal/source"
)

// sample has one of everything: a finding with a fix and a related place, one that is
// suppressed, one in rendered text, and a document that cannot be read.
func sample() diag.Report {
	f := source.New("k8s/wéb app.yaml", "kind: Deployment\nspec:\n  replicas: 1\n")
	other := source.New("k8s/pdb.yaml", "kind: PodDisruptionBudget\n")
	rendered := source.New("chart/templates/web.yaml", "\n\nkind: Service\n")
	rendered.Origin = rendered.Name
	web := diag.Ref{APIVersion: "apps/v1", Kind: "Deployment", Namespace: "prod", Name: "web"}
	return diag.Report{
		Version: "v1.2.3",
		Rules: []diag.Rule{
			{Name: "pdb-missing", Title: "A title", Description: "Why.", Severity: diag.Warning, Help: "https://kilter.dev/rules/pdb-missing"},
			{Name: "image-not-pinned", Title: "Another", Description: "Because.", Severity: diag.Error},
		},
		Findings: diag.List{
			{
				Span: source.Span{File: f, Start: 25, End: 36}, Severity: diag.Warning, Code: "pdb-missing", Message: "one replica", Hint: "add a budget",
				Related: []diag.Related{{Span: source.Span{File: other, End: 4}, Message: "this budget"}},
				Object:  web, Path: "spec.replicas", Fix: "add a PodDisruptionBudget",
			},
			{
				Span: source.Span{File: f, Start: 17, End: 21}, Severity: diag.Error, Code: "image-not-pinned", Message: "no tag",
				Object: web, Path: "spec", Suppressed: &diag.Suppression{Kind: diag.InSource, Reason: "tested below"},
			},
			{Span: source.Span{File: rendered, Start: 2, End: 6}, Severity: diag.Info, Code: "suppression", Message: "unused"},
		},
		Unreadable: diag.List{{Span: source.Span{File: other}, Code: "yaml", Message: "a tab", Hint: "use blanks"}},
		Files:      []string{"k8s/wéb app.yaml", "k8s/pdb.yaml", "k8s/clean.yaml"},
		Objects:    3,
		Folder:     "/repo/team", Root: "/repo",
	}
}

func print(t testing.TB, to func(io.Writer) error) string {
	t.Helper()
	var b strings.Builder
	if err := to(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestJSON(t *testing.T) {
	const want = `{
  "findings": [
    {
      "rule": "yaml",
      "severity": "error",
      "message": "a tab",
      "hint": "use blanks",
      "file": "k8s/pdb.yaml",
      "line": 1,
      "column": 1,
      "object": {
        "apiVersion": "",
        "kind": "",
        "namespace": "",
        "name": ""
      },
      "path": "",
      "fixable": false
    },
    {
      "rule": "pdb-missing",
      "severity": "warning",
      "message": "one replica",
      "hint": "add a budget",
      "file": "k8s/wéb app.yaml",
      "line": 3,
      "column": 3,
      "object": {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "namespace": "prod",
        "name": "web"
      },
      "path": "spec.replicas",
      "fixable": true
    },
    {
      "rule": "suppression",
      "severity": "info",
      "message": "unused",
      "hint": "",
      "file": "chart/templates/web.yaml",
      "line": 3,
      "column": 1,
      "object": {
        "apiVersion": "",
        "kind": "",
        "namespace": "",
        "name": ""
      },
      "path": "",
      "fixable": false
    }
  ],
  "summary": {
    "error": 0,
    "warning": 1,
    "info": 1,
    "fixable": 1,
    "suppressed": 1,
    "unreadable": 1,
    "objects": 3
  }
}
`
	if diff := cmp.Diff(want, print(t, sample().JSON)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got := print(t, diag.Report{}.JSON); !strings.Contains(got, `"findings": []`) {
		t.Errorf("nothing found: %s", got)
	}
}

func TestJUnit(t *testing.T) {
	const want = `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="kilter check" tests="5" failures="2" errors="1" skipped="1">
  <testsuite name="team/chart/templates/web.yaml" tests="1" failures="1" errors="0" skipped="0">
    <testcase name="suppression" classname="team/chart/templates/web.yaml" file="team/chart/templates/web.yaml" line="1">
      <failure type="info" message="unused (line 3 as rendered)">&#xA;chart/templates/web.yaml:3:1: info: unused [suppression]&#xA;&#x9;kind: Service&#xA;&#x9;^^^^&#xA;</failure>
    </testcase>
  </testsuite>
  <testsuite name="team/k8s/clean.yaml" tests="1" failures="0" errors="0" skipped="0">
    <testcase name="kilter check" classname="team/k8s/clean.yaml" file="team/k8s/clean.yaml"></testcase>
  </testsuite>
  <testsuite name="team/k8s/pdb.yaml" tests="1" failures="0" errors="1" skipped="0">
    <testcase name="yaml" classname="team/k8s/pdb.yaml" file="team/k8s/pdb.yaml" line="1">
      <error type="error" message="a tab&#xA;hint: use blanks">&#xA;k8s/pdb.yaml:1:1: error: a tab [yaml]&#xA;&#x9;kind: PodDisruptionBudget&#xA;&#x9;^&#xA;&#x9;hint: use blanks&#xA;</error>
    </testcase>
  </testsuite>
  <testsuite name="team/k8s/wéb app.yaml" tests="2" failures="1" errors="0" skipped="1">
    <testcase name="pdb-missing" classname="Deployment.prod.web" file="team/k8s/wéb app.yaml" line="3">
      <failure type="warning" message="one replica&#xA;hint: add a budget">&#xA;k8s/wéb app.yaml:3:3: warning: one replica [pdb-missing]&#xA;&#x9;  replicas: 1&#xA;&#x9;  ^^^^^^^^^^^&#xA;&#x9;in Deployment prod/web: spec.replicas&#xA;&#x9;k8s/pdb.yaml:1:1: this budget&#xA;&#x9;hint: add a budget&#xA;&#x9;fix: add a PodDisruptionBudget&#xA;</failure>
    </testcase>
    <testcase name="image-not-pinned" classname="Deployment.prod.web" file="team/k8s/wéb app.yaml" line="2">
      <skipped message="tested below">&#xA;k8s/wéb app.yaml:2:1: error: no tag [image-not-pinned]&#xA;&#x9;spec:&#xA;&#x9;^^^^&#xA;&#x9;in Deployment prod/web: spec&#xA;</skipped>
    </testcase>
  </testsuite>
</testsuites>
`
	if diff := cmp.Diff(want, print(t, sample().JUnit)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestGitHub(t *testing.T) {
	r := sample()
	r.Unreadable[0].Span.File.Name = "k8s/a,b:c%.yaml"
	const want = `::error file=team/k8s/a%2Cb%3Ac%25.yaml,line=1,endLine=1,col=1,title=yaml::a tab%0Ahint: use blanks
::warning file=team/k8s/wéb app.yaml,line=3,endLine=3,col=3,title=pdb-missing::Deployment prod/web: one replica%0Ahint: add a budget
::notice file=team/chart/templates/web.yaml,line=1,endLine=1,title=suppression::unused (line 3 as rendered)
`
	if diff := cmp.Diff(want, print(t, r.GitHub)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestGitHubLimits: at most 10 of each level, and the rest where no command can hide in it.
func TestGitHubLimits(t *testing.T) {
	var r diag.Report
	for i := range 25 {
		r.Findings.Warnf(source.Span{}, "w", "::error::%d\n::set-output name=x::y ##[add-mask]z", i)
		r.Findings.Errorf(source.Span{}, "e", "%d", i)
	}
	got := print(t, r.GitHub)
	lines := strings.Split(strings.TrimSuffix(got, "\n"), "\n")
	for level, want := range map[string]int{"::error ": 10, "::warning ": 10, "::group::kilter: 30 more": 1, "error: ": 15, "warning: ": 15, "::endgroup::": 1} {
		n := 0
		for _, line := range lines {
			if strings.HasPrefix(line, level) {
				n++
			}
		}
		if n != want {
			t.Errorf("%d lines begin with %q, not %d", n, level, want)
		}
	}
	if len(lines) != 52 {
		t.Errorf("%d lines", len(lines))
	}
	if rest := strings.Join(lines[21:], "\n"); strings.Contains(rest, "##[") {
		t.Errorf("a command in the log:\n%s", rest)
	}
}

func TestMarkdown(t *testing.T) {
	r := sample()
	const want = `## kilter check

1 warning, 1 info in 3 objects; a fix is known for 1; 1 suppressed; 1 could not be read

| | where | rule | object | what |
|---|---|---|---|---|
| error | team/k8s/pdb.yaml&#58;1 | yaml |  | a tab |
| warning | team/k8s/wéb app.yaml&#58;3 | pdb&#45;missing | Deployment prod/web | one replica |
| info | team/chart/templates/web.yaml&#58;1 | suppression |  | unused |
`
	if diff := cmp.Diff(want, print(t, r.Markdown)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for range 20_000 {
		r.Findings.Errorf(source.Span{}, "e", "%s", strings.Repeat("x", 100))
	}
	if got := print(t, r.Markdown); len(got) > 1<<20 || !strings.Contains(got, " more do not fit here.\n") {
		t.Errorf("%d bytes, the end: %s", len(got), got[len(got)-100:])
	}
}

// TestLocations: where a reader of the repository finds a file, as a URI.
func TestLocations(t *testing.T) {
	for name, want := range map[string]string{
		"a.yaml": "team/a.yaml", "../a.yaml": "a.yaml", "/repo/x/a.yaml": "x/a.yaml", "./b/../a.yaml": "team/a.yaml",
		"/else/a.yaml": "file:///else/a.yaml", "../../a.yaml": "file:///a.yaml", "..a.yaml": "team/..a.yaml",
		"é ?#%[x].yaml": "team/%C3%A9%20%3F%23%25%5Bx%5D.yaml", "a:b.yaml": "team/a%3Ab.yaml", "<stdin>": "%3Cstdin%3E",
	} {
		r := diag.Report{Folder: "/repo/team", Root: "/repo"}
		r.Findings.Errorf(source.Span{File: source.New(name, "x")}, "e", "m")
		got := print(t, r.SARIF)
		m := regexp.MustCompile(`"uri": "(.*)"`).FindStringSubmatch(got)
		if m == nil || m[1] != want {
			t.Errorf("%s is at %v, not %s", name, m, want)
		}
	}
}
