// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	udiff "github.com/aymanbagabas/go-udiff"
	"github.com/spf13/cobra"

	"kilter.dev/kilter/internal/render"
	"kilter.dev/kilter/internal/source"
)

type fixOptions struct {
	judgeOptions
	diff bool
}

func newFix(s streams, profiles func() catalogue) *cobra.Command {
	o := &fixOptions{judgeOptions: judgeOptions{streams: s}}
	c := &cobra.Command{
		Use:   "fix PATH...",
		Short: "Fix what a check finds, in place, and leave everything else as it is",
		Long: `Make the fixes of the findings of kilter check that have one, in the files of manifests.
Only what a fix changes is edited: comments, order, quotes and layout stay, byte for byte.
An object that a fix adds is put behind the last one of the file, but not where another one
in the input, or in a template of the chart, would do the same. Findings that are suppressed
are not fixed. For - the fixed text of standard input is printed.

A kustomization is fixed in the files of its resources that are in a PATH, a chart in the
templates that are plain YAML. What else they render, and what a workload file does, has no
text to edit: it is listed with the place to change. So is a fix that would change more
than it means to, such as in a YAML anchor that other places repeat.

Exit codes: 0 everything that has a fix is fixed, 1 something is not or, with --diff, would
be, 2 wrong usage or configuration, 3 input that cannot be read, 4 an internal error.`,
		Example: `  kilter fix k8s/ --diff
  kilter fix k8s/
  kilter fix deployment.yaml --rule gpu-rollout-needs-spare
  kilter fix - <deployment.yaml | kubectl apply -f -`,
		Args: needPaths,
		RunE: func(_ *cobra.Command, args []string) error {
			o.profiles, o.paths = profiles(), args
			return o.run()
		},
	}
	c.Flags().BoolVar(&o.diff, "diff", false, "print what would change as a unified diff, and change nothing")
	o.register(c)
	return c
}

func (o *fixOptions) run() error {
	stdin := ""
	if slices.Contains(o.paths, render.Stdin) {
		text, err := io.ReadAll(o.in)
		if err != nil {
			return err
		}
		stdin = string(text)
		o.in = strings.NewReader(stdin)
	}
	in, err := o.open(true)
	if err != nil {
		return err
	}
	x := newFixer(in)
	for _, u := range in.units {
		x.unit(u)
	}
	if slices.Contains(o.paths, render.Stdin) {
		x.file(source.New(stdinName, stdin)) // it is printed, whatever is in it
	}
	changed := 0
	for _, name := range x.order {
		f := x.files[name]
		if f.before != f.now.Text {
			changed++
		}
		if err := o.write(f); err != nil {
			in.problems.Errorf(source.Span{}, "unwritable", "%v", err)
		}
	}
	x.report(o, changed)
	switch {
	case len(in.problems) > 0:
		return finished(exitInput)
	case len(x.refused) > 0 || o.diff && changed > 0:
		return finished(exitFindings)
	}
	return nil
}

// stdinName is what positions call standard input.
const stdinName = "<stdin>"

// write writes what a file has become to where it belongs, or prints the difference.
func (o *fixOptions) write(f *fixed) error {
	name := f.now.Name
	switch {
	case o.diff:
		_, err := io.WriteString(o.out, udiff.Unified(name, name, f.before, f.now.Text))
		return err
	case name == stdinName:
		_, err := io.WriteString(o.out, f.now.Text)
		return err
	case f.before == f.now.Text:
		return nil
	}
	if info, err := os.Stat(name); err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("%s is no file: give the text on standard input to have it printed as it is fixed", name)
	}
	if text, err := os.ReadFile(name); err != nil || string(text) != f.before {
		return fmt.Errorf("%s has changed since it was read", name)
	}
	return writeFile(name, []byte(f.now.Text))
}
