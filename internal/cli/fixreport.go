// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"kilter.dev/kilter/internal/diag"
	"kilter.dev/kilter/internal/fix"
	"kilter.dev/kilter/internal/lint"
	"kilter.dev/kilter/internal/manifest"
	"kilter.dev/kilter/internal/source"
)

// filesOf returns the files that a unit's objects stand in, as they are by now; false when
// some were rendered.
func (x *fixer) filesOf(u unit) (files []*source.File, inFiles bool) {
	seen := map[string]bool{}
	for _, o := range u.objects {
		f := o.Span.File
		if f == nil || f.Origin != "" || u.chart != "" {
			return nil, false
		}
		name := filepath.Clean(f.Name)
		if x.files[name] == nil {
			x.files[name] = &fixed{before: f.Text, now: f}
			x.order = append(x.order, name)
		}
		if !seen[name] {
			seen[name] = true
			files = append(files, x.files[name].now)
		}
	}
	return files, true
}

// plainObjects returns the Kubernetes objects of a file.
func plainObjects(f *source.File) []*manifest.Object {
	docs, _ := manifest.Parse(f)
	objects, _ := manifest.Objects(slices.DeleteFunc(docs, func(n *manifest.Node) bool {
		return strings.HasPrefix(n.Get("apiVersion").Text(), "kilter.dev/")
	}))
	return objects
}

// recipeObjects returns the objects of a kustomization's own file.
func recipeObjects(f *source.File) []*manifest.Object {
	docs, _ := manifest.Parse(f)
	return recipes(docs)
}

// rendered says where to change what has a fix.
func (x *fixer) rendered(u unit, found []lint.Finding) {
	hint := "it is built by a kustomization: fix the file that it is built from, or patch it"
	switch {
	case u.chart != "":
		hint = "it is rendered from a chart: change the template, or the values that it has by default"
	case u.from != nil:
		hint = "it is rendered from a workload file: change the parameters, or the profile"
	}
	for _, f := range found {
		if x.seen[u.key(f)] || f.Suppressed != nil {
			continue
		}
		x.seen[u.key(f)] = true
		if f.Repair == nil {
			x.without++
			continue
		}
		d := u.labelled(f).Diagnostic
		d.Message, d.Hint = "not fixed: "+d.Message, hint
		x.refused = append(x.refused, d)
	}
}

// refuse says why a fix is not made, at the place that is in its way.
func (x *fixer) refuse(r fix.Refusal) {
	d := r.Diagnostic
	why := r.Why.Error()
	var list diag.List
	if errors.As(r.Why, &list) && len(list) > 0 {
		why = strings.TrimPrefix(list[0].Message, "cannot be edited safely: ")
		if list[0].Span.File != nil {
			d.Span = list[0].Span
		}
	}
	d.Message, d.Hint = "not fixed: "+d.Message, why
	x.refused = append(x.refused, d)
}

// count counts the findings that are left.
func (x *fixer) count(found []lint.Finding) {
	for _, f := range found {
		if f.Repair == nil && f.Suppressed == nil {
			x.without++
		}
	}
}

// report says on standard error what is fixed, what is not, and what has no fix.
func (x *fixer) report(o *fixOptions, changed int) {
	x.warnings.Print(o.err, colour(o.err))
	x.problems.Print(o.err, colour(o.err))
	for _, f := range x.made {
		fmt.Fprintf(o.err, "%s: %s [%s]\n", f.Span, f.Fix, f.Code)
	}
	x.refused.Sort()
	x.refused.Print(o.err, colour(o.err))
	word := "fixed"
	if o.diff {
		word = "would fix"
	}
	parts := []string{fmt.Sprintf("%s %s in %s", word, counted(len(x.made), "finding"), counted(changed, "file"))}
	if n := len(x.refused); n > 0 {
		parts = append(parts, fmt.Sprintf("%d not fixed", n))
	}
	if x.without > 0 {
		parts = append(parts, fmt.Sprintf("%d without a fix (see kilter check)", x.without))
	}
	fmt.Fprintln(o.err, strings.Join(parts, "; "))
}

// counted is "1 file", "2 files".
func counted(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return fmt.Sprintf("%d %ss", n, word)
}
