// SPDX-License-Identifier: Apache-2.0

package diag

import (
	"cmp"
	"fmt"
	"io"
	"strings"
)

// githubMax is how many annotations of each level GitHub takes from one step
// (https://docs.github.com/en/actions/reference/limits).
const githubMax = 10

// githubLevels are the severities as workflow commands.
var githubLevels = [...]string{"error", "warning", "notice"}

// GitHub writes the report as workflow commands of GitHub Actions, the worst first: as
// many annotations as GitHub shows, and the rest as lines of a group in the log. What
// could not be read is an error; suppressed findings are left out.
func (r Report) GitHub(w io.Writer) error {
	var text, rest strings.Builder
	more, all := 0, r.open()
	for severity := Error; severity <= Info; severity++ {
		left := githubMax
		for _, d := range all {
			if d.Severity != severity {
				continue
			}
			if left--; left >= 0 {
				r.annotate(&text, d)
				continue
			}
			more++
			fmt.Fprintf(&rest, "%s\n", githubLine(d))
		}
	}
	if more > 0 {
		fmt.Fprintf(&text, "::group::kilter: %d more than GitHub shows as annotations\n%s::endgroup::\n", more, rest.String())
	}
	_, err := io.WriteString(w, text.String())
	return err
}

// open is what could not be read, then the findings that are not suppressed.
func (r Report) open() List {
	found, _ := r.counting()
	return append(r.Unreadable[:len(r.Unreadable):len(r.Unreadable)], found...)
}

func (r Report) annotate(b *strings.Builder, d Diagnostic) {
	p := r.place(d.Span)
	fmt.Fprintf(b, "::%s ", githubLevels[d.Severity])
	if p.file != "" {
		fmt.Fprintf(b, "file=%s,", githubProperty(p.file))
	}
	if p.line > 0 {
		fmt.Fprintf(b, "line=%d,endLine=%d,", p.line, p.endLine)
	}
	if p.column > 0 {
		fmt.Fprintf(b, "col=%d,", p.column)
	}
	message := r.sentence(d)
	if name := d.Object.String(); name != "" {
		message = name + ": " + message
	}
	fmt.Fprintf(b, "title=%s::%s\n", githubProperty(cmp.Or(d.Code, "kilter")), githubData(message))
}

// githubData escapes the text of a workflow command
// (https://docs.github.com/en/actions/reference/workflow-commands-for-github-actions).
func githubData(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(s)
}

// githubProperty escapes the value of a property, which a comma ends, too.
func githubProperty(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C").Replace(s)
}

// githubLine is a line of the log. It cannot be read as a command: it does not begin with
// "::", and has no "##[", the form of commands that may stand anywhere in a line.
func githubLine(d Diagnostic) string {
	line := d.Severity.String() + ": "
	if where := d.Span.String(); where != "" {
		line += where + ": "
	}
	line += d.Message
	if d.Code != "" {
		line += " [" + d.Code + "]"
	}
	return strings.ReplaceAll(strings.Join(strings.Fields(line), " "), "##[", "# #[")
}
