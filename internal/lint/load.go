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
	l := &loader{rules: &Rules{kinds: map[string][]Kind{}, named: map[string]*variable{}}}
	// The kinds of variables.yaml are needed by all others.
	names = slices.DeleteFunc(names, func(name string) bool { return name == VariablesFile })
	for _, name := range append([]string{VariablesFile}, names...) {
		text, err := fs.ReadFile(fsys, name)
		if err != nil {
			return nil, err
		}
		l.file(source.New(name, string(text)))
	}
	return l.rules, l.errs.Err()
}

type loader struct {
	rules *Rules
	errs  diag.List
}

func (l *loader) file(f *source.File) {
	docs, errs := manifest.Parse(f)
	l.errs.Add(errs)
	if len(docs) != 1 {
		l.errs.Errorf(source.Span{File: f}, Code, "%d documents, not one", len(docs))
		return
	}
	root := docs[0]
	l.constant(root, "apiVersion", APIVersion)
	if f.Name == VariablesFile {
		l.constant(root, "kind", "RuleVariables")
		l.keys(root, "apiVersion", "kind", "kinds", "variables")
		l.shared(root)
		return
	}
	l.constant(root, "kind", "Rule")
	l.keys(root, "apiVersion", "kind", "metadata", "spec")
	l.keys(root.Get("metadata"), "name")
	name := l.text(root.Get("metadata"), root, "name", true)
	if want := strings.TrimSuffix(path.Base(f.Name), ".yaml"); name != "" && name != want {
		l.errs.Errorf(root.Get("metadata", "name").Span, Code, "the rule is called %q, but its file %q", name, f.Name)
	}
	if spec := l.want(root, root, "spec", manifest.Map); spec != nil {
		l.rule(name, spec)
	}
}

func (l *loader) shared(root *manifest.Node) {
	if kinds := l.want(root, root, "kinds", manifest.Map); kinds != nil {
		for _, f := range kinds.Fields {
			for _, item := range f.Value.Items {
				l.rules.kinds[f.Key] = append(l.rules.kinds[f.Key], l.kind(item)...)
			}
		}
	}
	for _, item := range l.list(root, root, "variables", true) {
		l.keys(item, "name", "description", "expression")
		name := l.text(item, item, "name", true)
		description := l.text(item, item, "description", true)
		if e := l.cel(item, "expression", true); e != nil {
			v := &variable{Name: name, Description: description, value: e}
			l.rules.variables, l.rules.named[name] = append(l.rules.variables, v), v
		}
	}
}

func (l *loader) rule(name string, spec *manifest.Node) {
	l.keys(spec, "title", "severity", "kinds", "native", "checks", "why", "sources")
	r := &Rule{
		Name: name, Span: spec.Span,
		Title:    l.text(spec, spec, "title", true),
		Severity: l.severity(spec, diag.Error, true),
		Why:      l.text(spec, spec, "why", true),
	}
	for _, item := range l.list(spec, spec, "sources", true) {
		r.Sources = append(r.Sources, item.Text())
	}
	native := spec.Get("native")
	for _, item := range l.list(spec, spec, "kinds", native == nil) {
		r.Kinds = append(r.Kinds, l.kind(item)...)
	}
	for _, item := range l.list(spec, spec, "checks", native == nil) {
		if c := l.check(item, r.Severity); c != nil {
			r.Checks = append(r.Checks, c)
		}
	}
	if native != nil && (native.Value != true || len(r.Checks) > 0) {
		l.errs.Errorf(native.Span, Code, "native is true, for a rule that is checked by Go and has no checks, or left out")
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
		l.errs.Errorf(n.Span, Code, "%q is neither a kind such as apps/Deployment nor a list of kinds in %s", n.Text(), VariablesFile)
		return nil
	}
	return []Kind{{group, kind}}
}

func (l *loader) check(n *manifest.Node, severity diag.Severity) *Check {
	l.keys(n, "kubernetes", "each", "when", "check", "severity", "message", "hint", "at", "fix")
	c := &Check{Severity: l.severity(n, severity, false), When: l.cel(n, "when", false), Check: l.cel(n, "check", true)}
	l.versions(n, c)
	if each := l.optional(n, "each", manifest.Map); each != nil {
		c.Each = l.each(each)
	}
	l.text(n, n, "message", true)
	c.Message = l.rules.template(n.Get("message"))
	if hint := l.optional(n, "hint", manifest.String); hint != nil {
		c.Hint = l.rules.template(hint)
	}
	c.At = manifest.ParsePath(l.text(n, n, "at", true))
	if fix := l.optional(n, "fix", manifest.Map); fix != nil {
		l.keys(fix, "message", "patch", "create")
		c.Fix = &Fix{Message: l.text(fix, fix, "message", true), Patch: l.optional(fix, "patch", manifest.Map), Create: l.optional(fix, "create", manifest.Map)}
		c.Fix.texts = map[*manifest.Node]*text{}
		l.texts(c.Fix.Patch, c.Fix.texts)
		l.texts(c.Fix.Create, c.Fix.texts)
		if (c.Fix.Patch == nil) == (c.Fix.Create == nil) {
			l.errs.Errorf(fix.Span, Code, "a fix has either a patch or an object to create")
		}
	}
	if c.Check == nil {
		return nil
	}
	return c
}

// texts reads the holes of the strings in n.
func (l *loader) texts(n *manifest.Node, into map[*manifest.Node]*text) {
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
	text := l.text(n, n, "kubernetes", false)
	for _, part := range strings.Fields(text) {
		if v, ok := strings.CutPrefix(part, ">="); ok {
			c.Since = v
		} else if v, ok := strings.CutPrefix(part, "<"); ok {
			c.Before = v
		} else {
			l.errs.Errorf(n.Get("kubernetes").Span, Code, "kubernetes is >=VERSION, <VERSION or both, not %q", text)
		}
	}
}

func (l *loader) each(n *manifest.Node) *Each {
	if len(n.Fields) != 1 || n.Fields[0].Value == nil || n.Fields[0].Value.Shape != manifest.List {
		l.errs.Errorf(n.Span, Code, "each is one name with the lists whose items it stands for, such as container: [podSpec.containers]")
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
