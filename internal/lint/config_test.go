// SPDX-License-Identifier: Apache-2.0

package lint_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kilter.dev/kilter/internal/diag"
	"kilter.dev/kilter/internal/lint"
	"kilter.dev/kilter/internal/source"
)

func config(t *testing.T, text string) *lint.Config {
	t.Helper()
	c, err := lint.ParseConfig(source.New(".kilter.yaml", "apiVersion: kilter.dev/v1alpha1\nkind: Config\n"+text), testRules(t))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestSuppressByConfig(t *testing.T) {
	const none = "k8s/a.yaml:7:13 few-replicas\nk8s/a.yaml:14:16 image-tag\nk8s/a.yaml:16:16 image-tag\n"
	const all = "- external old: k8s/a.yaml:7:13 few-replicas\nk8s/a.yaml:14:16 image-tag\nk8s/a.yaml:16:16 image-tag\n"
	for selectors, want := range map[string]string{
		"": all, "paths: [k8s]": all, "paths: ['**/a.yaml']": all, "paths: ['k8s/**']": all, "paths: ['**/*.yml', k8s/*.yaml]": all, "paths: ['./']": all,
		"paths: ['*.yaml']": none, "paths: [k8s/a.yaml/x]": none, "kinds: [apps/Deployment]": all, "kinds: [StatefulSet, Deployment]": all, "kinds: [batch/Deployment]": none,
		"names: ['w*']": all, "names: [we]": none, "namespaces: [default]": all, "namespaces: [prod]": none, "until: 2026-12-02": all, "kinds: [Deployment], names: [db]": none,
	} {
		c := config(t, "exceptions:\n- {rules: [few-replicas], reason: old, "+strings.TrimSuffix(selectors+", ", ", ")+"}\n")
		if diff := cmp.Diff(want, outcome(t, &lint.Suppressor{Config: c}, deployment)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", selectors, diff)
		}
	}
}

func TestSuppressByConfigProblems(t *testing.T) {
	const text = "exceptions:\n- rules: [few-replicas]\n  until: 2026-12-01\n- rules: [image-tag, few-replicas]\n  names: [web]\n- {rules: [image-tag], names: [gone]}\n"
	good := with(deployment, "nginx", "nginx:1", "replicas: 1", "replicas: 2")
	want := "k8s/a.yaml:16:16 image-tag\n" + `.kilter.yaml:5:10 "2026-12-01" warning: this suppression has ended on 2026-12-01 (mend what it was for, or give it a later date)` + "\n" +
		`.kilter.yaml:6:22 "few-replicas" info: there is no finding of few-replicas to suppress here (remove it, so that it hides nothing later)` + "\n"
	if diff := cmp.Diff("- external: "+want, outcome(t, &lint.Suppressor{Config: config(t, text)}, good)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	want += `.kilter.yaml:8:12 "image-tag" info: there is no finding of image-tag to suppress here (remove it, so that it hides nothing later)` + "\n"
	if diff := cmp.Diff("- external: "+want, outcome(t, &lint.Suppressor{Config: config(t, text), Whole: true}, good)); diff != "" {
		t.Errorf("everything is judged (-want +got):\n%s", diff)
	}
}

func TestSettings(t *testing.T) {
	c := config(t, "failOn: warning\nkubeVersion: 1.36\nrules:\n  few-replicas: info\n  image-tag: off\n")
	if c.FailOn != "warning" || c.KubeVersion != "1.36" || !c.IsOff("image-tag") || c.IsOff("few-replicas") {
		t.Errorf("%+v", c)
	}
	for _, version := range []string{"'1.36'", "v1.36", "1.36.2"} {
		config(t, "kubeVersion: "+version+"\n")
	}
	findings := []lint.Finding{{Diagnostic: diag.Diagnostic{Code: "few-replicas"}}, {Diagnostic: diag.Diagnostic{Code: "image-tag"}}}
	c.Grade(findings)
	if findings[0].Severity != diag.Info || findings[1].Severity != diag.Error {
		t.Errorf("severities %v, %v", findings[0].Severity, findings[1].Severity)
	}
	var none *lint.Config
	if none.Grade(findings); none.IsOff("x") {
		t.Error("no configuration switches a rule off")
	}
}

// TestConfigMistakes: each has its place, and all are said at once.
func TestConfigMistakes(t *testing.T) {
	const text = `apiVersion: kilter.dev/v1
kind: Config
failon: error
failOn: errors
kubeVersion: 1.31
rules:
  few-replica: off
  image-tag: loud
exceptions:
- rules: [image-tags]
  path: [x]
  paths: [/etc, ../x, "a[", 1]
  until: tomorrow
  kinds: [Deployment, deploymnet, 1, [a], apps/v1/Deployment]
- names: [web]
- text
`
	const want = `.kilter.yaml:1:13: error: apiVersion is "kilter.dev/v1", not "kilter.dev/v1alpha1" [config]
.kilter.yaml:3:1: error: unknown field "failon" [config] did you mean "failOn"?
.kilter.yaml:4:9: error: failOn is error, warning, info or never, not "errors" [config] did you mean "error"?
.kilter.yaml:5:14: error: kubeVersion: Kubernetes 1.31 is not supported [config] the versions are 1.32 to 1.37
.kilter.yaml:7:3: error: there is no rule "few-replica" [config] did you mean "few-replicas"?
.kilter.yaml:8:14: error: a rule is error, warning, info or off [config]
.kilter.yaml:10:11: error: there is no rule "image-tags" [config] did you mean "image-tag"?
.kilter.yaml:11:3: error: unknown field "path" [config] did you mean "paths"?
.kilter.yaml:12:11: error: "/etc" leads out of the folder of this file, which paths are relative to [config]
.kilter.yaml:12:17: error: "../x" leads out of the folder of this file, which paths are relative to [config]
.kilter.yaml:12:23: error: "a[" is no pattern: a [ is not closed, or a \ ends it [config]
.kilter.yaml:12:29: error: paths are text [config]
.kilter.yaml:13:10: error: until is a date such as 2027-01-31, not "tomorrow" [config] write the year, the month and the day, with - between them
.kilter.yaml:14:23: error: kinds are such as Deployment or apps/Deployment [config] did you mean "Deployment"?
.kilter.yaml:14:35: error: kinds are such as Deployment or apps/Deployment [config]
.kilter.yaml:14:38: error: kinds are such as Deployment or apps/Deployment [config]
.kilter.yaml:14:43: error: kinds are such as Deployment or apps/Deployment [config] did you mean "apps/Deployment"?
.kilter.yaml:15:3: error: rules is missing [config]
.kilter.yaml:16:3: error: an exception is a map with rules, and which findings of them it is for [config]
`
	_, err := lint.ParseConfig(source.New(".kilter.yaml", text), testRules(t))
	list, _ := err.(diag.List)
	var got strings.Builder
	for _, d := range list {
		got.WriteString(strings.TrimSpace(fmt.Sprintf("%s: %s: %s [%s] %s", d.Span, d.Severity, d.Message, d.Code, d.Hint)) + "\n")
	}
	if diff := cmp.Diff(want, got.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for _, text := range []string{"", "a\n", "- a\n", "a: 1\n---\nb: 2\n", "a: [\n"} {
		if _, err := lint.ParseConfig(source.New(".kilter.yaml", text), testRules(t)); err == nil {
			t.Errorf("%q is taken for a configuration", text)
		}
	}
}

// TestBaseline: a baseline accepts what it was made of, each finding once, and nothing else.
func TestBaseline(t *testing.T) {
	same := func(name string) string { return name }
	rules := testRules(t)
	text := strings.Replace(deployment, "OBJECT: x", "kilter.dev/ignore: few-replicas", 1)
	s := &lint.Suppressor{Rules: rules, Today: "2026-12-02"}
	objects := parse(t, "k8s/a.yaml", text)
	findings := rules.Run(objects, lint.Options{})
	s.Apply(objects, findings)
	written := lint.NewBaseline(findings, same)
	if written.Size() != 2 {
		t.Errorf("the baseline has %d findings", written.Size())
	}
	read, err := lint.ParseBaseline(source.New("baseline.yaml", written.YAML()))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(written.YAML(), read.YAML()); diff != "" {
		t.Errorf("written and read (-want +got):\n%s", diff)
	}
	moved := with(text, "replicas: 1", "\n\n  replicas: 1", "image: redis", "image: redis\n      - name: c\n        image: new")
	want := "- inSource: k8s/a.yaml:9:13 few-replicas\n- external in the baseline: k8s/a.yaml:16:16 image-tag\n- external in the baseline: k8s/a.yaml:18:16 image-tag\nk8s/a.yaml:20:16 image-tag\n"
	if diff := cmp.Diff(want, outcome(t, &lint.Suppressor{Rules: rules, Baseline: read}, moved)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	mended := with(text, "nginx", "nginx:1")
	want = "- inSource: k8s/a.yaml:7:13 few-replicas\n- external in the baseline: k8s/a.yaml:16:16 image-tag\n" +
		`baseline.yaml:5:3 "rule: image-tag\n  file: k8s/a.yaml\n  object: Deployment.apps web\n  path: spec.template.spec.containers[0].image" info: this baseline accepts findings that are not there any more: 1 of 2 (write it anew with --write-baseline, so that they do not come back unseen)` + "\n"
	if diff := cmp.Diff(want, outcome(t, &lint.Suppressor{Rules: rules, Baseline: read}, mended)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestBaselineUnknownRule: a rule that has another name now accepts nothing, and is said once.
func TestBaselineUnknownRule(t *testing.T) {
	const text = "apiVersion: kilter.dev/v1alpha1\nkind: Baseline\nfindings:\n- {rule: images-tag, file: k8s/a.yaml}\n- {rule: images-tag, file: b}\n"
	read, err := lint.ParseBaseline(source.New("b", text))
	if err != nil {
		t.Fatal(err)
	}
	want := "k8s/a.yaml:7:13 few-replicas\nk8s/a.yaml:14:16 image-tag\nk8s/a.yaml:16:16 image-tag\n" +
		`b:4:10 "images-tag" warning: there is no rule "images-tag" to ignore (did you mean "image-tag"?)` + "\n"
	if diff := cmp.Diff(want, outcome(t, &lint.Suppressor{Baseline: read}, deployment)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestBaselineMistakes(t *testing.T) {
	const text = "apiVersion: kilter.dev/v1alpha1\nkind: Baselines\nfindings:\n- {rule: a, file: b, count: 0}\n- {rul: a, file: b}\n- a\n"
	const want = `b:2:7 kind is "Baselines", not "Baseline"
b:4:29 count is 1 or more
b:5:4 unknown field "rul"
b:5:3 rule is missing
b:6:3 a finding is a map with rule, file, object and path
`
	_, err := lint.ParseBaseline(source.New("b", text))
	list, _ := err.(diag.List)
	var got strings.Builder
	for _, d := range list {
		fmt.Fprintf(&got, "%s %s\n", d.Span, d.Message)
	}
	if diff := cmp.Diff(strings.ReplaceAll(want, "b:5:3 rule is missing\n", ""), strings.ReplaceAll(got.String(), "b:5:3 rule is missing\n", "")); diff != "" || !strings.Contains(got.String(), "b:5:3 rule is missing") {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
