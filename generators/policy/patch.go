// SPDX-License-Identifier: Apache-2.0

package policy

import (
	"slices"
	"strings"

	"kilter.dev/kilter/internal/lint"
)

// operation is a JSON patch that is made where a condition holds.
type operation struct {
	depth    int    // of what is made for others to be put in, counted from 1; 0: none is
	when     string // CEL; "" for always
	op, path string // path is CEL
	value    string // CEL; "" for none
	entries  string // CEL for a map, each entry of which is an operation; "" for none
}

// patches is CEL for the operations that mend what checks find, all of them computed on the
// object as it is. There is a list for each operation, made for all items at once, since items
// do not depend on one another: no version of CEL that API servers of all supported versions
// have makes one list of many. Maps and lists that are missing are made first, the outer ones
// before the inner ones, since several checks may put something in.
func patches(checks []*lint.Check) string {
	type made struct {
		depth int
		text  string
	}
	var all []made
	for _, c := range checks {
		condition := bad(c)
		if c.Fix.When != nil {
			condition += " && (" + c.Fix.When.Text() + ")"
		}
		lists := [][]string{nil}
		if c.Each != nil {
			lists = c.Each.Lists
		}
		for _, list := range lists {
			for _, o := range operations(c, list) {
				all = append(all, made{o.depth, o.over(c, list, condition)})
			}
		}
	}
	order := func(m made) int {
		if m.depth == 0 {
			return 1 << 16
		}
		return m.depth
	}
	slices.SortStableFunc(all, func(a, b made) int { return order(a) - order(b) })
	texts := make([]string, len(all))
	for i, m := range all {
		texts[i] = m.text
	}
	return strings.Join(texts, "\n+ ")
}

// over is CEL for the list of the operation, for each item of a list or for the object.
func (o operation) over(c *lint.Check, list []string, condition string) string {
	when := both(condition, o.when)
	switch {
	case c.Each == nil && o.entries != "":
		return "(" + when + " ? " + o.entries + " : {}).transformList(k, v, " + o.patch("k", "v") + ")"
	case c.Each == nil:
		return "(" + when + " ? [" + o.patch("", o.value) + "] : [])"
	}
	item := c.Each.Name
	when = item + " != null && " + when
	before, inner, nested := cut(list)
	if !nested && o.entries == "" {
		return items(root(before)) + ".transformList(i, " + item + ", " + when + ", " + o.patch("", o.value) + ")"
	}
	// What is a list for each item of a list becomes one by way of a text: of the places of
	// items in lists of lists, and of the entries of maps.
	place := index
	places := items(root(before)) + ".transformList(i, " + item + ", " + when + ", " + o.keysAt(place) + ")"
	there := root(before) + ".orValue([])[int(" + step("0") + ")]"
	if nested {
		of := "outer"
		for _, key := range inner {
			of, there = optional(of, key), selected(there, key)
		}
		place = "string(o) + '\\n' + " + index
		places = items(root(before)) + ".transformList(o, outer, " + items(of) + ".transformList(i, " + item + ", " + when + ", " + o.keysAt(place) + ").join('\\r'))"
		there += "[int(" + step("1") + ")]"
	}
	o.path = strings.ReplaceAll(o.path, index, step("0"))
	patch := o.patch("", o.value)
	if o.entries != "" {
		key := "at.split('\\n')[at.split('\\n').size() - 1]"
		patch = o.patch(key, "("+o.entries+")["+key+"]")
	}
	return places + ".join('\\r').split('\\r').filter(at, at != '').map(at, [" + there + "].map(" + item + ", " + patch + ")[0])"
}

// step is CEL for a number in the place of an item, see over.
func step(n string) string { return "at.split('\\n')[" + n + "]" }

// keysAt is CEL for the place of an item, or the places of the entries there.
func (o operation) keysAt(place string) string {
	if o.entries == "" {
		return place
	}
	return "(" + o.entries + ").map(k, " + place + " + '\\n' + k).join('\\r')"
}

// patch is CEL for the operation, on the entry called key, if that is not "".
func (o operation) patch(key, value string) string {
	path := o.path
	if key != "" {
		path += " + '/' + jsonpatch.escapeKey(" + key + ")"
	}
	if value != "" {
		value = ", value: " + value
	}
	return "JSONPatch{op: " + literal(o.op) + ", path: " + path + value + "}"
}

// templates are CEL for where the roots of views are, as JSON pointers.
var templates = map[string]string{
	"podTemplate": "(object.kind == 'CronJob' ? '/spec/jobTemplate/spec/template' : object.kind == 'Pod' ? '' : object.kind == 'PodTemplate' ? '/template' : '/spec/template')",
	"jobSpec":     "(object.kind == 'CronJob' ? '/spec/jobTemplate/spec' : '/spec')",
}

// pointer is CEL for the JSON pointer of a root.
func pointer(root string) string {
	if root == "podSpec" {
		return templates["podTemplate"] + " + '/spec'"
	}
	return templates[root]
}

// index is CEL for the place of an item in its list.
const index = "string(i)"

// itemPointer is CEL for the JSON pointer of an item of a list; in lists of lists at holds its
// place, see over.
func itemPointer(list []string) string {
	text, steps := "''", list
	if p := pointer(list[0]); p != "" {
		text, steps = p, list[1:]
	}
	before, inner, nested := cut(steps)
	if nested {
		return text + " + " + literal(steppedTo(before)+"/") + " + " + step("0") + " + " + literal(steppedTo(inner)+"/") + " + " + step("1")
	}
	return text + " + " + literal(steppedTo(steps)+"/") + " + " + index
}

func steppedTo(path []string) string {
	var text string
	for _, step := range path {
		text += "/" + escaped(step)
	}
	return text
}

// escaped is a key as a step of a JSON pointer.
func escaped(key string) string { return strings.NewReplacer("~", "~0", "/", "~1").Replace(key) }
