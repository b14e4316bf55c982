// SPDX-License-Identifier: Apache-2.0

package param_test

import (
	"testing"

	"kilter.dev/kilter/internal/manifest"
	"kilter.dev/kilter/internal/param"
	"kilter.dev/kilter/internal/source"
)

// parse returns the only document of a text.
func parse(t testing.TB, text string) *manifest.Node {
	t.Helper()
	docs, errs := manifest.Parse(source.New("values.yaml", text))
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	if len(docs) != 1 {
		t.Fatalf("%d documents in %q", len(docs), text)
	}
	return docs[0]
}

// schema returns the schema of a text without errors.
func schema(t testing.TB, text string) *param.Schema {
	t.Helper()
	s, errs := param.Parse(parse(t, text))
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	return s
}
