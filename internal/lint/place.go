// SPDX-License-Identifier: Apache-2.0

package lint

import (
	"slices"
	"strconv"
	"strings"

	"kilter.dev/kilter/internal/manifest"
	"kilter.dev/kilter/internal/source"
)

// steps parts a path: "a.b[0].c", `metadata.annotations["a/b.c"]`, "spec.groups[].rules".
// An empty pair of brackets is the step "[]".
func steps(path string) []string {
	var all []string
	for path != "" {
		switch {
		case strings.HasPrefix(path, `["`):
			end := strings.Index(path, `"]`)
			if end < 0 {
				return append(all, path)
			}
			all, path = append(all, path[2:end]), path[end+2:]
		case strings.HasPrefix(path, "[]"):
			all, path = append(all, "[]"), path[2:]
		case path[0] == '[':
			end := strings.IndexByte(path, ']')
			if end < 0 {
				return append(all, path)
			}
			all, path = append(all, path[1:end]), path[end+1:]
		default:
			end := strings.IndexAny(path, ".[")
			if end < 0 {
				end = len(path)
			}
			if end > 0 {
				all = append(all, path[:end])
			}
			path = path[end:]
			path = strings.TrimPrefix(path, ".")
		}
	}
	return all
}

// PathText writes the steps as users do; n is what the first step is a field of.
func PathText(n *manifest.Node, path []string) string {
	var b strings.Builder
	for _, step := range path {
		_, isIndex := strconv.Atoi(step)
		switch {
		case isIndex == nil && (n == nil || n.Shape == manifest.List):
			b.WriteString("[" + step + "]")
		case strings.ContainsAny(step, "./[]\" "):
			b.WriteString("[" + strconv.Quote(step) + "]")
		default:
			if b.Len() > 0 {
				b.WriteByte('.')
			}
			b.WriteString(step)
		}
		n = n.Get(step)
	}
	return b.String()
}

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
