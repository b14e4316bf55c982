// SPDX-License-Identifier: Apache-2.0

package lint

import (
	"io/fs"
	"path"
	"slices"
	"strings"

	"kilter.dev/kilter/internal/diag"
	"kilter.dev/kilter/internal/manifest"
	"kilter.dev/kilter/internal/source"
)

// VariablesFile is the file of a folder of rules that holds what they share.
const VariablesFile = "variables.yaml"

// Load reads the rules of a folder: variables.yaml, and one rule in each other *.yaml
// file. The error is a diag.List of everything that is wrong in the files.
func Load(fsys fs.FS) (*Rules, error) {
	names, err := fs.Glob(fsys, "*.yaml")
	if err != nil {
		return nil, err
	}
	l := &loader{Reader: manifest.Reader{Code: Code}, rules: &Rules{kinds: map[string][]Kind{}, named: map[string]*Variable{}}}
	// The kinds of variables.yaml are needed by all others.
	names = slices.DeleteFunc(names, func(name string) bool { return name == VariablesFile })
	for _, name := range append([]string{VariablesFile}, names...) {
		text, err := fs.ReadFile(fsys, name)
		if err != nil {
			return nil, err
		}
		l.file(source.New(name, string(text)))
	}
	return l.rules, l.Errs.Err()
}

type loader struct {
	manifest.Reader
	rules *Rules
}

func (l *loader) file(f *source.File) {
	docs, errs := manifest.Parse(f)
	l.Errs.Add(errs)
	if len(docs) != 1 {
		l.Errorf(source.Span{File: f}, "%d documents, not one", len(docs))
		return
	}
	root := docs[0]
	l.Constant(root, "apiVersion", APIVersion)
	if f.Name == VariablesFile {
		l.Constant(root, "kind", "RuleVariables")
		l.Keys(root, "apiVersion", "kind", "kinds", "variables")
		l.shared(root)
		return
	}
	l.Constant(root, "kind", "Rule")
	l.Keys(root, "apiVersion", "kind", "metadata", "spec")
	metadata := l.Want(root, "metadata", manifest.Map)
	l.Keys(metadata, "name")
	name := l.Text(metadata, "name", true)
	if want := strings.TrimSuffix(path.Base(f.Name), ".yaml"); name != "" && name != want {
		l.Errorf(root.Get("metadata", "name").Span, "the rule is called %q, but its file %q", name, f.Name)
	}
	if spec := l.Want(root, "spec", manifest.Map); spec != nil {
		l.rule(name, spec)
	}
}

func (l *loader) shared(root *manifest.Node) {
	if kinds := l.Want(root, "kinds", manifest.Map); kinds != nil {
		for _, f := range kinds.Fields {
			for _, item := range f.Value.Items {
				l.rules.kinds[f.Key] = append(l.rules.kinds[f.Key], l.kind(item)...)
			}
		}
	}
	for _, item := range l.List(root, "variables", true) {
		l.Keys(item, "name", "description", "expression")
		name := l.Text(item, "name", true)
		description := l.Text(item, "description", true)
		if e := l.cel(item, "expression", true); e != nil {
			v := &Variable{Name: name, Description: description, Value: e}
			l.rules.variables, l.rules.named[name] = append(l.rules.variables, v), v
		}
	}
}

func (l *loader) rule(name string, spec *manifest.Node) {
	l.Keys(spec, "title", "severity", "kinds", "native", "checks", "why", "sources")
	r := &Rule{
		Name: name, Span: spec.Span,
		Title:    l.Text(spec, "title", true),
		Severity: l.severity(spec, diag.Error, true),
		Why:      l.Text(spec, "why", true),
	}
	for _, item := range l.List(spec, "sources", true) {
		r.Sources = append(r.Sources, item.Text())
	}
	native := spec.Get("native")
	for _, item := range l.List(spec, "kinds", native == nil) {
		r.Kinds = append(r.Kinds, l.kind(item)...)
	}
	for _, item := range l.List(spec, "checks", native == nil) {
		if c := l.check(item, r.Severity); c != nil {
			r.Checks = append(r.Checks, c)
		}
	}
	if native != nil && (native.Value != true || len(r.Checks) > 0) {
		l.Errorf(native.Span, "native is true, for a rule that is checked by Go and has no checks, or left out")
	}
	l.rules.All = append(l.rules.All, r)
}

