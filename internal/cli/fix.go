// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/diff"
	"github.com/spf13/cobra"

	"kilter.dev/kilter/internal/diag"
	"kilter.dev/kilter/internal/fix"
	"kilter.dev/kilter/internal/lint"
	"kilter.dev/kilter/internal/manifest"
	"kilter.dev/kilter/internal/render"
	"kilter.dev/kilter/internal/source"
)

// fixOptions are those of a check whose findings are fixed.
type fixOptions struct {
	checkOptions
	diff bool
}

func newFix(s streams, profiles func() catalogue) *cobra.Command {
	o := &fixOptions{checkOptions: checkOptions{streams: s, output: "text"}}
	c := &cobra.Command{
		Use:   "fix PATH...",
		Short: "Fix what a check finds, in place, and leave everything else as it is",
		Long: `Make the fixes of the findings of kilter check that have one, in the files of manifests.
Only what a fix changes is edited: comments, order, quotes and layout stay, byte for byte.
An object that a fix adds is put behind the last one of the file. Findings that are
suppressed are not fixed. For - the fixed text of standard input is printed.

What a chart, a kustomization or a workload file renders cannot be fixed in the rendering:
its findings are listed with the place to change. So is a fix that would change more than
it means to, such as in a YAML anchor that other places repeat.

Exit codes: 0 everything that has a fix is fixed, 1 something is not or, with --diff, would
be, 2 wrong usage or configuration, 3 input that cannot be read, 4 an internal error.`,
		Example: `  kilter fix k8s/
  kilter fix k8s/ --diff | tee fixes.patch
  kilter fix deployment.yaml --rule gpu-rollout-needs-spare
  kubectl get deployment web -o yaml | kilter fix - | kubectl apply -f -`,
		Args: needPaths,
		RunE: func(_ *cobra.Command, args []string) error {
			o.profiles, o.paths = profiles(), args
			return o.run()
		},
	}
	f := c.Flags()
	f.BoolVar(&o.diff, "diff", false, "print what would change as a unified diff, and change nothing")
	f.StringVar(&o.kube, "kube-version", "", "Kubernetes `VERSION` to judge for (default: the configuration's, or 1.34)")
	f.StringSliceVar(&o.only, "rule", nil, "fix findings of this `RULE` only (repeatable)")
	f.StringSliceVar(&o.skip, "skip", nil, "leave out this `RULE` (repeatable)")
	f.StringVar(&o.config, "config", "", "configuration `FILE` (default: .kilter.yaml in this folder or above)")
	f.StringVar(&o.baseline, "baseline", "", "`FILE` with findings that are accepted, and not fixed")
	f.BoolVar(&o.closed, "closed", false, "the input is all there is: what it refers to must be in it")
	for _, flag := range []string{"rule", "skip"} {
		_ = c.RegisterFlagCompletionFunc(flag, completeRules)
	}
	return c
}

func (o *fixOptions) run() error {
	all, err := loadRules()
	if err != nil {
		return err
	}
	if err := o.check(all); err != nil {
		return err
	}
	set, err := o.settings(all)
	if err != nil {
		return err
	}
	stdin := ""
	if slices.Contains(o.paths, render.Stdin) {
		if stdin, err = readInput(render.Stdin, o.in); err != nil {
			return err
		}
		o.in = strings.NewReader(stdin)
	}
	in := &inputs{options: &o.checkOptions, set: set, kube: orDefault(o.kube, set.config.KubeVersion)}
	if err := in.read(); err != nil {
		return err
	}
	x := &fixer{inputs: in, files: map[string]*fixed{}, seen: map[string]bool{}}
	for _, u := range in.units {
		x.unit(u)
	}
	return o.finish(x, stdin)
}

// finish writes what is fixed, and says what is and what is not.
func (o *fixOptions) finish(x *fixer, stdin string) error {
	changed := 0
	for _, name := range x.order {
		f := x.files[name]
		if f.before == f.now.Text {
			continue
		}
		changed++
		if err := o.write(f); err != nil {
			return err
		}
	}
	if f := x.files[stdinName]; slices.Contains(o.paths, render.Stdin) && !o.diff && (f == nil || f.before == f.now.Text) {
		if _, err := io.WriteString(o.out, stdin); err != nil {
			return err
		}
	}
	x.report(o, changed)
	switch {
	case len(x.problems) > 0:
		return finished(exitInput)
	case len(x.refused) > 0 || o.diff && changed > 0:
		return finished(exitFindings)
	}
	return nil
}

// stdinName is what positions call standard input.
const stdinName = "<stdin>"

func (o *fixOptions) write(f *fixed) error {
	name := f.now.Name
	switch {
	case o.diff:
		_, err := o.out.Write(diff.Diff(name, []byte(f.before), name, []byte(f.now.Text)))
		return err
	case name == stdinName:
		_, err := io.WriteString(o.out, f.now.Text)
		return err
	}
	if text, err := os.ReadFile(name); err != nil || string(text) != f.before {
		return inputError{fmt.Errorf("%s has changed since it was read", name), "run kilter fix again"}
	}
	return replaceFile(name, []byte(f.now.Text))
}

// fixed is a file as it was and as it has become.
type fixed struct {
	before string
	now    *source.File
}

// fixer fixes the units of the inputs.
type fixer struct {
	*inputs
	files   map[string]*fixed // by name
	order   []string
	seen    map[string]bool // findings that are said
	made    []lint.Finding
	refused diag.List
	without int // findings that have no fix
}

// unit fixes what is in files, and says where to change what is rendered.
func (x *fixer) unit(u unit) {
	judge := func(objects []*manifest.Object) []lint.Finding {
		found := x.set.rules.Run(objects, x.judging(u))
		x.set.config.Grade(found)
		s := lint.Suppressor{
			Rules: x.set.rules, Only: x.set.ran, Config: x.set.config, Baseline: x.set.suppressor.Baseline, Today: x.set.suppressor.Today,
			ConfigPath: x.set.suppressor.ConfigPath, BaselinePath: x.set.suppressor.BaselinePath,
		}
		s.Apply(objects, found)
		s.Accept(found)
		return found
	}
	files, inFiles := x.filesOf(u)
	if !inFiles {
		x.rendered(u, judge(u.objects))
		return
	}
	read := plainObjects
	if u.recipe {
		read = recipeObjects
	}
	result := fix.Unit{Files: files, Read: read, Judge: judge}.Run()
	for _, f := range result.Files {
		x.files[filepath.Clean(f.Name)].now = f
	}
	x.made = append(x.made, result.Made...)
	for _, r := range result.Refused {
		x.refuse(r)
	}
	var objects []*manifest.Object
	for _, f := range result.Files {
		objects = append(objects, read(f)...)
	}
	x.count(judge(objects))
}
