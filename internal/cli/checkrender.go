// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"kilter.dev/kilter/internal/blueprint"
	"kilter.dev/kilter/internal/diag"
	"kilter.dev/kilter/internal/kube"
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
	variants := []variant{in.variant(path, nil, unit{kube: in.kube, chart: path})}
	works := false
	for _, name := range ciValues(path) {
		values, errs := render.Values(render.ValueFlags{Files: []string{name}})
		u := unit{kube: in.kube, chart: path, with: "ci/" + filepath.Base(name)}
		if in.note(errs); errs.Err() != nil || !in.suits(name, &u) {
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
		var fresh diag.List
		for _, d := range v.errs {
			key := d.Span.String() + d.Message
			if !said[key] {
				fresh = append(fresh, v.unit.labelled(lint.Finding{Diagnostic: d}).Diagnostic)
			}
			said[key] = true
		}
		in.add(v.docs, fresh, v.unit)
	}
	return nil
}

// chartWith reads a chart with the values of the flags.
func (in *inputs) chartWith(path string) (err error) {
	if in.values == nil {
		if in.values, err = in.options.values.helm(in.options.in); err != nil {
			return err
		}
	}
	v := in.variant(path, in.values, unit{kube: in.kube, chart: path})
	in.add(v.docs, v.errs, v.unit)
	return nil
}

// variant is a chart rendered with some values.
type variant struct {
	unit unit
	docs []*manifest.Node
	errs diag.List
}

func (in *inputs) variant(path string, values map[string]any, u unit) variant {
	docs, errs := render.Path(path, render.Options{Values: values, KubeVersion: u.kube, SkipTests: true})
	return variant{u, docs, errs}
}

var kubeComment = regexp.MustCompile(`(?m)\A(?:#.*\n)*# kube: (\S+)$`)

// suits reports whether values are for the Kubernetes version of the check. Values that
// begin with a comment "# kube: 1.35" need that version or a newer one, and get it unless
// the command line asks for another.
func (in *inputs) suits(name string, u *unit) bool {
	text, err := os.ReadFile(name)
	m := kubeComment.FindSubmatch(text)
	if err != nil || m == nil || kube.AtLeast(orDefault(u.kube, kube.Default), string(m[1])) {
		return true
	}
	if in.options.kube == "" {
		u.kube = string(m[1])
		return true
	}
	in.warnings.Warnf(source.Span{File: source.New(name, string(text))}, "values", "these values are for Kubernetes %s or newer: they are left out", m[1])
	return false
}

// ciValues are the files of values that a chart is tested with.
func ciValues(path string) []string {
	if filepath.Base(path) == "Chart.yaml" {
		path = filepath.Dir(path)
	}
	names, err := filepath.Glob(filepath.Join(escapeGlob(path), "ci", "*-values.yaml"))
	if err != nil {
		return nil
	}
	return names
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

// manifests reads a file, or standard input; named says that the command line names it.
func (in *inputs) manifests(path string, named bool) error {
	docs, list := render.Files([]string{path}, render.Options{Stdin: in.options.in})
	u := unit{kube: in.kube, raw: in.note(list)}
	var plain []*manifest.Node
	workloads := false
	for _, n := range docs {
		kind := n.Get("kind").Text()
		switch {
		case !strings.HasPrefix(n.Get("apiVersion").Text(), "kilter.dev/"):
			plain = append(plain, n)
		case kind == workloadKind || kind == stackKind:
			workloads = true
			if err := in.workloads(n); err != nil {
				return err
			}
		case named:
			in.problems.Errorf(n.Get("kind").Span, "kind", "there is nothing to check in a %s of Kilter", kind).Hint =
				diag.DidYouMean(kind, []string{workloadKind, stackKind})
		}
	}
	switch {
	case named && in.options.values.given() && !workloads:
		return in.noValues(path)
	case !named && len(docs) > 0 && !anyObject(plain):
		if !workloads && len(plain) > 0 {
			in.skipped = append(in.skipped, path)
		}
		return nil
	}
	objects, errs := manifest.Objects(plain)
	in.note(errs)
	u.objects = objects
	switch {
	case len(objects)+len(u.raw) == 0:
	case path == render.Stdin:
		in.units = append(in.units, u)
	default:
		in.files = append(in.files, file{filepath.Dir(path), u})
	}
	return nil
}

// anyObject reports whether a document says that it is a Kubernetes object. In a folder
// there may be YAML of other programs.
func anyObject(docs []*manifest.Node) bool {
	for _, n := range docs {
		if n.Get("apiVersion") != nil || n.Get("kind") != nil {
			return true
		}
	}
	return false
}

// workloads renders a Workload or Stack. A workload with a selector is for workloads that
// are there already, and makes nothing by itself.
func (in *inputs) workloads(root *manifest.Node) error {
	files, err := readWorkloads(root)
	if err != nil {
		return in.fail(err)
	}
	for _, w := range files {
		if w.Selector != nil {
			continue
		}
		if err := in.workload(w); err != nil {
			if err := in.fail(err); err != nil {
				return err
			}
		}
	}
	return nil
}

func (in *inputs) workload(file *workloadFile) error {
	b, err := in.blueprint(file)
	if err != nil {
		return err
	}
	file.KubeVersion = orDefault(in.options.kube, orDefault(file.KubeVersion, in.kube))
	w, err := file.workload(b, &in.options.values, in.options.streams)
	if err != nil {
		return err
	}
	objects, err := objectsOf(b, w)
	if err != nil {
		return err
	}
	u := unit{kube: file.KubeVersion}
	if file.Span.File != nil {
		u.from = &diag.Related{Span: file.Span, Message: "rendered from this workload"}
		move := mover{origin: file.Span.File.Name, files: map[*source.File]*source.File{}}
		for i, o := range objects {
			moved := *o
			moved.Node = move.node(o.Node.Clone())
			objects[i] = &moved
		}
	}
	u.objects = objects
	in.units = append(in.units, u)
	return nil
}

// blueprint compiles each profile once.
func (in *inputs) blueprint(file *workloadFile) (*blueprint.Blueprint, error) {
	if b := in.blueprints[file.Profile]; b != nil {
		return b, nil
	}
	b, err := file.blueprint(in.options.profiles)
	if err == nil {
		in.blueprints[file.Profile] = b
	}
	return b, err
}

// mover gives nodes of a profile's templates places in copies of these files that say which
// workload file they were rendered from: a profile may not be among the user's files.
type mover struct {
	origin string
	files  map[*source.File]*source.File
}

func (m mover) span(s source.Span) source.Span {
	if s.File == nil || s.File.Name == m.origin {
		return s
	}
	if m.files[s.File] == nil {
		m.files[s.File] = source.New(s.File.Name, s.File.Text)
		m.files[s.File].Origin = m.origin
	}
	s.File = m.files[s.File]
	return s
}

func (m mover) node(n *manifest.Node) *manifest.Node {
	n.Span = m.span(n.Span)
	for i := range n.Fields {
		n.Fields[i].KeySpan = m.span(n.Fields[i].KeySpan)
		m.node(n.Fields[i].Value)
	}
	for _, item := range n.Items {
		m.node(item)
	}
	return n
}
