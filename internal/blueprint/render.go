// SPDX-License-Identifier: Apache-2.0

package blueprint

import (
	"fmt"
	"strings"

	"kilter.dev/kilter/internal/diag"
	"kilter.dev/kilter/internal/expr"
	"kilter.dev/kilter/internal/kube"
	"kilter.dev/kilter/internal/manifest"
	"kilter.dev/kilter/internal/param"
	"kilter.dev/kilter/internal/profile"
	"kilter.dev/kilter/internal/source"
)

// ConstraintCode is the diagnostic code of a violated constraint.
const ConstraintCode = "constraint"

// DefaultKubeVersion is the Kubernetes version that output is made for when none is given.
const DefaultKubeVersion = kube.Default

// Workload is what a blueprint is rendered for.
type Workload struct {
	Name, Namespace string
	KubeVersion     string // "1.34"; "" for DefaultKubeVersion
	Values          param.Values
	Named           bool           // the workload is there, and keeps its name: constraints OfName are none
	Written         *manifest.Node // the values as the user wrote them, for positions; may be nil
}

// Render returns the workload's objects in the order of the templates. The error is a
// diag.List when values violate constraints.
func (b *Blueprint) Render(w Workload) ([]*manifest.Object, error) {
	scope, err := b.scope(w)
	if err != nil {
		return nil, err
	}
	if err := b.check(w, scope); err != nil {
		return nil, err
	}
	return render(b.Objects, w, scope)
}

// RenderUnchecked is Render without the check of constraints, for combinations of values
// that no user asked for.
func (b *Blueprint) RenderUnchecked(w Workload) ([]*manifest.Object, error) {
	scope, err := b.scope(w)
	if err != nil {
		return nil, err
	}
	return render(b.Objects, w, scope)
}

// RenderTests returns the pods of helm test, as Render does the objects.
func (b *Blueprint) RenderTests(w Workload) ([]*manifest.Object, error) {
	scope, err := b.scope(w)
	if err != nil {
		return nil, err
	}
	return render(b.Tests, w, scope)
}

// RenderNotes returns the text of notes.txt, "" without one.
func (b *Blueprint) RenderNotes(w Workload) (string, error) {
	if b.Notes == nil {
		return "", nil
	}
	scope, err := b.scope(w)
	if err != nil {
		return "", err
	}
	text, _, err := b.Notes.Eval(scope)
	return fmt.Sprint(text), err
}

func (b *Blueprint) scope(w Workload) (*expr.Scope, error) {
	s := &expr.Scope{Params: w.Values, Variables: map[string]any{}, Name: w.Name, Namespace: w.Namespace, KubeVersion: w.KubeVersion}
	if s.KubeVersion == "" {
		s.KubeVersion = DefaultKubeVersion
	}
	for _, v := range b.Variables {
		value, _, err := v.Value.Eval(s)
		if err != nil {
			return nil, fmt.Errorf("variable %s: %w", v.Name, err)
		}
		s.Variables[v.Name] = value
	}
	return s, nil
}

func (b *Blueprint) check(w Workload, s *expr.Scope) error {
	var errs diag.List
	for _, c := range b.Constraints {
		if w.Named && c.OfName {
			continue
		}
		ok, _, err := c.Rule.Eval(s)
		if err != nil {
			return err
		}
		if ok == true {
			continue
		}
		message, _, err := c.Message.Eval(s)
		if err != nil {
			return err
		}
		text := fmt.Sprint(message)
		if c.At != "" {
			text = c.At + ": " + text
		}
		errs.Errorf(locate(w.Written, c.At), ConstraintCode, "%s", text).Path = c.At
	}
	return errs.Err()
}

// locate is the place of the parameter, or of the nearest group above it that was written.
func locate(n *manifest.Node, path string) (at source.Span) {
	if n == nil {
		return at
	}
	at = n.Span
	for key := range strings.SplitSeq(path, ".") {
		if n = n.Get(key); n == nil {
			break
		}
		at = n.Span
	}
	return at
}

