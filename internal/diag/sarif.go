// SPDX-License-Identifier: Apache-2.0

package diag

import (
	"fmt"
	"io"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"
)

// What GitHub's code scanning takes of one run
// (https://docs.github.com/en/code-security/code-scanning/integrating-with-code-scanning/sarif-support-for-code-scanning).
const (
	sarifMaxResults = 25_000
	sarifMaxRelated = 100
)

const sourceRoot = "%SRCROOT%"

// SARIF writes the report as one run of SARIF 2.1.0. Suppressed findings are results with
// suppressions; what could not be read are notifications of the invocation. Of more results
// than GitHub takes the worst are kept, and a notification says so.
func (r Report) SARIF(w io.Writer) error {
	findings, dropped := worst(r.Findings, sarifMaxResults)
	driver := r.driver(findings)
	run := sarifRun{
		Tool: sarifTool{driver}, ColumnKind: "unicodeCodePoints", Results: []sarifResult{},
		Invocations: []sarifInvocation{r.invocation(dropped)},
		Bases:       map[string]sarifArtifact{sourceRoot: {Description: &sarifText{Text: "the root of the repository, or the folder kilter ran in"}}},
	}
	index := map[string]int{}
	for i, rule := range driver.Rules {
		index[rule.ID] = i
	}
	prints := fingerprints{}
	some := slices.ContainsFunc(findings, func(d Diagnostic) bool { return d.Suppressed != nil })
	for _, d := range findings {
		result := sarifResult{
			RuleID: d.Code, RuleIndex: index[d.Code], Level: sarifLevel(d.Severity), Message: r.sarifMessage(d),
			Locations: []sarifLocation{r.location(d)}, Fingerprints: prints.of(d), Related: r.related(d),
		}
		if some { // either all results say whether they are suppressed, or none does
			result.Suppressions = []sarifSuppression{}
		}
		if s := d.Suppressed; s != nil {
			result.Suppressions = append(result.Suppressions, sarifSuppression{s.Kind, "accepted", s.Reason})
		}
		run.Results = append(run.Results, result)
	}
	return writeJSON(w, sarifLog{"https://json.schemastore.org/sarif-2.1.0.json", "2.1.0", []sarifRun{run}})
}

// worst returns at most limit of the findings, in their order, and how many it leaves out:
// the suppressed first, then the least severe, then the last.
func worst(all List, limit int) (kept List, dropped int) {
	dropped = len(all) - limit
	if dropped <= 0 {
		return all, 0
	}
	rank := func(d Diagnostic) int {
		if d.Suppressed != nil {
			return int(Info) + 1
		}
		return int(d.Severity)
	}
	var room [int(Info) + 2]int // how many of each rank are kept
	for _, d := range all {
		room[rank(d)]++
	}
	for i := range room {
		room[i] = min(room[i], limit)
		limit -= room[i]
	}
	for _, d := range all {
		if i := rank(d); room[i] > 0 {
			room[i]--
			kept = append(kept, d)
		}
	}
	return kept, dropped
}

var semantic = regexp.MustCompile(`^v?(\d+\.\d+\.\d+([-+][0-9A-Za-z.+-]+)?)$`)

// driver describes Kilter and its rules; findings may be about more than the rules.
func (r Report) driver(findings List) sarifDriver {
	d := sarifDriver{Name: "kilter", Version: r.Version, InformationURI: "https://kilter.dev", Rules: []sarifRule{}}
	if m := semantic.FindStringSubmatch(r.Version); m != nil {
		d.SemanticVersion = m[1]
	}
	known := map[string]bool{}
	for _, rule := range r.Rules {
		known[rule.Name] = true
		d.Rules = append(d.Rules, rule.sarif())
	}
	for _, f := range findings {
		if !known[f.Code] {
			known[f.Code] = true
			d.Rules = append(d.Rules, sarifRule{ID: f.Code, Name: f.Code})
		}
	}
	return d
}

