// SPDX-License-Identifier: Apache-2.0

package lint_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"kilter.dev/kilter/internal/lint"
	"kilter.dev/kilter/internal/manifest"
	"kilter.dev/kilter/internal/source"
)

const (
	head  = "apiVersion: kilter.dev/v1alpha1\nkind: Rule\nmetadata: {name: %s}\nspec:\n  title: T\n  severity: error\n  kinds: [apps/Deployment, jobset.x-k8s.io/JobSet, batch/Job]\n  why: W\n  sources: [s]\n  checks:\n"
	often = "  - check: object.spec.?replicas.orValue(0) > 1\n    message: few replicas\n    at: spec.replicas\n"
	tags  = "  - each: {c: [podSpec.containers]}\n    check: c.image.contains(':')\n    message: image ${c.image}\n    at: c.image\n"
	vars  = "apiVersion: kilter.dev/v1alpha1\nkind: RuleVariables\nkinds: {}\nvariables:\n- {name: x, description: x, expression: '1'}\n"
)

// testRules are few-replicas, of Deployments, and image-tag, of each container.
func testRules(t testing.TB) *lint.Rules {
	t.Helper()
	rules, err := lint.Load(fstest.MapFS{
		"variables.yaml":    {Data: []byte(vars)},
		"few-replicas.yaml": {Data: []byte(fmt.Sprintf(head, "few-replicas") + strings.Replace(often, "object.spec", "object.kind != 'Deployment' || object.spec", 1))},
		"image-tag.yaml":    {Data: []byte(fmt.Sprintf(head, "image-tag") + tags)},
	})
	if err != nil {
		t.Fatal(err)
	}
	return rules
}

func parse(t testing.TB, name, text string) []*manifest.Object {
	t.Helper()
	docs, errs := manifest.Parse(source.New(name, text))
	objects, more := manifest.Objects(docs)
	if errs.Add(more); errs.Err() != nil {
		t.Fatal(errs)
	}
	return objects
}

// outcome is a line for each finding, with "-" before those that are suppressed, then one
// for each problem with suppressions.
func outcome(t testing.TB, s *lint.Suppressor, texts ...string) string {
	t.Helper()
	if s.Rules == nil {
		s.Rules = testRules(t)
	}
	if s.Today == "" {
		s.Today = "2026-12-02"
	}
	same := func(name string) string { return name }
	s.ConfigPath, s.BaselinePath = same, same
	var b strings.Builder
	for _, text := range texts {
		objects := parse(t, "k8s/a.yaml", text)
		findings := s.Rules.Run(objects, lint.Options{Only: s.Only})
		s.Apply(objects, findings)
		s.Accept(findings)
		for _, f := range findings {
			mark := ""
			if f.Suppressed != nil {
				mark = strings.TrimSpace(fmt.Sprintf("- %s %s", f.Suppressed.Kind, f.Suppressed.Reason)) + ": "
			}
			fmt.Fprintf(&b, "%s%s %s\n", mark, f.Span, f.Code)
		}
	}
	for _, d := range s.Problems() {
		fmt.Fprintf(&b, "%s %q %s: %s (%s)\n", d.Span, d.Span.Text(), d.Severity, d.Message, d.Hint)
	}
	return b.String()
}

const deployment = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
  annotations: {OBJECT: x}
spec:
  replicas: 1
  template:
    metadata:
      annotations: {POD: x}
    spec:
      containers:
      - name: a
        image: nginx
      - name: b
        image: redis
`

func with(text string, pairs ...string) string { return strings.NewReplacer(pairs...).Replace(text) }

const jobset = `apiVersion: jobset.x-k8s.io/v1alpha2
kind: JobSet
metadata: {name: train}
spec:
  replicatedJobs:
  - name: a
    template:
      spec:
        template:
          metadata:
            annotations: {kilter.dev/ignore: image-tag}
          spec: {containers: [{name: a, image: a}]}
  - name: b
    template:
      spec:
        template:
          spec: {containers: [{name: b, image: b}]}
