// SPDX-License-Identifier: Apache-2.0

package e2e_test

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const (
	kustomizeIssues = "https://github.com/kubernetes-sigs/kustomize/issues/"
	kptIssues       = "https://github.com/kptdev/kpt/issues/"
	helmIssues      = "https://github.com/helm/helm/issues/"
)

// upstream is what goes wrong for users of functions, components and post-renderers, with
// where they tell of it, as what happens here instead.
var upstream = []struct {
	behaviour, issues string
	test              func(*testing.T)
}{
	{"a function that kustomize left out is found", kustomizeIssues + "4399", functionLeftOut},
	{"a function that kpt left out is found in the files", kptIssues + "1625", leftOutOfFiles},
	{"validators are not used, which fail whatever they return", kustomizeIssues + "5036", has("validators")},
	{"the working directory does not count", kustomizeIssues + "5906", anyDirectory},
	{"the program is found on the PATH, from any base", kustomizeIssues + "4347 /4350", bareName},
	{"opaque errors name function, config and resource", kustomizeIssues + "4398", namesAll},
	{"the function is a program that needs no shell and no arguments", kustomizeIssues + "5501", realProgram},
	{"an error among the results is exit code 1", "https://github.com/kptdev/kpt/pull/2923", namesAll},
	{"a result about no resource has no empty reference", kptIssues + "2109", noReference},
	{"comments change nothing", kustomizeIssues + "4353", withoutComments},
	{"comments stay with their keys, which stay in order", kptIssues + "2332", keepsText},
	{"folded text with a comment behind it stays", kptIssues + "766", keepsText},
	{"schemas of one kustomization do not reach the next", kustomizeIssues + "4824 https://github.com/fluxcd/pkg/issues/1237", ownSchemas},
	{"a component runs before the prefix, which all it adds gets", kustomizeIssues + "5531 /5172 /4345", prefixLater},
	{"no component has a prefix of its own", kustomizeIssues + "5202", has("namePrefix", "nameSuffix")},
	{"no replacements, which run before functions", kustomizeIssues + "4476", has("replacements")},
	{"lists of custom resources stay, and are not patched", kustomizeIssues + "2825 /3852", customLists},
	{"selectors stay, and labels do not reach them", kustomizeIssues + "1009 /3937 /5564", keepsSelectors},
	{"names with a hash are found beside the function, which keeps what kustomize finds them by", kustomizeIssues + "2524", hashedNames},
	{"names in custom resources get the prefix of what they name", kustomizeIssues + "4674", customNames},
	{"a field that is missing is made", kustomizeIssues + "5128 /4561", prefixLater},
	{"no kustomization needs a version of Helm", kustomizeIssues + "6013 https://github.com/kubernetes/kubectl/issues/1816", has("helmCharts", "helmChartInflationGenerator", "helmGlobals")},
	{"kubectl runs no functions: the pages pipe into it", "https://github.com/kubernetes/kubectl/issues/1498", saysPage("--enable-exec . | kubectl apply -f -")},
	{"Argo CD runs no containers: the pages have it run a program", "https://github.com/argoproj/argo-cd/issues/5553 https://github.com/DevOpsHiveHQ/kustomize-plugin-merger/issues/74", saysPage("kustomize.buildOptions: --enable-alpha-plugins --enable-exec")},
	{"objects without a namespace get none", "https://github.com/kubernetes-sigs/kustomize/pull/6056", clusterWide},
	{"hooks stay as they are unless Helm gives them and they are asked for", helmIssues + "7891 /12446 https://github.com/fluxcd/helm-controller/issues/1163", hooksOnRequest},
	{"an object that is a hook and a template stays both", "https://github.com/fluxcd/helm-controller/issues/1449", hookAndTemplate},
	{"the manifests reach the plugin, and none of them is no failure", helmIssues + "31832", reachesPlugin},
	{"Helm 4 finds the plugin by its name", helmIssues + "31340", pluginByName},
	{"the plugin has no field that Helm 4 does not know", "https://github.com/flightctl/flightctl/pull/2577", knownFields},
}

// TestUpstream runs the test of each behaviour; none may be told twice, or left out.
func TestUpstream(t *testing.T) {
	seen := map[string]bool{}
	for _, u := range upstream {
		if !strings.HasPrefix(u.issues, "https://") || seen[u.issues] || seen[u.behaviour] {
			t.Errorf("%s (%s): no issue, or told twice", u.behaviour, u.issues)
		}
		seen[u.issues], seen[u.behaviour] = true, true
		t.Run(u.behaviour, u.test)
	}
	if len(upstream) < 30 {
		t.Errorf("only %d behaviours are left", len(upstream))
	}
}

// emitted are the files of the published components, and of a new service of each profile
// but for its chart.
func emitted(t *testing.T) map[string]string {
	t.Helper()
	dirs := []string{filepath.Join("..", "components")}
	for _, profile := range profiles(t) {
		dir := filepath.Join(t.TempDir(), profile)
		run(t, "kilter", "new", release, "--profile", profile, "--to", "kustomize,krm", "-o", dir)
		dirs = append(dirs, dir)
	}
	files := map[string]string{}
	for _, dir := range dirs {
		if err := filepath.WalkDir(dir, func(name string, entry fs.DirEntry, err error) error {
			if err == nil && !entry.IsDir() {
				files[name] = read(t, name)
			}
			return err
		}); err != nil {
			t.Fatal(err)
		}
	}
	return files
}

