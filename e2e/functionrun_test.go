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

func leftOutOfFiles(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "deployment.yaml"), "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: chat\n  annotations: {kilter.dev/applied: pending}\n"+
		"spec:\n  selector: {matchLabels: {app: a}}\n  template: {metadata: {labels: {app: a}}, spec: {containers: [{name: a, image: 'a:1'}]}}\n", 0o644)
	out, _, err := try(t, "kilter", "check", "--rule", "krm-function-not-run", dir)
	if err == nil || !strings.Contains(out, "deployment.yaml:5:") {
		t.Errorf("%v\n%s", err, out)
	}
}

// noValidator: what is listed under transformers works; under validators it is refused, as is
// a program that changes nothing.
func noValidator(t *testing.T) {
	dir := example(t)
	file := filepath.Join(dir, "kustomization.yaml")
	run(t, "kustomize", append(withFunctions, dir)...)
	write(t, file, strings.Replace(read(t, file), "transformers:", "validators:", 1), 0o644)
	if _, said, err := try(t, "kustomize", append(withFunctions, dir)...); err == nil || !strings.Contains(said, "validator shouldn't modify") {
		t.Errorf("kustomize runs validators; the page is wrong: %v\n%s", err, said)
	}
	saysPage("Under `validators` kustomize fails")(t)
	has("validators")(t)
}

// anyDirectory: the function runs in the folder of the kustomization that calls it, which is
// neither the first nor the last that is read. Files that lie around in any are not its own.
func anyDirectory(t *testing.T) {
	const mine = "mine/web/profile.yaml"
	dir := t.TempDir()
	writeAll(t, dir, map[string]string{
		"overlay/kustomization.yaml": "resources: [../base, ../last]\ncomponents: [../function]\n", "function/kustomization.yaml": withFunction("mine"),
		"base/kustomization.yaml": "resources: [in.yaml]\n", "base/in.yaml": around,
		"last/kustomization.yaml": "configMapGenerator: [{name: settings, literals: [A=b]}]\n",
	})
	if err := os.CopyFS(filepath.Join(dir, "function", "mine"), os.DirFS(testProfiles(t))); err != nil {
		t.Fatal(err)
	}
	want := run(t, "kustomize", append(withFunctions, filepath.Join(dir, "overlay"))...)
	if !strings.Contains(want, applied+": web@") {
		t.Errorf("the function did not run:\n%s", want)
	}
	for _, folder := range []string{"overlay", "base", "last", "function"} {
		for _, name := range []string{"kilter.yaml", ".kilter.yaml", "profiles/web/profile.yaml", "web/profile.yaml", "rules/shm-too-small.yaml", mine} {
			if folder != "function" || name != mine {
				writeAll(t, dir, map[string]string{folder + "/" + name: "broken: ["})
			}
		}
	}
	if diff := cmp.Diff(want, run(t, "kustomize", append(withFunctions, filepath.Join(dir, "overlay"))...)); diff != "" {
		t.Error(diff)
	}
}

var functionPath = regexp.MustCompile(`(?m)^\s+path: (.*)$`)

// inBase is the example of the page, the base of an overlay that is beside it.
func inBase(t *testing.T) (root string) {
	t.Helper()
	root = t.TempDir()
	if err := os.CopyFS(filepath.Join(root, "base"), os.DirFS(example(t))); err != nil {
		t.Fatal(err)
	}
	writeAll(t, root, map[string]string{"overlay/kustomization.yaml": "resources: [../base]\n"})
	return root
}

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
	var with int // profiles for workloads that are there
	for _, profile := range profiles(t) {
		with += min(len(kinds(t, profile)), 1)
	}
	if with < 2 || len(names) < 2*with {
		t.Errorf("only %v", names)
	}
	root := inBase(t)
	want := run(t, "kustomize", append(withFunctions, filepath.Join(root, "base"))...)
	for from, overlay := range map[string]string{root: "overlay", filepath.Join(root, "overlay"): ".", filepath.Join(root, "base"): "../overlay"} {
		out, said, err := call{program: "kustomize", args: append(withFunctions, overlay), dir: from}.try(t)
		if diff := cmp.Diff(want, out); err != nil || diff != "" {
			t.Errorf("in %s, of %s: %v\n%s%s", from, overlay, err, said, diff)
		}
	}
}