`

func TestSuppressInSource(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"nothing", deployment, "k8s/a.yaml:7:13 few-replicas\nk8s/a.yaml:14:16 image-tag\nk8s/a.yaml:16:16 image-tag\n"},
		{
			"annotation with a reason", with(deployment, "{OBJECT: x}", `{kilter.dev/ignore: "image-tag, few-replicas", kilter.dev/ignore-reason: internal}`),
			"- inSource internal: k8s/a.yaml:7:13 few-replicas\n- inSource internal: k8s/a.yaml:14:16 image-tag\n- inSource internal: k8s/a.yaml:16:16 image-tag\n",
		},
		{
			"annotation of the pods", with(deployment, "{POD: x}", `{kilter.dev/ignore: few-replicas}`),
			"- inSource: k8s/a.yaml:7:13 few-replicas\nk8s/a.yaml:14:16 image-tag\nk8s/a.yaml:16:16 image-tag\n",
		},
		{"annotation of one job", jobset, "- inSource: k8s/a.yaml:12:48 image-tag\nk8s/a.yaml:17:48 image-tag\n"},
		{
			"unknown, unused and no text", with(deployment, "{OBJECT: x}", `{kilter.dev/ignore: 'images-tag,image-tag'}`, "{POD: x}", "{kilter.dev/ignore: [image-tag]}", "nginx", "nginx:1", "redis", "redis:1"),
			"k8s/a.yaml:10:40 wrong-type\n" +
				`k8s/a.yaml:10:40 "[image-tag]" warning: kilter.dev/ignore is text: the names of rules, with commas between them ()` + "\n" +
				`k8s/a.yaml:5:37 "images-tag" warning: there is no rule "images-tag" to ignore (did you mean "image-tag"?)` + "\n" +
				`k8s/a.yaml:5:48 "image-tag" info: there is no finding of image-tag to suppress here (remove it, so that it hides nothing later)` + "\n",
		},
		{
			"annotations without a rule", with(deployment, "{OBJECT: x}", `{kilter.dev/ignore: " , "}`, "{POD: x}", "{kilter.dev/ignore-reason: why}"),
			"k8s/a.yaml:7:13 few-replicas\nk8s/a.yaml:14:16 image-tag\nk8s/a.yaml:16:16 image-tag\n" +
				`k8s/a.yaml:5:36 "\" , \"" warning: kilter.dev/ignore names no rule (name the rules, with commas between them, or remove it)` + "\n" +
				`k8s/a.yaml:10:47 "why" warning: kilter.dev/ignore-reason is the reason of nothing (name the rules in kilter.dev/ignore)` + "\n",
		},
		{
			"comments", with(deployment, "replicas: 1", "replicas: 1 # kilter:ignore few-replicas reason=a test bed", "        image: nginx", "        # kilter:ignore image-tag until=2026-12-02\n        # and another comment\n        image: nginx"),
			"- inSource a test bed: k8s/a.yaml:7:13 few-replicas\n- inSource: k8s/a.yaml:16:16 image-tag\nk8s/a.yaml:18:16 image-tag\n",
		},
		{
			"no comments", with(deployment, "- name: a\n        image: nginx", `- {name: a, image: nginx, command: ["# kilter:ignore image-tag"]}`,
				"image: redis", "command:\n        - |\n          # kilter:ignore image-tag\n        image: redis"),
			"k8s/a.yaml:7:13 few-replicas\nk8s/a.yaml:13:26 image-tag\nk8s/a.yaml:18:16 image-tag\n",
		},
		{
			"bad comments", with(deployment, "replicas: 1", "replicas: 1 # kilter:ignore", "nginx", "nginx # kilter:ignore image-tag because", "redis", "redis # kilter:ignore image-tag until=soon"),
			"k8s/a.yaml:7:13 few-replicas\nk8s/a.yaml:14:16 image-tag\nk8s/a.yaml:16:16 image-tag\n" +
				`k8s/a.yaml:7:17 "kilter:ignore" warning: this suppresses nothing (write # kilter:ignore RULE[,RULE] [until=YYYY-MM-DD] [reason=TEXT])` + "\n" +
				`k8s/a.yaml:14:24 "kilter:ignore image-tag because" warning: this suppresses nothing (write # kilter:ignore RULE[,RULE] [until=YYYY-MM-DD] [reason=TEXT])` + "\n" +
				`k8s/a.yaml:16:54 "soon" warning: until is a date such as 2027-01-31, not "soon" (nothing is suppressed until it is)` + "\n",
		},
		{
			"until behind the reason", with(deployment, "replicas: 1", "replicas: 1 # kilter:ignore few-replicas reason=a b until=2026-12-02", "nginx", "nginx # kilter:ignore image-tag reason=c until=2026-12-01", "redis", "redis # kilter:ignore image-tag reason=d until=soon"),
			"- inSource a b: k8s/a.yaml:7:13 few-replicas\nk8s/a.yaml:14:16 image-tag\nk8s/a.yaml:16:16 image-tag\n" +
				`k8s/a.yaml:16:63 "soon" warning: until is a date such as 2027-01-31, not "soon" (nothing is suppressed until it is)` + "\n" +
				`k8s/a.yaml:14:38 "image-tag" warning: this suppression has ended on 2026-12-01 (mend what it was for, or give it a later date)` + "\n",
		},
		{
			"until in the reason, and twice", with(deployment, "nginx", "nginx # kilter:ignore image-tag reason=a until=2026-12-31 b", "redis", "redis # kilter:ignore image-tag until=2026-12-31 reason=a until=2027-12-31"),
			"k8s/a.yaml:7:13 few-replicas\nk8s/a.yaml:14:16 image-tag\nk8s/a.yaml:16:16 image-tag\n" +
				`k8s/a.yaml:14:24 "kilter:ignore image-tag reason=a until=2026-12-31 b" warning: this suppresses nothing (write # kilter:ignore RULE[,RULE] [until=YYYY-MM-DD] [reason=TEXT])` + "\n" +
				`k8s/a.yaml:16:24 "kilter:ignore image-tag until=2026-12-31 reason=a until=2027-12-31" warning: this suppresses nothing (write # kilter:ignore RULE[,RULE] [until=YYYY-MM-DD] [reason=TEXT])` + "\n",
		},
		{
			"ended and unused", with(deployment, "nginx", "nginx # kilter:ignore image-tag until=2026-12-01", "redis", "redis:1 # kilter:ignore image-tag,few-replicas reason=x"),
			"k8s/a.yaml:7:13 few-replicas\nk8s/a.yaml:14:16 image-tag\n" +
				`k8s/a.yaml:14:38 "image-tag" warning: this suppression has ended on 2026-12-01 (mend what it was for, or give it a later date)` + "\n" +
				`k8s/a.yaml:16:40 "image-tag" info: there is no finding of image-tag to suppress here (remove it, so that it hides nothing later)` + "\n" +
				`k8s/a.yaml:16:50 "few-replicas" info: there is no finding of few-replicas to suppress here (remove it, so that it hides nothing later)` + "\n",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, outcome(t, &lint.Suppressor{}, c.text)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestSuppressSeveralRenderings: what one rendering of a template needs is not unused in
// another, and rules that do not run are not missed.
func TestSuppressSeveralRenderings(t *testing.T) {
	first := with(deployment, "{OBJECT: x}", `{kilter.dev/ignore: few-replicas}`, "image: nginx", "image: nginx # kilter:ignore image-tag")
	second := with(first, "replicas: 1", "replicas: 2\n  paused: true", "image: redis", "image: redis:1")
	got := outcome(t, &lint.Suppressor{}, first, second)
	want := "- inSource: k8s/a.yaml:7:13 few-replicas\n- inSource: k8s/a.yaml:14:16 image-tag\nk8s/a.yaml:16:16 image-tag\n- inSource: k8s/a.yaml:15:16 image-tag\n"
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	wrong := with(deployment, "{OBJECT: x}", `{kilter.dev/ignore: ""}`, "{POD: x}", "{kilter.dev/ignore: [x]}", "nginx", "nginx:1 # kilter:ignore", "redis", "redis:1 # kilter:ignore image-tag until=soon")
	once := outcome(t, &lint.Suppressor{}, wrong)
	again := outcome(t, &lint.Suppressor{}, wrong, with(wrong, "replicas: 1", "replicas: 2\n  paused: true"))
	if n := strings.Count(once, "warning"); n != 4 || strings.Count(again, "warning") != n {
		t.Errorf("what is wrong in one rendering:\n%s\nin two:\n%s", once, again)
	}
	only := func(rule string) bool { return rule == "image-tag" }
	got = outcome(t, &lint.Suppressor{Only: only}, with(first, "replicas: 1", "replicas: 2"))
	if strings.Contains(got, "few-replicas") {
		t.Errorf("a rule that did not run is missed:\n%s", got)
	}
}

// TestSuppressAnywhere: a comment may stand behind any line. It suppresses what is on its
// line, or else it is said, at the name of the rule, that it suppresses nothing.
func TestSuppressAnywhere(t *testing.T) {
	rules := testRules(t)
	lines := strings.Split(strings.TrimSuffix(deployment, "\n"), "\n")
	same := func(name string) string { return name }
	rapid.Check(t, func(rt *rapid.T) {
		i := rapid.IntRange(0, len(lines)-1).Draw(rt, "line")
		rule := rapid.SampledFrom([]string{"image-tag", "few-replicas", "no-rule"}).Draw(rt, "rule")
		reason := rapid.StringMatching(`( until=20(26-12-02|30-01-01))?( reason=[ -~]*)?`).Draw(rt, "reason")
		changed := slices.Clone(lines)
		changed[i] += " # kilter:ignore " + rule + reason
		objects := parse(t, "a.yaml", strings.Join(changed, "\n")+"\n")
		findings := rules.Run(objects, lint.Options{})
		s := &lint.Suppressor{Rules: rules, Today: "2026-12-02", ConfigPath: same, BaselinePath: same}
		s.Apply(objects, findings)
		suppressed := 0
		for _, f := range findings {
			line, _ := f.Span.Position()
			if (f.Suppressed != nil) != (line == i+1 && f.Code == rule) {
				rt.Errorf("%s %s: suppressed is %v", f.Span, f.Code, f.Suppressed)
			}
			if f.Suppressed != nil {
				suppressed++
			}
		}
		problems := s.Problems()
		if len(problems) != 1-suppressed {
			rt.Errorf("%d suppressed, but %v", suppressed, problems)
		}
		for _, d := range problems {
			if line, _ := d.Span.Position(); line != i+1 || d.Span.Text() != rule {
				rt.Errorf("the problem is at %s: %q", d.Span, d.Span.Text())
			}
		}
	})
}
