// SPDX-License-Identifier: Apache-2.0

package param

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"kilter.dev/kilter/internal/diag"
	"kilter.dev/kilter/internal/manifest"
)

// QuantityPattern and DecimalPattern are what strings of these formats look like. Every
// quantity fits into 63 bits of whole units, so that charts can compute with it.
const (
	QuantityPattern = `^([0-9]{1,15}(\.[0-9]{1,6})?m?|[0-9]{1,6}(\.[0-9]{1,6})?([kMGT]|[KMGT]i))$`
	DecimalPattern  = `^-?[0-9]+(\.[0-9]+)?$`
)

// maxQuantity is the largest quantity that is given as a number.
const maxQuantity = 999_999_999_999_999

// pattern returns what a value of the format looks like, "" for none.
func formatPattern(format string) string {
	switch format {
	case Quantity:
		return QuantityPattern
	case Decimal:
		return DecimalPattern
	}
	return ""
}

func (c *checker) text(s *Schema, n *manifest.Node, path string) string {
	text, ok := value(n).(string)
	if !ok && s.Format != "" {
		text, ok = c.numberText(n, path)
	}
	if !ok {
		d := c.errorf(n, "parameter-type", "%s must be a string, not %s", path, describe(n))
		d.Hint = quoteHint(n)
		return ""
	}
	if c.good {
		return text
	}
	for _, problem := range s.textProblems(text) {
		c.errorf(n, "parameter-value", "%s %s", path, problem.message).Hint = problem.hint
	}
	return text
}

// numberText is a number's text as a chart prints it: without an exponent.
func (c *checker) numberText(n *manifest.Node, path string) (string, bool) {
	if n == nil || n.Shape != manifest.Int && n.Shape != manifest.Float {
		return "", false
	}
	if i, ok := whole(n); ok {
		if i > MaxInteger || i < -MaxInteger {
			c.tooLarge(n, path)
		}
		return strconv.FormatInt(i, 10), true
	}
	text, err := json.Marshal(n.Value)
	return string(text), err == nil
}

// problem says what is wrong with a text, as the end of a sentence about it.
type problem struct{ message, hint string }

// textProblems checks everything that s says of strings.
func (s *Schema) textProblems(text string) []problem {
	var problems []problem
	add := func(hint, format string, args ...any) {
		problems = append(problems, problem{fmt.Sprintf(format, args...), hint})
	}
	length := int64(utf8.RuneCountInString(text))
	if s.Enum != nil && !slices.Contains(s.Enum, text) {
		add(diag.DidYouMean(text, s.Enum), "must be %s, not %q", oneOf(s.Enum), text)
	}
	if s.MinLength != nil && length < *s.MinLength {
		add("", "must have at least %s, not %d", plural(*s.MinLength, "character"), length)
	}
	if s.MaxLength != nil && length > *s.MaxLength {
		add("", "may have at most %s, not %d", plural(*s.MaxLength, "character"), length)
	}
	if s.Pattern != "" && !matches(s.Pattern, text) {
		add("", "must match %s, which %q does not", s.Pattern, text)
	}
	if s.NotPattern != "" && matches(s.NotPattern, text) {
		if s.NotMessage != "" {
			add("", "must not be %s, as %q is", s.NotMessage, text)
		} else {
			add("", "must not match %s, which %q does", s.NotPattern, text)
		}
	}
	if p := formatPattern(s.Format); p != "" && !matches(p, text) {
		add(formatHint(s.Format, text), "must be a %s, not %q", s.Format, text)
	}
	return problems
}

func formatHint(format, text string) string {
	short := strings.TrimRight(strings.Join(strings.Fields(text), ""), "bB")
	if short != text && matches(formatPattern(format), short) {
		return fmt.Sprintf("did you mean %q?", short)
	}
	if format == Decimal {
		return "write digits with a point and without an exponent, such as 0.9"
	}
	return "write a number of at most 6 digits and one of k, M, G, T, Ki, Mi, Gi, Ti, or of at most 15 and perhaps m: 1.5Gi, 500m"
}

// matches is false for a pattern that is no regular expression: Parse refuses those.
func matches(pattern, text string) bool {
	re, err := regexp.Compile(pattern)
	return err == nil && re.MatchString(text)
}

func oneOf(texts []string) string {
	var quoted []string
	for _, t := range texts {
		quoted = append(quoted, strconv.Quote(t))
	}
	if len(quoted) == 1 {
		return quoted[0]
	}
	return "one of " + strings.Join(quoted, ", ")
}

func plural(n int64, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
