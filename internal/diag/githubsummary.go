// SPDX-License-Identifier: Apache-2.0

package diag

import (
	"fmt"
	"io"
	"strings"
	"unicode"
)

// summaryMax is how many bytes of Markdown a report may have: GitHub takes 1 MiB from a
// step, which may write more than this report.
const summaryMax = 900_000

// Markdown writes the report as what GitHub Actions shows as the summary of a step: a table
// of everything that is not suppressed, the worst first.
func (r Report) Markdown(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "## kilter check\n\n%s\n", r.Summary())
	all := r.open()
	if len(all) > 0 {
		b.WriteString("\n| | where | rule | object | what |\n|---|---|---|---|---|\n")
	}
	left := len(all)
	for severity := Error; severity <= Info; severity++ {
		for _, d := range all {
			if d.Severity != severity || b.Len() > summaryMax {
				continue
			}
			left--
			fmt.Fprintf(&b, "| %s | %s | %s | %s | %s |\n", d.Severity, cell(r.place(d.Span).String()), cell(d.Code), cell(d.Object.String()), cell(d.Message))
		}
	}
	if left > 0 {
		fmt.Fprintf(&b, "\n%d more do not fit here.\n", left)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// cell is text in a cell of a table, with nothing in it that Markdown or HTML knows.
func cell(s string) string {
	var b strings.Builder
	for _, r := range s {
		switch {
		case r == '\n' || r == '\r' || r == '\t':
			b.WriteByte(' ')
		case unicode.IsControl(r):
			b.WriteRune(unicode.ReplacementChar)
		case strings.ContainsRune("\\`*_{}[]<>()#+-!|~&@:", r):
			fmt.Fprintf(&b, "&#%d;", r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// Summary is one line that says how much was found.
func (r Report) Summary() string {
	open, counts := r.counting()
	var parts []string
	for severity := Error; severity <= Info; severity++ {
		if n := counts[severity]; n > 0 {
			parts = append(parts, Plural(n, [...]string{"error", "warning", "info"}[severity]))
		}
	}
	if len(parts) == 0 {
		parts = []string{"no findings"}
	}
	text := strings.Join(parts, ", ") + " in " + Plural(r.Objects, "object")
	fixable := 0
	for _, d := range open {
		if d.Fix != "" {
			fixable++
		}
	}
	if fixable > 0 {
		text += fmt.Sprintf("; a fix is known for %d", fixable)
	}
	if n := len(r.Findings) - len(open); n > 0 {
		text += fmt.Sprintf("; %d suppressed", n)
	}
	if n := len(r.Unreadable); n > 0 {
		text += fmt.Sprintf("; %d could not be read", n)
	}
	return text
}

// Plural is "1 error", "2 errors"; info has no plural.
func Plural(n int, noun string) string {
	if n != 1 && noun != "info" {
		noun += "s"
	}
	return fmt.Sprintf("%d %s", n, noun)
}
