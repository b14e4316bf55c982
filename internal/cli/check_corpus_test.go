// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kilter.dev/kilter/internal/manifest"
	"kilter.dev/kilter/internal/source"
)

// checked is what a report in JSON says, as far as these tests ask.
type checked struct {
	Findings []struct {
		Rule, Message, File string
		Line, Column        int
		Object              struct{ Name string }
	}
	Summary struct{ Objects int }
}

// checkJSON checks a path, or the text of standard input for "-".
func checkJSON(t *testing.T, path, text string) checked {
	t.Helper()
	var out, errs strings.Builder
	code := Main(context.Background(), []string{"check", path, "-o", "json"}, strings.NewReader(text), &out, &errs)
	if code == exitInternal {
		t.Fatalf("%s: %s", path, errs.String())
	}
	var c checked
	if err := json.Unmarshal([]byte(out.String()), &c); err != nil {
		t.Fatalf("%s: %v\n%s", path, err, errs.String())
	}
	return c
}

// shared is the files of a folder beside the repository.
func shared(t *testing.T, folder string) []string {
	t.Helper()
	files, _ := filepath.Glob(filepath.Join("..", "..", "..", "shared", folder, "*.yaml"))
	if len(files) == 0 {
		t.Skipf("no files in ../shared/%s beside the repository", folder)
	}
	return files
}

// TestCheckCorpus: no object of a file is lost, and every finding has a place in one.
func TestCheckCorpus(t *testing.T) {
	for _, folder := range []string{"corpus", "odd-yaml"} {
		lines, objects := map[string][]string{}, 0
		for _, file := range shared(t, folder) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			docs, _ := manifest.Parse(source.New(file, string(text)))
			there, _ := manifest.Objects(docs)
			lines[file], objects = strings.Split(string(text), "\n"), objects+len(there)
		}
		report := checkJSON(t, filepath.Join("..", "..", "..", "shared", folder), "")
		if report.Summary.Objects != objects {
			t.Errorf("%s: %d of %d objects are judged", folder, report.Summary.Objects, objects)
		}
		if len(report.Findings) == 0 {
			t.Errorf("%s: nothing is found", folder)
		}
		for _, f := range report.Findings {
			text := lines[f.File]
			if f.Line < 1 || f.Line > len(text) || f.Column < 1 || f.Column > len(text[f.Line-1])+1 {
				t.Errorf("%s:%d:%d: %s [%s] is at no place of a file", f.File, f.Line, f.Column, f.Message, f.Rule)
			}
		}
	}
}

// TestCheckBesideOddDocuments: what is wrong with one document never hides what is wrong
// with the next or the one before.
func TestCheckBesideOddDocuments(t *testing.T) {
	const bad = "apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: {name: probe}\nspec: {selector: {matchLabels: {app: x}}}\n"
	for _, file := range shared(t, "odd-yaml") {
		odd, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		after := strings.TrimRight(string(odd), "\n") + "\n--- # the next one\n" + bad
		before := bad + "--- # the next one\n" + strings.TrimPrefix(string(odd), "\ufeff")
		for _, text := range []string{after, before} {
			found := false
			for _, f := range checkJSON(t, "-", text).Findings {
				found = found || f.Rule == "pdb-both-fields" && f.Object.Name == "probe"
			}
			if !found {
				t.Errorf("the budget without a number is not seen in\n%s", text)
			}
		}
	}
}
