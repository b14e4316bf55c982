// SPDX-License-Identifier: Apache-2.0

package lint

import (
	"errors"
	"fmt"
	"strconv"

	"kilter.dev/kilter/internal/diag"
	"kilter.dev/kilter/internal/kube"
	"kilter.dev/kilter/internal/manifest"
	"kilter.dev/kilter/internal/workload"
)

// Options say what objects are judged for.
type Options struct {
	// KubeVersion is the Kubernetes version of the target, such as "1.34"; "" means kube.Default.
	KubeVersion string
	// Namespace is where objects are that name none; "" means the default one.
	Namespace string
	// Closed says that the input is all there is: a reference that leads out of it dangles.
	Closed bool
	// Only restricts the rules to these; nil means all.
	Only func(rule string) bool
	// Of restricts the objects that are judged to these; nil means all. The others are what
	// they are related to.
	Of func(*manifest.Object) bool
	// Errors restricts the checks to those of severity error.
	Errors bool
}

// Finding is a rule that an object violates. The Diagnostic's Code is the rule's name.
type Finding struct {
	diag.Diagnostic
	Object *manifest.Object // nil: it is about a text, not an object of it
	Repair *Repair          // nil: nothing to do about it is safe
	// Unread says that no other rule judged the object, because of this: whoever does not
	// count the finding must not take the object for a good one.
	Unread bool
}

// Run judges objects that belong together: that are applied to one cluster. The findings
// are in the order of the objects, then of the rules. Objects of unknown kinds are judged
// as they are written, and those with values of a wrong type as the fixes of these make them.
// One that cannot be read as its kind has a finding that says so, also where Only leaves out
// its rule, and no other.
func (r *Rules) Run(objects []*manifest.Object, o Options) []Finding {
	if o.KubeVersion == "" {
		o.KubeVersion = kube.Default
	}
	run := &run{rules: r, options: o, byKind: map[Kind][]*Rule{}, given: map[*manifest.Object]*manifest.Object{}, seen: manifest.NewSeen(o.Namespace)}
	for _, rule := range r.All {
		if o.Only != nil && !o.Only(rule.Name) {
			continue
		}
		for _, k := range rule.Kinds {
			run.byKind[k] = append(run.byKind[k], rule)
		}
	}
	all, judged := make([]typed, len(objects)), make([]*manifest.Object, len(objects))
	for i, object := range objects {
		all[i] = run.typed(object)
		judged[i] = all[i].judged
	}
	run.set = workload.IndexIn(o.Namespace, judged, o.KubeVersion)
	for _, object := range all {
		run.twice(object.Object)
		if o.Of != nil && !o.Of(object.Object) {
			continue
		}
		views, err := run.set.Views(object.judged)
		run.native(object, err)
		for _, view := range views { // none of what cannot be read
			run.view(view)
		}
	}
	return run.findings
}

type run struct {
	rules    *Rules
	options  Options
	set      *workload.Set
	byKind   map[Kind][]*Rule
	given    map[*manifest.Object]*manifest.Object // by those that are judged in their place
	known    map[string]any                        // see gates
	seen     *manifest.Seen
	findings []Finding
}

func (r *run) add(d diag.Diagnostic, o *manifest.Object, repair *Repair) {
	if given := r.given[o]; given != nil {
		o = given
	}
	d.Object = diag.Ref{APIVersion: o.APIVersion, Kind: o.Kind, Namespace: o.Namespace, Name: o.Name}
	r.findings = append(r.findings, Finding{Diagnostic: d, Object: o, Repair: repair})
}

