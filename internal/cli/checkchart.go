// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"kilter.dev/kilter/internal/diag"
	"kilter.dev/kilter/internal/lint"
	"kilter.dev/kilter/internal/manifest"
	"kilter.dev/kilter/internal/render"
	"kilter.dev/kilter/internal/source"
)

// chart reads a chart: with the values of the flags, or else with its default values and
// then with each file of values in its ci folder, as chart-testing does.
func (in *inputs) chart(path string) error {
	if in.options.values.given() {
		return in.chartWith(path)
	}
	in.chartFiles(path)
	variants := []variant{in.variant(path, nil, unit{kube: in.kube, chart: path})}
	works := false
	for _, file := range in.ciValues(path) {
		u := unit{kube: in.kube, chart: path, with: "ci/" + filepath.Base(file.Name)}
		values, errs := render.Values(render.ValueFlags{Files: []*source.File{file}})
		if in.say(errs); errs.Err() != nil || !in.suits(file, &u) {
			continue
		}
		v := in.variant(path, values, u)
		works = works || v.errs.Err() == nil
		variants = append(variants, v)
	}
	if works && variants[0].docs == nil {
		onlyWithValues(variants[0].errs)
	}
	said := map[string]bool{} // the same error of several variants is said once
	for _, v := range variants {
		fresh := slices.DeleteFunc(v.errs, func(d diag.Diagnostic) bool { return said[d.Span.String()+d.Message] })
		for i, d := range fresh {
			said[d.Span.String()+d.Message] = true
			if !in.isFinding(d) {
				fresh[i] = v.unit.labelled(lint.Finding{Diagnostic: d}).Diagnostic
			}
		}
		in.addVariant(v, fresh)
	}
	return nil
}

// chartWith reads a chart with the values of the flags.
func (in *inputs) chartWith(path string) error {
	in.chartFiles(path)
	if in.values == nil {
		values, err := in.options.values.helm(in.options.in)
		if err != nil {
			return in.fail(err)
		}
		in.values = values
	}
	v := in.variant(path, in.values, unit{kube: in.kube, chart: path})
	in.addVariant(v, v.errs)
	return nil
}

// chartFiles judges the files of a chart as they are written.
func (in *inputs) chartFiles(path string) {
	u := unit{kube: in.kube}
	if u.raw = in.set.rules.Chart(render.ChartFiles(path), in.judging(u)); len(u.raw) > 0 {
		in.units = append(in.units, u)
	}
}

// variant is a chart rendered with some values.
type variant struct {
	unit  unit
	docs  []*manifest.Node
	again []*manifest.Node // rendered once more
	errs  diag.List
}

func (in *inputs) variant(path string, values map[string]any, u unit) variant {
	o := render.Options{Values: values, KubeVersion: u.kube, SkipTests: true, IncludeCRDs: true, Schemas: &in.schemas}
	docs, errs := render.Path(path, o)
	v := variant{unit: u, docs: docs, errs: errs}
	if in.set.ran(lint.TemplateNotStable) {
		v.again, _ = render.Path(path, o)
	}
	return v
}

// addVariant adds the objects of a variant, and what differs when it is rendered again.
func (in *inputs) addVariant(v variant, errs diag.List) {
	objects, more := manifest.Objects(v.docs)
	v.unit.objects = objects
	v.unit.raw = append(in.note(errs, v.unit), in.note(more, v.unit)...)
	if in.set.ran(lint.TemplateNotStable) {
		again, _ := manifest.Objects(v.again)
		v.unit.raw = append(v.unit.raw, in.set.rules.Renderings(objects, again, in.judging(v.unit))...)
	}
	in.addUnit(v.unit)
}

// ciValues are the files of values that a chart, a folder or packed, is tested with.
func (in *inputs) ciValues(path string) (files []*source.File) {
	if filepath.Base(path) == "Chart.yaml" {
		path = filepath.Dir(path)
	}
	if info, err := os.Stat(path); err == nil && !info.IsDir() {
		for _, f := range render.ChartFiles(path) {
			if ok, _ := filepath.Match("ci/*-values.yaml", strings.TrimPrefix(filepath.ToSlash(f.Name), filepath.ToSlash(path)+"/")); ok {
				files = append(files, f)
			}
		}
		return files
	}
	names, _ := filepath.Glob(filepath.Join(escapeGlob(path), "ci", "*-values.yaml"))
	for _, name := range names {
		if info, err := os.Stat(name); err == nil && !info.Mode().IsRegular() {
			continue // nobody may ever write into a pipe
		}
		file, errs := render.ReadFile(name, nil)
		if in.say(errs); file != nil {
			files = append(files, file)
		}
	}
	return files
}

func escapeGlob(path string) string {
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(path)
}

// onlyWithValues makes warnings of the errors of a chart that is not meant to be rendered
// without values.
func onlyWithValues(list diag.List) {
	for i := range list {
		if list[i].Severity == diag.Error {
			list[i].Severity = diag.Warning
			list[i].Message += " (the chart renders with its ci values, but not without any)"
		}
	}
}

// withheld is the span in a copy of its file that has the value hidden: what is another one in
// each rendering is mostly a password.
func withheld(s source.Span) source.Span {
	if s.File == nil {
		return s
	}
	s.File = s.File.Copy()
	value := source.Span{File: s.File, Start: s.Start}
	if rest, isKey := strings.CutPrefix(s.File.Text[s.End:], ":"); isKey {
		value.Start = len(s.File.Text) - len(rest)
	}
	line, _, _ := strings.Cut(s.File.Text[value.Start:], "\n")
	value.Start += len(line) - len(strings.TrimLeft(line, " "))
	value.End = value.Start + len(strings.TrimSpace(line))
	source.Hide(value)
	s.End = max(s.End, value.End)
	return s
}
