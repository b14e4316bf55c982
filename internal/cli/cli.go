// SPDX-License-Identifier: Apache-2.0

// Package cli is the command line: flags in, a plain options struct to a run function,
// products to stdout, talk to stderr. It is the only package that imports cobra, and the
// only one that looks at the environment.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"kilter.dev/kilter/internal/diag"
	"kilter.dev/kilter/internal/krm"
	"kilter.dev/kilter/internal/source"
)

// The exit codes.
const (
	exitOK       = 0
	exitFindings = 1 // the command looked for something and found it
	exitUsage    = 2 // wrong flags or arguments
	exitInput    = 3 // input unreadable or invalid
	exitInternal = 4 // the program could not do its work
)

// streams are the three of a process.
type streams struct {
	in       io.Reader
	out, err io.Writer
}

// inputError is input that cannot be read or used and has no position.
type inputError struct {
	error
	hint string
}

// Main runs one command line and returns its exit code.
func Main(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	s := streams{in: stdin, out: stdout, err: stderr}
	root := newRoot(s)
	root.SetArgs(args)
	command, err := root.ExecuteContextC(ctx)
	return report(s, command, err)
}

func newRoot(s streams) *cobra.Command {
	root := &cobra.Command{
		Use:   "kilter",
		Short: "Keep Kubernetes workloads on an even keel",
		Long: `Kilter compiles workload profiles to Helm charts, Kustomize bases and plain Kubernetes
objects that agree, object by object, and judges the workloads you have by rules.`,
		Example: `  kilter profile list
  kilter new llama --profile vllm-inference --set model.id=meta-llama/Llama-3.1-8B-Instruct
  kilter render llama/kilter.yaml | kubectl apply -f -
  kilter check ./chart`,
		SilenceUsage:  true,
		SilenceErrors: true,
		Args:          commandName,
	}
	root.SetIn(s.in)
	root.SetOut(s.out)
	root.SetErr(s.err)
	root.SetFlagErrorFunc(flagError)
	root.SetUsageTemplate(usageTemplate)
	root.SetHelpCommand(newHelp(root))
	var dirs []string
	root.PersistentFlags().StringArrayVar(&dirs, "profiles", nil, "`DIR` with profiles of your own, beside the built-in ones (repeatable; default: those in $"+profilesVariable+")")
	profiles := func() catalogue {
		if len(dirs) == 0 {
			dirs = filepath.SplitList(os.Getenv(profilesVariable))
		}
		return catalogue{dirs: dirs}
	}
	root.RunE = func(c *cobra.Command, _ []string) error {
		text, err := piped(s.in)
		if err != nil || !krm.IsList(text) {
			return errors.Join(err, c.Help())
		}
		return runFn(s, profiles(), text)
	}
	root.AddCommand(newNew(s, profiles), newRender(s, profiles), newCheck(s, profiles), newFix(s, profiles), newDiff(s, profiles), newProfile(s, profiles), newRule(s), newPolicy(s), newFn(s, profiles), newPostRender(s, profiles), newVersion(s))
	addCompletion(root)
	hideHelp(root)
	return root
}

// listOf is what an error says of the user's input, with the given code where it has none; nil
// for other errors.
func listOf(err error, code string) diag.List {
	var list diag.List
	var input inputError
	var config configError
	switch {
	case errors.As(err, &config):
		return config.list
	case errors.As(err, &list):
	case errors.As(err, &input):
		list.Errorf(source.Span{}, code, "%v", input.error).Hint = input.hint
	}
	return list
}

// report prints err as a user should see it and returns the exit code for it.
func report(s streams, command *cobra.Command, err error) int {
	var list diag.List
	var usage usageError
	var input inputError
	var config configError
	var code finished
	switch {
	case err == nil:
		return exitOK
	case errors.As(err, &code):
		return int(code)
	case errors.As(err, &config):
		config.list.Print(s.err, colour(s.err))
		return exitUsage
	case errors.Is(err, errDiffer), errors.Is(err, errResults):
		return exitFindings
	case errors.As(err, &list):
		list.Print(s.err, colour(s.err))
		return exitInput
	case errors.As(err, &input):
		say(s, diag.Error, input.Error(), input.hint)
		return exitInput
	case errors.As(err, &usage):
		if usage.hint == "" {
			usage.hint = fmt.Sprintf("see %q", command.CommandPath()+" --help")
		}
		say(s, diag.Error, usage.Error(), usage.hint)
		return exitUsage
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, fs.ErrPermission), errors.Is(err, fs.ErrExist):
		say(s, diag.Error, err.Error(), "")
		return exitInput
	}
	say(s, diag.Error, err.Error(), "")
	return exitInternal
}

func say(s streams, severity diag.Severity, message, hint string) {
	diagnostic := diag.Diagnostic{Severity: severity, Message: message, Hint: hint}
	diag.List{diagnostic}.Print(s.err, colour(s.err))
}

// colour says whether w is a terminal that wants colour: NO_COLOR turns it off.
func colour(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok || os.Getenv("NO_COLOR") != "" || os.Getenv("TERM") == "dumb" {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}