// has tests that no kustomization that is emitted has one of the fields.
func has(fields ...string) func(*testing.T) {
	return func(t *testing.T) {
		seen := 0
		for name, text := range emitted(t) {
			if filepath.Base(name) != "kustomization.yaml" {
				continue
			}
			seen++
			for _, field := range fields {
				if _, there := documents(t, text)[0][field]; there {
					t.Errorf("%s has %s", name, field)
				}
			}
		}
		if seen < 5 {
			t.Errorf("looked at %d kustomizations", seen)
		}
	}
}

// saysPage tests that the page about the function has the text.
func saysPage(text string) func(*testing.T) {
	return func(t *testing.T) {
		if page := read(t, filepath.Join("..", "docs", "krm-function.md")); !strings.Contains(page, text) {
			t.Errorf("the page does not say %s", text)
		}
	}
}

// function runs the function on a ResourceList, as kustomize does: without arguments.
func function(t *testing.T, dir, list string) (out, said string, code int) {
	t.Helper()
	program, err := filepath.Abs(filepath.Join("..", "bin", "kilter"))
	if err != nil {
		t.Fatal(err)
	}
	var stdout, stderr strings.Builder
	c := exec.CommandContext(t.Context(), program)
	c.Dir, c.Env = dir, []string{"HOME=" + t.TempDir()}
	c.Stdin, c.Stdout, c.Stderr = strings.NewReader(list), &stdout, &stderr
	if err := c.Run(); err != nil && c.ProcessState == nil {
		t.Fatal(err)
	}
	return stdout.String(), stderr.String(), c.ProcessState.ExitCode()
}

// small is a ResourceList of one workload, with more about its container.
func small(t *testing.T, more string) string {
	t.Helper()
	return functionInput(t, "list.yaml") + more
}

func leftOutOfFiles(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "deployment.yaml"), "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: chat\n  annotations: {kilter.dev/applied: pending}\n"+
		"spec:\n  selector: {matchLabels: {app: a}}\n  template: {metadata: {labels: {app: a}}, spec: {containers: [{name: a, image: 'a:1'}]}}\n", 0o644)
	out, _, err := try(t, "kilter", "check", "--rule", "krm-function-not-run", dir)
	if err == nil || !strings.Contains(out, "deployment.yaml:5:") {
		t.Errorf("%v\n%s", err, out)
	}
}

// anyDirectory: files that lie around where the function runs are not its own.
func anyDirectory(t *testing.T) {
	dir := t.TempDir()
	writeAll(t, dir, map[string]string{
		"kilter.yaml": "broken: [", ".kilter.yaml": "broken: [", "vllm-inference/profile.yaml": "broken: [", "profiles/vllm-inference/profile.yaml": "broken: [",
		"rules/shm-too-small.yaml": "broken: [",
	})
	here, _, _ := function(t, ".", small(t, ""))
	there, _, code := function(t, dir, small(t, ""))
	if diff := cmp.Diff(here, there); diff != "" || code != 0 {
		t.Errorf("exit code %d\n%s", code, diff)
	}
}

var functionPath = regexp.MustCompile(`(?m)^\s+path: (.*)$`)

func bareName(t *testing.T) {
	var names []string
	for name, text := range emitted(t) {
		if filepath.Base(name) == "function.yaml" {
			names = append(names, name)
			if m := functionPath.FindStringSubmatch(text); m == nil || m[1] != "kilter" || strings.Contains(text, "args:") {
				t.Errorf("%s:\n%s", name, text)
			}
		}
	}
	if len(names) < 2*len(profiles(t)) {
		t.Errorf("only %v", names)
	}
}

// privileged is what no rule takes of a container, and no fix mends.
const privileged = "          securityContext: {privileged: true} # kilter:ignore host-namespaces\n"

func namesAll(t *testing.T) {
	out, said, code := function(t, ".", small(t, privileged))
	for _, want := range []string{"kilter fn, Workload chat:\n", "error: container server is privileged", "[host-namespaces]", "in Deployment chat: spec.template.spec.containers[0]"} {
		if !strings.Contains(said, want) {
			t.Errorf("no %q in\n%s", want, said)
		}
	}
	if code != 1 || !strings.Contains(out, "severity: error") {
		t.Errorf("exit code %d:\n%s", code, out)
	}
}

func realProgram(t *testing.T) {
	start, err := os.ReadFile(filepath.Join("..", "bin", "kilter"))
	if err != nil || strings.HasPrefix(string(start), "#!") {
		t.Errorf("%v, %q", err, start[:min(len(start), 20)])
	}
	if out, said, code := function(t, ".", small(t, "")); code != 0 || !strings.Contains(out, "kind: ResourceList") {
		t.Errorf("exit code %d\n%s", code, said)
	}
	saysPage("exec format error")(t)
}

func noReference(t *testing.T) {
	out, said, code := function(t, ".", "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems: []\n")
	results := documents(t, out)[0]["results"].([]any)
	for _, r := range results {
		keys := []string{"message", "severity"}
		for key := range r.(object) {
			if !slices.Contains(keys, key) {
				t.Errorf("%s: %v", key, r)
			}
		}
	}
	if code != 1 || len(results) == 0 || strings.Contains(said, "//") {
		t.Errorf("exit code %d:\n%s", code, said)
	}
}
