// SPDX-License-Identifier: Apache-2.0

package lint

import (
	"slices"
	"strings"

	"kilter.dev/kilter/internal/diag"
	"kilter.dev/kilter/internal/manifest"
	"kilter.dev/kilter/internal/source"
)

// SuppressionCode is the diagnostic code of what is wrong with suppressions.
const SuppressionCode = "suppression"

// Suppressor says of findings that they do not count, and of suppressions that they are
// wrong or no longer needed: over one run, in which the same file may be rendered more than
// once.
type Suppressor struct {
	Rules    *Rules
	Only     func(rule string) bool // the rules that run, nil for all
	Config   *Config                // nil: none
	Baseline *Baseline              // nil: none
	Today    string                 // YYYY-MM-DD: what ends before it has ended
	// Annotations says that comments suppress nothing, as where kustomize has taken them out.
	Annotations bool

	// ConfigPath and BaselinePath return the path from the folder of either of the file that
	// positions call name.
	ConfigPath, BaselinePath func(name string) string
	// Whole says that everything below the configuration's folder is judged, so that an
	// exception for an object that is not there is not needed.
	Whole bool

	marks   []*mark // in the order of their first rendering
	byKey   map[markKey]*mark
	used    map[source.Span]bool // of rules of exceptions that suppressed something
	reached map[*exception]bool  // that some object meets the selectors of
	left    map[known]int        // of the baseline
	seen    map[string]bool      // files, by their path from the baseline's folder
	problem diag.List
	said    map[markKey]bool // the messages of problem
}

func (s *Suppressor) start() {
	if s.byKey != nil {
		return
	}
	s.byKey, s.used, s.reached = map[markKey]*mark{}, map[source.Span]bool{}, map[*exception]bool{}
	s.left, s.seen, s.said = map[known]int{}, map[string]bool{}, map[markKey]bool{}
	if s.Baseline != nil {
		for _, e := range s.Baseline.entries {
			s.left[e.known] += e.count
		}
	}
}

func (s *Suppressor) ran(rule string) bool { return s.Only == nil || s.Only(rule) }

// Apply sets Suppressed of the findings in objects that were judged together, but for those
// of the baseline.
func (s *Suppressor) Apply(objects []*manifest.Object, findings []Finding) {
	s.start()
	marks := s.collect(objects)
	for i := range findings {
		f := &findings[i]
		for _, m := range marks.about(*f) {
			m.used = true
			f.suppress(diag.InSource, m.reason)
		}
		for _, e := range s.exceptions() {
			for _, rule := range e.rules {
				if rule.name == f.Code && !s.past(e.until) && e.selects(f.Diagnostic.Object, s.ConfigPath(nameOf(f.Span))) {
					s.used[rule.span] = true
					f.suppress(diag.External, e.reason)
				}
			}
		}
	}
	for _, e := range s.exceptions() {
		s.reach(e, objects)
	}
	if s.Baseline != nil {
		for _, o := range objects {
			s.seen[s.BaselinePath(nameOf(o.Span))] = true
		}
	}
}

// suppress takes the first reason.
func (f *Finding) suppress(kind diag.SuppressionKind, reason string) {
	if f.Suppressed == nil {
		f.Suppressed = &diag.Suppression{Kind: kind, Reason: reason}
	}
}

func (s *Suppressor) exceptions() []*exception {
	if s.Config == nil {
		return nil
	}
	return s.Config.exceptions
}

func (s *Suppressor) past(until string) bool { return until != "" && until < s.Today }

func (s *Suppressor) reach(e *exception, objects []*manifest.Object) {
	if s.reached[e] {
		return
	}
	s.reached[e] = slices.ContainsFunc(objects, func(o *manifest.Object) bool {
		return e.selects(refOf(o), s.ConfigPath(nameOf(o.Span)))
	})
}

