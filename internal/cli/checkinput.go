// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"kilter.dev/kilter/internal/blueprint"
	"kilter.dev/kilter/internal/diag"
	"kilter.dev/kilter/internal/kube"
	"kilter.dev/kilter/internal/lint"
	"kilter.dev/kilter/internal/manifest"
	"kilter.dev/kilter/internal/render"
	"kilter.dev/kilter/internal/source"
)

// unit is objects that are judged together.
type unit struct {
	objects       []*manifest.Object
	raw           []lint.Finding // made while the objects were read
	kube          string         // the Kubernetes version to judge for, "" for the default
	chart         string         // the chart that was rendered, "" for none
	with          string         // the file of the chart with the values, "" for the default values
	from          *diag.Related  // the workload file it was rendered from, nil for none
	kustomization string         // the kustomization that was built, "" for none
	recipe        bool           // the objects are no Kubernetes objects, but say how these are built
	// neighbours are the names of files whose objects are here for what they say of the others:
	// they are judged in another unit.
	neighbours map[string]bool
}

// judges reports whether an object of the unit is judged in it.
func (u unit) judges(o *manifest.Object) bool {
	return o.Span.File == nil || !u.neighbours[o.Span.File.Name]
}

// again reports whether what is in the unit may be in others, too: in other renderings of the
// chart, or in what else is built on the same files.
func (u unit) again() bool { return u.chart != "" || u.kustomization != "" }

// key is what findings of several such units have in common when they are the same: not the
// words, in which there are numbers.
func (u unit) key(f lint.Finding) string {
	name := ""
	if f.Span.File != nil {
		name = f.Span.File.Name
	}
	return strings.Join([]string{u.chart, f.Code, name, fmt.Sprint(f.Diagnostic.Object), f.Path, fmt.Sprint(f.Suppressed != nil)}, "\x00")
}

// labelled is the finding with what one must know to see it again.
func (u unit) labelled(f lint.Finding) lint.Finding {
	if f.Withheld() {
		f.Span = withheld(f.Span)
	}
	if u.with != "" {
		f.Message += " (with " + u.with + ")"
	}
	if u.from != nil {
		f.Related = append(f.Related[:len(f.Related):len(f.Related)], *u.from)
	}
	return f
}

// inputs are what the paths of a command line hold.
type inputs struct {
	options *judgeOptions
	set     *settings
	kube    string // for what does not say it itself, "" for the default

	units    []unit
	problems diag.List // what could not be read
	warnings diag.List
	skipped  []string // files in folders that hold no Kubernetes objects

	files      []file
	components []string       // kustomizations that others may use
	values     map[string]any // of the flags, as Helm reads them; nil: not read yet
	blueprints map[string]*blueprint.Blueprint
	schemas    render.Schemas
	ahead      map[string]parsed // files that were read and not yet taken, by their paths
}

// read reads everything; the error is a command line that cannot be meant.
func (in *inputs) read() error {
	in.blueprints, in.ahead = map[string]*blueprint.Blueprint{}, map[string]parsed{}
	in.readAhead(in.options.paths)
	seen := map[string]bool{}
	for _, path := range in.options.paths {
		if seen[filepath.Clean(path)] {
			continue
		}
		seen[filepath.Clean(path)] = true
		before, problems := in.count(), len(in.problems)
		if err := in.path(path); err != nil {
			return err
		}
		if in.count() == before && len(in.problems) == problems && !in.options.allowEmpty {
			in.problems.Errorf(source.Span{}, "nothing-there", "there are no Kubernetes objects in %s", displayName(path)).Hint =
				"give a chart, a kustomization, or YAML or JSON files; or accept it with --allow-empty"
		}
	}
	in.group()
	in.problems, in.warnings = once(in.problems), once(in.warnings)
	if n := len(in.skipped); n > 0 {
		in.warnings = append(in.warnings, diag.Diagnostic{
			Severity: diag.Info, Message: fmt.Sprintf("%d of the files are not about Kubernetes, such as %s", n, in.skipped[0]),
		})
	}
	return nil
}

func (in *inputs) count() int {
	n := 0
	for _, u := range in.units {
		n += len(u.objects)
	}
	for _, f := range in.files {
		n += len(f.objects)
	}
	return n
}

// note is say, for what is read all the same: it returns what of it are findings.
func (in *inputs) note(list diag.List, u unit) []lint.Finding {
	findings, rest := in.set.rules.Parsed(list, in.judging(u))
	in.say(rest)
	return findings
}