// namesAll: whatever is wrong, in a base as well, kustomize builds nothing, and above its own
// message stands who says what of which field.
func namesAll(t *testing.T) {
	root := inBase(t)
	for _, c := range []struct{ file, old, new, want string }{
		{"kilter.yaml", "profile: vllm", "profil: vllm", "error: unknown field \"profil\" [workload]\n\tin Workload chat: spec.profil\n\thint: did you mean \"profile\"?"},
		{"kilter.yaml", "vllm-inference", "vllm-inferenc", "error: there is no profile \"vllm-inferenc\" [workload]\n\tin Workload chat: spec.profile\n"},
		{"kilter.yaml", "kind: Workload", "kind: Replacements", "error: kind is \"Replacements\", not \"Workload\" [workload]\n\tin Replacements chat: kind\n"},
		{"kilter.yaml", "spec:", "spec:\n  parameters: {replicas: -1}", "[parameter-value]\n\tin Workload chat: spec.parameters.replicas\n"},
		{"kilter.yaml", "spec:", "spec:\n  selector: {name: talk}", "error: no workload matches the selector of chat [apply]\n\tin Workload chat: spec.selector\n\thint: among the objects are Deployment chat\n"},
		{"kilter.yaml", "spec:", "spec:\n  container: serve", "error: Deployment chat: there is no container \"serve\"; the containers are server [apply]\n\tin Workload chat: spec.container\n"},
		{"deployment.yaml", "- name: server\n", "- name: server\n" + privilege, "error: container server is privileged: it has every device and every right of root on the node [host-namespaces]\n"},
		{"deployment.yaml", "- name: server\n", "- name: server\n" + privilege, "\tin Deployment chat: spec.template.spec.containers[0].securityContext.privileged\n\thint: "},
	} {
		file := filepath.Join(root, "base", c.file)
		before := read(t, file)
		write(t, file, strings.Replace(before, c.old, c.new, 1), 0o644)
		out, said, err := try(t, "kustomize", append(withFunctions, filepath.Join(root, "overlay"))...)
		write(t, file, before, 0o644)
		if first := regexp.MustCompile(`^kilter fn, \w+ chat:\n`); err == nil || out != "" || !first.MatchString(said) || !strings.Contains(said, c.want) {
			t.Errorf("%s: want %q, got %v\n%s%s", c.new, c.want, err, said, out)
		}
	}
}

// realProgram: it begins as the program that runs this test, and runs with nothing around it.
func realProgram(t *testing.T) {
	var starts [][]byte
	for _, program := range []string{os.Args[0], filepath.Join("..", "bin", "kilter")} {
		text := read(t, program)
		starts = append(starts, []byte(text[:4]))
	}
	if diff := cmp.Diff(starts[0], starts[1]); diff != "" {
		t.Errorf("it is no program of this system: %s", diff)
	}
	if out, said, code := function(t, ".", small(t, "")); code != 0 || !strings.Contains(out, "kind: ResourceList") {
		t.Errorf("exit code %d\n%s", code, said)
	}
	saysPage("exec format error")(t)
}

