// SPDX-License-Identifier: Apache-2.0

// Package diag holds what Kilter tells users about their files: where, how bad,
// what, and what to do. A List is an error that is complete and sorted; Print is
// the only place that formats it.
package diag

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"

	"kilter.dev/kilter/internal/source"
)

// Severity orders findings; Error is the worst.
type Severity int

// The severities, worst first.
const (
	Error Severity = iota
	Warning
	Info
)

func (s Severity) String() string { return [...]string{"error", "warning", "info"}[s] }

// Diagnostic is one thing said about one place. Message is lower case, without a
// full stop, in the user's words; Hint says what to do; Code is a stable kebab-case name.
type Diagnostic struct {
	Span     source.Span
	Severity Severity
	Code     string
	Message  string
	Hint     string
	Related  []Related

	Object     Ref          // the Kubernetes object it is about; zero: none
	Path       string       // its field, such as spec.template.spec.containers[0].image
	Fix        string       // what a fix would do ("set maxSurge 0"); "": there is none
	Suppressed *Suppression // nil: it counts
}

// Ref names a Kubernetes object.
type Ref struct{ APIVersion, Kind, Namespace, Name string }

// Suppression says why a diagnostic does not count.
type Suppression struct {
	// Kind is InSource for annotations and comments, External for configuration and baseline.
	Kind   SuppressionKind
	Reason string
}

// SuppressionKind is where a suppression stands, in the words of SARIF.
type SuppressionKind string

// The kinds of suppressions.
const (
	InSource SuppressionKind = "inSource"
	External SuppressionKind = "external"
)

// Related is another place that explains a diagnostic ("first declared here").
type Related struct {
	Span    source.Span
	Message string
}

// List is a set of diagnostics and, through Err, an error.
type List []Diagnostic

// Errorf adds an error at span.
func (l *List) Errorf(span source.Span, code, format string, args ...any) *Diagnostic {
	*l = append(*l, Diagnostic{Span: span, Code: code, Message: fmt.Sprintf(format, args...)})
	return &(*l)[len(*l)-1]
}

// Warnf adds a warning at span.
func (l *List) Warnf(span source.Span, code, format string, args ...any) *Diagnostic {
	d := l.Errorf(span, code, format, args...)
	d.Severity = Warning
	return d
}

// Add appends other's diagnostics.
func (l *List) Add(other List) { *l = append(*l, other...) }

// Take appends what err lists; it returns an err that is no List.
func (l *List) Take(err error) error {
	list, ok := err.(List)
	if !ok {
		return err
	}
	l.Add(list)
	return nil
}

// Err returns the list, sorted, as an error; nil when it holds no Error.
func (l List) Err() error {
	if !slices.ContainsFunc(l, func(d Diagnostic) bool { return d.Severity == Error }) {
		return nil
	}
	l.Sort()
	return l
}

// Sort orders by file, position, severity, code and message.
func (l List) Sort() { slices.SortStableFunc(l, Compare) }

// Compare is the order of Sort.
func Compare(a, b Diagnostic) int {
	return cmp.Or(
		cmp.Compare(fileName(a.Span), fileName(b.Span)),
		cmp.Compare(a.Span.Start, b.Span.Start),
		cmp.Compare(a.Severity, b.Severity),
		cmp.Compare(a.Code, b.Code),
		cmp.Compare(a.Message, b.Message),
	)
}

func fileName(s source.Span) string {
	if s.File == nil {
		return ""
	}
	return s.File.Name
}

// Error is the plain printed form, without colour.
func (l List) Error() string {
	var b strings.Builder
	l.Print(&b, false)
	return strings.TrimSuffix(b.String(), "\n")
}

// Print writes each diagnostic as "file:line:col: severity: message [code]", the
// line, a caret, the object, related places, the hint and what a fix would do.
func (l List) Print(w io.Writer, colour bool) {
	for _, d := range l {
		d.print(w, colour)
	}
}

func (d Diagnostic) print(w io.Writer, colour bool) {
	paint := func(code, text string) string {
		if !colour {
			return text
		}
		return "\x1b[" + code + "m" + text + "\x1b[0m"
	}
	where := d.Span.String()
	if where != "" {
		where = paint("1", visible(where)+":") + " "
	}
	code := ""
	if d.Code != "" {
		code = " [" + visible(d.Code) + "]"
	}
	severity := paint([...]string{"31", "33", "36"}[d.Severity], d.Severity.String()+":")
	fmt.Fprintf(w, "%s%s %s%s\n", where, severity, visible(d.Message), code)
	printExcerpt(w, d.Span, func(s string) string { return paint("32", s) })
	if name := d.Object.String(); name != "" {
		fmt.Fprintf(w, "\tin %s\n", visible(strings.TrimSuffix(name+": "+d.Path, ": ")))
	}
	for _, r := range d.Related {
		fmt.Fprintf(w, "\t%s: %s\n", visible(r.Span.String()), visible(r.Message))
	}
	if d.Hint != "" {
		fmt.Fprintf(w, "\t%s %s\n", paint("36", "hint:"), visible(d.Hint))
	}
	if d.Fix != "" {
		fmt.Fprintf(w, "\t%s %s\n", paint("36", "fix:"), visible(d.Fix))
	}
}

// visible replaces the control characters of s, which come from users' files and would be
// commands to a terminal.
func visible(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' && r != '\t' {
			return unicode.ReplacementChar
		}
		return r
	}, s)
}

func printExcerpt(w io.Writer, s source.Span, paint func(string) string) {
	line, from, to := s.Excerpt()
	if strings.TrimSpace(line) == "" {
		return
	}
	text, from, to := window([]rune(line), from, to)
	indent := strings.Map(func(r rune) rune {
		if r == '\t' {
			return r
		}
		return ' '
	}, string(text[:from]))
	fmt.Fprintf(w, "\t%s\n\t%s%s\n", visible(string(text)), indent, paint(strings.Repeat("^", max(1, to-from))))
}

// An excerpt of a longer line, which may be a whole file of JSON, is so many characters, with
// so many of them in front of what it shows.
const (
	excerptWidth = 160
	excerptLead  = 60
)

// window returns what is shown of a line, and where in it the characters from and to are.
func window(line []rune, from, to int) ([]rune, int, int) {
	if len(line) <= excerptWidth {
		return line, from, to
	}
	start := max(0, min(from-excerptLead, len(line)-excerptWidth))
	end := min(len(line), start+excerptWidth)
	shown := slices.Clone(line[start:end])
	if start > 0 {
		shown[0] = '…'
	}
	if end < len(line) {
		shown[len(shown)-1] = '…'
	}
	return shown, from - start, min(to, end) - start
}
