// SPDX-License-Identifier: Apache-2.0

// Package paramtest draws parameter schemas and legal values for tests.
package paramtest

import (
	"math"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"pgregory.net/rapid"

	"kilter.dev/kilter/internal/manifest"
	"kilter.dev/kilter/internal/param"
)

// Hostile are strings that YAML, templates and shells are known to spoil.
var Hostile = []string{
	"", " ", "{{", "}}", "{{ .Values.x }}", "${params.x}", "$(X)", "`", "```", "\x7f", "\u0085", "\u2028", "\ufeff",
	"a\r\nb", "a\nb", "a\nb\n", "\n", "\n  a\nb", "a \nb", "\t", "trailing ", "on", "no", "y", "true", "null", "~",
	"1e6", "0777", "0x10", "1.10", "1_000", ".inf", "12:30:45", "2001-01-01", "=", "<<", "- a", "a: b", "a #b", "#a",
	"'", `"`, `\`, `\n`, `it's "quoted"`, "!tag", "&a", "*a", "|", ">", "%", "@", "[", "{}", "—", "😀", "é",
	strings.Repeat("long ", 40),
}

// keys are names that a user may choose in a map, harmless and not.
var keys = []string{"a", "team", "example.com/gpu", "app.kubernetes.io/part-of", "on", "1", "1e3", "null", "a b", "{{ x }}", "it's", "-"}

// Draw draws a map of legal values for the group s. Parameters are absent, null where
// that means absent, or given in any form that Check accepts: quantities as numbers,
// integers as 5.0, strings from Hostile where nothing restricts them. It does not look
// at x-kubernetes-validations, and puts no nulls below parameters of type Any.
func Draw(t *rapid.T, s *param.Schema) *manifest.Node {
	n := manifest.NewMap()
	for _, p := range s.Properties {
		switch choice := rapid.IntRange(0, 9).Draw(t, p.Path); {
		case p.Group() && choice > 2:
			n.Set(p.Name, Draw(t, p))
		case p.Group() || choice > 5:
		case choice == 5:
			if p.Optional() {
				n.Set(p.Name, &manifest.Node{})
			}
		default:
			if v, ok := Value(t, p, false); ok {
				n.Set(p.Name, v)
			}
		}
	}
	return n
}

// Value draws a legal value of the parameter, item or map value s, or returns false
// when it finds none. nested says that s stands in a list or map.
func Value(t *rapid.T, s *param.Schema, nested bool) (*manifest.Node, bool) {
	switch s.Type {
	case param.String:
		return text(t, s, nested)
	case param.Integer:
		return integer(t, s)
	case param.Boolean:
		return manifest.NewBool(rapid.Bool().Draw(t, s.Path)), true
	case param.Array:
		return list(t, s)
	case param.Object:
		return object(t, s)
	}
	return free(t, s, 2), true
}

func text(t *rapid.T, s *param.Schema, nested bool) (*manifest.Node, bool) {
	switch {
	case s.Enum != nil:
		return manifest.NewString(rapid.SampledFrom(s.Enum).Draw(t, s.Path)), true
	case s.Format != "":
		return formatted(t, s, nested), true
	}
	for range 10 {
		if v, ok := candidate(t, s); ok && fits(s, v) {
			return manifest.NewString(v), true
		}
	}
	return nil, false
}

// fits says whether v satisfies s, by the book rather than by package param.
func fits(s *param.Schema, v string) bool {
	length := int64(utf8.RuneCountInString(v))
	return (s.MinLength == nil || length >= *s.MinLength) && (s.MaxLength == nil || length <= *s.MaxLength) &&
		(s.Pattern == "" || regexp.MustCompile(s.Pattern).MatchString(v)) &&
		(s.NotPattern == "" || !regexp.MustCompile(s.NotPattern).MatchString(v))
}

func candidate(t *rapid.T, s *param.Schema) (v string, ok bool) {
	if s.Pattern != "" {
		defer func() { // the generator refuses some patterns by panic
			if recover() != nil {
				v, ok = "", false
			}
		}()
		generator := rapid.StringMatching(s.Pattern)
		return generator.Draw(t, s.Path), true
	}
	v = rapid.OneOf(rapid.SampledFrom(Hostile), rapid.StringMatching(`[ -~é😀]{0,12}`)).Draw(t, s.Path)
	runes := []rune(v)
	if s.MaxLength != nil && int64(len(runes)) > *s.MaxLength {
		runes = runes[:*s.MaxLength]
	}
	for s.MinLength != nil && int64(len(runes)) < *s.MinLength {
		runes = append(runes, 'é')
	}
	return string(runes), true
}

