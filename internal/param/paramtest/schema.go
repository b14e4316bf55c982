// SPDX-License-Identifier: Apache-2.0

package paramtest

import (
	"pgregory.net/rapid"

	"kilter.dev/kilter/internal/manifest"
	"kilter.dev/kilter/internal/param"
)

// DrawSchema draws the schema of a group as it stands in a profile; Parse accepts it.
func DrawSchema(t *rapid.T) *manifest.Node { return group(t, 2) }

var names = []string{"a", "image", "tag", "maxModelLen", "port2", "tls", "x", "nodeSelector", "q"}

var (
	patterns    = []string{`^[a-z0-9]([-a-z0-9]*[a-z0-9])?$`, `^v[0-9]+$`, `[^/]`, `^(on|off|1e[0-9])$`, `^.*$`}
	notPatterns = []string{`^latest$`, `[A-Z]`, `^$`, `\s`}
	enums       = [][]string{{"a"}, {"auto", "float16", ""}, {"on", "off"}, {"1", "2", "null"}, {"{{ x }}", "a: b"}}
)

func group(t *rapid.T, depth int) *manifest.Node {
	properties := manifest.NewMap()
	for _, name := range rapid.SliceOfNDistinct(rapid.SampledFrom(names), 0, 5, rapid.ID[string]).Draw(t, "names") {
		if depth > 0 && rapid.IntRange(0, 3).Draw(t, name) == 0 {
			properties.Set(name, group(t, depth-1))
			continue
		}
		properties.Set(name, parameter(t))
	}
	return manifest.NewMap(
		manifest.Field{Key: "type", Value: manifest.NewString("object")},
		manifest.Field{Key: "properties", Value: properties},
	)
}

// parameter draws a leaf, half of the time with a default.
func parameter(t *rapid.T) *manifest.Node {
	n := leaf(t, 2)
	n.Set("description", manifest.NewString(rapid.SampledFrom([]string{
		"Short.", "A | bar, a `code|span` and <html>.\nSecond line.\n\nSecond\u0085paragraph: " + Hostile[len(Hostile)-1],
	}).Draw(t, "description")))
	if rapid.Bool().Draw(t, "has default") {
		s, _ := param.Parse(wrap(n))
		if v, ok := Value(t, s.Properties[0], false); ok && len(v.Fields) == 0 {
			n.Set("default", v)
		}
	}
	return n
}

func wrap(n *manifest.Node) *manifest.Node {
	return manifest.NewMap(
		manifest.Field{Key: "type", Value: manifest.NewString("object")},
		manifest.Field{Key: "properties", Value: manifest.NewMap(manifest.Field{Key: "p", Value: n})},
	)
}

func leaf(t *rapid.T, depth int) *manifest.Node {
	n := manifest.NewMap()
	kind := rapid.IntRange(0, 8).Draw(t, "kind")
	if depth == 0 {
		kind %= 5
	}
	switch kind {
	case 0, 1:
		n.Set("type", manifest.NewString("string"))
		restrict(t, n)
	case 2:
		n.Set("type", manifest.NewString("integer"))
		bounds(t, n, "minimum", "maximum", -20)
	case 3:
		n.Set("type", manifest.NewString("boolean"))
	case 4:
		n.Set("x-kubernetes-preserve-unknown-fields", manifest.NewBool(true))
		if rapid.Bool().Draw(t, "map") {
			n.Set("type", manifest.NewString("object"))
		}
	case 5, 6:
		n.Set("type", manifest.NewString("array"))
		n.Set("items", leaf(t, depth-1))
		bounds(t, n, "minItems", "maxItems", 0)
	case 7:
		n.Set("type", manifest.NewString("object"))
		n.Set("additionalProperties", leaf(t, depth-1))
	case 8:
		// Only items and values of maps: a group of parameters is drawn by group.
		item, required := manifest.NewMap(), manifest.NewList()
		for _, name := range rapid.SliceOfNDistinct(rapid.SampledFrom(names), 1, 3, rapid.ID[string]).Draw(t, "names") {
			property := leaf(t, 0)
			property.Set("description", manifest.NewString("Text."))
			item.Set(name, property)
			if rapid.Bool().Draw(t, "required") {
				required.Items = append(required.Items, manifest.NewString(name))
			}
		}
		n.Set("type", manifest.NewString("array"))
		items := manifest.NewMap(
			manifest.Field{Key: "type", Value: manifest.NewString("object")},
			manifest.Field{Key: "properties", Value: item},
		)
		if len(required.Items) > 0 {
			items.Set("required", required)
		}
		n.Set("items", items)
	}
	return n
}

// restrict adds what goes together in a string.
func restrict(t *rapid.T, n *manifest.Node) {
	switch rapid.IntRange(0, 5).Draw(t, "restrict") {
	case 0:
		enum := manifest.NewList()
		for _, text := range rapid.SampledFrom(enums).Draw(t, "enum") {
			enum.Items = append(enum.Items, manifest.NewString(text))
		}
		n.Set("enum", enum)
	case 1:
		n.Set("format", manifest.NewString(rapid.SampledFrom([]string{param.Quantity, param.Decimal}).Draw(t, "format")))
	case 2:
		n.Set("pattern", manifest.NewString(rapid.SampledFrom(patterns).Draw(t, "pattern")))
	case 3:
		n.Set("not", manifest.NewMap(manifest.Field{
			Key: "pattern", Value: manifest.NewString(rapid.SampledFrom(notPatterns).Draw(t, "not")),
		}))
	case 4:
		bounds(t, n, "minLength", "maxLength", 0)
	}
}

func bounds(t *rapid.T, n *manifest.Node, lowName, highName string, least int64) {
	low := rapid.Int64Range(least, 5).Draw(t, lowName)
	if rapid.Bool().Draw(t, lowName) {
		n.Set(lowName, manifest.NewInt(low))
	}
	if rapid.Bool().Draw(t, highName) {
		n.Set(highName, manifest.NewInt(rapid.Int64Range(low, low+20).Draw(t, highName)))
	}
}
