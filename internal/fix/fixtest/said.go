// SPDX-License-Identifier: Apache-2.0

package fixtest

import (
	"strings"

	"kilter.dev/kilter/internal/diag"
	"kilter.dev/kilter/internal/fix"
	"kilter.dev/kilter/internal/lint"
	"kilter.dev/kilter/internal/manifest"
)

// Said is what rules find in an object at a severity, in the words of an admission policy.
func Said(rules *lint.Rules, o *manifest.Object, options lint.Options, severity diag.Severity) string {
	var messages []string
	for _, f := range rules.Run([]*manifest.Object{o}, options) {
		if f.Severity != severity || f.Unread {
			continue
		}
		message := f.Message
		if f.Hint != "" {
			message += " (" + f.Hint + ")"
		}
		messages = append(messages, message)
	}
	return strings.ReplaceAll(strings.Join(messages, "; "), "\n", " ")
}

// Fixed is an object as fixes of what rules find leave it.
func Fixed(rules *lint.Rules, o *manifest.Object, options lint.Options) *manifest.Object {
	c := *o
	c.Node = o.Node.Clone()
	fix.Objects([]*manifest.Object{&c}, func(objects []*manifest.Object) []lint.Finding { return rules.Run(objects, options) })
	return &c
}
