// SPDX-License-Identifier: Apache-2.0

package policy

import (
	"strings"

	"kilter.dev/kilter/internal/lint"
	"kilter.dev/kilter/internal/workload"
)

// findings is CEL for what checks find: the messages, in the order of kilter check.
func findings(checks []*lint.Check) string {
	var all []string
	for _, c := range checks {
		all = append(all, found(c)...)
	}
	return strings.Join(all, "\n+ ")
}

// found is CEL for what a check finds: one list for each list that it looks at.
func found(c *lint.Check) []string {
	if c.Each == nil {
		return []string{"(" + bad(c) + " ? [" + message(c) + "] : [])"}
	}
	var all []string
	for _, path := range c.Each.Lists {
		all = append(all, eachOf(path, c))
	}
	return all
}

// eachOf is CEL for what a check finds in a list. Of lists in lists the messages are joined,
// as no version of CEL that API servers of all supported versions have makes one list of many.
func eachOf(path []string, c *lint.Check) string {
	item := c.Each.Name
	before, inner, nested := cut(path)
	each := ".filter(" + item + ", " + item + " != null && " + bad(c) + ").map(" + item + ", " + message(c) + ")"
	if !nested {
		return items(root(before)) + each
	}
	of := "outer"
	for _, step := range inner {
		of = optional(of, step)
	}
	return items(root(before)) + ".map(outer, " + items(of) + each + ".join('; ')).filter(text, text != '')"
}

// cut splits a path at the step that stands for every item of a list.
func cut(path []string) (before, after []string, nested bool) {
	for i, step := range path {
		if step == "[]" {
			return path[:i], path[i+1:], true
		}
	}
	return path, nil, false
}

// items is CEL for a list that may be absent, null or, in custom resources, something else.
func items(of string) string {
	of += ".orValue([])"
	return "(type(" + of + ") == list ? " + of + " : [])"
}

// root is CEL for what is at a path, the first step of which may be a root of views.
func root(path []string) string {
	of := "object"
	for i, step := range path {
		if i == 0 && workload.IsRoot(step) {
			of = "variables." + step
			continue
		}
		of = optional(of, step)
	}
	return of
}

// bad is CEL for a check that is asked and violated.
func bad(c *lint.Check) string {
	if c.When == nil {
		return "!(" + c.Check.Text() + ")"
	}
	return "(" + c.When.Text() + ") && !(" + c.Check.Text() + ")"
}

// message is CEL for what a check says: its message, and its hint after a colon.
func message(c *lint.Check) string {
	if c.Hint == nil {
		return concatenation(c.Message)
	}
	return concatenation(c.Message) + " + ' (' + " + concatenation(c.Hint) + " + ')'"
}