// Accept suppresses what the baseline has, each of its findings once: it is for all findings
// of the run, once Apply has seen them and what is found twice is left out.
func (s *Suppressor) Accept(findings []Finding) {
	s.start()
	if s.Baseline == nil {
		return
	}
	for i := range findings {
		f := &findings[i]
		if f.Suppressed != nil {
			continue
		}
		if k := knownOf(*f, s.BaselinePath(nameOf(f.Span))); s.left[k] > 0 {
			s.left[k]--
			f.suppress(diag.External, "in the baseline")
		}
	}
}

// Problems returns what is wrong with the suppressions of everything that was judged:
// unknown rules, what has ended, and what suppresses nothing.
func (s *Suppressor) Problems() diag.List {
	s.start()
	list := slices.Clone(s.problem)
	for _, m := range s.marks {
		list = append(list, s.problemOf(m)...)
	}
	for _, e := range s.exceptions() {
		if !s.reached[e] && !s.Whole {
			continue // what it is for may be elsewhere
		}
		if s.past(e.until) {
			list = append(list, ended(e.untilSpan, e.until))
			continue
		}
		for _, rule := range e.rules {
			if !s.used[rule.span] && s.ran(rule.name) {
				list = append(list, unused(rule))
			}
		}
	}
	if s.Baseline != nil {
		list.Add(s.unknown())
		list.Add(s.stale())
	}
	return list
}

func (s *Suppressor) problemOf(m *mark) (list diag.List) {
	switch {
	case s.Rules.Find(m.rule.name) == nil:
		list.Add(s.noRule(m.rule))
	case s.past(m.until):
		list = append(list, ended(m.rule.span, m.until))
	case !m.used && s.ran(m.rule.name):
		list = append(list, unused(m.rule))
	}
	for i := range list {
		list[i].Object = m.about
	}
	return list
}

// noRule says that no rule has the name.
func (s *Suppressor) noRule(rule named) (list diag.List) {
	list.Warnf(rule.span, SuppressionCode, "there is no rule %q to ignore", rule.name).Hint = s.Rules.DidYouMean(rule.name)
	return list
}

func ended(at source.Span, until string) diag.Diagnostic {
	return diag.Diagnostic{
		Span: at, Severity: diag.Warning, Code: SuppressionCode,
		Message: "this suppression has ended on " + until, Hint: "mend what it was for, or give it a later date",
	}
}

func unused(rule named) diag.Diagnostic {
	return diag.Diagnostic{
		Span: rule.span, Severity: diag.Info, Code: SuppressionCode,
		Message: "there is no finding of " + rule.name + " to suppress here", Hint: "remove it, so that it hides nothing later",
	}
}

func refOf(o *manifest.Object) diag.Ref {
	return diag.Ref{APIVersion: o.APIVersion, Kind: o.Kind, Namespace: o.Namespace, Name: o.Name}
}

// mark is one rule of an annotation or comment.
type mark struct {
	rule   named
	until  string // "" for always
	reason string
	about  diag.Ref // the object of an annotation
	used   bool
}

// markKey tells marks apart over several renderings of one template, in which lines differ.
type markKey struct{ file, where, rule string }

// add returns the mark, or the one that an earlier rendering had in its place.
func (s *Suppressor) add(file, where string, m mark) *mark {
	key := markKey{file, where, m.rule.name}
	if old := s.byKey[key]; old != nil {
		return old
	}
	s.byKey[key] = &m
	s.marks = append(s.marks, &m)
	return &m
}

// wrong adds what is wrong with how a suppression is written, once for all renderings.
func (s *Suppressor) wrong(file, where string, d diag.Diagnostic) {
	key := markKey{file, where, d.Message}
	if s.said[key] {
		return
	}
	s.said[key] = true
	d.Severity, d.Code = diag.Warning, SuppressionCode
	s.problem = append(s.problem, d)
}

// splitRules returns the parts of "a, b" that are not empty, and where each begins.
func splitRules(text string) (rules []string, starts []int) {
	at := 0
	for part := range strings.SplitSeq(text, ",") {
		if name := strings.TrimSpace(part); name != "" {
			rules = append(rules, name)
			starts = append(starts, at+strings.Index(part, name))
		}
		at += len(part) + 1
	}
	return rules, starts
}
