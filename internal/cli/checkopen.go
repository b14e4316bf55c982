// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"kilter.dev/kilter/internal/kube"
	"kilter.dev/kilter/internal/lint"
	"kilter.dev/kilter/rules"
)

// judgeOptions say what is judged by which rules, and what of it does not count: what
// kilter check and kilter fix have in common.
type judgeOptions struct {
	streams
	profiles   catalogue
	paths      []string
	values     valueFlags
	kube       string
	only, skip []string
	config     string
	baseline   string
	closed     bool
	allowEmpty bool
}

func (o *judgeOptions) register(c *cobra.Command) {
	f := c.Flags()
	o.values.register(f)
	f.StringVar(&o.kube, "kube-version", "", "Kubernetes `VERSION` to judge for (default: the workload file's or configuration's, or 1.34)")
	f.StringSliceVar(&o.only, "rule", nil, "judge by this `RULE` only (repeatable)")
	f.StringSliceVar(&o.skip, "skip", nil, "leave out this `RULE` (repeatable)")
	f.StringVar(&o.config, "config", "", "configuration `FILE` (default: .kilter.yaml in this folder or above)")
	f.StringVar(&o.baseline, "baseline", "", "`FILE` with findings that are accepted")
	f.BoolVar(&o.closed, "closed", false, "the input is all there is: what it refers to must be in it")
	f.BoolVar(&o.allowEmpty, "allow-empty", false, "a PATH without objects is no error")
	for _, flag := range []string{"rule", "skip"} {
		_ = c.RegisterFlagCompletionFunc(flag, completeRules)
	}
}

// open reads the rules, the settings and all that is to be judged. accepted says that the
// findings of the baseline do not count; else it is not read.
func (o *judgeOptions) open(accepted bool) (*inputs, error) {
	all, err := loadRules()
	if err != nil {
		return nil, err
	}
	if err := o.check(all); err != nil {
		return nil, err
	}
	set, err := o.settings(all)
	if err == nil {
		err = o.someRule(set)
	}
	if err == nil && accepted {
		err = o.readBaseline(set)
	}
	if err != nil {
		return nil, err
	}
	in := &inputs{options: o, set: set, kube: cmp.Or(o.kube, set.config.KubeVersion)}
	return in, in.read()
}

// check refuses flags that cannot be meant.
func (o *judgeOptions) check(all *lint.Rules) error {
	for _, name := range slices.Concat(o.only, o.skip) {
		if all.Find(name) == nil {
			return noRule(all, name)
		}
	}
	return cmp.Or(
		checkFlag("--kube-version", o.kube, kube.Problem),
		o.values.readsOnce(o.paths...),
	)
}

// someRule refuses a choice that leaves no rule: nothing would be found, whatever is there.
func (o *judgeOptions) someRule(s *settings) error {
	if slices.ContainsFunc(s.rules.Names(), s.ran) {
		return nil
	}
	chosen := o.only
	if len(chosen) == 0 {
		chosen = s.rules.Names()
	}
	why := "off in the configuration"
	if slices.Contains(o.skip, chosen[0]) {
		why = "left out by --skip"
	}
	return usageError{errors.New("no rule is left to judge by"), chosen[0] + " is " + why}
}

// loadRules reads the built-in rules: that they are well-formed is not for users to know.
func loadRules() (*lint.Rules, error) {
	all, err := lint.Load(rules.FS)
	if err != nil {
		return nil, errors.New(err.Error())
	}
	return all, nil
}

func noRule(all *lint.Rules, name string) error {
	return usageError{fmt.Errorf("there is no rule %q", name), all.DidYouMean(name)}
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
