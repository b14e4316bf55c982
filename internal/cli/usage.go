// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"kilter.dev/kilter/internal/diag"
)

// usageError is a wrong command line.
type usageError struct {
	error
	hint string // "" points to --help
}

func usagef(format string, args ...any) error { return usageError{error: fmt.Errorf(format, args...)} }

// commandName is the check of arguments of a command that only holds others.
func commandName(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	var names []string
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() {
			names = append(names, sub.Name())
		}
	}
	hint := diag.DidYouMean(args[0], names)
	if hint == "" {
		hint = "the commands are " + strings.Join(names, ", ")
	}
	return usageError{fmt.Errorf("%s has no command %q", c.CommandPath(), args[0]), hint}
}

func noArguments(c *cobra.Command, args []string) error {
	if len(args) > 0 {
		return usagef("%s takes no arguments, not %q", c.CommandPath(), args[0])
	}
	return nil
}

// needPaths asks for at least one path.
func needPaths(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		what := strings.TrimSuffix(strings.Fields(c.Use)[1], "...")
		return usageError{fmt.Errorf("no %s given", what), fmt.Sprintf("write %s %s; see %q", c.CommandPath(), what, c.CommandPath()+" --help")}
	}
	return nil
}

var unknownFlag = regexp.MustCompile(`^unknown flag: --(.+)$`)

// flagError says what is wrong with a flag, and what the user may have meant.
func flagError(c *cobra.Command, err error) error {
	m := unknownFlag.FindStringSubmatch(err.Error())
	if m == nil {
		return usageError{error: err}
	}
	var names []string
	c.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	hint := diag.DidYouMean(m[1], names)
	if i := strings.Index(hint, `"`); i >= 0 {
		hint = hint[:i+1] + "--" + hint[i+1:]
	}
	return usageError{fmt.Errorf("unknown flag --%s", m[1]), hint}
}

// outputFlag adds -o with the given choices; the first is the default.
func outputFlag(c *cobra.Command, output *string, choices ...string) {
	last := len(choices) - 1
	c.Flags().StringVarP(output, "output", "o", choices[0], "`FORMAT`: "+strings.Join(choices[:last], ", ")+" or "+choices[last])
	_ = c.RegisterFlagCompletionFunc("output", cobra.FixedCompletions(choices, cobra.ShellCompDirectiveNoFileComp))
}

// newHelp is cobra's help command, except that an unknown command is an error.
func newHelp(root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use:     "help [COMMAND...]",
		Short:   "Explain a command",
		Example: "  kilter help new\n  kilter help profile lint",
		RunE: func(_ *cobra.Command, args []string) error {
			c, rest, err := root.Find(args)
			if err != nil {
				return usageError{error: err}
			}
			if len(rest) > 0 {
				return commandName(c, rest)
			}
			return c.Help()
		},
	}
}

// addCompletion adds cobra's completion command, except that an unknown shell is an error.
func addCompletion(root *cobra.Command) {
	root.InitDefaultCompletionCmd()
	i := slices.IndexFunc(root.Commands(), func(c *cobra.Command) bool { return c.Name() == "completion" })
	if i < 0 {
		return
	}
	completion := root.Commands()[i]
	completion.Short = "Print the script that completes commands in your shell"
	completion.Args = commandName
	completion.RunE = func(c *cobra.Command, _ []string) error { return c.Help() }
	for _, shell := range completion.Commands() {
		shell.Args = noArguments
	}
}

// hideHelp leaves --help out of the lists of flags: it is the same everywhere.
func hideHelp(c *cobra.Command) {
	c.InitDefaultHelpFlag()
	c.Flags().Lookup("help").Hidden = true
	for _, sub := range c.Commands() {
		hideHelp(sub)
	}
}

// usageTemplate is what --help prints below the description.
const usageTemplate = `Usage:
  {{if .HasAvailableSubCommands}}{{.CommandPath}} COMMAND{{else}}{{.UseLine}}{{end}}
{{- if .HasExample}}

Examples:
{{.Example}}{{end}}
{{- if .HasAvailableSubCommands}}

Commands:
{{- range .Commands}}{{if or .IsAvailableCommand (eq .Name "help")}}
  {{rpad .Name .NamePadding}} {{.Short}}{{end}}{{end}}{{end}}
{{- if .HasAvailableLocalFlags}}

Flags:
{{.LocalFlags.FlagUsages | trimTrailingWhitespaces}}{{end}}
{{- if .HasAvailableInheritedFlags}}

Flags of every command:
{{.InheritedFlags.FlagUsages | trimTrailingWhitespaces}}{{end}}
{{- if .HasAvailableSubCommands}}

{{.Root.Name}} help{{slice .CommandPath (len .Root.Name)}} COMMAND explains a command.{{end}}
`
