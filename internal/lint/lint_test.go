// SPDX-License-Identifier: Apache-2.0

package lint_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"kilter.dev/kilter/internal/diag"
	"kilter.dev/kilter/internal/lint"
	"kilter.dev/kilter/internal/manifest"
	"kilter.dev/kilter/internal/source"
)

const variables = `
apiVersion: kilter.dev/v1alpha1
kind: RuleVariables
kinds:
  pods: [apps/Deployment, batch/CronJob]
variables:
- {name: one, description: One., expression: "1"}
- {name: two, description: Two., expression: variables.one + 1}
`

func load(t *testing.T, rule string) (*lint.Rules, error) {
	t.Helper()
	return lint.Load(fstest.MapFS{
		lint.VariablesFile: {Data: []byte(variables)},
		"r.yaml":           {Data: []byte(rule)},
	})
}

func mustLoad(t *testing.T, checks string) *lint.Rules {
	t.Helper()
	rules, err := load(t, `
apiVersion: kilter.dev/v1alpha1
kind: Rule
metadata: {name: r}
spec:
  title: T
  severity: error
  kinds: [pods, example.com/Thing]
  why: W
  sources: [S]
  checks:
`+checks)
	if err != nil {
		t.Fatal(err)
	}
	if err := rules.Check(apiServer()); err != nil {
		t.Fatal(err)
	}
	return rules
}

func objects(t *testing.T, text string) []*manifest.Object {
	t.Helper()
	docs, errs := manifest.Parse(source.New("in.yaml", text))
	objects, more := manifest.Objects(docs)
	errs.Add(more)
	if err := errs.Err(); err != nil {
		t.Fatal(err)
	}
	return objects
}

