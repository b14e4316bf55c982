// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"

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
		Args:  cobra.NoArgs,
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
		Args:    cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			all, err := profiles().all()
			if err != nil {
				return err
			}
			rows := make([]*profile.Profile, len(all))
			for i, f := range all {
				if rows[i], err = profile.Load(f.fsys, f.folder); err != nil {
					return err
				}
			}
			return printProfiles(s.out, rows, output)
		},
	}
	c.Flags().StringVarP(&output, "output", "o", "text", "text or json")
	return c
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
		table := tabwriter.NewWriter(w, 0, 0, 3, ' ', 0)
		fmt.Fprintln(table, "NAME\tTITLE\tDESCRIPTION")
		for _, p := range rows {
			fmt.Fprintf(table, "%s\t%s\t%s\n", p.Name, p.Title, firstSentence(p.Description))
		}
		return table.Flush()
	}
	return usagef("--output is text or json, not %q", output)
}

func firstSentence(text string) string {
	first, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	if i := strings.Index(first, ". "); i >= 0 {
		first = first[:i+1]
	}
	return first
}

func newProfileShow(s streams, profiles func() catalogue) *cobra.Command {
	var output string
	c := &cobra.Command{
		Use:     "show NAME",
		Short:   "Show a profile's parameters, features and cases",
		Example: "  kilter profile show vllm-inference\n  kilter profile show vllm-inference -o json   # the JSON schema of the parameters",
		Args:    cobra.ExactArgs(1),
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
	c.Flags().StringVarP(&output, "output", "o", "text", "text, or json for the JSON schema of the parameters")
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
	case "json":
		_, err := fmt.Fprintln(w, manifest.JSON(b.Params.JSONSchema(p.Title)))
		return err
	case "text":
	default:
		return usagef("--output is text or json, not %q", output)
	}
	fmt.Fprintf(w, "%s: %s\n%s\n\nParameters\n\n", p.Name, p.Title, strings.TrimSpace(p.Description))
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, leaf := range b.Params.Leaves() {
		value := "-"
		if leaf.Default != nil {
			value = strings.ReplaceAll(manifest.JSON(leaf.Default), "\n", "")
		}
		fmt.Fprintf(table, "  %s\t%s\t%s\t%s\n", leaf.Path, leaf.Type, value, strings.Join(strings.Fields(leaf.Description), " "))
	}
	if err := table.Flush(); err != nil {
		return err
	}
	fmt.Fprint(w, "\nFeatures\n\n")
	for _, f := range p.Features {
		fmt.Fprintf(table, "  %s\t%s\n", f.Name, f.Description)
	}
	if err := table.Flush(); err != nil {
		return err
	}
	fmt.Fprint(w, "\nCases\n\n")
	for _, c := range p.Cases {
		fmt.Fprintf(table, "  %s\t%s\n", c.Name, c.Description)
	}
	return table.Flush()
}

func newProfileLint(s streams) *cobra.Command {
	return &cobra.Command{
		Use:   "lint DIR...",
		Short: "Check profile folders: every hole, guard, parameter and case",
		Long: `Check profile folders and report everything that is wrong, each at its place. Every
case is rendered.`,
		Example: "  kilter profile lint ./profiles/web",
		Args:    needPaths,
		RunE: func(_ *cobra.Command, args []string) error {
			var errs diag.List
			for _, dir := range args {
				err := lintProfile(s, dir)
				if list, ok := err.(diag.List); ok {
					errs.Add(list)
				} else if err != nil {
					return err
				}
			}
			return errs.Err()
		},
	}
}

func lintProfile(s streams, dir string) error {
	if _, err := os.Stat(filepath.Join(dir, "profile.yaml")); err != nil {
		return inputError{fmt.Errorf("%s is not a profile folder: it has no profile.yaml", dir), "name the folder that holds profile.yaml"}
	}
	absolute, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	folder := filepath.ToSlash(dir)
	if filepath.Base(dir) != filepath.Base(absolute) {
		folder = filepath.ToSlash(filepath.Join(dir, "..", filepath.Base(absolute)))
	}
	b, err := found{folder: folder, fsys: os.DirFS(dir)}.blueprint()
	if err != nil {
		return err
	}
	var errs diag.List
	for _, c := range b.Profile.Cases {
		if _, err := b.RenderCase(c, "example", "default"); err != nil {
			list, ok := err.(diag.List)
			if !ok {
				return fmt.Errorf("case %s: %w", c.Name, err)
			}
			errs.Add(list)
		}
	}
	if err := errs.Err(); err != nil {
		return err
	}
	_, err = fmt.Fprintf(s.out, "%s: %d parameters, %d objects, %d cases: no errors\n", b.Profile.Name, len(b.Params.Leaves()), len(b.Objects), len(b.Profile.Cases))
	return err
}
