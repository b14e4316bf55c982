// SPDX-License-Identifier: Apache-2.0

package e2e_test

import (
	"fmt"
	"io/fs"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

const (
	kustomizeIssues = "https://github.com/kubernetes-sigs/kustomize/issues/"
	kptIssues       = "https://github.com/kptdev/kpt/issues/"
	helmIssues      = "https://github.com/helm/helm/issues/"
)

// upstream is what goes wrong for users of functions, components and post-renderers, with
// where they tell of it, as what happens here instead. A bug has a number, several of a kind
// the same.
var upstream = []struct {
	bug               int
	behaviour, issues string
	test              func(*testing.T)
}{
	{1, "a function that kustomize left out is found", kustomizeIssues + "4399", functionLeftOut},
	{2, "a function that kpt left out is found in the files", kptIssues + "1625", leftOutOfFiles},
	{3, "validators are not used, which fail whatever they return", kustomizeIssues + "5036", noValidator},
	{4, "the working directory does not count", kustomizeIssues + "5906", anyDirectory},
	{5, "the program is found on the PATH, from any base", kustomizeIssues + "4347 /4350", bareName},
	{6, "opaque errors name function, config and resource", kustomizeIssues + "4398", namesAll},
	{7, "the function is a program that needs no shell and no arguments", kustomizeIssues + "5501", realProgram},
	{8, "an error among the results is exit code 1", "https://github.com/kptdev/kpt/pull/2923", errorsExit},
	{9, "a result about no resource has no empty reference", kptIssues + "2109", noReference},
	{10, "comments change nothing", kustomizeIssues + "4353", withoutComments},
	{11, "comments stay with their keys, which stay in order", kptIssues + "2332", keepsOrder},
	{12, "folded text with a comment behind it stays", kptIssues + "766", keepsFolded},
	{13, "schemas of one kustomization do not reach the next", kustomizeIssues + "4824 https://github.com/fluxcd/pkg/issues/1237", ownSchemas},
	{14, "a component runs before the prefix, which all it adds gets", kustomizeIssues + "5531 /5172 /4345", prefixLater},
	{15, "no component has a prefix of its own", kustomizeIssues + "5202", prefixOnce},
	{16, "no replacements, which run before functions", kustomizeIssues + "4476", noReplacements},
	{17, "lists of custom resources stay, and are not patched", kustomizeIssues + "2825 /3852", customLists},
	{18, "selectors stay, and labels do not reach them", kustomizeIssues + "1009 /3937 /5564", keepsSelectors},
	{19, "names with a hash are found beside the function, which keeps what kustomize finds them by", kustomizeIssues + "2524", hashedNames},
	{19, "names in custom resources get the prefix of what they name", kustomizeIssues + "4674", customNames},
	{20, "a field that is missing is made", kustomizeIssues + "5128 /4561", missingFields},
	{21, "no kustomization needs a version of Helm, and a page says which versions are tried", kustomizeIssues + "6013 https://github.com/kubernetes/kubectl/issues/1816", anyHelm},
	{22, "kubectl runs no functions: the pages pipe into it", "https://github.com/kubernetes/kubectl/issues/1498", pipedToKubectl},
	{23, "Argo CD runs no containers: it runs a program", "https://github.com/argoproj/argo-cd/issues/5553 https://github.com/DevOpsHiveHQ/kustomize-plugin-merger/issues/74", inRepoServer},
	{24, "objects without a namespace get none", "https://github.com/kubernetes-sigs/kustomize/pull/6056", clusterWide},
	{49, "hooks stay as they are unless Helm gives them and they are asked for", helmIssues + "7891 /12446 https://github.com/fluxcd/helm-controller/issues/1163", hooksOnRequest},
	{50, "an object that is a hook and a template stays both", "https://github.com/fluxcd/helm-controller/issues/1449", hookAndTemplate},
	{51, "the manifests reach the plugin, and none of them is no failure", helmIssues + "31832", reachesPlugin},
	{52, "Helm 4 finds the plugin by its name", helmIssues + "31340", pluginByName},
	{53, "the plugin has no field that Helm 4 does not know", "https://github.com/flightctl/flightctl/pull/2577", knownFields},
}

// TestUpstream runs the test of each behaviour; none may be told twice. Bugs 1 to 24 are of
// functions and kustomize, 49 to 53 of post-renderers: none may be left out. Those between
// are of charts, and others' to test.
func TestUpstream(t *testing.T) {
	bugs, seen := map[int]bool{}, map[string]bool{}
	for _, u := range upstream {
		if !strings.HasPrefix(u.issues, "https://") || seen[u.issues] || seen[u.behaviour] {
			t.Errorf("%s (%s): no issue, or told twice", u.behaviour, u.issues)
		}
		bugs[u.bug], seen[u.issues], seen[u.behaviour] = true, true, true
		t.Run(fmt.Sprintf("bug-%02d %s", u.bug, u.behaviour), u.test)
	}
	for bug := 1; bug <= 53; bug++ {
		if bugs[bug] != (bug <= 24 || bug >= 49) {
			t.Errorf("bug %d has a test: %v", bug, bugs[bug])
		}
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
