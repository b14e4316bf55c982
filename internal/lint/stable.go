// SPDX-License-Identifier: Apache-2.0

package lint

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"kilter.dev/kilter/internal/diag"
	"kilter.dev/kilter/internal/manifest"
)

// TemplateNotStable is the rule about charts that render to something else each time.
const TemplateNotStable = "template-not-stable"

// Renderings compares two renderings of a chart with the same values: a finding for each
// object of the first, but for tests, that is not the same in the second. Values are not shown, because
// they are mostly passwords.
func (r *Rules) Renderings(first, second []*manifest.Object, o Options) []Finding {
	rule := r.chosen(TemplateNotStable, o)
	if rule == nil {
		return nil
	}
	others := map[manifest.ID][]*manifest.Object{}
	for _, object := range second {
		others[object.ID()] = append(others[object.ID()], object)
	}
	var findings []Finding
	add := func(object *manifest.Object, path []string, message string) {
		findings = append(findings, Finding{Object: object, Diagnostic: diag.Diagnostic{
			Span: place(object.Node, path), Severity: rule.Severity, Code: rule.Name, Message: message,
			Hint: "have the value given, or made in the cluster; lookup finds what is there for helm upgrade only", Object: refOf(object),
			Path: manifest.PathText(object.Node, path),
		}})
	}
	for _, object := range first {
		if isTest(object) {
			continue
		}
		same := others[object.ID()]
		if len(same) == 0 {
			add(object, pathOfName, "the next rendering has no "+object.Kind+" of this name: its name changes each time")
			continue
		}
		others[object.ID()] = same[1:]
		if paths := differences(object.Node, same[0].Node, nil); len(paths) > 0 {
			add(object, paths[0], changes(object, paths))
		}
	}
	return findings
}

var pathOfName = []string{"metadata", "name"}

// Unname takes the names that Renderings says are others each time out of all findings: they
// would make each report and baseline another one, too.
func Unname(findings []Finding) {
	unstable := map[*manifest.Object]bool{}
	var names []string
	for _, f := range findings {
		if f.Code == TemplateNotStable && f.Path == strings.Join(pathOfName, ".") && f.Object.Name != "" {
			unstable[f.Object] = true
			names = append(names, f.Object.Name, "...")
		}
	}
	if len(names) == 0 {
		return
	}
	withheld := strings.NewReplacer(names...)
	for i := range findings {
		f := &findings[i]
		f.Message, f.Hint = withheld.Replace(f.Message), withheld.Replace(f.Hint)
		if unstable[f.Object] {
			f.Diagnostic.Object.Name = ""
		}
	}
}

// Withheld reports whether a finding must not show the text that it is about: it is another
// one in each rendering.
func (f Finding) Withheld() bool {
	return f.Code == TemplateNotStable ||
		f.Object != nil && f.Diagnostic.Object.Name != f.Object.Name && f.Path == strings.Join(pathOfName, ".")
}

// isTest reports whether the object is a test of Helm, which nobody keeps.
func isTest(o *manifest.Object) bool {
	return strings.Contains(o.Get("metadata", "annotations", "helm.sh/hook").Text(), "test")
}

// changes says what differs, and what comes of it.
func changes(object *manifest.Object, paths [][]string) string {
	const most = 3 // paths that are named
	var names []string
	for _, path := range paths[:min(most, len(paths))] {
		names = append(names, manifest.PathText(object.Node, path))
	}
	text := strings.Join(names, ", ")
	if n := len(paths) - most; n > 0 {
		text += fmt.Sprintf(" and %d more", n)
	}
	if slices.ContainsFunc(paths, func(path []string) bool { return slices.Contains(path, "template") && object.Kind != "Secret" }) {
		return text + " is another value in each rendering: every upgrade restarts the pods"
	}
	return text + " is another value in each rendering: every upgrade changes it, and GitOps tools never see it in sync"
}

// differences returns the paths of the smallest parts of a that are not the same in b, in
// the order of a; a part that only b has is the path to where it is missing.
func differences(a, b *manifest.Node, at []string) [][]string {
	at = slices.Clip(at)
	switch {
	case manifest.Equal(a, b):
		return nil
	case a.Shape == manifest.Map && b != nil && b.Shape == manifest.Map:
		var all [][]string
		for _, f := range a.Fields {
			all = append(all, differences(f.Value, b.Get(f.Key), append(at, f.Key))...)
		}
		for _, f := range b.Fields {
			if a.Get(f.Key) == nil {
				all = append(all, append(at, f.Key))
			}
		}
		return all
	case a.Shape == manifest.List && b != nil && b.Shape == manifest.List && len(a.Items) == len(b.Items):
		var all [][]string
		for i, item := range a.Items {
			all = append(all, differences(item, b.Items[i], append(at, strconv.Itoa(i)))...)
		}
		return all
	}
	return [][]string{at}
}