func (l *loader) kind(n *manifest.Node) []Kind {
	if group, ok := l.rules.kinds[n.Text()]; ok {
		return group
	}
	group, kind, found := strings.Cut(n.Text(), "/")
	if !found {
		group, kind = "", group
	}
	if kind == "" || kind[0] < 'A' || kind[0] > 'Z' {
		l.Errorf(n.Span, "%q is neither a kind such as apps/Deployment nor a list of kinds in %s", n.Text(), VariablesFile)
		return nil
	}
	return []Kind{{group, kind}}
}

func (l *loader) check(n *manifest.Node, severity diag.Severity) *Check {
	l.Keys(n, "kubernetes", "each", "when", "check", "severity", "message", "hint", "at", "fix")
	c := &Check{Severity: l.severity(n, severity, false), When: l.cel(n, "when", false), Check: l.cel(n, "check", true)}
	l.versions(n, c)
	if each := l.Optional(n, "each", manifest.Map); each != nil {
		c.Each = l.each(each)
	}
	l.Text(n, "message", true)
	c.Message = l.rules.template(n.Get("message"))
	if hint := l.Optional(n, "hint", manifest.String); hint != nil {
		c.Hint = l.rules.template(hint)
	}
	c.At = manifest.ParsePath(l.Text(n, "at", true))
	if fix := l.Optional(n, "fix", manifest.Map); fix != nil {
		l.Keys(fix, "when", "message", "patch", "create")
		c.Fix = &Fix{
			When: l.cel(fix, "when", false), Message: l.Text(fix, "message", true),
			Patch: l.Optional(fix, "patch", manifest.Map), Create: l.Optional(fix, "create", manifest.Map),
		}
		c.Fix.texts = map[*manifest.Node]*Text{}
		l.texts(c.Fix.Patch, c.Fix.texts)
		l.texts(c.Fix.Create, c.Fix.texts)
		if (c.Fix.Patch == nil) == (c.Fix.Create == nil) {
			l.Errorf(fix.Span, "a fix has either a patch or an object to create")
		}
	}
	if c.Check == nil {
		return nil
	}
	return c
}

// texts reads the holes of the strings in n.
func (l *loader) texts(n *manifest.Node, into map[*manifest.Node]*Text) {
	if n == nil {
		return
	}
	if n.Shape == manifest.String {
		into[n] = l.rules.template(n)
	}
	for _, f := range n.Fields {
		l.texts(f.Value, into)
	}
	for _, item := range n.Items {
		l.texts(item, into)
	}
}

// versions reads "<1.37" and ">=1.35".
func (l *loader) versions(n *manifest.Node, c *Check) {
	text := l.Text(n, "kubernetes", false)
	for _, part := range strings.Fields(text) {
		if v, ok := strings.CutPrefix(part, ">="); ok {
			c.Since = v
		} else if v, ok := strings.CutPrefix(part, "<"); ok {
			c.Before = v
		} else {
			l.Errorf(n.Get("kubernetes").Span, "kubernetes is >=VERSION, <VERSION or both, not %q", text)
		}
	}
}

func (l *loader) each(n *manifest.Node) *Each {
	if len(n.Fields) != 1 || n.Fields[0].Value == nil || n.Fields[0].Value.Shape != manifest.List {
		l.Errorf(n.Span, "each is one name with the lists whose items it stands for, such as container: [podSpec.containers]")
		return nil
	}
	e := &Each{Name: n.Fields[0].Key}
	if !slices.Contains(l.rules.compiler.each, e.Name) {
		l.rules.compiler.each = append(l.rules.compiler.each, e.Name)
	}
	for _, item := range n.Fields[0].Value.Items {
		e.Lists = append(e.Lists, manifest.ParsePath(item.Text()))
	}
	return e
}
