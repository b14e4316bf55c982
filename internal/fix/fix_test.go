// SPDX-License-Identifier: Apache-2.0

package fix_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kilter.dev/kilter/internal/fix"
	"kilter.dev/kilter/internal/fix/fixtest"
	"kilter.dev/kilter/internal/lint"
	"kilter.dev/kilter/internal/manifest"
	"kilter.dev/kilter/internal/source"
	"kilter.dev/kilter/rules"
)

func load(t testing.TB) *lint.Rules {
	t.Helper()
	all, err := lint.Load(rules.FS)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func read(f *source.File) []*manifest.Object {
	docs, _ := manifest.Parse(f)
	objects, _ := manifest.Objects(docs)
	return objects
}

func run(all *lint.Rules, o lint.Options, files ...*source.File) fix.Result {
	return fix.Unit{Files: files, Read: read, Judge: func(objects []*manifest.Object) []lint.Finding { return all.Run(objects, o) }}.Run()
}

var comment = regexp.MustCompile(`(^|\s)# .*`)

// TestFixtures fixes the rules' fixtures by all rules together: what is left has no fix,
// fixing again changes nothing, and comments stay but those of what is changed or gone.
func TestFixtures(t *testing.T) {
	t.Parallel()
	all := load(t)
	patches := patches(t)
	made := map[string]bool{}
	inputs, err := fixtest.Inputs(rules.FS)
	if err != nil {
		t.Fatal(err)
	}
	for _, in := range inputs {
		o := lint.Options{KubeVersion: in.Options.KubeVersion}
		result := run(all, o, in.File)
		for _, r := range result.Refused {
			if in.Rule == "pdb-overlap" && r.Code == "pdb-blocks-drain" {
				continue // a budget of some pods of a StatefulSet counts all of them
			}
			t.Errorf("%s: %s: %s: %v", r.Span, r.Code, r.Fix, r.Why)
		}
		for _, m := range result.Made {
			made[m.Code] = true
		}
		checkFixed(t, all, o, in.File, result)
		checkOnly(t, patches, in.File, result)
		checkBreaks(t, all, o, in.File, result)
	}
	for _, r := range all.All {
		if r.Fixable() && !made[r.Name] && !slices.Contains([]string{"removed-api"}, r.Name) {
			t.Errorf("nothing was fixed by %s", r.Name)
		}
	}
}

func checkFixed(t *testing.T, all *lint.Rules, o lint.Options, f *source.File, result fix.Result) {
	t.Helper()
	fixed := result.Files[0]
	again := run(all, o, fixed)
	if len(again.Made) > 0 || again.Files[0] != fixed {
		t.Errorf("%s: fixed again, it changes:\n%s", f.Name, cmp.Diff(fixed.Text, again.Files[0].Text))
	}
	for _, left := range again.Refused {
		if !slices.ContainsFunc(result.Refused, func(r fix.Refusal) bool { return r.Code == left.Code && r.Path == left.Path }) {
			t.Errorf("%s: %s is left\n%s", left.Span, left.Code, fixed.Text)
		}
	}
	for _, broken := range fixtest.Broken(all.Run(read(f), o), result.Left) {
		t.Errorf("%s: fixes bring %s: %s [%s]\n%s", f.Name, broken.Severity, broken.Message, broken.Code, cmp.Diff(f.Text, fixed.Text))
	}
	if len(result.Made) == 0 && fixed != f {
		t.Errorf("%s: nothing was fixed, but the text has changed", f.Name)
	}
	for line := range strings.Lines(f.Text) {
		at := comment.FindStringIndex(line)
		if at != nil && !strings.Contains(fixed.Text, strings.TrimSpace(line[at[0]:])) && strings.Contains(fixed.Text, strings.TrimRight(line[:at[0]], " ")) {
			t.Errorf("%s: the comment of %q is gone:\n%s", f.Name, line, cmp.Diff(strings.Split(f.Text, "\n"), strings.Split(fixed.Text, "\n")))
		}
	}
}
