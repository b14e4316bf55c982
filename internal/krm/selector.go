// SPDX-License-Identifier: Apache-2.0

package krm

import (
	"slices"

	"kilter.dev/kilter/internal/manifest"
)

// subset reports whether labels has every entry of want.
func subset(want, labels *manifest.Node) bool {
	for _, f := range want.Fields {
		if v := labels.Get(f.Key); v == nil || !manifest.Equal(f.Value, v) {
			return false
		}
	}
	return true
}

// selects reports whether a LabelSelector selects labels; a nil selector selects nothing,
// an empty one everything. A wrong operator selects nothing.
func selects(selector, labels *manifest.Node) bool {
	if selector == nil || selector.Shape != manifest.Map {
		return false
	}
	if m := selector.Get("matchLabels"); m != nil && !subset(m, labels) {
		return false
	}
	expressions := selector.Get("matchExpressions")
	if expressions == nil {
		return true
	}
	for _, e := range expressions.Items {
		if !holds(e, labels) {
			return false
		}
	}
	return true
}

func holds(expression, labels *manifest.Node) bool {
	value := labels.Get(expression.Get("key").Text())
	in := value != nil && expression.Get("values") != nil &&
		slices.ContainsFunc(expression.Get("values").Items, func(v *manifest.Node) bool { return manifest.Equal(v, value) })
	switch expression.Get("operator").Text() {
	case "In":
		return in
	case "NotIn":
		return !in
	case "Exists":
		return value != nil
	case "DoesNotExist":
		return value == nil
	}
	return false
}
