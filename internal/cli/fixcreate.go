// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"kilter.dev/kilter/internal/lint"
	"kilter.dev/kilter/internal/manifest"
	"kilter.dev/kilter/internal/render"
)

// superfluous says why an object that a fix adds may be one too many: another one of its kind
// does the same when both are in one cluster, wherever in the input it is, or a template of
// the chart makes one with other values.
func (x *fixer) superfluous(u unit, f lint.Finding, among []*manifest.Object) error {
	if f.Repair.Create == nil {
		return nil
	}
	created, _ := manifest.Objects([]*manifest.Node{f.Repair.Create})
	if len(created) != 1 {
		return nil
	}
	if err := switched(u.chart, f, created[0].Kind); err != nil {
		return err
	}
	others := x.others(created[0].ID(), f.Object.Namespace)
	if len(others) == 0 {
		return nil
	}
	namespace := f.Object.ID().In("").Namespace
	among = slices.DeleteFunc(slices.Clone(among), func(o *manifest.Object) bool { return o.ID().In("").Namespace != namespace })
	if x.stays(u, f, slices.Concat(among, others)) {
		return nil
	}
	for _, o := range others {
		if !x.stays(u, f, append(among[:len(among):len(among)], o)) {
			return fmt.Errorf("%s %s (%s) does so already where both are applied: add one by hand if they never are", o.Kind, o.Name, o.Span)
		}
	}
	return fmt.Errorf("what there is of %s elsewhere does so already", created[0].Kind)
}

// stays reports whether objects leave a finding as it is.
func (x *fixer) stays(u unit, f lint.Finding, objects []*manifest.Object) bool {
	o := x.in.judging(u)
	o.Only = func(rule string) bool { return rule == f.Code }
	o.Of = func(o *manifest.Object) bool { return o == f.Object }
	return slices.ContainsFunc(x.in.set.rules.Run(objects, o), func(other lint.Finding) bool { return other.Path == f.Path })
}

// others are the objects of a kind in all of the input that are, or may be, in a namespace:
// where nothing is said, whoever applies it says so.
func (x *fixer) others(of manifest.ID, namespace string) (all []*manifest.Object) {
	add := func(objects []*manifest.Object) {
		for _, o := range objects {
			id := o.ID()
			if id.Group != of.Group || id.Kind != of.Kind || o.Namespace != "" && namespace != "" && o.Namespace != namespace {
				continue
			}
			there := *o
			there.Namespace = namespace
			all = append(all, &there)
		}
	}
	for _, u := range x.in.units {
		add(u.objects)
	}
	for _, path := range x.in.components {
		resources, _ := render.Sources(path)
		for _, f := range render.Written(resources, nil) {
			add(plainObjects(f))
		}
	}
	return all
}

// switched says which template of the chart of a file may make an object of a kind.
func switched(chart string, f lint.Finding, kind string) error {
	if chart == "" {
		return nil
	}
	made := regexp.MustCompile(`(?m)^[ \t-]*["']?kind["']?:[ \t]*["']?` + regexp.QuoteMeta(kind) + `\b`)
	for _, file := range render.ChartFiles(chart) {
		at := made.FindStringIndex(file.Text)
		if at == nil || !strings.Contains(file.Text, "{{") || chartOf(file.Name) != chartOf(f.Object.Span.File.Name) {
			continue // what has no holes is there in each rendering
		}
		by := "the template"
		if conditions := condition.FindAllStringSubmatch(file.Text[:at[0]], -1); len(conditions) > 0 {
			by = conditions[len(conditions)-1][1]
		}
		return fmt.Errorf("the chart makes a %s in %s, where %s says so: a second one would be there then", kind, file.Name, strings.TrimPrefix(by, "."))
	}
	return nil
}

// condition is the first value in a condition of a template.
var condition = regexp.MustCompile(`\{\{-?\s*(?:else )?(?:if|with|range)\b[^}]*?(\.Values\.[\w.]+)`)

// chartOf is the folder of the chart that a template is in.
func chartOf(name string) string {
	name = filepath.ToSlash(name)
	return name[:max(0, strings.LastIndex(name, "/templates/"))]
}
