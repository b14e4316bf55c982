// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"fmt"
	"io"
	"io/fs"
	"regexp"
	"strings"
	"text/tabwriter"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/spf13/cobra"

	"kilter.dev/kilter/internal/diag"
	"kilter.dev/kilter/internal/lint"
	"kilter.dev/kilter/internal/manifest"
	"kilter.dev/kilter/internal/source"
	"kilter.dev/kilter/rules"
)

func newRule(s streams) *cobra.Command {
	c := &cobra.Command{
		Use:   "rule",
		Short: "List and explain the rules of kilter check",
		Args:  commandName,
		RunE:  func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(newRuleList(s), newRuleShow(s))
	return c
}

func newRuleList(s streams) *cobra.Command {
	var output string
	c := &cobra.Command{
		Use:   "list",
		Short: "List the rules",
		Long: `List the rules: the name, the severity, what a rule looks at (one object, several objects
that belong together, or the text), whether kilter fix can mend what it finds, and what
good looks like.`,
		Example: "  kilter rule list\n  kilter rule list -o json",
		Args:    noArguments,
		RunE: func(*cobra.Command, []string) error {
			all, err := loadRules()
			if err != nil {
				return err
			}
			return listRules(s.out, all, output)
		},
	}
	outputFlag(c, &output, "text", "json")
	return c
}

func listRules(w io.Writer, all *lint.Rules, output string) error {
	switch output {
	case "json":
		list := manifest.NewList()
		for _, r := range all.All {
			list.Items = append(list.Items, manifest.NewMap(
				manifest.Field{Key: "name", Value: manifest.NewString(r.Name)},
				manifest.Field{Key: "severity", Value: manifest.NewString(r.Severity.String())},
				manifest.Field{Key: "scope", Value: manifest.NewString(string(r.Scope()))},
				manifest.Field{Key: "fixable", Value: manifest.NewBool(r.Fixable())},
				manifest.Field{Key: "title", Value: manifest.NewString(r.Title)},
			))
		}
		_, err := fmt.Fprintln(w, manifest.JSON(list))
		return err
	case "text":
		t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
		for _, r := range all.All {
			fix := ""
			if r.Fixable() {
				fix = "fix"
			}
			fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\n", r.Name, r.Severity, r.Scope(), fix, r.Title)
		}
		return t.Flush()
	}
	return usagef("--output is text or json, not %q", output)
}

func newRuleShow(s streams) *cobra.Command {
	return &cobra.Command{
		Use:     "show NAME",
		Short:   "Explain a rule: what it asks for and why, with an example",
		Example: "  kilter rule show gpu-rollout-needs-spare",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usageError{fmt.Errorf("give the NAME of one rule, not %d", len(args)), `see "kilter rule list"`}
			}
			return nil
		},
		ValidArgsFunction: completeRules,
		RunE: func(_ *cobra.Command, args []string) error {
			all, err := loadRules()
			if err != nil {
				return err
			}
			r := all.Find(args[0])
			if r == nil {
				return noRule(all, args[0])
			}
			_, err = io.WriteString(s.out, ruleText(all, r))
			return err
		},
	}
}

// ruleText is what kilter rule show prints.
func ruleText(all *lint.Rules, r *lint.Rule) string {
	var s strings.Builder
	fmt.Fprintf(&s, "%s: %s\n\n", r.Name, r.Title)
	fmt.Fprintf(&s, "severity  %s\n", r.Severity)
	fmt.Fprintf(&s, "looks at  %s\n", scopes[r.Scope()])
	if len(r.Kinds) > 0 {
		kinds := make([]string, len(r.Kinds))
		for i, k := range r.Kinds {
			kinds[i] = k.String()
		}
		fmt.Fprintf(&s, "kinds     %s\n", strings.Join(kinds, ", "))
	}
	for _, fix := range r.Fixes() {
		fmt.Fprintf(&s, "fix       %s\n", fix)
	}
	s.WriteString("\nWHY\n\n" + indented(r.Why))
	s.WriteString("\nSOURCES\n\n" + indented(strings.Join(r.Sources, "\n")))
	before, after := example(r.Name)
	if before != "" {
		s.WriteString("\nBEFORE\n\n" + indented(before))
	}
	if said := judged(all, r, before); said != "" {
		s.WriteString("\nWHAT kilter check SAYS\n\n" + indented(said))
	}
	if after != "" {
		s.WriteString("\nAFTER kilter fix\n\n" + indented(after))
	}
	return s.String()
}

var scopes = map[lint.Scope]string{
	lint.Single: "one object", lint.Several: "an object and those that belong to it", lint.Raw: "the text, or how it was rendered",
}

var wantComment = regexp.MustCompile(`(?m)[ \t]*# want(?: (?:error|warning|info))?(?:: .*)?$`)

// example returns the first example of the rule's fixture, which may be a file of a chart,
// and what the fix makes of it; "" for none.
func example(rule string) (before, after string) {
	data, err := fs.ReadFile(rules.FS, "testdata/"+rule+".txtar")
	if err != nil {
		return "", ""
	}
	name := ""
	for _, f := range txtar.Parse(data).Files {
		if before == "" && wantComment.Match(f.Data) {
			name, before = strings.TrimSuffix(f.Name, ".in.yaml"), wantComment.ReplaceAllString(string(f.Data), "")
		} else if before != "" && f.Name == name+".fixed.yaml" {
			after = string(f.Data)
		}
	}
	return before, after
}

// judged is what kilter check says of the example of a rule, where that is all there is; ""
// for an example that must be rendered first.
func judged(all *lint.Rules, r *lint.Rule, example string) string {
	o := lint.Options{Closed: true, Only: func(name string) bool { return name == r.Name }}
	if m := kubeComment.FindStringSubmatch(example); m != nil {
		o.KubeVersion = m[1]
	}
	docs, errs := manifest.Parse(source.New("before.yaml", example))
	objects, more := manifest.Objects(docs)
	errs.Add(more)
	findings, _ := all.Parsed(errs, o)
	var list diag.List
	for _, f := range append(findings, all.Run(objects, o)...) {
		list = append(list, f.Diagnostic)
	}
	list.Sort()
	var s strings.Builder
	list.Print(&s, false)
	return s.String()
}

// indented is text, with four blanks before each line that is not empty.
func indented(text string) string {
	var s strings.Builder
	for line := range strings.Lines(strings.TrimSpace(text) + "\n") {
		if strings.TrimSpace(line) != "" {
			s.WriteString("    ")
		}
		s.WriteString(line)
	}
	return s.String()
}
