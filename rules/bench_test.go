// SPDX-License-Identifier: Apache-2.0

package rules_test

import (
	"os"
	"path/filepath"
	"testing"

	"kilter.dev/kilter/internal/lint"
	"kilter.dev/kilter/internal/manifest"
	"kilter.dev/kilter/internal/source"
)

// BenchmarkLoad reads all rules.
func BenchmarkLoad(b *testing.B) {
	for b.Loop() {
		load(b)
	}
}

// BenchmarkRun judges the files of the corpus, or Kilter's own golden objects where it is not
// there, each file by itself.
func BenchmarkRun(b *testing.B) {
	files, err := filepath.Glob("../../shared/corpus/*.yaml")
	if err == nil && len(files) == 0 {
		files, err = filepath.Glob("../golden/*/*.yaml")
	}
	if err != nil {
		b.Fatal(err)
	}
	var inputs [][]*manifest.Object
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			b.Fatal(err)
		}
		docs, _ := manifest.Parse(source.New(name, string(text)))
		objects, _ := manifest.Objects(docs)
		inputs = append(inputs, objects)
	}
	all := load(b)
	b.ReportAllocs()
	for b.Loop() {
		for _, objects := range inputs {
			all.Run(objects, lint.Options{})
		}
	}
}
