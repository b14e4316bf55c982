// SPDX-License-Identifier: Apache-2.0

package kubernetes_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kilter.dev/kilter/internal/fix"
	"kilter.dev/kilter/internal/fix/fixtest"
	"kilter.dev/kilter/internal/lint"
	"kilter.dev/kilter/internal/manifest"
	"kilter.dev/kilter/internal/source"
	"kilter.dev/kilter/rules"
)

func loadRules(t *testing.T) *lint.Rules {
	t.Helper()
	all, err := lint.Load(rules.FS)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// TestFixedFixtures fixes the rules' fixtures by the rule alone and by all of them: the API
// server takes what becomes of them, but for what it refused before.
func TestFixedFixtures(t *testing.T) {
	inputs, err := fixtest.Inputs(rules.FS)
	if err != nil {
		t.Fatal(err)
	}
	all, judged := loadRules(t), 0
	for _, in := range inputs {
		alone := in.Options
		alone.Only = func(rule string) bool { return rule == in.Rule }
		for _, o := range []lint.Options{alone, in.Options} {
			judged += accepts(t, all, o, in.File)
		}
	}
	t.Logf("%d objects are changed or added, and judged", judged)
	if judged < 300 {
		t.Error("too few to mean anything")
	}
}

// TestFixedCorpus is TestFixedFixtures of what people write.
func TestFixedCorpus(t *testing.T) {
	files := corpus(t)
	all, judged := loadRules(t), 0
	for _, file := range files {
		judged += accepts(t, all, lint.Options{}, file)
	}
	t.Logf("%d objects are changed or added, and judged", judged)
	if judged < 300 {
		t.Error("too few to mean anything")
	}
}

// accepts fixes a file, wants the API server to find nothing new in the objects that the
// fixes have changed or added, and returns how many there are.
func accepts(t *testing.T, all *lint.Rules, o lint.Options, f *source.File) int {
	t.Helper()
	result := fixed(all, o, f)
	judged, worse := worsened(t, f.Text, result.Files[0].Text)
	if len(worse) > 0 {
		t.Errorf("%s: the API server says: %s\nof the fixes %s (-before +fixed):\n%s",
			f.Name, worse, made(result), cmp.Diff(f.Text, result.Files[0].Text))
	}
	return judged
}

// fixed makes the fixes that the rules know for a file.
func fixed(all *lint.Rules, o lint.Options, f *source.File) fix.Result {
	read := func(f *source.File) []*manifest.Object {
		docs, _ := manifest.Parse(f)
		objects, _ := manifest.Objects(docs)
		return objects
	}
	judge := func(objects []*manifest.Object) []lint.Finding { return all.Run(objects, o) }
	return fix.Unit{Files: []*source.File{f}, Read: read, Judge: judge}.Run()
}

// made are the fixes that were made, with their rules.
func made(result fix.Result) (all []string) {
	for _, m := range result.Made {
		all = append(all, m.Code+": "+m.Fix)
	}
	return all
}

// worsened returns how many objects differ between two texts, or are new in the second, and
// what the API server finds in them that it did not find before. What could not be read
// before is not judged.
func worsened(t *testing.T, before, after string) (judged int, worse []string) {
	t.Helper()
	old, now := objectsOf(before), objectsOf(after)
	if len(now) < len(old) {
		t.Fatalf("%d objects become %d:\n%s", len(old), len(now), after)
	}
	for i, o := range now {
		var known []string
		if i < len(old) {
			if o.json == old[i].json && slices.Equal(o.faults, old[i].faults) {
				continue
			}
			var err error
			if known, err = old[i].judge(t); err != nil {
				continue
			}
		}
		judged++
		faults, err := o.judge(t)
		if err != nil {
			faults = []string{err.Error()}
		}
		worse = append(worse, beyond(known, faults)...)
	}
	return judged, worse
}

// beyond are the faults that are not among the known ones, or more often.
func beyond(known, faults []string) (more []string) {
	known = slices.Clone(known)
	for _, f := range faults {
		if i := slices.Index(known, f); i >= 0 {
			known = slices.Delete(known, i, i+1)
		} else {
			more = append(more, f)
		}
	}
	return more
}
