// SPDX-License-Identifier: Apache-2.0

package render

import (
	"errors"
	"fmt"
	"os"
	"path"
	"regexp"
	"strconv"
	"strings"

	"helm.sh/helm/v3/pkg/chart"

	"kilter.dev/kilter/internal/diag"
	"kilter.dev/kilter/internal/manifest"
	"kilter.dev/kilter/internal/source"
)

// explain turns what Helm says into diagnostics, with a place where Helm names one.
func (r *rendering) explain(err error) diag.List {
	var list diag.List
	var refused refusal
	switch {
	case errors.As(err, &list):
		return list
	case errors.As(err, &refused):
		list = failed("chart", "%s: %s", r.path, refused.message)
		list[0].Hint = refused.hint
		return list
	case os.IsNotExist(err):
		return Unreadable(r.path, err)
	case r.chart == nil:
		return r.explainLoad(err)
	}
	return r.explainTemplate(err.Error())
}

// explainLoad finds the place of an error in one of the files that Helm reads as YAML.
func (r *rendering) explainLoad(err error) diag.List {
	for _, name := range []string{"Chart.yaml", "values.yaml", "Chart.lock"} {
		file := path.Join(r.path, name)
		text, readErr := os.ReadFile(file)
		if readErr != nil || !strings.Contains(err.Error(), "cannot load "+name) {
			continue
		}
		if _, list := manifest.Parse(source.New(file, string(text))); list.Err() != nil {
			return list
		}
	}
	return failed("chart", "%s: %v", r.path, err)
}

// place matches where Helm or text/template says "here": the name of a template, the
// line, and for a template that ran the 0-based byte in the line.
var place = regexp.MustCompile(`(?:template: |error at \()([^:()\n]+):(\d+)(?::(\d+))?\)?: `)

// executing matches what text/template adds: the template and the expression.
var executing = regexp.MustCompile(`^executing "[^"]*" at <(.*?)>: `)

// explainTemplate reads a chain of places, the outermost first: each but the last one
// includes the next.
func (r *rendering) explainTemplate(text string) diag.List {
	templates := map[string]*source.File{}
	r.templates(r.chart, templates)
	d := diag.Diagnostic{Code: "template", Message: text}
	for _, m := range place.FindAllStringSubmatchIndex(text, -1) {
		file := templates[text[m[2]:m[3]]]
		if file == nil {
			continue
		}
		if d.Span.File != nil {
			d.Related = append([]diag.Related{{Span: d.Span, Message: "included here"}}, d.Related...)
		}
		rest, expression := text[m[1]:], ""
		if x := executing.FindStringSubmatch(rest); x != nil {
			rest, expression = rest[len(x[0]):], x[1]
		}
		d.Message, d.Hint = rest, ""
		if expression != "" && strings.Contains(rest, "nil pointer evaluating") {
			d.Message = fmt.Sprintf("%s: nothing there to take a field of", expression)
			d.Hint = "give the value that is missing, or write (.Values.a).b where it may be absent"
		}
		line, _ := strconv.Atoi(text[m[4]:m[5]])
		if m[6] >= 0 {
			column, _ := strconv.Atoi(text[m[6]:m[7]])
			d.Span = spanOf(file, line, column, expression)
		} else {
			d.Span = wordOf(file, line, rest)
		}
	}
	d.Message = lower(strings.TrimSpace(d.Message))
	if d.Span.File == nil {
		d.Message = fmt.Sprintf("%s: %s", r.path, d.Message)
	}
	return diag.List{d}
}

// quoted matches the word that a message is about.
var quoted = regexp.MustCompile(`"([^"]+)"`)

// wordOf is the word of the line that the message quotes, or the line.
func wordOf(f *source.File, line int, message string) source.Span {
	start, text := f.LineStart(line), f.Line(line)
	if word := quoted.FindStringSubmatch(message); word != nil {
		if i := strings.Index(text, word[1]); i >= 0 {
			return source.Span{File: f, Start: start + i, End: start + i + len(word[1])}
		}
	}
	indent := len(text) - len(strings.TrimLeft(text, " \t"))
	return source.Span{File: f, Start: start + indent, End: start + len(text)}
}

// spanOf is the expression nearest to the place, or the word there.
func spanOf(f *source.File, line, column int, expression string) source.Span {
	start, text := f.LineStart(line), f.Line(line)
	column = min(column, len(text))
	if expression != "" {
		near := text[:min(column+len(expression), len(text))]
		if i := strings.LastIndex(near, expression); i >= 0 {
			return source.Span{File: f, Start: start + i, End: start + i + len(expression)}
		}
	}
	word, _, _ := strings.Cut(text[column:], " ")
	return source.Span{File: f, Start: start + column, End: start + column + len(word)}
}

// templates adds the templates of c and its subcharts under the names Helm gives them.
func (r *rendering) templates(c *chart.Chart, into map[string]*source.File) {
	for _, t := range c.Templates {
		name := path.Join(c.ChartFullPath(), t.Name)
		into[name] = source.New(r.filename(name), string(t.Data))
	}
	for _, sub := range c.Dependencies() {
		r.templates(sub, into)
	}
}
