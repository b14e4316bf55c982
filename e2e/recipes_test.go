// SPDX-License-Identifier: Apache-2.0

package e2e_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// recipes are the sections of docs/recipes.md: what their commands print, and what their
// files are good for.
var recipes = map[string]struct {
	helm  string // the program that the page calls helm
	want  string // in what the commands print; "" where there are none
	check func(kitchen, *testing.T)
}{
	"kustomize":      {want: applied + ": vllm-inference@"},
	"kpt":            {check: kitchen.kpt},
	"Helm 3":         {helm: "helm3", want: applied + ": vllm-inference@"},
	"Helm 4":         {helm: "helm4", want: applied + ": vllm-inference@"},
	"Argo CD":        {check: kitchen.argo},
	"Flux":           {check: kitchen.flux},
	"pre-commit":     {check: kitchen.preCommit},
	"GitHub Actions": {check: kitchen.actions},
}

// TestRecipes: every recipe of docs/recipes.md works as it is printed, in the folder of the
// example of docs/krm-function.md, with a chart beside it.
func TestRecipes(t *testing.T) {
	page := strings.Split(read(t, "../docs/recipes.md"), "\n## ")[1:]
	if len(page) != len(recipes) {
		t.Errorf("%d sections, want %q", len(page), slices.Sorted(maps.Keys(recipes)))
	}
	for _, section := range page {
		name, text, _ := strings.Cut(section, "\n")
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r, ok := recipes[name]
			if !ok {
				t.Fatal("nothing is known of this section")
			}
			k := newKitchen(t, text, r.helm)
			out := ""
			for _, m := range commandBlock.FindAllStringSubmatch(text, -1) {
				out += k.run(t, m[1])
			}
			if !strings.Contains(out, r.want) {
				t.Errorf("want %q, got:\n%s", r.want, out)
			}
			if r.check != nil {
				r.check(k, t)
			} else if out == "" {
				t.Error("the section is not tried")
			}
		})
	}
}

var (
	fileBlock    = regexp.MustCompile("(?ms)^```yaml (\\S+)\n(.*?)^```$")
	commandBlock = regexp.MustCompile("(?ms)^```sh\n(.*?)^```$")
)

// kitchen is a folder with the files of a section, and the environment of its commands.
type kitchen struct {
	dir string
	env []string
}

func newKitchen(t *testing.T, text, helm string) kitchen {
	t.Helper()
	bin, err := filepath.Abs("../bin")
	if err != nil {
		t.Fatal(err)
	}
	k, programs := kitchen{dir: example(t)}, t.TempDir()
	k.env = []string{"PATH=" + programs + ":" + bin + ":" + os.Getenv("PATH"), "HOME=" + t.TempDir()}
	chart := newRelease(t, hooksChart).chart
	for from, to := range map[string]string{chart: k.path("chart"), "../helm-plugin": k.path("helm-plugin")} {
		if err := os.CopyFS(to, os.DirFS(from)); err != nil {
			t.Fatal(err)
		}
	}
	if helm != "" {
		if err := os.Symlink(filepath.Join(bin, helm), filepath.Join(programs, "helm")); err != nil {
			t.Fatal(err)
		}
	}
	for _, m := range fileBlock.FindAllStringSubmatch(text, -1) {
		if err := os.MkdirAll(filepath.Dir(k.path(m[1])), 0o755); err != nil {
			t.Fatal(err)
		}
		write(t, k.path(m[1]), m[2], 0o644)
		documents(t, m[2]) // YAML, and no key twice
	}
	return k
}

func (k kitchen) path(name string) string { return filepath.Join(k.dir, filepath.FromSlash(name)) }

// run runs a script that must succeed and returns what it prints.
func (k kitchen) run(t *testing.T, script string) string {
	t.Helper()
	out, code := k.exit(t, script, "")
	if code != 0 {
		t.Fatalf("%s: exit code %d\n%s", script, code, out)
	}
	return out
}

func (k kitchen) exit(t *testing.T, script, stdin string) (string, int) {
	t.Helper()
	c := exec.CommandContext(t.Context(), "sh", "-euc", script)
	c.Dir, c.Env, c.Stdin = k.dir, k.env, strings.NewReader(stdin)
	out, err := c.CombinedOutput()
	if err != nil && c.ProcessState == nil {
		t.Fatal(err)
	}
	return string(out), c.ProcessState.ExitCode()
}

// kpt runs the functions of the pipeline as kpt does: no arguments, the objects of the
// folder and the config in a ResourceList.
func (k kitchen) kpt(t *testing.T) {
	var file struct {
		Pipeline struct {
			Mutators []struct{ Exec, ConfigPath string }
		}
	}
	decode(t, k.path("Kptfile"), &file)
	if m := file.Pipeline.Mutators; len(m) != 1 || m[0].ConfigPath != "kilter.yaml" {
		t.Fatalf("the pipeline is %+v", m)
	}
	out, code := k.exit(t, file.Pipeline.Mutators[0].Exec, resourceList(t, k.dir))
	if code != 0 || !strings.Contains(out, `"`+applied+`":"vllm-inference@`) {
		t.Errorf("exit code %d:\n%s", code, out)
	}
}

