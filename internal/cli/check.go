// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"cmp"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"kilter.dev/kilter/internal/diag"
	"kilter.dev/kilter/internal/lint"
)

type checkOptions struct {
	judgeOptions
	failOn        string
	writeBaseline bool
	output        string
	flags         *pflag.FlagSet // that were given
}

func newCheck(s streams, profiles func() catalogue) *cobra.Command {
	o := &checkOptions{judgeOptions: judgeOptions{streams: s}}
	c := &cobra.Command{
		Use:   "check PATH...",
		Short: "Find what goes wrong with workloads in charts, kustomizations and manifests",
		Long: `Judge objects by the rules (see kilter rule list). A PATH is a Helm chart, a kustomization,
a workload file, a file or folder of manifests, or - for standard input. A chart is rendered
with its default values and with each of its ci/*-values.yaml, unless values are given.

What is rendered together, and all files that are no part of a chart or kustomization, are
judged together: a budget covers pods of other files. Files or folders that define the same
object are alternatives, each judged beside what the rest defines.

A finding does not count where the object has the annotation kilter.dev/ignore: RULE, the
line (or the one above) the comment # kilter:ignore RULE, or .kilter.yaml an exception, in
the working folder or above it. A baseline accepts what is there today.

Where a finding says fix:, kilter fix makes it.

Exit codes: 0 nothing found, 1 findings at or above --fail-on, 2 wrong usage or
configuration, 3 input that cannot be read, 4 an internal error.`,
		Example: `  kilter check ./chart
  kilter check k8s/ kustomize/overlays/prod --fail-on warning
  kilter check ./chart -f values-prod.yaml --kube-version 1.36
  helm template ./chart | kilter check -
  kilter check . -o sarif >kilter.sarif`,
		Args: needPaths,
		RunE: func(c *cobra.Command, args []string) error {
			o.profiles, o.paths, o.flags = profiles(), args, c.Flags()
			return o.run()
		},
	}
	o.register(c)
	f := c.Flags()
	f.StringVar(&o.failOn, "fail-on", "", "exit with 1 for findings of this `SEVERITY` or a worse one: error, warning, info or never (default error)")
	f.BoolVar(&o.writeBaseline, "write-baseline", false, "write the findings of today to the file of --baseline")
	outputFlag(c, &o.output, checkFormats...)
	_ = c.RegisterFlagCompletionFunc("fail-on", cobra.FixedCompletions(lint.FailLevels(), cobra.ShellCompDirectiveNoFileComp))
	return c
}

// checkFormats are the values of --output.
var checkFormats = []string{"text", "json", "sarif", "junit", "github"}

// check refuses flags that cannot be meant.
func (o *checkOptions) check() error {
	if !slices.Contains(checkFormats, o.output) {
		return usagef("--output is text, json, sarif, junit or github, not %q", o.output)
	}
	if o.failOn != "" && !slices.Contains(lint.FailLevels(), o.failOn) {
		return usageError{fmt.Errorf("--fail-on is error, warning, info or never, not %q", o.failOn), diag.DidYouMean(o.failOn, lint.FailLevels())}
	}
	if o.writeBaseline && o.baseline == "" {
		return usageError{errors.New("--write-baseline has no file to write"), "add --baseline FILE"}
	}
	return nil
}

func (o *checkOptions) run() error {
	// What was read is kept to the end, and 40 % of that is enough for the rest.
	defer debug.SetGCPercent(debug.SetGCPercent(40))
	if err := o.check(); err != nil {
		return err
	}
	in, err := o.open(!o.writeBaseline)
	if err != nil {
		return o.refuse(err)
	}
	set := in.set
	found := o.judge(set, in)
	if o.writeBaseline {
		return o.accept(set, in, found)
	}
	r := o.report(set, in, found)
	if err := o.print(r, in); err != nil {
		return err
	}
	switch level := cmp.Or(o.failOn, set.config.FailOn, "error"); {
	case len(in.problems) > 0:
		return finished(exitInput)
	case fails(r.Findings, level):
		return finished(exitFindings)
	}
	return nil
}

// judge returns the findings of everything that was read, sorted.
func (o *checkOptions) judge(set *settings, in *inputs) []lint.Finding {
	var all []lint.Finding
	seen := map[string]int{} // in which unit
	ran := o.runRules(set, in)
	for i, u := range in.units {
		found := append(u.raw, ran[i]...)
		set.config.Grade(found)
		set.suppressor.Apply(u.objects, found)
		lint.Unname(found)
		for _, f := range found {
			if u.again() {
				if first, ok := seen[u.key(f)]; ok && first != i {
					continue
				}
				seen[u.key(f)] = i
			}
			all = append(all, u.labelled(f))
		}
	}
	slices.SortStableFunc(all, func(a, b lint.Finding) int { return diag.Compare(a.Diagnostic, b.Diagnostic) })
	if !o.writeBaseline {
		set.suppressor.Accept(all)
	}
	return in.unread(all)
}

// runRules returns what the rules find in each unit. Units are independent, so that all
// processors work on them.
func (o *checkOptions) runRules(set *settings, in *inputs) [][]lint.Finding {
	found := make([][]lint.Finding, len(in.units))
	atOnce(len(in.units), func(i int) {
		found[i] = set.rules.Run(in.units[i].objects, in.judging(in.units[i]))
	})
	return found
}

// fails reports whether a finding that counts is as bad as level.
func fails(found diag.List, level string) bool {
	levels := lint.FailLevels()
	worst := slices.Index(levels, level)
	return level != "never" && slices.ContainsFunc(found, func(d diag.Diagnostic) bool {
		return d.Suppressed == nil && slices.Index(levels, d.Severity.String()) <= worst
	})
}
