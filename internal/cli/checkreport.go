// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"kilter.dev/kilter/internal/diag"
	"kilter.dev/kilter/internal/lint"
	"kilter.dev/kilter/internal/render"
)

// report puts together what was found, with what is wrong with suppressions.
func (o *checkOptions) report(set *settings, in *inputs, found []lint.Finding) diag.Report {
	r := diag.Report{
		Version: version(), Rules: describe(set.rules), Unreadable: in.problems, Folder: set.folder, Root: set.root,
	}
	for _, f := range found {
		r.Findings = append(r.Findings, f.Diagnostic)
	}
	r.Findings.Add(set.suppressor.Problems())
	r.Findings.Sort()
	seen := map[string]bool{}
	for _, u := range in.units {
		for _, o := range u.objects {
			if !u.recipe && u.judges(o) {
				r.Objects++
			}
			if f := o.Span.File; f != nil && !seen[cmp.Or(f.Origin, f.Name)] {
				seen[cmp.Or(f.Origin, f.Name)] = true
				r.Files = append(r.Files, cmp.Or(f.Origin, f.Name))
			}
		}
	}
	return r
}

// refuse reports a configuration or baseline that cannot be used as what cannot be read: who
// takes the report of a run that judged nothing must see why.
func (o *checkOptions) refuse(err error) error {
	r := diag.Report{Version: version(), Unreadable: listOf(err, "unreadable")}
	folder, noFolder := os.Getwd()
	if r.Unreadable == nil || o.writeBaseline || noFolder != nil {
		return err
	}
	r.Folder, r.Root = folder, repository(folder)
	if err := o.print(r, &inputs{}); err != nil {
		return err
	}
	var config configError
	if errors.As(err, &config) {
		return finished(exitUsage)
	}
	return finished(exitInput)
}

// describe is what reports say of the rules.
func describe(all *lint.Rules) []diag.Rule {
	var list []diag.Rule
	for _, r := range all.All {
		rule := diag.Rule{Name: r.Name, Title: r.Title, Description: strings.TrimSpace(r.Why), Severity: r.Severity}
		for _, source := range r.Sources {
			if strings.HasPrefix(source, "https://") {
				rule.Help = source
				break
			}
		}
		list = append(list, rule)
	}
	return append(list, diag.Rule{
		Name: lint.SuppressionCode, Title: "Suppressions suppress something", Severity: diag.Warning,
		Description: "An annotation, comment, exception or baseline that suppresses nothing hides what comes later.",
	})
}

// print writes the report to standard output, and to standard error what people want to
// know besides.
func (o *checkOptions) print(r diag.Report, in *inputs) error {
	if err := o.product(r); err != nil {
		return err
	}
	if o.output == "github" {
		// Lines of users' files could be commands here; the annotations say it all.
		return o.stepSummary(r)
	}
	in.warnings.Print(o.err, colour(o.err))
	r.Unreadable.Print(o.err, colour(o.err))
	summary := r.Summary()
	if o.output == "text" && slices.ContainsFunc(r.Findings, in.canBeFixed) {
		summary += "\n\thint: " + o.readAgain() + o.sameFor("fix") + " makes the fixes that the files allow, with --diff it shows them"
	}
	_, err := fmt.Fprintln(o.err, summary)
	return err
}

// canBeFixed reports whether a finding that counts has a fix and a file to edit: most
// templates of charts have none, nor have workload files and what only a kustomization says.
func (in *inputs) canBeFixed(d diag.Diagnostic) bool {
	if d.Fix == "" || d.Suppressed != nil || d.Span.File == nil {
		return false
	}
	name := d.Span.File.Name
	info, err := os.Stat(name)
	return d.Span.File.Origin == "" && (name == stdinName || err == nil && info.Mode().IsRegular() && in.below(name))
}

var plainWord = regexp.MustCompile(`^[\w./:=,@%+-]+$`)

// readAgain says what a command that judges the same needs besides its command line: standard
// input can be read only once.
func (o *checkOptions) readAgain() string {
	if slices.Contains(slices.Concat(o.paths, o.values.files), render.Stdin) {
		return "with the same standard input, "
	}
	return ""
}

// sameFor is the command line of another command that judges the same in the same way.
func (o *checkOptions) sameFor(command string) string {
	words := []string{"kilter", command}
	for _, path := range o.paths {
		if path != render.Stdin && strings.HasPrefix(path, "-") {
			path = "./" + path // else it is a flag
		}
		words = append(words, path)
	}
	o.flags.Visit(func(f *pflag.Flag) {
		switch values, isList := f.Value.(pflag.SliceValue); {
		case slices.Contains([]string{"fail-on", "output", "write-baseline"}, f.Name):
		case isList:
			for _, value := range values.GetSlice() {
				words = append(words, "--"+f.Name+"="+value)
			}
		case f.Value.Type() == "bool":
			words = append(words, "--"+f.Name)
		default:
			words = append(words, "--"+f.Name+"="+f.Value.String())
		}
	})
	for i, word := range words {
		if !plainWord.MatchString(word) {
			words[i] = "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
		}
	}
	return strings.Join(words, " ")
}

func (o *checkOptions) product(r diag.Report) error {
	switch o.output {
	case "json":
		return r.JSON(o.out)
	case "sarif":
		return r.SARIF(o.out)
	case "junit":
		return r.JUnit(o.out)
	case "github":
		return r.GitHub(o.out)
	}
	return r.Text(o.out, colour(o.out))
}

// stepSummary adds the report to the page that GitHub Actions shows for the step.
func (o *checkOptions) stepSummary(r diag.Report) error {
	if _, err := fmt.Fprintln(o.err, r.Summary()); err != nil {
		return err
	}
	name := os.Getenv("GITHUB_STEP_SUMMARY")
	if name == "" {
		return nil
	}
	f, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil { // the check has its outcome all the same
		say(o.streams, diag.Warning, "the summary of the step is not written: "+err.Error(), "")
		return nil
	}
	if err := r.Markdown(f); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}

// accept writes the findings that count as the baseline, unless something could not be
// read: the baseline would lack it.
func (o *checkOptions) accept(set *settings, in *inputs, found []lint.Finding) error {
	in.warnings.Print(o.err, colour(o.err))
	if len(in.problems) > 0 {
		in.problems.Print(o.err, colour(o.err))
		return finished(exitInput)
	}
	baseline := lint.NewBaseline(found, set.suppressor.BaselinePath)
	if err := writeFile(o.baseline, []byte(baseline.YAML())); err != nil {
		return err
	}
	_, err := fmt.Fprintf(o.err, "%s: %d accepted\n", o.baseline, baseline.Size())
	return err
}

// finished ends a command that has said everything with an exit code.
type finished int

func (f finished) Error() string { return fmt.Sprintf("exit code %d", int(f)) }