// argo builds with the options of the ConfigMap, and generates as the plugin does.
func (k kitchen) argo(t *testing.T) {
	var settings struct{ Data map[string]string }
	decode(t, k.path("argocd/argocd-cm.yaml"), &settings)
	if out := k.run(t, "kustomize build "+settings.Data["kustomize.buildOptions"]+" ."); !strings.Contains(out, applied+": vllm-inference@") {
		t.Errorf("the function did not run:\n%s", out)
	}
	var plugin struct {
		Spec struct {
			Discover struct{ FileName string }
			Generate struct{ Command []string }
		}
	}
	decode(t, k.path("argocd/plugin.yaml"), &plugin)
	if found, err := filepath.Glob(k.path(plugin.Spec.Discover.FileName)); err != nil || len(found) != 1 {
		t.Errorf("the plugin finds %q, %v", found, err)
	}
	if err := os.Remove(k.path("kustomization.yaml")); err != nil { // that of the other way
		t.Fatal(err)
	}
	if objects := plain(t, k.run(t, strings.Join(plugin.Spec.Generate.Command, " "))); objects["apps/v1 Deployment default/chat"] == nil {
		t.Errorf("the plugin generates %v", objects)
	}
}

// flux has what the commands built in the folder that it pushes.
func (k kitchen) flux(t *testing.T) {
	if built := read(t, k.path("build/chat.yaml")); !strings.Contains(built, applied+": vllm-inference@") {
		t.Errorf("the function did not run:\n%s", built)
	}
}

// preCommit runs the hooks as pre-commit does. In the example there is something to fix, and
// something is left.
func (k kitchen) preCommit(t *testing.T) {
	k.more(t)
	before := read(t, k.path("deployment.yaml"))
	said := map[string]string{}
	for _, h := range k.hooks(t) {
		out, code := k.exit(t, h.command, "")
		said[h.id] += fmt.Sprintf("exit code %d\n%s", code, out)
	}
	want := map[string]string{
		"kilter-fix":   `^exit code 0\n(?s:.*)\nfixed [1-9]\d* findings in 1 file; [1-9]`,
		"kilter-check": `^exit code 1\n(?s:.*)deployment\.yaml:\d+:\d+: warning: (?s:.*) in 3 objects`,
	}
	for id, want := range want {
		if !regexp.MustCompile(want).MatchString(said[id]) {
			t.Errorf("%s: want %s, got:\n%s", id, want, said[id])
		}
	}
	if len(said) != len(want) {
		t.Errorf("the hooks are %q", slices.Sorted(maps.Keys(said)))
	}
	if read(t, k.path("deployment.yaml")) == before {
		t.Error("nothing was fixed")
	}
}

// hook is a hook of pre-commit with what it runs: the entry, then the arguments of the user
// or else its own.
type hook struct{ id, command string }

// hooks are those that the recipe uses, in its order, which must be all that there are.
func (k kitchen) hooks(t *testing.T) []hook {
	t.Helper()
	var offered []struct {
		ID, Entry, Language string
		Args                []string
		PassFilenames       *bool `json:"pass_filenames"`
	}
	decode(t, "../.pre-commit-hooks.yaml", &offered)
	var config struct {
		Repos []struct {
			Hooks []struct {
				ID   string
				Args []string
			}
		}
	}
	decode(t, k.path(".pre-commit-config.yaml"), &config)
	var all []hook
	for _, used := range config.Repos[0].Hooks {
		for _, h := range offered {
			if h.ID != used.ID {
				continue
			}
			if h.Language != "golang" || h.PassFilenames == nil || *h.PassFilenames {
				t.Errorf("%s is in %s, or is given the names of files", h.ID, h.Language)
			}
			if len(used.Args) > 0 {
				h.Args = used.Args
			}
			all = append(all, hook{h.ID, h.Entry + " " + strings.Join(h.Args, " ")})
		}
	}
	if used := len(config.Repos[0].Hooks); len(all) != used || used != len(offered) {
		t.Errorf("%d hooks are offered, the recipe uses %d, and %d of these are known", len(offered), used, len(all))
	}
	return all
}

// actions runs the steps of the workflow that call kilter.
func (k kitchen) actions(t *testing.T) {
	var workflow struct {
		Jobs map[string]struct{ Steps []struct{ Run string } }
	}
	decode(t, k.path(".github/workflows/kilter.yaml"), &workflow)
	k.more(t)
	install, out := "", ""
	for _, step := range workflow.Jobs["check"].Steps {
		if strings.HasPrefix(step.Run, "kilter ") {
			text, code := k.exit(t, step.Run, "")
			if code > 1 {
				t.Errorf("%s: exit code %d\n%s", step.Run, code, text)
			}
			out += text
		} else {
			install += step.Run
		}
	}
	if !strings.Contains(out, "::error ") {
		t.Errorf("no annotations:\n%s", out)
	}
	module, _, _ := strings.Cut(strings.TrimPrefix(read(t, "../go.mod"), "module "), "\n")
	if install != "go install "+module+"/cmd/kilter@latest" {
		t.Errorf("the workflow installs by %q", install)
	}
	var report struct{ Version string }
	if err := json.Unmarshal([]byte(read(t, k.path("kilter.sarif"))), &report); err != nil || report.Version != "2.1.0" {
		t.Errorf("the report has version %q, %v", report.Version, err)
	}
}

// more adds the example's Deployment once more, under another name: the function leaves it as
// it is, so that rules find errors in it.
func (k kitchen) more(t *testing.T) {
	t.Helper()
	text := read(t, k.path("deployment.yaml"))
	write(t, k.path("deployment.yaml"), text+"---\n"+strings.ReplaceAll(text, "chat", "other"), 0o644)
}