func (r *run) view(v workload.View) {
	rules := r.byKind[Kind{v.Group, v.Kind}]
	if len(rules) == 0 {
		return
	}
	related := map[string]any(nil)
	s := r.rules.scope(v.Value, func() any {
		if related == nil {
			related = r.set.Related(v)
			related["closed"], related["kubernetes"], related["gates"] = r.options.Closed, r.options.KubeVersion, r.gates()
		}
		return related
	})
	for _, rule := range rules {
		for _, c := range rule.Checks {
			if c.Since != "" && !kube.AtLeast(r.options.KubeVersion, c.Since) || c.Before != "" && kube.AtLeast(r.options.KubeVersion, c.Before) {
				continue
			}
			if r.options.Errors && c.Severity != diag.Error {
				continue
			}
			r.check(target{view: v, rule: rule, check: c, scope: s})
		}
	}
}

// target is what one check is asked of: a view of an object, or an item in it.
type target struct {
	view  workload.View
	rule  *Rule
	check *Check
	scope *scope
	item  []string // path of the item in the view
}

// check asks a check, of each item where it says so.
func (r *run) check(t target) {
	if t.check.Each == nil {
		r.ask(t)
		return
	}
	for _, list := range t.check.Each.Lists {
		path, ok := t.resolve(list)
		if !ok {
			continue
		}
		items(t.view.Value, nil, path, func(item any, at []string) {
			inner := t
			inner.scope, inner.item = t.scope.with(t.check.Each.Name, item), at
			r.ask(inner)
		})
	}
}

// items calls f for the items of the list at path; "[]" in it stands for every item.
func items(v any, at, path []string, f func(item any, at []string)) {
	for i, step := range path {
		if step != "[]" {
			v = value(v, []string{step})
			at = append(at[:len(at):len(at)], step)
			continue
		}
		list, _ := v.([]any)
		for j, item := range list {
			items(item, append(at[:len(at):len(at)], strconv.Itoa(j)), path[i+1:], f)
		}
		return
	}
	list, _ := v.([]any)
	for j, item := range list {
		if item != nil {
			f(item, append(at[:len(at):len(at)], strconv.Itoa(j)))
		}
	}
}

// resolve returns the path in the view that starts with a root, false when this kind has
// no such root.
func (t target) resolve(path []string) ([]string, bool) {
	if len(path) == 0 {
		return nil, true
	}
	if t.check.Each != nil && path[0] == t.check.Each.Name {
		return append(t.item[:len(t.item):len(t.item)], path[1:]...), true
	}
	if !workload.IsRoot(path[0]) {
		return path, true
	}
	root, ok := t.view.Root(path[0])
	return append(root[:len(root):len(root)], path[1:]...), ok
}

// ask evaluates the check, and adds a finding when it is violated or cannot be evaluated.
func (r *run) ask(t target) {
	good, err := t.good()
	if good && err == nil {
		return
	}
	path, ok := t.resolve(t.check.At)
	if !ok {
		path = nil
	}
	path = append(t.view.Path[:len(t.view.Path):len(t.view.Path)], path...)
	d := diag.Diagnostic{
		Span: place(t.view.Object.Node, path), Severity: t.check.Severity, Code: t.rule.Name, Path: manifest.PathText(t.view.Object.Node, path),
	}
	var repair *Repair
	if err == nil {
		d.Message, err = t.check.Message.string(t.scope)
	}
	if err == nil && t.check.Hint != nil {
		d.Hint, err = t.check.Hint.string(t.scope)
	}
	if err == nil {
		repair, err = t.repair()
	}
	if repair != nil {
		d.Fix = t.check.Fix.Message
	}
	if errors.As(err, new(workload.Unread)) {
		return // kube.Fields says of the other object what is wrong with it
	}
	if err != nil {
		d.Severity, d.Message, d.Fix, d.Hint = diag.Warning, fmt.Sprintf("the rule cannot be evaluated: %v", err), "", ""
		repair = nil
	}
	r.add(d, t.view.Object, repair)
}

func (t target) good() (bool, error) {
	if t.check.When != nil {
		if applies, err := t.check.When.test(t.scope); err != nil || !applies {
			return err == nil, err
		}
	}
	return t.check.Check.test(t.scope)
}
