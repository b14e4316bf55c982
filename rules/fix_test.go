// SPDX-License-Identifier: Apache-2.0

package rules_test

import (
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"kilter.dev/kilter/internal/fix/fixtest"
	"kilter.dev/kilter/internal/lint"
	"kilter.dev/kilter/internal/manifest"
	"kilter.dev/kilter/internal/source"
)

// checkFixes applies the fixes until there are none, and returns the fixed objects, "" when
// there was nothing to fix. No rule finds anything in them that it did not find before.
func checkFixes(t *testing.T, all *lint.Rules, in *source.File, o lint.Options) string {
	t.Helper()
	file := in
	for round := 0; ; round++ {
		objects, _ := parse(file)
		docs := make([]*manifest.Node, len(objects))
		for i, object := range objects {
			docs[i] = object.Node
		}
		repaired := false
		for _, f := range all.Run(objects, o) {
			if f.Repair == nil {
				continue
			}
			repaired = true
			if err := f.Repair.Apply(f.Object.Node); err != nil {
				t.Errorf("%s: fix %q: %v", f.Span, f.Fix, err)
			}
			if f.Repair.Create != nil {
				docs = append(docs, f.Repair.Create)
			}
		}
		text := manifest.Print(docs...)
		switch {
		case !repaired && round == 0:
			return ""
		case !repaired:
			o.Only = nil
			for _, broken := range fixtest.Broken(all.Run(objectsOf(t, in), o), all.Run(objects, o)) {
				t.Errorf("%s: fixed, it has %s: %s [%s]", in.Name, broken.Severity, broken.Message, broken.Code)
			}
			return text
		case round == 3:
			t.Errorf("%s: after three rounds of fixes there is still something to fix:\n%s", in.Name, text)
			return text
		}
		file = source.New("fixed "+in.Name, text)
	}
}

// compareFixed compares what the fixes made with the fixture, object by object.
func compareFixed(t *testing.T, archive *txtar.Archive, in *source.File, fixed string) {
	t.Helper()
	name := strings.Replace(path.Base(in.Name), ".in.", ".fixed.", 1)
	i := slices.IndexFunc(archive.Files, func(f txtar.File) bool { return f.Name == name })
	if i < 0 {
		return
	}
	var wanted []*manifest.Node
	for _, o := range objectsOf(t, source.New(name, string(archive.Files[i].Data))) {
		wanted = append(wanted, o.Node)
	}
	if diff := cmp.Diff(manifest.Print(wanted...), fixed); diff != "" {
		t.Errorf("%s (-want +got):\n%s", name, diff)
	}
}
