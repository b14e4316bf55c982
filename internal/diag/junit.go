// SPDX-License-Identifier: Apache-2.0

package diag

import (
	"cmp"
	"encoding/xml"
	"io"
	"path/filepath"
	"slices"
	"strings"
)

// The elements of JUnit's XML that servers read.
type (
	junitReport struct {
		XMLName xml.Name `xml:"testsuites"`
		Name    string   `xml:"name,attr"`
		junitCounts
		Suites []*junitSuite `xml:"testsuite"`
	}
	junitSuite struct {
		Name string `xml:"name,attr"`
		junitCounts
		Cases []junitCase `xml:"testcase"`
	}
	junitCounts struct {
		Tests    int `xml:"tests,attr"`
		Failures int `xml:"failures,attr"`
		Errors   int `xml:"errors,attr"`
		Skipped  int `xml:"skipped,attr"`
	}
	junitCase struct {
		Name      string        `xml:"name,attr"`
		ClassName string        `xml:"classname,attr"`
		File      string        `xml:"file,attr,omitempty"`
		Line      int           `xml:"line,attr,omitempty"`
		Failure   *junitOutcome `xml:"failure"`
		Error     *junitOutcome `xml:"error"`
		Skipped   *junitOutcome `xml:"skipped"`
	}
	junitOutcome struct {
		Type    string `xml:"type,attr,omitempty"`
		Message string `xml:"message,attr"`
		Text    string `xml:",chardata"`
	}
)

// JUnit writes the report as JUnit's XML: a suite for each file, in it a test case for each
// finding, named after the rule, of the object as class. Findings are failures, suppressed
// ones skipped, and what could not be read errors. A file without any of them is one case
// that passed, since servers take a report without cases for a mistake.
func (r Report) JUnit(w io.Writer) error {
	suites := map[string]*junitSuite{}
	suite := func(name string) *junitSuite {
		if suites[name] == nil {
			suites[name] = &junitSuite{Name: name}
		}
		return suites[name]
	}
	for _, name := range r.Files {
		suite(r.path(name))
	}
	for _, d := range r.Unreadable {
		p := r.place(d.Span)
		suite(p.file).add(junitCase{Name: d.Code, ClassName: p.file, File: p.file, Line: p.line, Error: r.outcome(d)})
	}
	for _, d := range r.Findings {
		p := r.place(d.Span)
		c := junitCase{Name: d.Code, ClassName: className(d, p.file), File: p.file, Line: p.line}
		if d.Suppressed != nil {
			c.Skipped = &junitOutcome{Message: cmp.Or(d.Suppressed.Reason, "suppressed"), Text: printed(d)}
		} else {
			c.Failure = r.outcome(d)
		}
		suite(p.file).add(c)
	}
	return writeXML(w, junitOf(suites))
}

// junitOf sorts the suites by name and sums them up.
func junitOf(suites map[string]*junitSuite) junitReport {
	report := junitReport{Name: "kilter check"}
	for _, s := range suites {
		report.Suites = append(report.Suites, s)
	}
	slices.SortFunc(report.Suites, func(a, b *junitSuite) int { return strings.Compare(a.Name, b.Name) })
	for _, s := range report.Suites {
		if len(s.Cases) == 0 {
			s.add(junitCase{Name: "kilter check", ClassName: s.Name, File: s.Name})
		}
		report.Tests += s.Tests
		report.Failures += s.Failures
		report.Errors += s.Errors
		report.Skipped += s.Skipped
	}
	return report
}

func (s *junitSuite) add(c junitCase) {
	s.Tests++
	switch {
	case c.Failure != nil:
		s.Failures++
	case c.Error != nil:
		s.Errors++
	case c.Skipped != nil:
		s.Skipped++
	}
	s.Cases = append(s.Cases, c)
}

func (r Report) outcome(d Diagnostic) *junitOutcome {
	return &junitOutcome{Type: d.Severity.String(), Message: r.sentence(d), Text: printed(d)}
}

// printed is the diagnostic as people read it, with names as positions have them.
func printed(d Diagnostic) string { return "\n" + List{d}.Error() + "\n" }

// className is "Deployment.prod.web"; the file for what is about no object.
func className(d Diagnostic, file string) string {
	o := d.Object
	if o.Kind == "" {
		return filepath.ToSlash(file)
	}
	parts := []string{o.Kind}
	for _, part := range []string{o.Namespace, o.Name} {
		if part != "" {
			parts = append(parts, part)
		}
	}
	return strings.Join(parts, ".")
}

// writeXML writes v; characters that XML does not have become U+FFFD.
func writeXML(w io.Writer, v any) error {
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	e := xml.NewEncoder(w)
	e.Indent("", "  ")
	if err := e.Encode(v); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}
