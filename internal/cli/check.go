// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"cmp"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"kilter.dev/kilter/internal/diag"
	"kilter.dev/kilter/internal/lint"
	"kilter.dev/kilter/rules"
)

type checkOptions struct {
	streams
	profiles      catalogue
	paths         []string
	values        valueFlags
	kube          string
	only, skip    []string
	failOn        string
	config        string
	baseline      string
	writeBaseline bool
	closed        bool
	allowEmpty    bool
	output        string
}

func newCheck(s streams, profiles func() catalogue) *cobra.Command {
	o := &checkOptions{streams: s}
	c := &cobra.Command{
		Use:   "check PATH...",
		Short: "Find what goes wrong with workloads in charts, kustomizations and manifests",
		Long: `Judge objects by the rules (see kilter rule list). A PATH is a Helm chart, a kustomization,
a workload file, a file or folder of manifests, or - for standard input. A chart is rendered
with its default values and with each of its ci/*-values.yaml, unless values are given.

What is rendered together, and the files of one folder, are judged together: a budget
covers the pods of its neighbours. Files that define the same object are alternatives, and
judged one by one.

A finding does not count where the object has the annotation kilter.dev/ignore: RULE, the
line (or the one above) the comment # kilter:ignore RULE, or .kilter.yaml an exception, in
the working folder or above it. A baseline accepts what is there today.

Exit codes: 0 nothing found, 1 findings at or above --fail-on, 2 wrong usage or
configuration, 3 input that cannot be read, 4 an internal error.`,
		Example: `  kilter check ./chart
  kilter check k8s/ kustomize/overlays/prod --fail-on warning
  kilter check ./chart -f values-prod.yaml --kube-version 1.36
  helm template ./chart | kilter check -
  kilter check . -o sarif >kilter.sarif`,
		Args: needPaths,
		RunE: func(_ *cobra.Command, args []string) error {
			o.profiles, o.paths = profiles(), args
			return o.run()
		},
	}
	o.register(c.Flags())
	outputFlag(c, &o.output, checkFormats...)
	for _, flag := range []string{"rule", "skip"} {
		_ = c.RegisterFlagCompletionFunc(flag, completeRules)
	}
	_ = c.RegisterFlagCompletionFunc("fail-on", cobra.FixedCompletions(lint.FailLevels(), cobra.ShellCompDirectiveNoFileComp))
	return c
}

func (o *checkOptions) register(f *pflag.FlagSet) {
	o.values.register(f)
	f.StringVar(&o.kube, "kube-version", "", "Kubernetes `VERSION` to judge for (default: the workload file's or configuration's, or 1.34)")
	f.StringSliceVar(&o.only, "rule", nil, "judge by this `RULE` only (repeatable)")
	f.StringSliceVar(&o.skip, "skip", nil, "leave out this `RULE` (repeatable)")
	f.StringVar(&o.failOn, "fail-on", "", "exit with 1 for findings of this `SEVERITY` or a worse one: error, warning, info or never (default error)")
	f.StringVar(&o.config, "config", "", "configuration `FILE` (default: .kilter.yaml in this folder or above)")
	f.StringVar(&o.baseline, "baseline", "", "`FILE` with findings that are accepted")
	f.BoolVar(&o.writeBaseline, "write-baseline", false, "write the findings of today to the file of --baseline")
	f.BoolVar(&o.closed, "closed", false, "the input is all there is: what it refers to must be in it")
	f.BoolVar(&o.allowEmpty, "allow-empty", false, "a PATH without objects is no error")
}

// checkFormats are the values of --output.
var checkFormats = []string{"text", "json", "sarif", "junit", "github"}

// loadRules reads the built-in rules: that they are well-formed is not for users to know.
func loadRules() (*lint.Rules, error) {
	all, err := lint.Load(rules.FS)
	if err != nil {
		return nil, errors.New(err.Error())
	}
	return all, nil
}

// check refuses flags that cannot be meant.
func (o *checkOptions) check(all *lint.Rules) error {
	if !slices.Contains(checkFormats, o.output) {
		return usagef("--output is text, json, sarif, junit or github, not %q", o.output)
	}
	if o.failOn != "" && !slices.Contains(lint.FailLevels(), o.failOn) {
		return usageError{fmt.Errorf("--fail-on is error, warning, info or never, not %q", o.failOn), diag.DidYouMean(o.failOn, lint.FailLevels())}
	}
	if o.writeBaseline && o.baseline == "" {
		return usageError{errors.New("--write-baseline has no file to write"), "add --baseline FILE"}
	}
	for _, name := range slices.Concat(o.only, o.skip) {
		if all.Find(name) == nil {
			return noRule(all, name)
		}
	}
	return cmp.Or(
		checkFlag("--kube-version", o.kube, kubeProblem),
		o.values.readsOnce(o.paths...),
	)
}

func noRule(all *lint.Rules, name string) error {
	return usageError{fmt.Errorf("there is no rule %q", name), all.DidYouMean(name)}
}

func (o *checkOptions) run() error {
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
	in := &inputs{options: o, set: set, kube: orDefault(o.kube, set.config.KubeVersion)}
	if err := in.read(); err != nil {
		return err
	}
	found := o.judge(set, in)
	if o.writeBaseline {
		return o.accept(set, in, found)
	}
	r := o.report(set, in, found)
	if err := o.print(r, in.warnings); err != nil {
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
		for _, f := range found {
			if u.chart != "" {
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
	return all
}

// runRules returns what the rules find in each unit. Units are independent, so that all
// processors work on them.
func (o *checkOptions) runRules(set *settings, in *inputs) [][]lint.Finding {
	found := make([][]lint.Finding, len(in.units))
	var next atomic.Int64
	var workers sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(in.units)) {
		workers.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(in.units); i = int(next.Add(1)) - 1 {
				found[i] = set.rules.Run(in.units[i].objects, in.judging(in.units[i]))
			}
		})
	}
	workers.Wait()
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

// completeRules completes names of rules.
func completeRules(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	all, err := loadRules()
	if err != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	var names []string
	for _, r := range all.All {
		names = append(names, r.Name+"\t"+strings.Join(strings.Fields(r.Title), " "))
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}
