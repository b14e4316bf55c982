// SPDX-License-Identifier: Apache-2.0

package manifest

import (
	"regexp"

	"kilter.dev/kilter/internal/source"
)

// withhold hides the values of Secrets that a document holds, and of what kustomize makes
// Secrets of: what is said of a file goes to logs.
func (p *parser) withhold(n *Node) {
	if n.shape() != Map {
		return
	}
	if n.Get("kind").Text() == "Secret" {
		for _, value := range p.replaced {
			hideValues(value)
		}
		for _, key := range []string{"data", "stringData"} {
			hideValues(n.Get(key))
		}
		applied := n.Get("metadata", "annotations", "kubectl.kubernetes.io/last-applied-configuration")
		if applied != nil {
			source.Hide(applied.Span)
		}
	}
	for _, list := range []*Node{n.Get("items"), n.Get("secretGenerator")} {
		if list.shape() != List {
			continue
		}
		for _, item := range list.Items {
			p.withhold(item)
			hideValues(item.Get("literals"))
		}
	}
}

// hideValues hides what is in a map or list; of a scalar, all.
func hideValues(n *Node) {
	switch n.shape() {
	case Map:
		for _, f := range n.Fields {
			hideValues(f.Value)
		}
	case List:
		for _, item := range n.Items {
			hideValues(item)
		}
	case Null:
	default:
		source.Hide(n.Span)
	}
}

var (
	secretKind = regexp.MustCompile(`\bkind["']?[ \t]*:[ \t]*["']?Secret\b`)
	lineValue  = regexp.MustCompile(`(?m)^[ \t]*(?:- )?(?:[\w."'/-]+:[ \t]+)?(\S.*?)[ \t\r]*$`)
	quotedText = regexp.MustCompile(`"[^"]{2,}"`)
)

// withholdLines hides what looks like a value in a text that cannot be read and may be a
// Secret, and reports whether it may.
func (p *parser) withholdLines() bool {
	if !secretKind.MatchString(p.text) {
		return false
	}
	for _, m := range lineValue.FindAllStringSubmatchIndex(p.text, -1) {
		source.Hide(p.span(m[2], m[3]))
	}
	return true
}

// reticent takes out of what is said what is hidden; all says that everything is about it.
func (p *parser) reticent(all bool) {
	for i := range p.diags {
		if d := &p.diags[i]; all || d.Span.Hidden() {
			d.Message, d.Hint = quotedText.ReplaceAllString(d.Message, `"..."`), quotedText.ReplaceAllString(d.Hint, `"..."`)
		}
	}
}
