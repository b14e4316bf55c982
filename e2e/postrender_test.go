// SPDX-License-Identifier: Apache-2.0

package e2e_test

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
	"sigs.k8s.io/yaml"
)

var update = flag.Bool("update", false, "rewrite golden files")

// TestPostRender: in both Helms the post-renderer makes of a chart what its golden file holds.
// The function, which sees no hooks as in Helm 3, makes the same of the objects that the chart
// renders; hooks, which all charts have, stay as they are.
func TestPostRender(t *testing.T) {
	files := glob(t, "testdata/postrender/*.txtar")
	if len(files) < 5 {
		t.Errorf("only %d charts", len(files))
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			t.Parallel()
			r := newRelease(t, file)
			rendered := r.rendered(t)
			before := hooks(rendered)
			if len(before) == 0 {
				t.Error("the chart has no hooks")
			}
			got := map[string]string{}
			for _, helm := range helms {
				out, said, err := r.template(helm).try(t)
				if err != nil {
					t.Fatalf("%s: %v\n%s", helm, err, said)
				}
				if diff := cmp.Diff(sorted(t, before), sorted(t, hooks(documents(t, out)))); diff != "" {
					t.Errorf("%s: the hooks (-before +after):\n%s", helm, diff)
				}
				got[helm] = joined(sorted(t, documents(t, out)))
			}
			if got["helm3"] == joined(sorted(t, rendered)) {
				t.Error("nothing is changed")
			}
			if diff := cmp.Diff(joined(r.byFunction(t)), got["helm3"]); diff != "" {
				t.Errorf("helm3 (-function +post-renderer):\n%s", diff)
			}
			r.hold(t, file, got)
		})
	}
}

// joined are objects as one text. The digest of the profile changes with each word of it.
func joined(objects []string) string {
	return regexp.MustCompile(`@[0-9a-f]{12}\n`).ReplaceAllString(strings.Join(objects, "---\n"), "@DIGEST\n")
}

// The golden files of a txtar are not of its chart. That of Helm 4 is there where it differs.
const (
	goldenFile  = "want.yaml"
	goldenFile4 = "want-helm4.yaml"
)

// hold compares what each Helm gives with the golden files, or writes them under -update.
func (r testRelease) hold(t *testing.T, file string, got map[string]string) {
	t.Helper()
	if *update {
		a := txtar.Parse([]byte(read(t, file)))
		a.Files = slices.DeleteFunc(a.Files, func(f txtar.File) bool { return f.Name == goldenFile || f.Name == goldenFile4 })
		a.Files = append(a.Files, txtar.File{Name: goldenFile, Data: []byte(got["helm3"])})
		if got["helm4"] != got["helm3"] {
			a.Files = append(a.Files, txtar.File{Name: goldenFile4, Data: []byte(got["helm4"])})
		}
		write(t, file, string(txtar.Format(a)), 0o644)
		return
	}
	want := map[string]string{"helm3": r.golden[goldenFile], "helm4": r.golden[goldenFile]}
	if text, ok := r.golden[goldenFile4]; ok {
		want["helm4"] = text
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// testRelease is a chart of testdata/postrender, the profile that its workloads are labelled
// with, a folder of Helm 4's plugins that has helm-plugin/, and the golden files.
type testRelease struct {
	chart, profile, data string
	golden               map[string]string
}

func newRelease(t *testing.T, file string) testRelease {
	t.Helper()
	a := txtar.Parse([]byte(read(t, file)))
	first, _, _ := strings.Cut(string(a.Comment), "\n")
	profile, ok := strings.CutPrefix(first, "profile: ")
	if !ok {
		t.Fatalf("%s does not begin with its profile", file)
	}
	dir, golden := t.TempDir(), map[string]string{}
	for _, f := range a.Files {
		if f.Name == goldenFile || f.Name == goldenFile4 {
			golden[f.Name] = string(f.Data)
			continue
		}
		name := filepath.Join(dir, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		write(t, name, string(f.Data), 0o644)
	}
	return testRelease{dir, profile, installed(t, filepath.Join("..", "helm-plugin")), golden}
}

// installed installs a plugin of Helm 4 and returns the folder of Helm's data.
func installed(t *testing.T, plugin string) string {
	t.Helper()
	data := t.TempDir()
	path, err := filepath.Abs(plugin)
	if err != nil {
		t.Fatal(err)
	}
	c := call{program: "helm4", args: []string{"plugin", "install", path}, env: []string{"HELM_DATA_HOME=" + data}}
	if _, said, err := c.try(t); err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	return data
}

// template is helm template with the post-renderer, and more flags of it.
func (r testRelease) template(helm string, flags ...string) call {
	c := call{program: helm, args: []string{"template", release, r.chart, "--include-crds", "--kube-version", defaultKube, "--post-renderer", "kilter"}}
	flags = append(flags, "--profile="+r.profile)
	if helm == "helm3" {
		flags = append([]string{"post-render"}, flags...)
	} else {
		c.env = []string{"HELM_DATA_HOME=" + r.data}
	}
	for _, flag := range flags {
		c.args = append(c.args, "--post-renderer-args="+flag)
	}
	return c
}

// rendered are the objects of the chart.
func (r testRelease) rendered(t *testing.T) []object {
	t.Helper()
	return documents(t, run(t, "kilter", "render", r.chart, "--name", release, "--include-crds", "--kube-version", defaultKube))
}

// byFunction are the objects of the chart after the function, but for hooks.
func (r testRelease) byFunction(t *testing.T) []string {
	t.Helper()
	rendered := r.rendered(t)
	all, items := hooks(rendered), slices.DeleteFunc(slices.Clone(rendered), isHook)
	list, err := json.Marshal(object{
		"apiVersion": "config.kubernetes.io/v1", "kind": "ResourceList", "items": items,
		"functionConfig": object{
			"apiVersion": "kilter.dev/v1alpha1", "kind": "Workload", "metadata": object{"name": "any"},
			"spec": object{"profile": r.profile, "selector": object{"labels": object{"kilter.dev/profile": r.profile}}},
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	out, said, err := call{program: "kilter", args: []string{"fn"}, stdin: string(list)}.try(t)
	if err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	for _, item := range documents(t, out)[0]["items"].([]any) {
		all = append(all, item.(object))
	}
	return sorted(t, all)
}

// hooks are those objects that are hooks.
func hooks(all []object) []object {
	return slices.DeleteFunc(slices.Clone(all), func(o object) bool { return !isHook(o) })
}

func isHook(o object) bool {
	metadata, _ := o["metadata"].(map[string]any)
	annotations, _ := metadata["annotations"].(map[string]any)
	return annotations["helm.sh/hook"] != nil
}

// sorted are objects as texts, in an order that does not depend on theirs. Those of a List
// stand for themselves: Helm 4 takes Lists apart.
func sorted(t *testing.T, objects []object) []string {
	t.Helper()
	var texts []string
	for _, o := range objects {
		if items, ok := o["items"].([]any); ok && o["kind"] == "List" {
			for _, item := range items {
				texts = append(texts, sorted(t, []object{item.(object)})...)
			}
			continue
		}
		text, err := yaml.Marshal(o)
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, string(text))
	}
	slices.Sort(texts)
	return texts
}
