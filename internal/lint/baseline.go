// SPDX-License-Identifier: Apache-2.0

package lint

import (
	"cmp"
	"slices"
	"strings"

	"kilter.dev/kilter/internal/diag"
	"kilter.dev/kilter/internal/manifest"
	"kilter.dev/kilter/internal/source"
)

// BaselineCode is the diagnostic code of a baseline that is not written as it must be.
const BaselineCode = "baseline"

// Baseline are the findings that were there when a repository began to use Kilter: they do
// not count, new ones do.
type Baseline struct{ entries []*accepted }

// accepted is an entry of a baseline.
type accepted struct {
	known
	count int // how many findings it stands for
	span  source.Span

	ruleSpan source.Span
}

// known is what findings have in common that a baseline takes for the same. The lines of
// the file and the words of the message may change.
type known struct{ rule, file, object, path string }

// knownOf returns what a baseline has of a finding; file is the path from its folder.
func knownOf(f Finding, file string) known {
	object := ""
	if f.Object != nil {
		id := f.Object.ID()
		id.Name = f.Diagnostic.Object.Name // it may be withheld
		object = strings.TrimSpace(id.String())
	}
	return known{f.Code, file, object, f.Path}
}

// NewBaseline returns the baseline that accepts the findings that count, which inFile tells
// the paths of from the baseline's folder. Findings about suppressions are left out.
func NewBaseline(findings []Finding, inFile func(name string) string) *Baseline {
	counts := map[known]int{}
	for _, f := range findings {
		if f.Suppressed == nil && f.Code != SuppressionCode {
			counts[knownOf(f, inFile(nameOf(f.Span)))]++
		}
	}
	b := &Baseline{}
	for k, n := range counts {
		b.entries = append(b.entries, &accepted{known: k, count: n})
	}
	slices.SortFunc(b.entries, func(x, y *accepted) int {
		return cmp.Or(cmp.Compare(x.file, y.file), cmp.Compare(x.object, y.object), cmp.Compare(x.rule, y.rule), cmp.Compare(x.path, y.path))
	})
	return b
}

// Size is how many findings the baseline accepts.
func (b *Baseline) Size() int {
	n := 0
	for _, e := range b.entries {
		n += e.count
	}
	return n
}

// YAML is the text of the baseline's file.
func (b *Baseline) YAML() string {
	list := manifest.NewList()
	for _, e := range b.entries {
		entry := manifest.NewMap(
			manifest.Field{Key: "rule", Value: manifest.NewString(e.rule)},
			manifest.Field{Key: "file", Value: manifest.NewString(e.file)},
		)
		if e.object != "" {
			entry.Set("object", manifest.NewString(e.object))
		}
		if e.path != "" {
			entry.Set("path", manifest.NewString(e.path))
		}
		if e.count > 1 {
			entry.Set("count", manifest.NewInt(int64(e.count)))
		}
		list.Items = append(list.Items, entry)
	}
	return "# Findings that kilter check accepts; --write-baseline writes this file.\n" + manifest.Print(manifest.NewMap(
		manifest.Field{Key: "apiVersion", Value: manifest.NewString(APIVersion)},
		manifest.Field{Key: "kind", Value: manifest.NewString("Baseline")},
		manifest.Field{Key: "findings", Value: list},
	))
}

// ParseBaseline reads what YAML wrote. The error is a diag.List of everything that is wrong.
func ParseBaseline(f *source.File) (*Baseline, error) {
	l := &loader{Reader: manifest.Reader{Code: BaselineCode}}
	b := &Baseline{}
	docs, errs := manifest.Parse(f)
	l.Errs.Add(errs)
	switch {
	case len(docs) == 1 && docs[0].Shape == manifest.Map:
		root := docs[0]
		l.Keys(root, "apiVersion", "kind", "findings")
		l.Constant(root, "apiVersion", APIVersion)
		l.Constant(root, "kind", "Baseline")
		for _, item := range l.List(root, "findings", false) {
			b.entries = append(b.entries, l.accepted(item))
		}
	case len(docs) > 0 || len(errs) == 0:
		l.Errorf(source.Span{File: f}, "a baseline is one document, a map")
	}
	return b, l.Errs.Err()
}

func (l *loader) accepted(n *manifest.Node) *accepted {
	e := &accepted{count: 1, span: n.Span}
	if n.Shape != manifest.Map {
		l.Errorf(n.Span, "a finding is a map with rule, file, object and path")
		return e
	}
	l.Keys(n, "rule", "file", "object", "path", "count")
	if e.rule = l.Text(n, "rule", true); e.rule != "" {
		e.ruleSpan = n.Get("rule").Span
	}
	e.file = l.Text(n, "file", true)
	e.object = l.Text(n, "object", false)
	e.path = l.Text(n, "path", false)
	if count := l.Optional(n, "count", manifest.Int); count != nil {
		number, _ := count.Value.(int64)
		if number < 1 {
			l.Errorf(count.Span, "count is 1 or more")
		}
		e.count = int(number)
	}
	return e
}

// nameOf is the file that users know a place by: that of rendered text is what it was
// rendered from.
func nameOf(s source.Span) string {
	switch {
	case s.File == nil:
		return ""
	case s.File.Origin != "":
		return s.File.Origin
	}
	return s.File.Name
}

// unknown says which rules a baseline names that there are not, each once.
func (s *Suppressor) unknown() (list diag.List) {
	known := map[string]bool{}
	for _, e := range s.Baseline.entries {
		if !known[e.rule] && s.Rules.Find(e.rule) == nil {
			list.Add(s.noRule(named{e.rule, e.ruleSpan}))
		}
		known[e.rule] = true
	}
	return list
}

// stale says what a baseline accepts that is not there any more.
func (s *Suppressor) stale() diag.List {
	var list diag.List
	gone, total, at := 0, 0, source.Span{}
	for _, e := range s.Baseline.entries {
		total += e.count
		if left := s.left[e.known]; left > 0 && s.seen[e.file] && s.ran(e.rule) && s.Rules.Find(e.rule) != nil {
			gone += left
			s.left[e.known] = 0 // of two equal entries the first speaks for both
			if at.File == nil {
				at = e.span
			}
		}
	}
	if gone > 0 {
		d := list.Errorf(at, SuppressionCode, "this baseline accepts findings that are not there any more: %d of %d", gone, total)
		d.Severity, d.Hint = diag.Info, "write it anew with --write-baseline, so that they do not come back unseen"
	}
	return list
}