func (r Rule) sarif() sarifRule {
	help := r.Description
	if r.Help != "" {
		help += "\n\n" + r.Help
	}
	return sarifRule{
		ID: r.Name, Name: r.Name, HelpURI: r.Help,
		Short: &sarifText{Text: r.Title}, Full: &sarifText{Text: r.Description}, Help: &sarifText{Text: help, Markdown: help},
		Default: &sarifConfiguration{sarifLevel(r.Severity)},
		Properties: &sarifRuleProperties{
			Tags: []string{"kubernetes", "reliability"}, Precision: "high",
			ProblemSeverity: [...]string{"error", "warning", "recommendation"}[r.Severity],
		},
	}
}

func sarifLevel(s Severity) string { return [...]string{"error", "warning", "note"}[s] }

func (r Report) invocation(dropped int) sarifInvocation {
	in := sarifInvocation{Successful: r.Unreadable.Err() == nil}
	for _, d := range r.Unreadable {
		n := sarifNotification{Level: sarifLevel(d.Severity), Message: r.sarifMessage(d)}
		if d.Code != "" {
			n.Descriptor = &sarifReference{d.Code}
		}
		if d.Span.File != nil {
			n.Locations = []sarifLocation{r.location(d)}
		}
		in.Notifications = append(in.Notifications, n)
	}
	if dropped > 0 {
		in.Notifications = append(in.Notifications, sarifNotification{
			Level: "warning", Message: sarifText{Text: fmt.Sprintf("%d more findings, the least severe, are left out", dropped)},
		})
	}
	return in
}

// sarifMessage is the message with the hint. Brackets of what would be a link are escaped,
// as SARIF asks for (3.11.6).
func (r Report) sarifMessage(d Diagnostic) sarifText {
	text := r.sentence(d)
	if f := d.Span.File; f != nil && f.Origin != "" && f.Text == "" {
		text = d.Object.String() + ": " + text // the place does not say it
	}
	if strings.Contains(text, "](") {
		text = strings.NewReplacer(`\`, `\\`, "[", `\[`, "]", `\]`).Replace(text)
	}
	return sarifText{Text: text}
}

// sentence is the message with the hint, and where line 1 stands for a line of rendered
// text, with that.
func (r Report) sentence(d Diagnostic) string {
	text := d.Message
	if p := r.place(d.Span); p.rendered > 0 {
		text += fmt.Sprintf(" (line %d as rendered)", p.rendered)
	}
	if d.Hint != "" {
		text += "\nhint: " + d.Hint
	}
	return text
}

func (r Report) location(d Diagnostic) sarifLocation {
	l := sarifLocation{Physical: r.physical(r.place(d.Span))}
	if o := d.Object; o.Kind != "" {
		qualified := path.Join(o.APIVersion, o.Kind, o.Namespace, o.Name)
		if d.Path != "" {
			qualified += "#" + d.Path
		}
		l.Logical = []sarifLogical{{Name: o.Name, Qualified: qualified, Kind: "resource"}}
	}
	return l
}

func (r Report) physical(p place) *sarifPhysical {
	if p.file == "" {
		return nil
	}
	physical := &sarifPhysical{Artifact: artifact(p.file)}
	if p.line > 0 {
		physical.Region = &sarifRegion{p.line, p.column, p.endLine, p.endColumn}
	}
	return physical
}

// artifact is a file by its URI: relative to the root, or absolute outside of it.
func artifact(file string) sarifArtifact {
	if path.IsAbs(file) {
		return sarifArtifact{URI: (&url.URL{Scheme: "file", Path: file}).String()}
	}
	// A colon in the first segment would end a scheme.
	uri := strings.ReplaceAll((&url.URL{Path: "/" + file}).EscapedPath()[1:], ":", "%3A")
	return sarifArtifact{URI: uri, URIBaseID: sourceRoot}
}

func (r Report) related(d Diagnostic) []sarifLocation {
	var all []sarifLocation
	for i, related := range d.Related[:min(len(d.Related), sarifMaxRelated)] {
		all = append(all, sarifLocation{ID: i + 1, Physical: r.physical(r.place(related.Span)), Message: &sarifText{Text: related.Message}})
	}
	return all
}
