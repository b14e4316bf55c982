// SPDX-License-Identifier: Apache-2.0

package lint

import (
	"strconv"

	"kilter.dev/kilter/internal/diag"
	"kilter.dev/kilter/internal/kube"
	"kilter.dev/kilter/internal/manifest"
)

// native adds what Go finds in the fields of an object. The codes of these findings are
// names of rules.
func (r *run) native(o *manifest.Object) {
	for _, d := range kube.Fields(o, r.options.KubeVersion) {
		if r.options.Errors && d.Severity != diag.Error || r.options.Only != nil && !r.options.Only(d.Code) {
			continue
		}
		repair := quoted(o, &d)
		r.add(d, o, repair)
	}
}

// quoted is the repair of text that stands without quotes: kube.Fields hints at the text
// where it is what was meant. It is nil for everything else.
func quoted(o *manifest.Object, d *diag.Diagnostic) *Repair {
	if d.Code != kube.TypeTrap {
		return nil
	}
	path := manifest.ParsePath(d.Path)
	n := o.Get(path...)
	if n == nil || d.Hint != "write "+strconv.Quote(n.Span.Text()) {
		return nil
	}
	d.Fix = "quote " + n.Span.Text()
	return &Repair{patches: []patch{{path, manifest.NewString(n.Span.Text())}}}
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
