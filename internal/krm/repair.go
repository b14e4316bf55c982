// SPDX-License-Identifier: Apache-2.0

package krm

import (
	"slices"

	"kilter.dev/kilter/internal/diag"
	"kilter.dev/kilter/internal/fix"
	"kilter.dev/kilter/internal/lint"
	"kilter.dev/kilter/internal/manifest"
)

// changer collects what applying one request changes.
type changer struct {
	request   Request
	placement placement
	objects   []*manifest.Object // all that there are then; in an audit, would be
	changed   []*manifest.Object // of these the workloads, and what is added
	added     []*manifest.Object
	was       map[*manifest.Object]*manifest.Node // what the workloads were
	results   []Result
}

// own returns the workload to be changed: in an audit it is a copy.
func (c *changer) own(w target) target {
	if c.request.Mode == Audit {
		i := slices.Index(c.objects, w.Object)
		w.Object = copyOf(w.Object)
		c.objects = slices.Clone(c.objects)
		c.objects[i] = w.Object
	}
	c.changed = append(c.changed, w.Object)
	if c.was == nil {
		c.was = map[*manifest.Object]*manifest.Node{}
	}
	c.was[w.Object] = w.Node.Clone()
	return w
}

func (c *changer) add(objects []*manifest.Object) {
	c.added = append(c.added, objects...)
	c.changed = append(c.changed, objects...)
	c.objects = append(c.objects, objects...)
}

// said reports whether there is such a result, of an earlier round.
func (c *changer) said(r Result) bool {
	return slices.ContainsFunc(c.results, func(other Result) bool {
		return other.Message == r.Message && other.Object == r.Object && other.Path == r.Path
	})
}

// repair mends what breaks a rule of severity error and has a fix. It returns how much that
// was, and what is left. Other objects than those that the request is about are judged by
// kilter check alone.
func (c *changer) repair(all *lint.Rules) (count int, left []lint.Finding) {
	made, more, left := fix.Objects(c.objects, func(objects []*manifest.Object) []lint.Finding {
		return c.judge(all, objects, c.changed)
	})
	for _, m := range made {
		c.results = append(c.results, c.repaired(m))
	}
	c.add(more)
	for _, o := range more {
		c.results = append(c.results, added(o, c.request.Mode == Audit))
	}
	return len(made) + len(more), left
}

// judge returns what some of the objects break, but for what their annotations ignore.
func (c *changer) judge(all *lint.Rules, objects, some []*manifest.Object) []lint.Finding {
	found := all.Run(objects, lint.Options{
		KubeVersion: c.request.KubeVersion, Namespace: c.placement.namespace, Errors: true,
		Of: func(o *manifest.Object) bool { return slices.Contains(some, o) },
	})
	s := lint.Suppressor{Rules: all, Annotations: true}
	s.Apply(some, found)
	return slices.DeleteFunc(found, func(f lint.Finding) bool { return f.Suppressed != nil })
}

// leave notes what no fix mends.
func (c *changer) leave(left []lint.Finding) {
	for _, f := range left {
		if f.Span.File == nil {
			f.Span = c.request.Span // of what the profile says
		}
		if c.request.Mode == Audit {
			f.Severity = max(f.Severity, diag.Warning)
		}
		c.results = append(c.results, Result{Diagnostic: f.Diagnostic, Audit: c.request.Mode == Audit})
	}
}

// repaired is the result of a change that a rule asked for. It is a warning where a workload
// that was there said something else: whoever wrote it should know.
func (c *changer) repaired(m fix.Change) Result {
	r := changed(m.Object, c.request.Mode == Audit, m.Path, m.Before, m.After)
	r.Span, r.Code = m.Span, m.Code
	r.Message += ": " + m.Message
	if own := c.was[m.Object].Get(manifest.ParsePath(m.Path)...); m.Before != nil && own != nil && own.Shape != manifest.Null {
		r.Severity = diag.Warning
	}
	return r
}
