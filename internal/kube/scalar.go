// SPDX-License-Identifier: Apache-2.0

package kube

import (
	"encoding/base64"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/api/resource"

	"kilter.dev/kilter/internal/manifest"
)

// scalar looks at n, which must be what the letter of a shape says.
func (w *walker) scalar(n *manifest.Node, letter byte, field string) {
	switch letter {
	case 's':
		if n.Shape != manifest.String {
			w.notText(n, "a string")
		}
	case 'y':
		w.base64(n)
	case 't':
		if n.Shape != manifest.String {
			w.notText(n, "a time")
		} else if _, err := time.Parse(time.RFC3339, n.Text()); err != nil {
			w.wrong(n, "a time").Hint = `write it like "2006-01-02T15:04:05Z"`
		}
	case 'b':
		if n.Shape != manifest.Bool {
			d := w.wrong(n, "true or false")
			if n.Text() == "true" || n.Text() == "false" {
				d.Hint = fmt.Sprintf("write %s, without quotes", n.Text())
			}
		}
	case 'i':
		w.integer(n, field, math.MinInt32, math.MaxInt32, "an integer")
	case 'l':
		w.integer(n, field, math.MinInt64, math.MaxInt64, "an integer")
	case 'x':
		w.intOrString(n, field)
	case 'n':
		if n.Shape != manifest.Int && n.Shape != manifest.Float {
			w.wrong(n, "a number")
		}
	case 'q':
		w.quantity(n, field)
	}
}

func (w *walker) integer(n *manifest.Node, field string, least, most int64, want string) {
	switch n.Shape {
	case manifest.Int:
		i, _ := n.Value.(int64)
		if i < least || i > most {
			w.wrong(n, want).Hint = fmt.Sprintf("it must lie between %d and %d", least, most)
			return
		}
		w.notDecimal(n, field)
	case manifest.Float:
		w.errorf(n.Span, TypeTrap, "%s must be %s, not %s", w.name(), want, describe(n))
	default:
		w.wrong(n, want).Hint = unquoted(n)
	}
}

func (w *walker) quantity(n *manifest.Node, field string) {
	switch n.Shape {
	case manifest.Int:
		w.notDecimal(n, field)
	case manifest.Float:
	case manifest.String:
		if _, err := resource.ParseQuantity(strings.TrimSpace(n.Text())); err != nil {
			w.wrong(n, "a quantity").Hint = `a number with an optional suffix: 500m, 1.5, 2Gi`
		}
	default:
		w.wrong(n, "a quantity")
	}
}

func (w *walker) base64(n *manifest.Node) {
	if n.Shape != manifest.String {
		w.notText(n, "a string in base64")
		return
	}
	if _, err := base64.StdEncoding.DecodeString(n.Text()); err != nil {
		d := w.errorf(n.Span, WrongType, "%s must be base64", w.name())
		if w.object.Kind == "Secret" && w.object.APIVersion == "v1" {
			d.Hint = "plain text goes to stringData"
		}
	}
}

// notText reports a value without quotes that YAML does not take for text.
func (w *walker) notText(n *manifest.Node, want string) {
	if n.Shape == manifest.Map || n.Shape == manifest.List {
		w.wrong(n, want)
		return
	}
	if n.Span.Hidden() {
		w.errorf(n.Span, TypeTrap, "%s must be %s, but without quotes it is %s", w.name(), want, n.Shape.Article()).Hint = QuoteHint
		return
	}
	text, value := written(n), valueText(n)
	if text == "" || strings.Contains(text, "${") {
		w.wrong(n, want).Hint = "write ${string(...)} for an integer or boolean, or quote the constant"
		return
	}
	reads := ""
	if text != value {
		reads = ", and reads as " + value
	}
	d := w.errorf(n.Span, TypeTrap, "%s must be %s, but %s without quotes is %s%s", w.name(), want, text, n.Shape.Article(), reads)
	d.Hint = fmt.Sprintf("write %s", strconv.Quote(text))
}

// notDecimal warns of an integer whose digits say another number. Octal is how users
// write the modes of files.
func (w *walker) notDecimal(n *manifest.Node, field string) {
	text := written(n)
	if len(text) < 2 || text[0] != '0' || field == "mode" || field == "defaultMode" {
		return
	}
	if i, err := strconv.ParseInt(text, 10, 64); err == nil && n.Value != i {
		w.warnf(n.Span, TypeTrap, "%s: %s is octal, and reads as %s", w.name(), text, valueText(n)).
			Hint = fmt.Sprintf("write %d if you mean that", i)
	}
}

// written is the text of a scalar as it stands in the file, "" for one that was made or
// that takes several lines.
func written(n *manifest.Node) string {
	text := n.Span.Text()
	if strings.Contains(text, "\n") {
		return ""
	}
	return text
}

func valueText(n *manifest.Node) string { return manifest.JSON(n) }

// describe is a value in the words of users: `the string "a"`, "the number 1.5", "a list".
func describe(n *manifest.Node) string {
	const most = 40 // characters
	switch n.Shape {
	case manifest.Map, manifest.List, manifest.Null:
		return n.Shape.Article()
	case manifest.Bool:
		return valueText(n)
	case manifest.String:
		if text := []rune(n.Text()); len(text) > most {
			return fmt.Sprintf("the string %q…", string(text[:most]))
		}
	}
	return fmt.Sprintf("the %s %s", n.Shape, valueText(n))
}
