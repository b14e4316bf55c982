// SPDX-License-Identifier: Apache-2.0

package fixtest

import (
	"testing"

	"kilter.dev/kilter/internal/diag"
	"kilter.dev/kilter/internal/kube"
	"kilter.dev/kilter/internal/lint"
)

func TestBroken(t *testing.T) {
	t.Parallel()
	finding := func(rule, path, message string, fixable bool) lint.Finding {
		f := lint.Finding{Diagnostic: diag.Diagnostic{Code: rule, Path: path, Message: message}}
		if fixable {
			f.Repair = &lint.Repair{}
		}
		return f
	}
	old, fixable := finding("a", "spec", "2 pods", false), finding("b", "spec", "no limit", true)
	before := []lint.Finding{old, fixable}
	for name, tt := range map[string]struct {
		before, after []lint.Finding
		want          int
	}{
		"fixed":                    {before, nil, 0},
		"left":                     {before, before, 0},
		"another number":           {before, []lint.Finding{finding("a", "spec", "3 pods", false)}, 0},
		"other words":              {before, []lint.Finding{finding("a", "spec", "one pod", false)}, 0},
		"elsewhere":                {before, []lint.Finding{finding("a", "metadata", "one pod", false)}, 1},
		"twice":                    {before, []lint.Finding{old, old}, 1},
		"another rule":             {before, []lint.Finding{old, finding("c", "spec", "2 pods", false)}, 1},
		"its fix brings another":   {before, []lint.Finding{finding("b", "spec", "no room", false)}, 1},
		"it could not be read yet": {[]lint.Finding{finding(kube.TypeTrap, "spec", "1.10", true)}, before, 0},
	} {
		if got := Broken(tt.before, tt.after); len(got) != tt.want {
			t.Errorf("%s: %v, want %d", name, got, tt.want)
		}
	}
}
