// SPDX-License-Identifier: Apache-2.0

package e2e_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// functionCase is a workload that a profile is applied to.
type functionCase struct {
	text                string // with what is around the workload
	kind, name, profile string
	refused             []string // the rules that it breaks and no fix mends
	generators          string   // fields of the kustomization that make what the workload names
	mode                string   // "" for that of a function that is told none
}

// generated are what workloads of the tests name; its name gets a hash.
const generated = "configMapGenerator: [{name: settings, literals: [A=b]}]\nsecretGenerator: [{name: tokens, literals: [token=t]}]\n"

// functionCases are workloads of every shape, at least three of every profile that is for workloads that are there.
func functionCases(t *testing.T) []functionCase {
	t.Helper()
	count := map[string]int{}
	all := []functionCase{
		{kind: "Deployment", name: "chat", profile: "vllm-inference"}, // an init container, a sidecar, two containers
		{kind: "StatefulSet", name: "replica", profile: "vllm-inference"},
		{kind: "StatefulSet", name: "state", profile: "redis-state"},
		{kind: "Job", name: "pretrain", profile: "deepspeed-training", refused: []string{"job-without-deadline"}},
		{kind: "Job", name: "finetune", profile: "deepspeed-training", refused: []string{"job-without-deadline"}},
		{kind: "JobSet", name: "llm", profile: "deepspeed-training", refused: []string{"job-without-deadline"}}, // two pod templates
		{kind: "CronJob", name: "report", profile: "nightly"},
		{kind: "Job", name: "migrate", profile: "nightly"},
		{kind: "Job", name: "render", profile: "mpi-batch"},
		{kind: "Job", name: "queue", profile: "mpi-batch"},
		{kind: "Job", name: "tune", profile: "mpi-batch"},
		{kind: "Job", name: "sales", profile: "spark-batch"},
		{kind: "Job", name: "submit", profile: "spark-batch"},
		{kind: "Job", name: "clean", profile: "spark-batch"},
		{kind: "CronJob", name: "ranker", profile: "scheduled-training"},
		{kind: "CronJob", name: "embed", profile: "scheduled-training", refused: []string{"job-without-deadline"}},
		{kind: "CronJob", name: "forecast", profile: "scheduled-training"},
		{text: "servers.yaml", kind: "Deployment", name: "mistral", profile: "vllm-inference"},
		{text: "servers.yaml", kind: "Deployment", name: "triton", profile: "triton-inference"}, // in a List
		{text: "servers.yaml", kind: "Deployment", name: "ranker", profile: "triton-inference"},
		{text: "servers.yaml", kind: "Deployment", name: "tagger", profile: "triton-inference"},
		{text: "servers.yaml", kind: "StatefulSet", name: "cache", profile: "redis-state"}, // in a StatefulSetList
		{text: "servers.yaml", kind: "StatefulSet", name: "sessions", profile: "redis-state"},
		{text: "servers.yaml", kind: "StatefulSet", name: "feed", profile: "redis-state"}, // a Redis Cluster
		{text: "apis.yaml", kind: "Deployment", name: "frontend", profile: "web-api"},
		{text: "apis.yaml", kind: "Deployment", name: "podinfo", profile: "web-api"},
		{text: "apis.yaml", kind: "Deployment", name: "orders", profile: "web-api"}, // a proxy serves
	}
	for i := range all {
		c := &all[i]
		count[c.profile]++
		if c.text == "" {
			c.text = "workloads.yaml"
		}
		c.text, c.generators = functionInput(t, c.text), generated
	}
	for _, profile := range profiles(t) {
		if len(kinds(t, profile)) > 0 && count[profile] < 3 {
			t.Errorf("only %d workloads for %s", count[profile], profile)
		}
	}
	return all
}

// TestWorkloads: kustomize calls the function for them. What comes out is accepted strictly,
// keeps what the user said but for what a rule of severity error refuses, and stays the same
// when the function runs on it again, and when it is called twice.
func TestWorkloads(t *testing.T) {
	for _, c := range functionCases(t) {
		t.Run(c.kind+" "+c.name, c.test)
	}
}

// TestWorkloadsOfCharts is TestWorkloads for workloads of public charts. A line of charts.txt
// is a chart, the workload's kind and name, a profile, and the rules that it is refused for.
func TestWorkloadsOfCharts(t *testing.T) {
	corpus := filepath.Join("..", "..", "shared", "corpus")
	if _, err := os.Stat(corpus); err != nil {
		t.Skip("the corpus of public charts is not beside the project")
	}
	accepted := 0
	for line := range strings.Lines(read(t, filepath.Join("testdata", "function", "charts.txt"))) {
		f := strings.Fields(line)
		c := functionCase{text: read(t, filepath.Join(corpus, f[0]+".yaml")), kind: f[1], name: f[2], profile: f[3], refused: f[4:]}
		if len(c.refused) == 0 {
			accepted++
		}
		t.Run(strings.Join(f[:4], " "), c.test)
	}
	if accepted < 20 {
		t.Errorf("only %d workloads are to be accepted as they are", accepted)
	}
}

func (c functionCase) test(t *testing.T) {
	t.Parallel()
	plain, said, err := kustomizeFiles(t, map[string]string{"in.yaml": c.text, "kustomization.yaml": "resources: [in.yaml]\n" + c.generators})
	if err != nil {
		t.Fatal(said)
	}
	before := objects(t, plain)
	out, said := c.applied(t)
	after := objects(t, out)
	c.leavesOthers(t, before, after)
	id := c.kind + " " + c.name
	for _, path := range lost(before[id], after[id], "") {
		if !c.overridden(t, said, path) {
			t.Errorf("%s has lost %s\n%s", id, path, said)
		}
	}
	for _, name := range names(after[id]) {
		if c.generators != "" && (name == "settings" || name == "tokens") {
			t.Errorf("%s names %s without its hash", id, name)
		}
	}
	if applied, _ := after[id]["metadata"].(object)["annotations"].(object)["kilter.dev/applied"].(string); !strings.HasPrefix(applied, c.profile+"@") {
		t.Errorf("the proof is %q", applied)
	}
	c.staysSame(t, out)
}

