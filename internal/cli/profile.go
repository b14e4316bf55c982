// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"kilter.dev/kilter/internal/blueprint"
	"kilter.dev/kilter/internal/diag"
	"kilter.dev/kilter/internal/manifest"
	"kilter.dev/kilter/internal/profile"
)

func newProfile(s streams, profiles func() catalogue) *cobra.Command {
	c := &cobra.Command{
		Use:   "profile",
		Short: "List, show and check workload profiles",
		Args:  commandName,
		RunE:  func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(newProfileList(s, profiles), newProfileShow(s, profiles), newProfileLint(s))
	return c
}

func newProfileList(s streams, profiles func() catalogue) *cobra.Command {
	var output string
	c := &cobra.Command{
		Use:     "list",
		Short:   "List the profiles",
		Example: "  kilter profile list\n  kilter profile list --profiles ./profiles -o json",
		Args:    noArguments,
		RunE:    func(*cobra.Command, []string) error { return listProfiles(s.out, profiles(), output) },
	}
	outputFlag(c, &output, "text", "json")
	return c
}

// listProfiles prints the profiles that can be read, also where others cannot.
func listProfiles(w io.Writer, c catalogue, output string) error {
	all, err := c.all()
	if err != nil {
		return err
	}
	var rows []*profile.Profile
	var errs diag.List
	for _, f := range all {
		p, err := f.load()
		if list, ok := err.(diag.List); ok {
			errs.Add(list)
		} else if err != nil {
			return err
		} else {
			rows = append(rows, p)
		}
	}
	if err := printProfiles(w, rows, output); err != nil {
		return err
	}
	return errs.Err()
}

func printProfiles(w io.Writer, rows []*profile.Profile, output string) error {
	switch output {
	case "json":
		list := manifest.NewList()
		for _, p := range rows {
			list.Items = append(list.Items, manifest.NewMap(
				manifest.Field{Key: "name", Value: manifest.NewString(p.Name)},
				manifest.Field{Key: "title", Value: manifest.NewString(p.Title)},
				manifest.Field{Key: "description", Value: manifest.NewString(p.Description)},
			))
		}
		_, err := fmt.Fprintln(w, manifest.JSON(list))
		return err
	case "text":
		var text strings.Builder
		for i, p := range rows {
			if i > 0 {
				text.WriteString("\n")
			}
			fmt.Fprintf(&text, "%s: %s\n", p.Name, p.Title)
			paragraph(&text, "    ", p.Description)
		}
		_, err := io.WriteString(w, text.String())
		return err
	}
	return usagef("--output is text or json, not %q", output)
}

func newProfileShow(s streams, profiles func() catalogue) *cobra.Command {
	var output string
	c := &cobra.Command{
		Use:   "show NAME",
		Short: "Show a profile's parameters, features and cases",
		Long: `Show a profile's parameters, features and cases. With -o yaml the parameters are a file to
edit and give to kilter new -f; with -o json they are the JSON schema of such a file.`,
		Example: `  kilter profile show vllm-inference
  kilter profile show vllm-inference -o yaml >params.yaml`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usagef("give the NAME of one profile; profiles are %s", strings.Join(profileNames(profiles()), ", "))
			}
			return nil
		},
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return profileNames(profiles()), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(_ *cobra.Command, args []string) error {
			f, err := profiles().find(args[0])
			if err != nil {
				return err
			}
			b, err := f.blueprint()
			if err != nil {
				return err
			}
			return showProfile(s.out, b, output)
		},
	}
	outputFlag(c, &output, "text", "yaml", "json")
	return c
}

func profileNames(c catalogue) []string {
	all, _ := c.all()
	names := make([]string, len(all))
	for i, f := range all {
		names[i] = f.name
	}
	return names
}

func showProfile(w io.Writer, b *blueprint.Blueprint, output string) error {
	p := b.Profile
	switch output {
	case "text":
		_, err := io.WriteString(w, profileText(b))
		return err
	case "json":
		_, err := fmt.Fprintln(w, manifest.JSON(b.Params.JSONSchema(p.Title)))
		return err
	case "yaml":
		values, errs := b.Params.Check(nil)
		if err := errs.Err(); err != nil {
			return err
		}
		text := b.Params.ValuesYAML(values)
		_, text, _ = strings.Cut(text, "\n\n") // without the chart's reference to its schema
		_, err := io.WriteString(w, text)
		return err
	}
	return usagef("--output is text, yaml or json, not %q", output)
}

// textWidth is where text for people wraps, in characters.
const textWidth = 96

func profileText(b *blueprint.Blueprint) string {
	p := b.Profile
	var s strings.Builder
	fmt.Fprintf(&s, "%s: %s\n\n", p.Name, p.Title)
	paragraph(&s, "", p.Description)
	s.WriteString("\nPARAMETERS\n\n" + b.Params.Listing(textWidth))
	if len(p.Features) > 0 {
		s.WriteString("\nFEATURES, each switched by the parameter NAME.enabled\n\n")
	}
	for _, f := range p.Features {
		fmt.Fprintf(&s, "  %s\n", f.Name)
		paragraph(&s, "      ", f.Description)
	}
	if len(p.Fixed) > 0 {
		s.WriteString("\nFIXED once a workload runs, since Kubernetes refuses to change what they decide\n\n")
	}
	for _, f := range p.Fixed {
		fmt.Fprintf(&s, "  %s\n", f.Path)
	}
	s.WriteString("\nCASES, tested sets of values to begin from\n\n")
	for _, c := range p.Cases {
		fmt.Fprintf(&s, "  %s\n", c.Name)
		paragraph(&s, "      ", c.Description)
	}
	return s.String()
}

// paragraph writes text wrapped and indented, nothing where it is empty.
func paragraph(s *strings.Builder, indent, text string) {
	line := indent
	for _, word := range strings.Fields(text) {
		if line != indent && utf8.RuneCountInString(line+word) >= textWidth {
			s.WriteString(line + "\n")
			line = indent
		}
		if line != indent {
			line += " "
		}
		line += word
	}
	if line != indent {
		s.WriteString(line + "\n")
	}
}
