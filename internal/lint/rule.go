// SPDX-License-Identifier: Apache-2.0

// Package lint judges Kubernetes objects by rules. A rule is data: CEL that is evaluated
// in the API server's own environment on the typed, defaulted object, as the API server
// would see it, with a message, a place and where possible a fix. It knows no rule by
// name, except those that only Go can check.
package lint

import (
	"slices"

	"kilter.dev/kilter/internal/diag"
	"kilter.dev/kilter/internal/kube"
	"kilter.dev/kilter/internal/manifest"
	"kilter.dev/kilter/internal/source"
)

// APIVersion is that of rule files.
const APIVersion = "kilter.dev/v1alpha1"

// Code is the diagnostic code of a rule file that is not written as it must be.
const Code = "rule"

// Scope says what a rule looks at.
type Scope string

// The scopes.
const (
	Single  Scope = "object"  // one object: also an admission policy
	Several Scope = "objects" // what selects and targets the object, too
	Raw     Scope = "text"    // the text, or how it was rendered
)

// Rule is one good practice.
type Rule struct {
	Name, Title, Why string
	Severity         diag.Severity
	Sources          []string
	Kinds            []Kind
	Checks           []*Check // none: the rule is native, checked by Go
	Span             source.Span
}

// Kind names a kind of objects in all versions of its group; the core group is "".
type Kind struct{ Group, Kind string }

func (k Kind) String() string {
	if k.Group == "" {
		return k.Kind
	}
	return k.Group + "/" + k.Kind
}

// Check is one thing that a rule asks of an object, or of each item of some of its lists.
type Check struct {
	Severity diag.Severity
	// Since is the first and Before the first later Kubernetes version it is meant for; "": any.
	Since, Before string
	Each          *Each       // nil: once for the object
	When          *Expression // nil: always
	Check         *Expression // true: good
	Message, Hint *Text       // Hint may be nil
	At            []string    // first a root, then fields
	Fix           *Fix        // nil: none
}

// Each is what a check is repeated for: every item of the lists, under Name.
type Each struct {
	Name  string
	Lists [][]string // paths, the first step a root; a step "[]" stands for every item
}

// Fix is the one safe way to mend what a check found.
type Fix struct {
	When    *Expression // nil: always
	Message string
	Patch   *manifest.Node // by root; nil: none
	Create  *manifest.Node // an object to add; nil: none

	// texts are the strings in Patch and Create. They are read once: compiling a hole costs
	// more than all else that is done for a finding.
	texts map[*manifest.Node]*Text
}

// Rules are the rules of a folder, sorted by name, and the variables they share.
type Rules struct {
	All       []*Rule
	variables []*Variable          // in the order of the file
	named     map[string]*Variable // the same, by name
	kinds     map[string][]Kind
	compiler
}

// Find returns the rule called name, nil when there is none.
func (r *Rules) Find(name string) *Rule {
	i := slices.IndexFunc(r.All, func(rule *Rule) bool { return rule.Name == name })
	if i < 0 {
		return nil
	}
	return r.All[i]
}

// Variables are those called names, those that expressions need, and what these need, each
// after what it needs itself.
func (r *Rules) Variables(of []*Expression, names ...string) []*Variable {
	needed := map[string]bool{}
	for len(names)+len(of) > 0 {
		for _, x := range of {
			names = append(names, x.uses()...)
		}
		of = nil
		for _, name := range names {
			if v := r.named[name]; v != nil && !needed[name] {
				needed[name] = true
				of = append(of, v.Value)
			}
		}
		names = nil
	}
	return slices.DeleteFunc(slices.Clone(r.variables), func(v *Variable) bool { return !needed[v.Name] })
}

// Names are the names of all rules, sorted.
func (r *Rules) Names() []string {
	names := make([]string, len(r.All))
	for i, rule := range r.All {
		names[i] = rule.Name
	}
	return names
}

// Fixes say what the fixes of the rule do, each once.
func (r *Rule) Fixes() []string {
	var messages []string
	switch r.Name { // as requoted does
	case kube.TypeTrap:
		messages = append(messages, "quote it")
	case kube.WrongType:
		messages = append(messages, "write numbers, true and false without quotes")
	}
	for _, c := range r.Checks {
		if c.Fix != nil && !slices.Contains(messages, c.Fix.Message) {
			messages = append(messages, c.Fix.Message)
		}
	}
	return messages
}

// Fixable reports whether some check of the rule has a fix.
func (r *Rule) Fixable() bool { return len(r.Fixes()) > 0 }

// Scope says what the rule looks at.
func (r *Rule) Scope() Scope {
	if len(r.Checks) == 0 {
		return Raw
	}
	for _, c := range r.Checks {
		for _, e := range c.Expressions() {
			if e.mentions(relatedName) {
				return Several
			}
		}
	}
	return Single
}

// Expressions are all in the check, but for those of its fix.
func (c *Check) Expressions() []*Expression {
	all := []*Expression{c.Check}
	if c.When != nil {
		all = append(all, c.When)
	}
	all = append(all, c.Message.holes()...)
	if c.Hint != nil {
		all = append(all, c.Hint.holes()...)
	}
	return all
}

// Text is what a string of the patch or of the object to create says.
func (f *Fix) Text(n *manifest.Node) *Text { return f.texts[n] }

// Expressions are all in a fix, in no order; none where there is no fix.
func (f *Fix) Expressions() []*Expression {
	var all []*Expression
	if f != nil {
		if f.When != nil {
			all = append(all, f.When)
		}
		for _, t := range f.texts {
			all = append(all, t.holes()...)
		}
	}
	return all
}
