// SPDX-License-Identifier: Apache-2.0

package e2e_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
)

// shapes are the apiVersion of a kind of workload, and its spec around the pod template.
var shapes = map[string]struct{ apiVersion, spec string }{
	"Deployment":  {"apps/v1", "{replicas: 3, selector: {matchLabels: {app: mine}}, %s}"},
	"StatefulSet": {"apps/v1", "{replicas: 3, selector: {matchLabels: {app: mine}}, %s}"},
	"Job":         {"batch/v1", "{%s}"},
	"CronJob":     {"batch/v1", "{schedule: \"0 3 * * *\", jobTemplate: {spec: {%s}}}"},
	"JobSet":      {"jobset.x-k8s.io/v1alpha2", "{replicatedJobs: [{name: node, template: {spec: {%s}}}]}"},
}

// mine is a workload that a user has.
func mine(kind, name, labels string) string {
	shape := shapes[kind]
	template := `template: {metadata: {labels: {app: mine}}, spec: {containers: [{name: main, image: "mine:1"}]}}`
	return fmt.Sprintf("apiVersion: %s\nkind: %s\nmetadata: {name: %s, labels: {%s}}\nspec: "+shape.spec+"\n", shape.apiVersion, kind, name, labels, template)
}

// base writes a kustomization with the user's workloads and components, of which there is
// "component", and returns its folder.
func base(t *testing.T, profile, kind, components string) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(filepath.Join(dir, "component"), os.DirFS(filepath.Join("..", "components", profile, "krm"))); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "workloads.yaml"), mine(kind, "labelled", "kilter.dev/profile: "+profile)+"---\n"+mine(kind, "other", "app: other"), 0o644)
	write(t, filepath.Join(dir, "kustomization.yaml"), "resources: [workloads.yaml]\ncomponents: ["+components+"]\n", 0o644)
	return dir
}

// kinds are the kinds of workloads that a profile can be applied to.
func kinds(t *testing.T, profile string) []string {
	t.Helper()
	var p struct {
		Spec struct{ Component struct{ Kinds []string } }
	}
	decode(t, filepath.Join("..", "profiles", profile, "profile.yaml"), &p)
	return p.Spec.Component.Kinds
}

// TestFunctionComponent: the published component that calls the function changes labelled
// workloads alone, twice as once.
func TestFunctionComponent(t *testing.T) {
	for _, profile := range profiles(t) {
		for _, kind := range kinds(t, profile) {
			t.Run(profile+"/"+kind, func(t *testing.T) {
				t.Parallel()
				before := plain(t, run(t, "kustomize", "build", base(t, profile, kind, "")))
				text := run(t, "kustomize", append(withFunctions, base(t, profile, kind, "component"))...)
				once, id := plain(t, text), shapes[kind].apiVersion+" "+kind+" <nil>/"
				if !strings.Contains(text, applied+": "+profile+"@") || strings.Contains(text, "pending") {
					t.Errorf("the function did not say that it ran:\n%s", text)
				}
				if cmp.Equal(before[id+"labelled"], once[id+"labelled"]) {
					t.Errorf("the labelled workload was not changed:\n%s", text)
				}
				if diff := cmp.Diff(before[id+"other"], once[id+"other"]); diff != "" {
					t.Errorf("the other workload was changed (-before +after):\n%s", diff)
				}
				twice := plain(t, run(t, "kustomize", append(withFunctions, base(t, profile, kind, "component, component"))...))
				if diff := cmp.Diff(once, twice); diff != "" {
					t.Errorf("listed twice (-once +twice):\n%s", diff)
				}
			})
		}
	}
}

// functionLeftOut: kustomize leaves an exec function out in silence when only plugins
// are enabled; kilter check says so.
func functionLeftOut(t *testing.T) {
	for _, profile := range profiles(t) {
		if len(kinds(t, profile)) == 0 {
			continue
		}
		dir := base(t, profile, kinds(t, profile)[0], "component")
		text := run(t, "kustomize", "build", "--enable-alpha-plugins", dir)
		file := filepath.Join(t.TempDir(), "built.yaml")
		write(t, file, text, 0o644)
		out, said, err := try(t, "kilter", "check", "--rule", "krm-function-not-run", file)
		if err == nil || strings.Count(out, "[krm-function-not-run]") != 1 {
			t.Errorf("%s: want one finding, got %v:\n%s%s", profile, err, out, said)
		}
	}
}

// functionInput is a file of testdata/function/inputs.txtar, an archive since what is in it
// breaks rules.
func functionInput(t *testing.T, name string) string {
	t.Helper()
	for _, f := range txtar.Parse([]byte(read(t, filepath.Join("testdata", "function", "inputs.txtar")))).Files {
		if f.Name == name {
			return string(f.Data)
		}
	}
	t.Fatalf("there is no input %s", name)
	return ""
}
