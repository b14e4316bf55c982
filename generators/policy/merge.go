// SPDX-License-Identifier: Apache-2.0

package policy

import (
	"strconv"
	"strings"

	"kilter.dev/kilter/internal/kube"
	"kilter.dev/kilter/internal/lint"
	"kilter.dev/kilter/internal/manifest"
	"kilter.dev/kilter/internal/workload"
)

// operations are those of a check's fix, for an item of the list, or for the object.
func operations(c *lint.Check, list []string) []operation {
	p := patcher{fix: c.Fix}
	for _, f := range c.Fix.Patch.Fields {
		switch {
		case c.Each != nil && f.Key == c.Each.Name:
			p.merge(target{of: f.Key, at: itemPointer(list)}, f.Value)
		case workload.IsRoot(f.Key):
			p.merge(target{of: "variables." + f.Key, at: pointer(f.Key)}, f.Value)
		default:
			p.merge(target{of: "object", at: "''"}, manifest.NewMap(manifest.Field{Key: f.Key, Value: f.Value}))
		}
	}
	return p.made
}

// patcher turns a fix's patch into operations.
type patcher struct {
	fix   *lint.Fix
	made  []operation
	names int
}

// target is what a patch is merged into: what it is in CEL, whether it is there, where, as a
// JSON pointer, how deep, and in which case at all.
type target struct {
	of, there, at string
	depth         int
	when          string
}

func (t target) below(key string) target {
	return target{selected(t.of, key), both(t.there, has(t.of, key)), t.at + " + " + literal("/"+escaped(key)), t.depth + 1, t.when}
}

// merge merges a map into what is there, as kilter fix does: null deletes.
func (p *patcher) merge(t target, patch *manifest.Node) {
	for _, f := range patch.Fields {
		next := t.below(f.Key)
		missing := both(t.when, "!("+next.there+")")
		switch {
		case f.Value.Shape == manifest.Null:
			p.add(operation{when: both(t.when, next.there), op: "remove", path: next.at})
		case f.Value.Shape == manifest.Map:
			p.add(operation{depth: next.depth, when: missing, op: "add", path: next.at, value: "{}"})
			p.merge(next, f.Value)
		case f.Value.Shape == manifest.List && kube.MergeKey(f.Key) != "":
			p.add(operation{depth: next.depth, when: missing, op: "add", path: next.at, value: "[]"})
			p.mergeList(next, f.Value, kube.MergeKey(f.Key))
		case f.Value.Shape == manifest.String && isMap(p.fix.Text(f.Value)):
			p.add(operation{depth: next.depth, when: missing, op: "add", path: next.at, value: "{}"})
			p.add(operation{when: t.when, op: "add", path: next.at, entries: p.value(f.Value)})
		default:
			p.add(operation{when: t.when, op: "add", path: next.at, value: p.value(f.Value)})
		}
	}
}

func (p *patcher) add(o operation) { p.made = append(p.made, o) }

// mergeList merges the items of a list by their key.
func (p *patcher) mergeList(t target, patch *manifest.Node, key string) {
	for _, item := range patch.Items {
		x := p.name("x")
		is := selected(x, key) + " == " + p.value(item.Get(key))
		same := t.of + ".filter(" + x + ", " + is + ")"
		exists := both(t.there, same+".size() > 0")
		index := t.of + ".transformList(n, " + x + ", " + is + ", n)[0]"
		p.merge(target{same + "[0]", exists, t.at + " + '/' + string(" + index + ")", t.depth + 1, both(t.when, exists)}, item)
		p.add(operation{when: both(t.when, "!("+exists+")"), op: "add", path: t.at + " + '/-'", value: p.value(item)})
	}
}

func (p *patcher) name(prefix string) string {
	p.names++
	return prefix + strconv.Itoa(p.names)
}

// isMap reports whether a text is a hole that gives a map, which is merged entry by entry.
func isMap(t *lint.Text) bool { return isHole(t) && t.Parts[0].Hole.IsMap() }

func isHole(t *lint.Text) bool { return len(t.Parts) == 1 && t.Parts[0].Hole != nil }

// value is CEL for a value of a patch, in which what it deletes is left out.
func (p *patcher) value(n *manifest.Node) string {
	switch n.Shape {
	case manifest.String:
		if t := p.fix.Text(n); !isHole(t) {
			return concatenation(t)
		}
		return "dyn(" + p.fix.Text(n).Parts[0].Hole.Text() + ")"
	case manifest.Map:
		var fields []string
		for _, f := range n.Fields {
			if f.Value.Shape != manifest.Null {
				fields = append(fields, literal(f.Key)+": dyn("+p.value(f.Value)+")")
			}
		}
		return "{" + strings.Join(fields, ", ") + "}"
	case manifest.List:
		var items []string
		for _, item := range n.Items {
			items = append(items, "dyn("+p.value(item)+")")
		}
		return "[" + strings.Join(items, ", ") + "]"
	}
	return strings.TrimSpace(manifest.Print(n))
}