func formatted(t *rapid.T, s *param.Schema, nested bool) *manifest.Node {
	whole := rapid.SampledFrom([]int64{0, 1, 2, 16, 500, 1000000, 1048576}).Draw(t, s.Path)
	number := manifest.Node{Shape: manifest.Float, Value: float64(whole) + rapid.SampledFrom([]float64{0, 0.5, 0.25}).Draw(t, s.Path)}
	digits := manifest.Print(&number)
	digits = strings.TrimSpace(digits)
	kind := rapid.IntRange(0, 3).Draw(t, s.Path)
	switch {
	case kind == 0 && !nested:
		return manifest.NewInt(whole)
	case kind == 1 && !nested:
		return &number
	case s.Format == param.Decimal:
		return manifest.NewString(rapid.SampledFrom([]string{"", "-"}).Draw(t, s.Path) + digits)
	}
	if whole >= 1_000_000 {
		return manifest.NewString(digits + rapid.SampledFrom([]string{"", "m"}).Draw(t, s.Path))
	}
	extremes := rapid.SampledFrom([]string{digits, digits, digits, "999999.999999"}).Draw(t, s.Path)
	return manifest.NewString(extremes + rapid.SampledFrom([]string{"", "m", "k", "M", "T", "Mi", "Gi", "Ti"}).Draw(t, s.Path))
}

func integer(t *rapid.T, s *param.Schema) (*manifest.Node, bool) {
	low, high := int64(-1000), int64(10_000_000)
	if s.Minimum != nil {
		low, high = *s.Minimum, max(high, *s.Minimum)
	}
	if s.Maximum != nil {
		low, high = min(low, *s.Maximum), *s.Maximum
	}
	i := rapid.OneOf(rapid.Int64Range(low, high), rapid.SampledFrom([]int64{0, 1, 1000000, 1048576})).Draw(t, s.Path)
	i = min(max(i, low), high)
	if rapid.IntRange(0, 9).Draw(t, s.Path) == 0 {
		return &manifest.Node{Shape: manifest.Float, Value: float64(i)}, true
	}
	return manifest.NewInt(i), true
}

func list(t *rapid.T, s *param.Schema) (*manifest.Node, bool) {
	low := int64(0)
	if s.MinItems != nil {
		low = *s.MinItems
	}
	high := low + 3
	if s.MaxItems != nil {
		high = min(high, *s.MaxItems)
	}
	n := manifest.NewList()
	keys := map[string]bool{}
	for range rapid.Int64Range(low, high).Draw(t, s.Path) {
		if v, ok := Value(t, s.Items, true); ok {
			if key := v.Get(s.Key).Text(); s.Key != "" && key != "" {
				if keys[key] {
					continue
				}
				keys[key] = true
			}
			n.Items = append(n.Items, v)
		}
	}
	return n, int64(len(n.Items)) >= low
}

func object(t *rapid.T, s *param.Schema) (*manifest.Node, bool) {
	n := manifest.NewMap()
	for _, p := range s.Properties {
		required := slices.Contains(s.Required, p.Name)
		if !rapid.Bool().Draw(t, p.Path) && !required {
			continue
		}
		if v, ok := Value(t, p, true); ok {
			n.Set(p.Name, v)
		} else if required {
			return nil, false
		}
	}
	if s.Values == nil {
		return n, true
	}
	for _, key := range rapid.SliceOfNDistinct(rapid.SampledFrom(keys), 0, 3, rapid.ID[string]).Draw(t, s.Path) {
		if v, ok := Value(t, s.Values, true); ok {
			n.Set(key, v)
		}
	}
	return n, true
}

// free draws what a parameter of type Any may hold. Items of a parameter called
// extraObjects are Kubernetes objects, because templates take them for that.
func free(t *rapid.T, s *param.Schema, depth int) *manifest.Node {
	kind := rapid.IntRange(0, 6).Draw(t, s.Path)
	switch {
	case s.Path == "extraObjects[]":
		return configMap(t)
	case s.AnyMap || kind == 0 && depth > 0:
		n := manifest.NewMap()
		for _, key := range rapid.SliceOfNDistinct(rapid.SampledFrom(keys), 0, 3, rapid.ID[string]).Draw(t, s.Path) {
			n.Set(key, free(t, &param.Schema{Path: s.Path}, depth-1))
		}
		return n
	case kind == 1 && depth > 0:
		n := manifest.NewList()
		for range rapid.IntRange(0, 3).Draw(t, s.Path) {
			n.Items = append(n.Items, free(t, &param.Schema{Path: s.Path}, depth-1))
		}
		return n
	case kind == 2:
		return manifest.NewBool(rapid.Bool().Draw(t, s.Path))
	case kind == 3:
		return manifest.NewInt(rapid.Int64Range(-10, 10_000_000).Draw(t, s.Path))
	case kind == 4:
		return &manifest.Node{Shape: manifest.Float, Value: math.Round(rapid.Float64Range(-10, 10).Draw(t, s.Path)*100) / 100}
	}
	return manifest.NewString(rapid.SampledFrom(Hostile).Draw(t, s.Path))
}

func configMap(t *rapid.T) *manifest.Node {
	name := rapid.StringMatching(`[a-z]{1,2}`).Draw(t, "extraObjects name") // sometimes the same
	data := rapid.SampledFrom(Hostile).Draw(t, "extraObjects data")
	field := func(key string, v *manifest.Node) manifest.Field { return manifest.Field{Key: key, Value: v} }
	return manifest.NewMap(
		field("apiVersion", manifest.NewString("v1")),
		field("kind", manifest.NewString("ConfigMap")),
		field("metadata", manifest.NewMap(field("name", manifest.NewString("extra-"+name)))),
		field("data", manifest.NewMap(field("text", manifest.NewString(data)))),
	)
}