// TestPlaces: a finding points at the value, or at the nearest key on the way to it, also
// for each item, and in the template of a CronJob's Jobs.
func TestPlaces(t *testing.T) {
	rules := mustLoad(t, `
  - each: {container: [podSpec.containers, podSpec.initContainers]}
    check: "!has(container.image)"
    message: "image ${container.image}, ${variables.two}"
    at: container.image
  - each: {container: [podSpec.containers]}
    check: has(container.livenessProbe)
    message: no probe
    at: container.livenessProbe.httpGet.port
  - check: "!has(object.metadata.annotations)"
    message: annotated
    at: metadata.annotations["a.b/c"]
  - when: object.kind == 'Thing'
    each: {rule: ["spec.groups[].rules"]}
    check: rule.ok
    severity: info
    message: not ok
    at: rule.ok
`)
	got := report(rules.Run(objects(t, `apiVersion: batch/v1
kind: CronJob
metadata:
  name: c
  annotations:
    a.b/c: x
spec:
  jobTemplate:
    spec:
      template:
        spec:
          initContainers:
          - image: i
          containers:
          - name: a
          - image: b
---
apiVersion: example.com/v1
kind: Thing
metadata: {name: t}
spec: {groups: [{rules: [{ok: true}, {ok: false}]}, {rules: [{ok: false}]}, {}]}
`), lint.Options{}))
	want := `in.yaml:16:20: error: image b, 2 at spec.jobTemplate.spec.template.spec.containers[1].image
in.yaml:13:20: error: image i, 2 at spec.jobTemplate.spec.template.spec.initContainers[0].image
in.yaml:15:13: error: no probe at spec.jobTemplate.spec.template.spec.containers[0].livenessProbe.httpGet.port
in.yaml:16:13: error: no probe at spec.jobTemplate.spec.template.spec.containers[1].livenessProbe.httpGet.port
in.yaml:6:12: error: annotated at metadata.annotations["a.b/c"]
in.yaml:21:43: info: not ok at spec.groups[0].rules[1].ok
in.yaml:21:67: info: not ok at spec.groups[1].rules[0].ok
`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func report(findings []lint.Finding) string {
	var b strings.Builder
	for _, f := range findings {
		b.WriteString(f.Span.String() + ": " + f.Severity.String() + ": " + f.Message + " at " + f.Path + "\n")
	}
	return b.String()
}

// TestVersions: a check may be meant for some Kubernetes versions only.
func TestVersions(t *testing.T) {
	rules := mustLoad(t, `
  - kubernetes: ">=1.34 <1.36"
    check: "false"
    message: m
    at: spec
`)
	in := objects(t, "{apiVersion: apps/v1, kind: Deployment, metadata: {name: d}, spec: {}}")
	for version, want := range map[string]int{"1.33": 0, "1.34": 1, "1.35": 1, "1.36": 0, "": 1} {
		if got := len(rules.Run(in, lint.Options{KubeVersion: version})); got != want {
			t.Errorf("Kubernetes %q: %d findings, want %d", version, got, want)
		}
	}
}

// TestRepair: maps are merged, null deletes, named items are merged by name, other lists
// are replaced, whole holes keep their type, and missing maps are made.
func TestRepair(t *testing.T) {
	rules := mustLoad(t, `
  - when: object.kind == 'Deployment'
    check: "false"
    message: m
    at: spec
    fix:
      message: mend
      patch:
        spec: {replicas: null, minReadySeconds: "${variables.two}"}
        metadata: {annotations: {note: "${object.metadata.name}-${variables.one}"}}
        podSpec:
          containers:
          - {name: a, image: null, env: [{name: X, value: "1"}, {name: Z, value: "2"}]}
          - {name: b, image: null}
          tolerations: "${[{'key': dyn('k'), 'tolerationSeconds': dyn(3)}]}"
`)
	in := objects(t, `
apiVersion: apps/v1
kind: Deployment
metadata: {name: d}
spec:
  replicas: 2
  template:
    spec:
      containers: [{name: a, image: i, env: [{name: X, value: "0"}]}]
      tolerations: [{key: old}]
`)
	findings := rules.Run(in, lint.Options{})
	if len(findings) != 1 || findings[0].Repair == nil || findings[0].Fix != "mend" {
		t.Fatalf("findings: %+v", findings)
	}
	if err := findings[0].Repair.Apply(in[0].Node); err != nil {
		t.Fatal(err)
	}
	want := `apiVersion: apps/v1
kind: Deployment
metadata:
  name: d
  annotations:
    note: d-1
spec:
  template:
    spec:
      containers:
      - name: a
        env:
        - name: X
          value: "1"
        - name: Z
          value: "2"
      - name: b
      tolerations:
      - key: k
        tolerationSeconds: 3
  minReadySeconds: 2
`
	if diff := cmp.Diff(want, manifest.Print(in[0].Node)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestCannotBeEvaluated: an expression that fails on an object is said, with its place.
func TestCannotBeEvaluated(t *testing.T) {
	rules := mustLoad(t, `
  - check: object.spec.nothing > 1
    message: m
    at: spec.nothing
`)
	got := report(rules.Run(objects(t, "{apiVersion: example.com/v1, kind: Thing, metadata: {name: d}, spec: {}}"), lint.Options{}))
	if want := "in.yaml:1:64: warning: the rule cannot be evaluated: no such key: nothing at spec.nothing\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestScope(t *testing.T) {
	for check, want := range map[string]lint.Scope{"size(related.pdbs) == 0": lint.Several, "variables.related": lint.Single} {
		rules, err := load(t, `{apiVersion: kilter.dev/v1alpha1, kind: Rule, metadata: {name: r}, spec: {title: T, severity: info, kinds: [Pod], why: W, sources: [S],
  checks: [{check: "`+check+`", message: m, at: spec}]}}`)
		if err != nil {
			t.Fatal(err)
		}
		if got := rules.All[0].Scope(); got != want {
			t.Errorf("%s: %q, want %q", check, got, want)
		}
	}
}

// TestMistakes: everything wrong in a rule file is said at once, each at its place.
func TestMistakes(t *testing.T) {
	_, err := load(t, `apiVersion: kilter.dev/v1alpha1
kind: Rule
metadata: {name: other}
spec:
  tilte: T
  severity: bad
  kinds: [deployments]
  why: W
  sources: []
  checks:
  - check: 1
    message: m
    at: spec
    kubernetes: 1.34
    each: [podSpec]
    fix: {message: f}
`)
	list, ok := err.(diag.List)
	if !ok {
		t.Fatal(err)
	}
	var got []string
	for _, d := range list {
		got = append(got, d.Span.String()+": "+d.Message)
	}
	want := []string{
		`r.yaml:3:18: the rule is called "other", but its file "r.yaml"`,
		`r.yaml:5:3: title is missing`,
		`r.yaml:5:3: unknown field "tilte"`,
		`r.yaml:6:13: severity is error, warning or info, not "bad"`,
		`r.yaml:7:11: "deployments" is neither a kind such as apps/Deployment nor a list of kinds in variables.yaml`,
		`r.yaml:9:12: sources is empty`,
		`r.yaml:11:12: check must be a string`,
		`r.yaml:14:17: kubernetes must be a string`,
		`r.yaml:15:11: each must be a map`,
		`r.yaml:16:10: a fix has either a patch or an object to create`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestCheck: CEL that an API server would not take, and variables that are not there.
func TestCheck(t *testing.T) {
	rules, err := load(t, `{apiVersion: kilter.dev/v1alpha1, kind: Rule, metadata: {name: r}, spec: {title: T, severity: info, kinds: [Pod], why: W, sources: [S],
  checks: [{when: "1 +", check: "variables.three == 3", message: "${nobody}", at: spec}]}}`)
	if err != nil {
		t.Fatal(err)
	}
	list, _ := rules.Check(apiServer()).(diag.List)
	if len(list) != 3 || !strings.Contains(list.Error(), `there is no variable "three" above`) {
		t.Errorf("got %v", list)
	}
}
