// SPDX-License-Identifier: Apache-2.0

package lint

import (
	"slices"
	"strconv"

	"kilter.dev/kilter/internal/manifest"
	"kilter.dev/kilter/internal/source"
)

// place is where a finding points: at the value of a scalar, at the key of a map or list,
// and where the path leads nowhere, at the nearest key on the way.
func place(root *manifest.Node, path []string) source.Span {
	at := root.Span
	n := root
	for _, step := range path {
		if n != nil && n.Shape == manifest.Map {
			i := slices.IndexFunc(n.Fields, func(f manifest.Field) bool { return f.Key == step })
			if i < 0 {
				return at
			}
			at = n.Fields[i].KeySpan
		}
		if n = n.Get(step); n == nil {
			return at
		}
		if n.Span.File != nil && (at.File == nil || n.Shape != manifest.Map && n.Shape != manifest.List && n.Shape != manifest.Null) {
			at = n.Span
		}
		if isItem(step) && n.Span.File != nil {
			at = n.Span
		}
	}
	return at
}

func isItem(step string) bool {
	_, err := strconv.Atoi(step)
	return err == nil
}

// value returns the value at path in a decoded object.
func value(v any, path []string) any {
	for _, step := range path {
		switch x := v.(type) {
		case map[string]any:
			v = x[step]
		case []any:
			i, err := strconv.Atoi(step)
			if err != nil || i < 0 || i >= len(x) {
				return nil
			}
			v = x[i]
		default:
			return nil
		}
	}
	return v
}