// staysSame tests that what the function has made stays when it is called again, twice.
func (c functionCase) staysSame(t *testing.T, out string) {
	t.Helper()
	again, said, err := kustomizeFiles(t, map[string]string{
		"in.yaml": out, "kustomization.yaml": "resources: [in.yaml]\ncomponents: [call, call]\n",
		"call/kustomization.yaml": "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\n" + c.call(t),
	})
	if err != nil {
		t.Fatalf("again: %v\n%s", err, said)
	}
	if diff := cmp.Diff(objects(t, out), objects(t, again)); diff != "" {
		t.Errorf("(-once +again, and twice):\n%s", diff)
	}
}

// names are the values of all fields called name, secretName and the like.
func names(n any) (all []string) {
	switch n := n.(type) {
	case object:
		for key, value := range n {
			if text, ok := value.(string); ok && strings.HasSuffix(strings.ToLower(key), "name") {
				all = append(all, text)
			}
			all = append(all, names(value)...)
		}
	case []any:
		for _, item := range n {
			all = append(all, names(item)...)
		}
	}
	return all
}

// applied is what the function makes of the workload, and says. One that is to be refused is
// refused for these rules, and taken when they are ignored.
func (c functionCase) applied(t *testing.T) (out, said string) {
	t.Helper()
	out, said, err := c.build(t, c.text, "")
	if len(c.refused) > 0 {
		if err == nil || !strings.Contains(said, "couldn't execute function: exit status 1") {
			t.Errorf("want a refusal by exit code 1: %v\n%s", err, said)
		}
		if diff := cmp.Diff(c.refused, c.broken(t, said)); diff != "" {
			t.Errorf("the refusal (-want +got):\n%s", diff)
		}
		out, said, err = c.build(t, c.text, `kilter.dev/ignore: "`+strings.Join(c.refused, ", ")+`"`)
	}
	if err != nil {
		t.Fatalf("%v, with %v ignored\n%s", err, c.refused, said)
	}
	return out, said
}

// leavesOthers tests that what is added and changed is accepted strictly, and that nothing
// but the workload is changed.
func (c functionCase) leavesOthers(t *testing.T, before, after map[string]object) {
	t.Helper()
	d := newDefinitions(t)
	for id, o := range after {
		if before[id] == nil || id == c.kind+" "+c.name {
			if err := d.check(o); err != nil {
				t.Errorf("%s: %v", id, err)
			}
		} else if diff := cmp.Diff(before[id], o); diff != "" {
			t.Errorf("%s is not the function's (-before +after):\n%s", id, diff)
		}
	}
}

const functionKustomization = `resources: [in.yaml]
patches:
- target: {kind: %[1]s, name: %[2]s}
  patch: '{apiVersion: any, kind: any, metadata: {name: any, annotations: {%[3]s}}}'
%[4]s%[5]s`

// build runs kustomize with the function on text; the annotation is set on the workload.
func (c functionCase) build(t *testing.T, text, annotation string) (out, said string, err error) {
	t.Helper()
	return kustomizeFiles(t, map[string]string{
		"in.yaml": text, "kustomization.yaml": fmt.Sprintf(functionKustomization, c.kind, c.name, annotation, c.generators, c.call(t)),
	})
}

// call is the part of a kustomization that calls the function for the workload.
func (c functionCase) call(t *testing.T) string {
	t.Helper()
	return fmt.Sprintf(`transformers:
- |-
  apiVersion: kilter.dev/v1alpha1
  kind: Workload
  metadata:
    name: %[2]s
    annotations:
      config.kubernetes.io/function: "exec: {path: kilter, args: [fn, --profiles, %[4]s]}"
  spec: {profile: %[3]s, mode: %[5]q, selector: {kind: %[1]s, name: %[2]s}}
`, c.kind, c.name, c.profile, testProfiles(t), c.mode)
}

// testProfiles is the folder of the profiles that are for tests alone.
func testProfiles(t *testing.T) string {
	t.Helper()
	dir, err := filepath.Abs(filepath.Join("..", "internal", "krm", "testdata"))
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// kustomizeFiles runs kustomize with functions on the root of a folder with the files.
func kustomizeFiles(t *testing.T, files map[string]string) (out, said string, err error) {
	t.Helper()
	dir := t.TempDir()
	writeAll(t, dir, files)
	return try(t, "kustomize", append(withFunctions, dir)...)
}

// writeAll writes files below a folder.
func writeAll(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		write(t, name, text, 0o644)
	}
}

var errorLine = regexp.MustCompile(`(?m)^.*error: .+ \[([a-z-]+)\]$`)

// broken returns the rules that the function refuses the workload for, each once, by name.
func (c functionCase) broken(t *testing.T, said string) []string {
	t.Helper()
	var rules []string
	for _, m := range errorLine.FindAllStringSubmatch(said, -1) {
		rules = append(rules, m[1])
	}
	for _, want := range []string{"kilter fn, Workload " + c.name + ":", "\tin " + c.kind + " ", c.name + ": spec"} {
		if !strings.Contains(said, want) {
			t.Errorf("not a readable refusal: no %q in\n%s", want, said)
		}
	}
	slices.Sort(rules)
	return slices.Compact(rules)
}
