// SPDX-License-Identifier: Apache-2.0

package param

import (
	"strings"

	"kilter.dev/kilter/internal/diag"
	"kilter.dev/kilter/internal/manifest"
)

func (p *parser) rules(f manifest.Field, at place) []Rule {
	if at.nested {
		p.errorf(f.KeySpan, "%s cannot stand in a list or map", f.Key).Hint = "put the rule on the parameter that holds the list"
		return nil
	}
	if f.Value.Shape != manifest.List {
		p.errorf(spanOr(f.Value, f.KeySpan), "%s must be a list of {rule, message}", f.Key)
		return nil
	}
	var rules []Rule
	for _, item := range f.Value.Items {
		if item.Shape != manifest.Map {
			p.errorf(spanOr(item, f.KeySpan), "%s must be a list of {rule, message}", f.Key)
			continue
		}
		if r, ok := p.rule(item); ok {
			rules = append(rules, r)
		}
	}
	return rules
}

func (p *parser) rule(n *manifest.Node) (Rule, bool) {
	var r Rule
	text, ok := "", true
	for _, f := range n.Fields {
		switch f.Key {
		case "rule":
			text, r.Rule = p.text(f), f.Value
		case "message":
			r.Message = p.text(f)
		default:
			p.errorf(f.KeySpan, "unknown keyword %q of a rule", f.Key).Hint = diag.DidYouMean(f.Key, []string{"rule", "message"})
		}
	}
	for _, key := range []string{"rule", "message"} {
		if n.Get(key) == nil {
			p.errorf(n.Span, "a rule needs a %s", key)
			ok = false
		}
	}
	return r, ok && strings.TrimSpace(text) != ""
}