// errorsExit: the exit code is 1 where a result is an error, whatever it is about, and 0 with
// results of any other severity. The errors are on standard error, too.
func errorsExit(t *testing.T) {
	codes := map[int]int{}
	for _, change := range [][2]string{
		{"", ""}, {"args:", "securityContext: {privileged: true}\n          args:"}, {"profile: vllm", "profile: vlm"}, {"kind: Workload", "kind: Replacements"},
		{"spec: {profile", "spec: {selector: {name: talk}, profile"}, {"spec: {profile", "spec: {parameters: {replica: 1}, profile"},
		{"    selector: {matchLabels", "    replicas: 2\n    strategy: {rollingUpdate: {maxSurge: 1, maxUnavailable: 0}}\n    selector: {matchLabels"}, // repaired, with a warning
		{"functionConfig:\n", "other:\n"},
	} {
		out, said, code := function(t, ".", strings.Replace(small(t, ""), change[0], change[1], 1))
		codes[code]++
		worst := map[string]int{}
		for _, r := range documents(t, out)[0]["results"].([]any) {
			severity, _ := r.(object)["severity"].(string)
			worst[severity]++
			message, _, _ := strings.Cut(fmt.Sprint(r.(object)["message"]), "; ") // behind it is the hint
			if severity == "error" && !strings.Contains(said, "error: "+message) {
				t.Errorf("%q: %q is not in\n%s", change, message, said)
			}
		}
		if (worst["error"] > 0) != (code == 1) || code > 1 || worst["info"]+worst["warning"]+worst["error"] == 0 || worst[""] > 0 {
			t.Errorf("%q: exit code %d with results %v:\n%s", change, code, worst, said)
		}
	}
	if codes[0] < 2 || codes[1] < 5 {
		t.Errorf("exit codes by how often: %v", codes)
	}
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

// tools are the programs whose versions a page states, with the modules that they are.
var tools = map[string]string{"kustomize": "sigs.k8s.io/kustomize/kustomize/v5 v", "helm3": "helm.sh/helm/v3 v", "helm4": "helm.sh/helm/v4 v"}

func anyHelm(t *testing.T) {
	has("helmCharts", "helmChartInflationGenerator", "helmGlobals")(t)
	for tool, module := range tools {
		_, version, found := strings.Cut(read(t, filepath.Join("tools", tool, "go.mod")), module)
		version, _, _ = strings.Cut(version, "\n")
		version, _, _ = strings.Cut(version, " ")
		if page := read(t, "../docs/recipes.md"); !found || !strings.Contains(page, strings.TrimRight(tool, "34")+" "+version) {
			t.Errorf("docs/recipes.md does not say that %s %s is what is tried", tool, version)
		}
	}
}

var kubectlPipe = regexp.MustCompile("`(kustomize build [^`]*\\| kubectl apply -f -)`")

// pipedToKubectl: kubectl has one of the flags at most. Without any it builds nothing, with
// the one it leaves functions out. By the line of the page it gets all that the function made.
func pipedToKubectl(t *testing.T) {
	dir := example(t)
	if out, said, err := try(t, "kustomize", "build", dir); err == nil || out != "" || !strings.Contains(said, "external plugins disabled") {
		t.Errorf("kustomize builds without a function: %v\n%s%s", err, said, out)
	}
	if out := run(t, "kustomize", "build", "--enable-alpha-plugins", dir); strings.Contains(out, applied) {
		t.Errorf("kustomize runs functions without the flag; the page is wrong:\n%s", out)
	}
	line := kubectlPipe.FindStringSubmatch(read(t, "../docs/krm-function.md"))
	if line == nil {
		t.Fatal("the page has no line for kubectl")
	}
	programs := linked(t, "kustomize", "kilter")
	write(t, filepath.Join(programs, "kubectl"), "#!/bin/sh\necho \"$@\" >&2\nexec cat\n", 0o755)
	out := kitchen{dir, []string{"PATH=" + programs + ":" + os.Getenv("PATH")}}.run(t, line[1])
	want := "apply -f -\n" + run(t, "kustomize", append(withFunctions, dir)...)
	if diff := cmp.Diff(want, out); diff != "" || !strings.Contains(out, applied+": vllm-inference@") {
		t.Errorf("what kubectl gets (-want +got):\n%s", diff)
	}
}

// linked is a folder with the programs of ../bin and no others.
func linked(t *testing.T, programs ...string) string {
	t.Helper()
	dir := t.TempDir()
	for _, program := range programs {
		path, err := filepath.Abs(filepath.Join("..", "bin", program))
		if err == nil {
			err = os.Symlink(path, filepath.Join(dir, program))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

var buildOptions = regexp.MustCompile("^[^`\n]+")

// inRepoServer: where there is no docker and nothing but the two programs, as in Argo CD's
// repo server, a container cannot run. With the options of either page all that calls the
// function is built, from any directory.
func inRepoServer(t *testing.T) {
	path := "PATH=" + linked(t, "kustomize", "kilter")
	build := func(dir string, options ...string) (string, string, error) {
		return call{program: "kustomize", args: append([]string{"build", dir}, options...), env: []string{path}, dir: "/"}.try(t)
	}
	dirs := []string{example(t)}
	for _, profile := range profiles(t) {
		dir := filepath.Join(t.TempDir(), profile)
		run(t, "kilter", "new", release, "--profile", profile, "--to", "krm", "-o", dir)
		dirs = append(dirs, filepath.Join(dir, "krm"))
	}
	for _, page := range []string{"krm-function.md", "recipes.md"} {
		_, text, _ := strings.Cut(read(t, filepath.Join("..", "docs", page)), "kustomize.buildOptions: ")
		options := strings.Fields(buildOptions.FindString(text))
		for _, dir := range dirs {
			if out, said, err := build(dir, options...); err != nil || len(plain(t, out)) < 2 || strings.Contains(out, "pending") {
				t.Errorf("%s, %s %q: %v\n%s%s", page, dir, options, err, said, out)
			}
		}
	}
	file := filepath.Join(dirs[0], "kilter.yaml")
	write(t, file, strings.Replace(read(t, file), byProgram, byImage, 1), 0o644)
	if _, said, err := build(dirs[0], withFunctions[1:]...); err == nil || !strings.Contains(said, `"docker": executable file not found`) {
		t.Errorf("a container runs: this test proves nothing: %v\n%s", err, said)
	}
}
