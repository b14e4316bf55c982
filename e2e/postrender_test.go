// SPDX-License-Identifier: Apache-2.0

package e2e_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
)

// TestPostRender: in both Helms the post-renderer makes of a chart what the function makes
// of the objects that the chart holds; hooks, which all charts have, stay as they are.
func TestPostRender(t *testing.T) {
	files := glob(t, "testdata/postrender/*.txtar")
	if len(files) < 5 {
		t.Errorf("only %d charts", len(files))
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			t.Parallel()
			r := newRelease(t, file)
			want, rendered := r.byFunction(t), r.rendered(t)
			if cmp.Equal(sorted(t, rendered), want) {
				t.Fatal("the function changes nothing")
			}
			before := hooks(rendered)
			if len(before) == 0 {
				t.Error("the chart has no hooks")
			}
			for _, helm := range helms {
				out, said, err := r.template(helm).try(t)
				if err != nil {
					t.Fatalf("%s: %v\n%s", helm, err, said)
				}
				if diff := cmp.Diff(sorted(t, before), sorted(t, hooks(documents(t, out)))); diff != "" {
					t.Errorf("%s: the hooks (-before +after):\n%s", helm, diff)
				}
				if diff := cmp.Diff(want, sorted(t, documents(t, out))); diff != "" {
					t.Errorf("%s (-function +post-renderer):\n%s", helm, diff)
				}
			}
		})
	}
}

// testRelease is a chart of testdata/postrender, the profile that its workloads are labelled
// with, and a folder of Helm 4's plugins that has helm-plugin/.
type testRelease struct{ chart, profile, data string }

func newRelease(t *testing.T, file string) testRelease {
	t.Helper()
	a := txtar.Parse([]byte(read(t, file)))
	first, _, _ := strings.Cut(string(a.Comment), "\n")
	profile, ok := strings.CutPrefix(first, "profile: ")
	if !ok {
		t.Fatalf("%s does not begin with its profile", file)
	}
	dir := t.TempDir()
	for _, f := range a.Files {
		name := filepath.Join(dir, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		write(t, name, string(f.Data), 0o644)
	}
	return testRelease{dir, profile, installed(t, filepath.Join("..", "helm-plugin"))}
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
		text, err := json.MarshalIndent(o, "", " ")
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, string(text))
	}
	slices.Sort(texts)
	return texts
}
