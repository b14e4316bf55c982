// SPDX-License-Identifier: Apache-2.0

package diag

import (
	"io"
	"path/filepath"
)

// The JSON of a report. All keys are always there.
type (
	jsonReport struct {
		Findings []jsonFinding `json:"findings"`
		Summary  jsonSummary   `json:"summary"`
	}
	jsonFinding struct {
		Rule     string     `json:"rule"`
		Severity string     `json:"severity"`
		Message  string     `json:"message"`
		Hint     string     `json:"hint"`
		File     string     `json:"file"`
		Line     int        `json:"line"`
		Column   int        `json:"column"`
		Object   jsonObject `json:"object"`
		Path     string     `json:"path"`
		Fixable  bool       `json:"fixable"`
	}
	jsonObject struct {
		APIVersion string `json:"apiVersion"`
		Kind       string `json:"kind"`
		Namespace  string `json:"namespace"`
		Name       string `json:"name"`
	}
	jsonSummary struct {
		Error      int `json:"error"`
		Warning    int `json:"warning"`
		Info       int `json:"info"`
		Fixable    int `json:"fixable"`
		Suppressed int `json:"suppressed"`
		Unreadable int `json:"unreadable"`
		Objects    int `json:"objects"`
	}
)

// JSON writes one object: the findings that are not suppressed, why input could not be
// read, as findings too, and how many of each there are. A position is that of the text
// output: of a chart it is a line of the rendered template.
func (r Report) JSON(w io.Writer) error {
	open, counts := r.counting()
	report := jsonReport{Findings: []jsonFinding{}, Summary: jsonSummary{
		Error: counts[Error], Warning: counts[Warning], Info: counts[Info],
		Suppressed: len(r.Findings) - len(open), Unreadable: len(r.Unreadable), Objects: r.Objects,
	}}
	for _, list := range []List{r.Unreadable, open} {
		for _, d := range list {
			f := jsonOf(d)
			if f.Fixable {
				report.Summary.Fixable++
			}
			report.Findings = append(report.Findings, f)
		}
	}
	return writeJSON(w, report)
}

func jsonOf(d Diagnostic) jsonFinding {
	line, column := d.Span.Position()
	return jsonFinding{
		Rule: d.Code, Severity: d.Severity.String(), Message: d.Message, Hint: d.Hint,
		File: filepath.ToSlash(fileName(d.Span)), Line: line, Column: column,
		Object: jsonObject(d.Object), Path: d.Path, Fixable: d.Fix != "",
	}
}