func render(objects []*Object, w Workload, s *expr.Scope) ([]*manifest.Object, error) {
	var docs []*manifest.Node
	added := map[*manifest.Node]bool{} // by a parameter
	for _, o := range objects {
		n, err := o.Root.render(s)
		switch {
		case err != nil:
			return nil, err
		case n == nil:
		case n.Shape == manifest.List:
			for i, item := range n.Items {
				added[item], item.Span = true, o.Root.written(w, i)
			}
			docs = append(docs, n.Items...)
		default:
			docs = append(docs, n)
		}
	}
	out, errs := manifest.Objects(docs)
	errs.Add(duplicates(out, w.Namespace, added))
	return out, errs.Err()
}

// render returns the node's value, nil when it is nothing.
func (n *Node) render(s *expr.Scope) (*manifest.Node, error) {
	for _, g := range n.guards {
		if ok, _, err := g.Eval(s); err != nil || ok != true {
			return nil, err
		}
	}
	switch {
	case n.Literal != nil:
		return n.Literal, nil
	case n.Text != nil:
		return value(n.Text, s)
	case n.Shape == manifest.List:
		return n.renderList(s)
	}
	return n.renderMap(s)
}

// value evaluates a scalar; nil when it is nothing or an empty list or map.
func value(t *expr.Template, s *expr.Scope) (*manifest.Node, error) {
	v, present, err := t.Eval(s)
	if err != nil || !present {
		return nil, err
	}
	out, err := manifest.FromNative(v)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", t.Span, err)
	}
	if out.Shape == manifest.Map && len(out.Fields) == 0 || out.Shape == manifest.List && len(out.Items) == 0 {
		return nil, nil
	}
	out.Span = t.Span
	return out, nil
}

func (n *Node) renderList(s *expr.Scope) (*manifest.Node, error) {
	out := &manifest.Node{Shape: manifest.List, Span: n.Span}
	for _, item := range n.Items {
		v, err := item.render(s)
		switch {
		case err != nil:
			return nil, err
		case v == nil:
		case v.Shape == manifest.List && item.Text != nil:
			out.Items = append(out.Items, v.Items...)
		default:
			out.Items = append(out.Items, v)
		}
	}
	if len(out.Items) == 0 {
		return nil, nil
	}
	return out, nil
}

func (f Field) key(s *expr.Scope) (string, error) {
	if f.Name == nil {
		return f.Key, nil
	}
	key, _, err := f.Name.Eval(s)
	return fmt.Sprint(key), err
}

func (n *Node) renderMap(s *expr.Scope) (*manifest.Node, error) {
	out := &manifest.Node{Shape: manifest.Map, Span: n.Span}
	written := map[string]bool{}
	for _, f := range n.Fields {
		key, err := f.key(s)
		if err != nil {
			return nil, err
		}
		v, err := f.Value.render(s)
		if err != nil {
			return nil, err
		}
		if v == nil {
			continue
		}
		written[key] = true
		out.Fields = append(out.Fields, manifest.Field{Key: key, KeySpan: f.Span, Value: v})
	}
	if n.Merge != nil {
		more, err := value(n.Merge, s)
		if err != nil {
			return nil, err
		}
		if more != nil {
			for _, f := range more.Fields {
				if !written[f.Key] {
					out.Fields = append(out.Fields, f)
				}
			}
		}
	}
	if len(out.Fields) == 0 {
		return nil, nil
	}
	return out, nil
}

// RenderCase is Render for a case of the profile.
func (b *Blueprint) RenderCase(c profile.Case, name, namespace string) ([]*manifest.Object, error) {
	w, err := b.CaseWorkload(c, name, namespace)
	if err != nil {
		return nil, err
	}
	return b.Render(w)
}

// CaseWorkload is the workload of a case, under the given name and namespace.
func (b *Blueprint) CaseWorkload(c profile.Case, name, namespace string) (Workload, error) {
	values, errs := b.Params.Check(c.Values)
	return Workload{Name: name, Namespace: namespace, KubeVersion: c.KubeVersion, Values: values, Written: c.Values}, errs.Err()
}
