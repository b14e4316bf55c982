// SPDX-License-Identifier: Apache-2.0

package rules_test

import (
	"io/fs"
	"os"
	"regexp"
	"testing"
	"testing/fstest"

	"kilter.dev/kilter/internal/lint"
	"kilter.dev/kilter/rules"
)

// TestPage: the rule in docs/write-a-rule.md, put beside the shared variables, does on its
// fixture what the page says.
func TestPage(t *testing.T) {
	page, err := os.ReadFile("../docs/write-a-rule.md")
	if err != nil {
		t.Fatal(err)
	}
	variables, err := fs.ReadFile(rules.FS, lint.VariablesFile)
	if err != nil {
		t.Fatal(err)
	}
	files := fstest.MapFS{lint.VariablesFile: {Data: variables}}
	for _, m := range regexp.MustCompile("(?ms)^```[a-z]+ rules/(\\S+)\n(.*?)^```$").FindAllSubmatch(page, -1) {
		files[string(m[1])] = &fstest.MapFile{Data: m[2]}
	}
	all, err := lint.Load(files)
	if err != nil {
		t.Fatal(err)
	}
	if len(all.All) != 1 {
		t.Fatalf("%d rules on the page, not one", len(all.All))
	}
	fixture, err := fs.ReadFile(files, "testdata/"+all.All[0].Name+".txtar")
	if err != nil {
		t.Fatal(err)
	}
	checkFixture(t, all, all.All[0], fixture)
}
