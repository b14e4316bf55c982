// SPDX-License-Identifier: Apache-2.0

package lint

import (
	"slices"

	"kilter.dev/kilter/internal/diag"
	"kilter.dev/kilter/internal/manifest"
)

// keys reports the keys of n that are not known.
func (l *loader) keys(n *manifest.Node, known ...string) {
	if n == nil {
		return
	}
	for _, f := range n.Fields {
		if !slices.Contains(known, f.Key) {
			l.errs.Errorf(f.KeySpan, Code, "there is no field %q here", f.Key).Hint = diag.DidYouMean(f.Key, known)
		}
	}
}

// optional returns the field of n; nil when it is missing, or reported for its shape.
func (l *loader) optional(n *manifest.Node, key string, shape manifest.Shape) *manifest.Node {
	v := n.Get(key)
	if v != nil && v.Shape != shape {
		l.errs.Errorf(v.Span, Code, "%s must be a %s", key, shape)
		return nil
	}
	return v
}

// want is optional, and reports at parent that the field is missing.
func (l *loader) want(n, parent *manifest.Node, key string, shape manifest.Shape) *manifest.Node {
	if n.Get(key) == nil {
		l.errs.Errorf(parent.Span, Code, "%s is missing", key)
		return nil
	}
	return l.optional(n, key, shape)
}

func (l *loader) text(n, parent *manifest.Node, key string, required bool) string {
	if required {
		return l.want(n, parent, key, manifest.String).Text()
	}
	return l.optional(n, key, manifest.String).Text()
}

func (l *loader) list(n, parent *manifest.Node, key string, required bool) []*manifest.Node {
	v := l.optional(n, key, manifest.List)
	if required {
		if n.Get(key) == nil {
			l.errs.Errorf(parent.Span, Code, "%s is missing", key)
		} else if v != nil && len(v.Items) == 0 {
			l.errs.Errorf(v.Span, Code, "%s is empty", key)
		}
	}
	if v == nil {
		return nil
	}
	return v.Items
}

func (l *loader) constant(n *manifest.Node, key, want string) {
	if got := l.text(n, n, key, true); got != "" && got != want {
		l.errs.Errorf(n.Get(key).Span, Code, "%s is %q, not %q", key, got, want)
	}
}

func (l *loader) severity(n *manifest.Node, fallback diag.Severity, required bool) diag.Severity {
	text := l.text(n, n, "severity", required)
	if s, ok := severityOf(text); ok {
		return s
	}
	if text != "" {
		l.errs.Errorf(n.Get("severity").Span, Code, "severity is error, warning or info, not %q", text)
	}
	return fallback
}

// severityOf returns the severity with that name.
func severityOf(name string) (diag.Severity, bool) {
	for _, s := range []diag.Severity{diag.Error, diag.Warning, diag.Info} {
		if name == s.String() {
			return s, true
		}
	}
	return 0, false
}

// cel returns the expression that is the whole text of a field.
func (l *loader) cel(n *manifest.Node, key string, required bool) *expression {
	if l.text(n, n, key, required) == "" {
		return nil
	}
	v := n.Get(key)
	return l.rules.expression(v, 0, len(v.Text()))
}
