// SPDX-License-Identifier: Apache-2.0

package lint

import (
	"slices"
	"strconv"
	"strings"

	"kilter.dev/kilter/internal/diag"
	"kilter.dev/kilter/internal/manifest"
	"kilter.dev/kilter/internal/source"
)

// The annotations that suppress findings in an object, or in the part of it that they
// stand in: a pod template, a Job of a JobSet.
const (
	IgnoreAnnotation = "kilter.dev/ignore"        // RULE[,RULE]
	ReasonAnnotation = "kilter.dev/ignore-reason" // why
)

// marked are the marks in objects that were judged together.
type marked struct {
	annotations map[*manifest.Object][]scoped
	comments    map[*source.File]map[int][]*mark // by the line they are about
}

// scoped is a mark for what is below a path of an object.
type scoped struct {
	*mark
	below []string
}

// about returns the marks that suppress the finding.
func (m marked) about(f Finding) []*mark {
	var all []*mark
	for _, a := range m.annotations[f.Object] {
		if a.rule.name == f.Code && f.isBelow(a.below) {
			all = append(all, a.mark)
		}
	}
	if lines := m.comments[f.Span.File]; lines != nil {
		line, _ := f.Span.Position()
		for _, c := range lines[line] {
			if c.rule.name == f.Code {
				all = append(all, c)
			}
		}
	}
	return all
}

// isBelow reports whether the finding is about something at or below the path.
func (f Finding) isBelow(path []string) bool {
	rest, ok := strings.CutPrefix(f.Path, manifest.PathText(f.Object.Node, path))
	return ok && (len(path) == 0 || rest == "" || rest[0] == '.' || rest[0] == '[')
}

// collect finds the marks in objects.
func (s *Suppressor) collect(objects []*manifest.Object) marked {
	m := marked{annotations: map[*manifest.Object][]scoped{}, comments: map[*source.File]map[int][]*mark{}}
	for _, o := range objects {
		a := annotations{suppressor: s, object: o}
		a.visit(o.Node, nil)
		m.annotations[o] = a.found
		file := o.Span.File
		if file == nil || s.Annotations {
			continue
		}
		if _, known := m.comments[file]; !known {
			m.comments[file] = s.comments(file, objects)
		}
	}
	return m
}

// annotations finds the annotations of an object, wherever it has metadata.
type annotations struct {
	suppressor *Suppressor
	object     *manifest.Object
	found      []scoped
}

func (a *annotations) visit(n *manifest.Node, path []string) {
	if n == nil {
		return
	}
	for _, f := range n.Fields {
		if f.Key == "metadata" {
			a.read(f.Value.Get("annotations"), path)
		}
		a.visit(f.Value, append(path, f.Key))
	}
	for i, item := range n.Items {
		a.visit(item, append(path, strconv.Itoa(i)))
	}
}

// ownTemplates are the paths of templates that are all that their object makes: what they
// suppress is suppressed in the whole object.
var ownTemplates = []string{"spec.template", "spec.jobTemplate", "spec.jobTemplate.spec.template"}

func (a *annotations) read(n *manifest.Node, path []string) {
	value, why := n.Get(IgnoreAnnotation), n.Get(ReasonAnnotation)
	if value == nil && why == nil {
		return
	}
	where := manifest.PathText(a.object.Node, path)
	if value == nil {
		a.wrong(why, where, ReasonAnnotation+" is the reason of nothing", "name the rules in "+IgnoreAnnotation)
		return
	}
	if value.Shape != manifest.String {
		a.wrong(value, where, IgnoreAnnotation+" is text: the names of rules, with commas between them", "")
		return
	}
	below := slices.Clone(path)
	if slices.Contains(ownTemplates, where) {
		below = nil
	}
	names, starts := splitRules(value.Text())
	if len(names) == 0 {
		a.wrong(value, where, IgnoreAnnotation+" names no rule", "name the rules, with commas between them, or remove it")
	}
	for i, name := range names {
		m := a.suppressor.add(nameOf(a.object.Span), a.object.ID().String()+" "+where, mark{
			rule:   named{name, value.At(starts[i], starts[i]+len(name))},
			reason: n.Get(ReasonAnnotation).Text(),
			about:  refOf(a.object),
		})
		a.found = append(a.found, scoped{m, below})
	}
}

// wrong says what is wrong with an annotation of the metadata at where.
func (a *annotations) wrong(value *manifest.Node, where, message, hint string) {
	d := diag.Diagnostic{Span: value.Span, Message: message, Hint: hint, Object: refOf(a.object)}
	a.suppressor.wrong(nameOf(a.object.Span), a.object.ID().String()+" "+where, d)
}
