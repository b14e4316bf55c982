// SPDX-License-Identifier: Apache-2.0

package lint

import (
	"strconv"

	"kilter.dev/kilter/internal/diag"
	"kilter.dev/kilter/internal/kube"
	"kilter.dev/kilter/internal/manifest"
	"kilter.dev/kilter/internal/workload"
)

// objectTwice is the rule about objects that a cluster takes for the same one.
const objectTwice = "object-twice"

// twice finds an object that is the same as one before it. Hooks are left out: Helm and
// Argo CD make those of one name one after the other.
func (r *run) twice(o *manifest.Object) {
	if workload.IsHook(o) {
		return
	}
	first := r.seen.Before(o)
	if first == nil {
		return
	}
	rule := r.rules.chosen(objectTwice, r.options)
	if rule == nil || r.options.Errors && rule.Severity != diag.Error || r.options.Of != nil && !r.options.Of(o) {
		return
	}
	path := pathOfName
	d := diag.Diagnostic{
		Span: place(o.Node, path), Severity: rule.Severity, Code: rule.Name, Path: manifest.PathText(o.Node, path),
		Message: manifest.Twice(o) + ": the cluster keeps one of them, and the rest are lost or refused",
		Hint:    "give one of them another name, or remove it",
	}
	if at := place(first.Node, path); at.File != nil {
		d.Related = []diag.Related{{Span: at, Message: "the first one"}}
	}
	r.add(d, o, nil)
}

// requoted is the repair of text that stands without quotes, and of a number or boolean that
// stands in them: kube.Fields hints at what to write where that is what was meant. It is nil
// for everything else.
func requoted(o *manifest.Object, d *diag.Diagnostic) *Repair {
	path := manifest.ParsePath(d.Path)
	n := o.Get(path...)
	if n == nil {
		return nil
	}
	text := n.Span.Text()
	switch {
	case d.Code == kube.TypeTrap && (d.Hint == kube.QuoteHint || d.Hint == "write "+strconv.Quote(text)):
		if d.Fix = "quote " + text; n.Span.Hidden() {
			d.Fix = "quote it"
		}
		return &Repair{patches: []patch{{path, manifest.NewString(text)}}}
	case d.Code == kube.WrongType && n.Shape == manifest.String && d.Hint == "write "+n.Text()+", without quotes":
		d.Fix = "write " + n.Text() + " without quotes"
		value := manifest.NewBool(n.Text() == "true")
		if i, err := strconv.ParseInt(n.Text(), 10, 64); err == nil {
			value = manifest.NewInt(i)
		}
		return &Repair{patches: []patch{{path, value}}}
	}
	return nil
}

// Parsed parts what manifest.Parse and manifest.Objects say of a text: what is a finding,
// because the text can be read all the same, and the rest. The findings are about no object.
func (r *Rules) Parsed(list diag.List, o Options) ([]Finding, diag.List) {
	var findings []Finding
	var rest diag.List
	for _, d := range list {
		if d.Code != manifest.DuplicateKey {
			rest = append(rest, d)
			continue
		}
		if rule := r.chosen(d.Code, o); rule != nil {
			d.Severity = rule.Severity
			findings = append(findings, Finding{Diagnostic: d})
		}
	}
	return findings, rest
}

// gates are the feature gates that the target version knows, for rules: by name, whether
// they are on by default, and whether they are locked to that.
func (r *run) gates() map[string]any {
	if r.known == nil {
		r.known = map[string]any{}
		for _, g := range kube.Gates(r.options.KubeVersion) {
			r.known[g.Name] = map[string]any{"on": g.On, "locked": g.Locked}
		}
	}
	return r.known
}
