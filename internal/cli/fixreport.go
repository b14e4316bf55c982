// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"kilter.dev/kilter/internal/diag"
	"kilter.dev/kilter/internal/fix"
	"kilter.dev/kilter/internal/lint"
)

// refuse says why a fix is not made, at the place that is in its way.
func (x *fixer) refuse(r fix.Refusal) {
	d := r.Diagnostic
	why := r.Why.Error()
	var list diag.List
	if errors.As(r.Why, &list) && len(list) > 0 {
		why = strings.TrimPrefix(list[0].Message, "cannot be edited safely: ")
		if list[0].Span.File != nil {
			d.Span = list[0].Span
		}
	}
	d.Message, d.Hint = "not fixed: "+d.Message, why
	x.refused = append(x.refused, d)
}

// report says on standard error what is fixed, what is not, and what has no fix.
func (x *fixer) report(o *fixOptions, changed int) {
	x.in.warnings.Print(o.err, colour(o.err))
	x.in.problems.Print(o.err, colour(o.err))
	slices.SortStableFunc(x.made, func(a, b lint.Finding) int { return diag.Compare(a.Diagnostic, b.Diagnostic) })
	for _, f := range x.made {
		fmt.Fprintf(o.err, "%s: %s [%s]\n", f.Span, f.Fix, f.Code)
	}
	x.refused.Sort()
	x.refused.Print(o.err, colour(o.err))
	word := "fixed"
	if o.diff {
		word = "would fix"
	}
	parts := []string{word + " nothing"}
	if changed > 0 {
		parts[0] = fmt.Sprintf("%s %s in %s", word, diag.Plural(len(x.made), "finding"), diag.Plural(changed, "file"))
	}
	if n := len(x.refused); n > 0 {
		parts = append(parts, fmt.Sprintf("%d not fixed", n))
	}
	if x.without > 0 {
		parts = append(parts, fmt.Sprintf("%d without a fix (see kilter check)", x.without))
	}
	fmt.Fprintln(o.err, strings.Join(parts, "; "))
}
