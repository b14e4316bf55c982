// SPDX-License-Identifier: Apache-2.0

package manifest

import (
	"errors"
	"strconv"
	"strings"

	"kilter.dev/kilter/internal/source"
)

// PathOf returns the steps from n to the innermost value that holds span, or whose key does;
// false when span is not of n.
func PathOf(n *Node, span source.Span) (path []string, ok bool) {
	if n == nil {
		return nil, false
	}
	for _, f := range n.Fields {
		if within(span, f.KeySpan) {
			return []string{f.Key}, true
		}
		if rest, ok := PathOf(f.Value, span); ok {
			return append([]string{f.Key}, rest...), true
		}
	}
	for i, item := range n.Items {
		if rest, ok := PathOf(item, span); ok {
			return append([]string{strconv.Itoa(i)}, rest...), true
		}
	}
	return nil, within(span, n.Span)
}

// within reports whether a lies in b.
func within(a, b source.Span) bool {
	return a.File != nil && a.File == b.File && b.Start <= a.Start && a.End <= b.End
}

// Reach returns the node at path. What is missing on the way or null becomes a map, as the API
// server reads null, of an item, too. A list has no more items than it has.
func (n *Node) Reach(path ...string) (*Node, error) {
	for i, step := range path {
		next := n.Get(step)
		if next == nil && n.Shape == Map {
			next = NewMap()
			n.Set(step, next)
		}
		if next == nil {
			return nil, errors.New("there is no " + PathText(nil, path[:i+1]))
		}
		if next.Shape == Null {
			*next = *NewMap()
		}
		n = next
	}
	return n, nil
}

// PathText writes the steps of a path as users do: spec.containers[0].image,
// metadata.labels["a/b"]. n is what the first step leads on from; where it is nil, a number
// is an index.
func PathText(n *Node, path []string) string {
	var b strings.Builder
	for _, step := range path {
		_, isIndex := strconv.Atoi(step)
		switch {
		case isIndex == nil && (n == nil || n.Shape == List):
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

// ParsePath parts a path as PathText writes it. A key in brackets may stand without quotes
// (env[HOME]), and a pair with nothing in it is the step "[]". What is not closed is one step.
func ParsePath(text string) []string {
	var path []string
	for text != "" {
		switch {
		case strings.HasPrefix(text, "[]"):
			path, text = append(path, "[]"), text[2:]
		case text[0] == '[':
			quoted, _ := strconv.QuotedPrefix(text[1:])
			end := strings.IndexByte(text[1+len(quoted):], ']')
			if end < 0 {
				return append(path, text)
			}
			end += 1 + len(quoted)
			key, err := strconv.Unquote(text[1:end])
			if err != nil {
				key = text[1:end]
			}
			path, text = append(path, key), text[end+1:]
		default:
			end := strings.IndexAny(text, ".[")
			if end < 0 {
				end = len(text)
			}
			if end > 0 {
				path = append(path, text[:end])
			}
			text = strings.TrimPrefix(text[end:], ".")
		}
	}
	return path
}
