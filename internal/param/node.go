// SPDX-License-Identifier: Apache-2.0

package param

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"

	"kilter.dev/kilter/internal/manifest"
	"kilter.dev/kilter/internal/source"
)

func isNull(n *manifest.Node) bool { return n == nil || n.Shape == manifest.Null }

func value(n *manifest.Node) any {
	if n == nil {
		return nil
	}
	return n.Value
}

// lookup returns the value of key and whether the key is written.
func lookup(n *manifest.Node, key string) (*manifest.Node, bool) {
	if n == nil {
		return nil, false
	}
	for _, f := range n.Fields {
		if f.Key == key {
			return f.Value, true
		}
	}
	return nil, false
}

// whole returns a number without a fraction: 5, 5.0, 5e3. Beyond int64 it returns the
// nearest int64.
func whole(n *manifest.Node) (int64, bool) {
	switch v := value(n).(type) {
	case int64:
		return v, true
	case float64:
		switch {
		case v != math.Trunc(v):
			return 0, false
		case v >= math.MaxInt64:
			return math.MaxInt64, true
		case v <= math.MinInt64:
			return math.MinInt64, true
		}
		return int64(v), true
	}
	return 0, false
}

// describe names a value for a message: `the number 1.1`, `a list`.
func describe(n *manifest.Node) string {
	if n == nil {
		return "null"
	}
	switch n.Shape {
	case manifest.Null:
		return "null"
	case manifest.Bool:
		return "the boolean " + given(n)
	case manifest.Int, manifest.Float:
		return "the number " + given(n)
	case manifest.String:
		return fmt.Sprintf("the string %q", shorten(n.Text()))
	}
	return "a " + n.Shape.String()
}

// given is a scalar as the user wrote it.
func given(n *manifest.Node) string {
	if n == nil {
		return "null"
	}
	if n.Shape == manifest.String {
		return n.Text()
	}
	if text := n.Span.Text(); text != "" && !strings.ContainsAny(text, "\r\n") {
		return text
	}
	return strings.TrimSuffix(manifest.Print(&manifest.Node{Shape: n.Shape, Value: n.Value}), "\n")
}

func shorten(text string) string {
	runes := []rune(text)
	if len(runes) <= 60 {
		return text
	}
	return string(runes[:59]) + "…"
}

// quoteHint tells how to make a scalar a string, "" for what is no scalar.
func quoteHint(n *manifest.Node) string {
	if isNull(n) || n.Shape == manifest.Map || n.Shape == manifest.List || n.Shape == manifest.String {
		return ""
	}
	return "quote it: " + strconv.Quote(given(n))
}

func keySpan(n *manifest.Node, key string) source.Span {
	for _, f := range n.Fields {
		if f.Key == key {
			return f.KeySpan
		}
	}
	return n.Span
}

// spanOr is where n stands, or else where what holds it does.
func spanOr(n *manifest.Node, or source.Span) source.Span {
	if n == nil || n.Span.File == nil {
		return or
	}
	return n.Span
}

func join(path, name string) string { return strings.TrimPrefix(path+"."+name, ".") }

var simpleKey = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// joinKey is join for names that a user chose.
func joinKey(path, key string) string {
	if path == "" || simpleKey.MatchString(key) {
		return join(path, key)
	}
	return path + "[" + strconv.Quote(key) + "]"
}