// unread returns the findings without those of rules that are not asked for. That an object
// was judged by no rule, for what is no finding or does not count as one, is a problem.
func (in *inputs) unread(found []lint.Finding) []lint.Finding {
	return slices.DeleteFunc(found, func(f lint.Finding) bool {
		asked := in.set.ran(f.Code)
		if f.Unread && (!asked || f.Suppressed != nil) {
			d := f.Diagnostic
			d.Suppressed = nil
			in.problems = once(append(in.problems, d))
		}
		return f.Unread && !asked
	})
}

// isFinding reports whether note makes a finding of d.
func (in *inputs) isFinding(d diag.Diagnostic) bool { return in.set.rules.Find(d.Code) != nil }

// judging is how a unit is judged.
func (in *inputs) judging(u unit) lint.Options {
	return lint.Options{KubeVersion: kube.Minor(u.kube), Closed: in.options.closed, Only: in.set.ran, Of: u.judges}
}

// fail keeps an error, unless it is about the command line.
func (in *inputs) fail(err error) error {
	list := listOf(err, "unreadable")
	if list == nil {
		return err
	}
	in.say(list)
	return nil
}

// say keeps what was said while something was read.
func (in *inputs) say(list diag.List) {
	for _, d := range list {
		if d.Severity == diag.Error {
			in.problems = append(in.problems, d)
		} else {
			in.warnings = append(in.warnings, d)
		}
	}
}

func (in *inputs) path(path string) error {
	if path == render.Stdin {
		return in.manifests(path, true)
	}
	info, err := os.Stat(path)
	if err != nil {
		return in.fail(render.Unreadable(path, err))
	}
	kind, err := render.Detect(path)
	switch {
	case err != nil:
		return in.fail(render.Unreadable(path, err))
	case info.IsDir() && kind == render.KindManifests:
		found, list := render.Find(path)
		in.say(list)
		in.parts(found)
		in.readAhead(filesOf(found))
		for _, f := range render.Tops(found) {
			if err := in.found(f, false); err != nil {
				return err
			}
		}
		return nil
	}
	return in.found(render.Found{Path: path, Kind: kind}, true)
}

// parts judges what is not rendered by itself as it is written: a kustomization in a folder is
// judged by its file whoever builds on it.
func (in *inputs) parts(found []render.Found) {
	for _, f := range found {
		switch {
		case f.Kind == render.KindKustomization:
			in.kustomizationFile(f.Path)
			if f.Part {
				in.components = append(in.components, f.Path)
			}
		case f.Part:
			in.chartFiles(f.Path)
		}
	}
}

// found reads one thing; named says that the command line names it.
func (in *inputs) found(f render.Found, named bool) error {
	switch f.Kind {
	case render.KindChart:
		return in.chart(f.Path)
	case render.KindKustomization:
		if named && in.options.values.given() {
			return in.noValues(f.Path)
		}
		if named {
			in.kustomizationFile(f.Path)
		}
		u := unit{kube: in.kube, kustomization: f.Path}
		built, list := in.kustomized(f.Path, nil)
		u.objects, u.raw = built.objects, in.note(list, u)
		in.addUnit(u)
		return nil
	}
	return in.manifests(f.Path, named)
}

func (in *inputs) noValues(path string) error {
	return usageError{fmt.Errorf("%s is neither a workload file nor a chart, so it takes no values", displayName(path)), "leave out -f and --set"}
}

func (in *inputs) addUnit(u unit) {
	if len(u.objects)+len(u.raw) > 0 {
		in.units = append(in.units, u)
	}
}

var kubeComment = regexp.MustCompile(`(?m)\A(?:#.*\n)*# kube: (\S+)[ \t\r]*$`)

// suits reports whether a file is for the Kubernetes version of the check. One that begins
// with a comment "# kube: 1.35", of values or of manifests, needs that version or a newer
// one, and gets it unless the command line asks for another.
func (in *inputs) suits(f *source.File, u *unit) bool {
	m := kubeComment.FindStringSubmatchIndex(f.Text)
	if m == nil {
		return true
	}
	at, version := source.Span{File: f, Start: m[2], End: m[3]}, f.Text[m[2]:m[3]]
	if problem, hint := kube.Problem(version); problem != "" {
		in.warnings.Warnf(at, "kube-version", "%s: the comment counts for nothing", problem).Hint = hint
		return true
	}
	switch {
	case kube.AtLeast(cmp.Or(u.kube, kube.Default), version):
		return true
	case in.options.kube == "":
		u.kube = version
		return true
	}
	in.warnings.Warnf(source.Span{File: f}, "kube-version", "this is for Kubernetes %s or newer: it is left out", version)
	return false
}
