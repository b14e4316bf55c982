// SPDX-License-Identifier: Apache-2.0

package lint

import (
	"kilter.dev/kilter/internal/diag"
	"kilter.dev/kilter/internal/manifest"
)

func (l *loader) severity(n *manifest.Node, fallback diag.Severity, required bool) diag.Severity {
	text := l.Text(n, "severity", required)
	if s, ok := severityOf(text); ok {
		return s
	}
	if text != "" {
		l.Errorf(n.Get("severity").Span, "severity is error, warning or info, not %q", text)
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
func (l *loader) cel(n *manifest.Node, key string, required bool) *Expression {
	if l.Text(n, key, required) == "" {
		return nil
	}
	v := n.Get(key)
	return l.rules.expression(v, 0, len(v.Text()))
}
