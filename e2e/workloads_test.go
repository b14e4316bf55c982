// SPDX-License-Identifier: Apache-2.0

package e2e_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// functionCase is a workload that a profile is applied to.
type functionCase struct{ file, kind, name, profile string }

// TestWorkloads: kustomize calls the function for workloads of every shape. What comes out
// is accepted strictly, keeps what the user said but for what a rule of severity error
// refuses, and stays the same when the function runs on it again.
func TestWorkloads(t *testing.T) {
	for _, c := range []functionCase{
		{"", "Deployment", "chat", "vllm-inference"}, // an init container, a sidecar, two containers
		{"", "StatefulSet", "replica", "vllm-inference"},
		{"", "StatefulSet", "state", "redis-state"},
		{"", "CronJob", "report", "nightly"},
		{"", "Job", "migrate", "nightly"},
	} {
		c.file = filepath.Join("testdata", "function", "workloads.yaml")
		t.Run(c.kind+" "+c.name, c.test)
	}
}

// TestWorkloadsOfCharts is TestWorkloads for workloads of public charts.
func TestWorkloadsOfCharts(t *testing.T) {
	corpus := filepath.Join("..", "..", "shared", "corpus")
	if _, err := os.Stat(corpus); err != nil {
		t.Skip("the corpus of public charts is not beside the project")
	}
	for _, line := range strings.Split(strings.TrimSpace(read(t, filepath.Join("testdata", "function", "charts.txt"))), "\n") {
		f := strings.Fields(line)
		c := functionCase{filepath.Join(corpus, f[0]+".yaml"), f[1], f[2], f[3]}
		t.Run(strings.Join(f[:3], " "), c.test)
	}
}

func (c functionCase) test(t *testing.T) {
	t.Parallel()
	plain, said, err := kustomizeFiles(t, map[string]string{"in.yaml": read(t, c.file), "kustomization.yaml": "resources: [in.yaml]"})
	if err != nil {
		t.Fatal(said)
	}
	before := objects(t, plain)
	out, said, err := c.build(t, read(t, c.file), "")
	if err != nil {
		rules := c.broken(t, said)
		if out, said, err = c.build(t, read(t, c.file), `kilter.dev/ignore: "`+strings.Join(rules, ", ")+`"`); err != nil {
			t.Fatalf("%v, with %v ignored\n%s", err, rules, said)
		}
	}
	after := objects(t, out)
	id := c.kind + " " + c.name
	d := newDefinitions(t)
	for other, o := range after {
		if before[other] == nil || other == id {
			if err := d.check(o); err != nil {
				t.Errorf("%s: %v", other, err)
			}
		} else if diff := cmp.Diff(before[other], o); diff != "" {
			t.Errorf("%s is not the function's (-before +after):\n%s", other, diff)
		}
	}
	for _, path := range lost(before[id], after[id], "") {
		if !overridden(said, path) {
			t.Errorf("%s has lost %s\n%s", id, path, said)
		}
	}
	if applied, _ := after[id]["metadata"].(object)["annotations"].(object)["kilter.dev/applied"].(string); !strings.HasPrefix(applied, c.profile+"@") {
		t.Errorf("the proof is %q", applied)
	}
	again, said, err := c.build(t, out, "")
	if err != nil {
		t.Fatalf("again: %v\n%s", err, said)
	}
	if diff := cmp.Diff(after, objects(t, again)); diff != "" {
		t.Errorf("(-once +twice):\n%s", diff)
	}
}

const functionKustomization = `resources: [in.yaml]
patches:
- target: {kind: %[1]s, name: %[2]s}
  patch: '{apiVersion: any, kind: any, metadata: {name: any, annotations: {%[3]s}}}'
transformers:
- |-
  apiVersion: kilter.dev/v1alpha1
  kind: Workload
  metadata:
    name: %[2]s
    annotations:
      config.kubernetes.io/function: "exec: {path: kilter, args: [fn, --profiles, %[5]s]}"
  spec: {profile: %[4]s, selector: {kind: %[1]s, name: %[2]s}}
`

// build runs kustomize with the function on text; the annotation is set on the workload.
func (c functionCase) build(t *testing.T, text, annotation string) (out, said string, err error) {
	t.Helper()
	profiles, err := filepath.Abs(filepath.Join("..", "internal", "krm", "testdata"))
	if err != nil {
		t.Fatal(err)
	}
	return kustomizeFiles(t, map[string]string{
		"in.yaml":            text,
		"kustomization.yaml": fmt.Sprintf(functionKustomization, c.kind, c.name, annotation, c.profile, profiles),
	})
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

// broken returns the rules that the function refuses the workload for, each once.
func (c functionCase) broken(t *testing.T, said string) []string {
	t.Helper()
	var rules []string
	for _, m := range errorLine.FindAllStringSubmatch(said, -1) {
		if !slices.Contains(rules, m[1]) {
			rules = append(rules, m[1])
		}
	}
	for _, want := range []string{"kilter fn, Workload " + c.name + ":", "\tin " + c.kind + " ", c.name + ": spec"} {
		if len(rules) == 0 || !strings.Contains(said, want) {
			t.Fatalf("not a readable refusal: no %q in\n%s", want, said)
		}
	}
	return rules
}

// objects returns the objects of text, which have no Lists, by kind and name.
func objects(t *testing.T, text string) map[string]object {
	t.Helper()
	all := map[string]object{}
	for _, o := range documents(t, text) {
		all[fmt.Sprintf("%v %v", o["kind"], o["metadata"].(object)["name"])] = o
	}
	return all
}

// lost returns the paths of values that before has and after has not. Items of lists stay
// at their place: what is added comes behind them.
func lost(before, after any, path string) []string {
	switch b := before.(type) {
	case nil:
		return nil
	case object:
		var paths []string
		a, _ := after.(object)
		for _, key := range slices.Sorted(maps.Keys(b)) {
			paths = append(paths, lost(b[key], a[key], join(path, key))...)
		}
		return paths
	case []any:
		var paths []string
		a, _ := after.([]any)
		for i, item := range b {
			var other any
			if i < len(a) {
				other = a[i]
			}
			paths = append(paths, lost(item, other, path+"["+strconv.Itoa(i)+"]")...)
		}
		return paths
	}
	if reflect.DeepEqual(before, after) {
		return nil
	}
	return []string{path}
}

// join is the path of a field as the function writes it.
func join(path, key string) string {
	if strings.ContainsAny(key, "./") {
		return path + "[" + strconv.Quote(key) + "]"
	}
	return strings.TrimPrefix(path+"."+key, ".")
}

// overridden reports whether the function has said that it changes what is at the path, or
// something around it.
func overridden(said, path string) bool {
	for _, m := range regexp.MustCompile(`(?m)warning: (?:set|remove) (\S+?),? `).FindAllStringSubmatch(said, -1) {
		if strings.HasPrefix(path, m[1]) {
			return true
		}
	}
	return false
}
