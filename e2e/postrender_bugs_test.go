// SPDX-License-Identifier: Apache-2.0

package e2e_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const hooksChart = "testdata/postrender/hooks.txtar"

// hooksOnRequest: Helm 3 gives a post-renderer no hooks, so that nothing can change them;
// the command's help says so. Helm 4 gives it hooks, which are changed when they are asked
// for, and are still hooks.
func hooksOnRequest(t *testing.T) {
	r := newRelease(t, hooksChart)
	for helm, changes := range map[string]bool{"helm3": false, "helm4": true} {
		out, said, err := r.template(helm, "--hooks=include").try(t)
		if err != nil {
			t.Fatalf("%s: %v\n%s", helm, err, said)
		}
		after, before := hooks(documents(t, out)), hooks(r.rendered(t))
		if len(after) != len(before) {
			t.Errorf("%s: %d hooks, the chart has %d", helm, len(after), len(before))
		}
		if changed := strings.Contains(strings.Join(sorted(t, after), ""), applied); changed != changes {
			t.Errorf("%s: a hook was changed: %v, want %v", helm, changed, changes)
		}
	}
	if help := run(t, "kilter", "post-render", "--help"); !strings.Contains(help, "gives it no hooks") {
		t.Errorf("the help says nothing of hooks in Helm 3:\n%s", help)
	}
}

// hookAndTemplate: Helm 4 gives both in one stream.
func hookAndTemplate(t *testing.T) {
	r := newRelease(t, hooksChart)
	out, said, err := r.template("helm4").try(t)
	if err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	accounts := map[bool]int{}
	for _, o := range documents(t, out) {
		if o["kind"] == "ServiceAccount" {
			accounts[isHook(o)]++
		}
	}
	if diff := cmp.Diff(map[bool]int{true: 1, false: 1}, accounts); diff != "" {
		t.Errorf("ServiceAccounts by whether they are hooks (-want +got):\n%s", diff)
	}
}

// reachesPlugin: they do not in a plugin of the Wasm runtime, which gets an empty input;
// this one is a subprocess. And it answers a chart without manifests with something, as
// Helm 4 refuses empty output.
func reachesPlugin(t *testing.T) {
	var plugin struct{ Runtime, Type string }
	decode(t, "../helm-plugin/plugin.yaml", &plugin)
	if plugin.Runtime != "subprocess" || plugin.Type != "postrenderer/v1" {
		t.Errorf("the plugin is %+v", plugin)
	}
	r := newRelease(t, hooksChart)
	for _, helm := range helms {
		out, said, err := r.template(helm).try(t)
		if got, want := len(documents(t, out)), len(r.byFunction(t)); err != nil || got != want || !strings.Contains(out, applied) {
			t.Errorf("%s: of %d objects %d are there: %v\n%s%s", helm, want, got, err, said, out)
		}
	}
	if err := os.RemoveAll(filepath.Join(r.chart, "templates")); err != nil {
		t.Fatal(err)
	}
	for _, helm := range helms {
		if out, said, err := r.template(helm).try(t); err != nil || len(documents(t, out)) > 0 {
			t.Errorf("%s: %v\n%s%s", helm, err, said, out)
		}
	}
}

// pluginByName: Helm 4 takes the name of a plugin and no path, Helm 3 a path and no name of a
// plugin.
func pluginByName(t *testing.T) {
	r := newRelease(t, hooksChart)
	path, err := filepath.Abs("../bin/kilter")
	if err != nil {
		t.Fatal(err)
	}
	for helm, takes := range map[string]bool{"helm3": true, "helm4": false} {
		c := r.template(helm)
		c.args[slices.Index(c.args, "kilter")] = path
		if _, said, err := c.try(t); (err == nil) != takes {
			t.Errorf("%s --post-renderer %s: %v\n%s", helm, path, err, said)
		}
	}
}

// knownFields: Helm 4 refuses any other.
func knownFields(t *testing.T) {
	r := newRelease(t, hooksChart)
	list := func(data string) string {
		out, said, err := call{program: "helm4", args: []string{"plugin", "list"}, env: []string{"HELM_DATA_HOME=" + data}}.try(t)
		if err != nil {
			t.Fatalf("%v\n%s", err, said)
		}
		return out
	}
	if out := list(r.data); !strings.Contains(out, "kilter\t0.1.0") {
		t.Errorf("the plugin is not listed:\n%s", out)
	}
	odd := t.TempDir()
	write(t, filepath.Join(odd, "plugin.yaml"), read(t, "../helm-plugin/plugin.yaml")+"usage: x\n", 0o644)
	c := call{program: "helm4", args: []string{"plugin", "install", odd}, env: []string{"HELM_DATA_HOME=" + t.TempDir()}}
	if _, said, err := c.try(t); err == nil || !strings.Contains(said, "usage") {
		t.Errorf("Helm takes a field that it does not know: this test proves nothing: %v\n%s", err, said)
	}
}

// TestPluginOfHelm4BreaksHelm3: both look for plugins in one folder by default, and Helm 3
// loads none when one of Helm 4 is there. docs/recipes.md says what to do about it.
func TestPluginOfHelm4BreaksHelm3(t *testing.T) {
	r := newRelease(t, hooksChart)
	c := call{program: "helm3", args: []string{"plugin", "list"}, env: []string{"HELM_DATA_HOME=" + r.data}}
	if out, said, err := c.try(t); err == nil || !strings.Contains(said, "failed to load plugin") {
		t.Errorf("Helm 3 lists a plugin of Helm 4; the page is wrong:\n%s%s", out, said)
	}
	if !strings.Contains(read(t, "../docs/recipes.md"), "HELM_DATA_HOME") {
		t.Error("docs/recipes.md does not name HELM_DATA_HOME")
	}
}
