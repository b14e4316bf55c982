// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"kilter.dev/kilter/generators/engines"
	"kilter.dev/kilter/generators/policy"
	"kilter.dev/kilter/internal/diag"
	"kilter.dev/kilter/internal/kube"
	"kilter.dev/kilter/internal/lint"
	"kilter.dev/kilter/internal/manifest"
)

type policyOptions struct {
	streams
	rules   []string
	kube    string
	actions []string
	optIn   bool
	fix     bool
	engine  string
}

func newPolicy(s streams) *cobra.Command {
	o := &policyOptions{streams: s}
	c := &cobra.Command{
		Use:   "policy [RULE...]",
		Short: "Print the rules as admission policies of Kubernetes",
		Long: `Print the rules as admission policies of Kubernetes, all of them or those given: what kilter
check finds, the API server refuses, warns of or records, in the same words. A rule that
needs other objects, or the text, cannot be one: see kilter policy list.

Each policy is a ValidatingAdmissionPolicy with a binding for each severity that its rule
has. With --fix there is a MutatingAdmissionPolicy, too, where kilter fix has something to
mend: it does so as objects come in. Kubernetes has those since 1.36; for 1.34 and 1.35 they
are v1beta1, which the API server serves only when told to.

With --engine kyverno they are Kyverno's ValidatingPolicy and MutatingPolicy, with --engine
gatekeeper a ConstraintTemplate of Gatekeeper and its constraint, with the same expressions
and words. Gatekeeper cannot mend.

What the annotation kilter.dev/ignore names is not asked, nor is what controllers of
Kubernetes make, such as the Pods of a Deployment. The namespaces of Kubernetes itself are
left out, and those with the label kilter.dev/policies: disabled. With --opt-in only those with
the label kilter.dev/policies: enabled are not.`,
		Example: `  kilter policy | kubectl apply -f -
  kilter policy gpu-rollout-needs-spare startup-budget-missing --kube-version 1.36 --fix
  kilter policy --action error=warn --opt-in
  kilter policy --engine kyverno --fix | kubectl apply --server-side -f -`,
		ValidArgsFunction: completeRules,
		RunE: func(_ *cobra.Command, args []string) error {
			o.rules = args
			return o.run()
		},
	}
	f := c.Flags()
	f.StringVar(&o.kube, "kube-version", "", "Kubernetes `VERSION` of the cluster (default 1.34)")
	f.StringSliceVar(&o.actions, "action", nil, "`SEVERITY=ACTION`: deny, warn or audit for what is an error, a warning or an info (default error=deny,warning=warn,info=audit)")
	f.BoolVar(&o.optIn, "opt-in", false, "only in namespaces with the label "+policy.NamespaceLabel+": enabled")
	f.BoolVar(&o.fix, "fix", false, "policies that mend, too")
	engineFlag(c, &o.engine)
	_ = c.RegisterFlagCompletionFunc("action", cobra.FixedCompletions([]string{"error=warn", "error=audit", "warning=deny", "warning=audit"}, cobra.ShellCompDirectiveNoFileComp))
	c.AddCommand(newPolicyList(s), newPolicyTest(s))
	return c
}

func (o *policyOptions) run() error {
	if err := checkFlag("--kube-version", o.kube, kube.Problem); err != nil {
		return err
	}
	if err := checkEngine(o.engine, o.fix); err != nil {
		return err
	}
	options := policy.Options{KubeVersion: kube.Minor(o.kube), OptIn: o.optIn}
	var err error
	if options.Actions, err = actionsOf(o.actions); err != nil {
		return err
	}
	all, err := loadRules()
	if err != nil {
		return err
	}
	if options.Only, err = enforceable(all, o.rules); err != nil {
		return err
	}
	objects := policy.Validating(all, options)
	if o.fix {
		objects = append(objects, policy.Mutating(all, options)...)
	}
	if objects, err = engines.For(o.engine, all, objects); err != nil {
		return err
	}
	_, err = io.WriteString(o.out, manifest.Print(objects...))
	return err
}

// enforceable returns which rules names are, nil for all that can be policies. Every name is
// to be one of them.
func enforceable(all *lint.Rules, names []string) (func(string) bool, error) {
	for _, name := range names {
		r := all.Find(name)
		if r == nil {
			return nil, noRule(all, name)
		}
		if why := policy.Why(r); why != "" {
			return nil, usageError{fmt.Errorf("%s cannot be a policy: %s", name, why), `see "kilter policy list"`}
		}
	}
	if len(names) == 0 {
		return nil, nil
	}
	return func(name string) bool { return slices.Contains(names, name) }, nil
}

// actionsOf reads the values of --action.
func actionsOf(pairs []string) (map[diag.Severity]string, error) {
	actions := map[diag.Severity]string{}
	for _, pair := range pairs {
		severity, action, _ := strings.Cut(pair, "=")
		i := slices.IndexFunc(policy.Actions, func(a string) bool { return strings.EqualFold(a, action) })
		s := slices.IndexFunc(severities, func(s diag.Severity) bool { return s.String() == severity })
		if i < 0 || s < 0 {
			return nil, usageError{fmt.Errorf("--action is SEVERITY=ACTION, not %q", pair), "such as error=warn; severities are error, warning and info, actions deny, warn and audit"}
		}
		actions[severities[s]] = policy.Actions[i]
	}
	return actions, nil
}

var severities = []diag.Severity{diag.Error, diag.Warning, diag.Info}

func newPolicyList(s streams) *cobra.Command {
	var output string
	c := &cobra.Command{
		Use:     "list",
		Short:   "List which rules can be policies, of which engine, and why others cannot",
		Example: "  kilter policy list\n  kilter policy list -o json",
		Args:    noArguments,
		RunE: func(*cobra.Command, []string) error {
			all, err := loadRules()
			if err != nil {
				return err
			}
			return listPolicies(s.out, all, output)
		},
	}
	outputFlag(c, &output, "text", "json")
	return c
}

func listPolicies(w io.Writer, all *lint.Rules, output string) error {
	switch output {
	case "json":
		list := manifest.NewList()
		for _, r := range all.All {
			item := manifest.NewMap(
				manifest.Field{Key: "rule", Value: manifest.NewString(r.Name)},
				manifest.Field{Key: "validates", Value: manifest.NewBool(policy.Why(r) == "")},
				manifest.Field{Key: "mutates", Value: manifest.NewBool(policy.Mutates(r))},
			)
			if why := policy.Why(r); why != "" {
				item.Set("why", manifest.NewString(why))
			}
			item.Set("engines", engineNodes(r))
			list.Items = append(list.Items, item)
		}
		_, err := fmt.Fprintln(w, manifest.JSON(list))
		return err
	case "text":
		t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
		for _, r := range all.All {
			fmt.Fprintf(t, "%s\t%s\n", r.Name, strings.Join(enginesOf(r), "\t"))
		}
		return t.Flush()
	}
	return usagef("--output is text or json, not %q", output)
}
