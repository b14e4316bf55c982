// SPDX-License-Identifier: Apache-2.0

package diag_test

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"kilter.dev/kilter/internal/diag"
	"kilter.dev/kilter/internal/source"
)

func schema(t testing.TB) *jsonschema.Schema {
	t.Helper()
	f, err := os.Open("testdata/sarif-schema-2.1.0.json")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	doc, err := jsonschema.UnmarshalJSON(f)
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	if err := c.AddResource("sarif.json", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("sarif.json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// sarif prints the report and holds it against the schema of OASIS; it returns the run.
func sarif(t interface {
	Helper()
	Fatal(...any)
	Errorf(string, ...any)
}, s *jsonschema.Schema, r diag.Report) map[string]any {
	t.Helper()
	var b strings.Builder
	if err := r.SARIF(&b); err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(b.String()))
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Validate(doc); err != nil {
		t.Errorf("%#v", err)
	}
	return doc.(map[string]any)["runs"].([]any)[0].(map[string]any)
}

func TestSARIF(t *testing.T) {
	s := schema(t)
	run := sarif(t, s, sample())
	text, err := json.MarshalIndent(map[string]any{"results": run["results"], "invocations": run["invocations"]}, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile("testdata/sarif.golden")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(text)+"\n"); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	rules := run["tool"].(map[string]any)["driver"].(map[string]any)["rules"].([]any)
	for i, want := range []string{"pdb-missing", "image-not-pinned", "suppression"} {
		if got := rules[i].(map[string]any)["id"]; got != want {
			t.Errorf("rule %d is %v, not %s", i, got, want)
		}
	}
	empty := sarif(t, s, diag.Report{})
	if results, ok := empty["results"].([]any); !ok || len(results) != 0 {
		t.Errorf("nothing found: results are %v", empty["results"])
	}
}

// TestSARIFLimits: GitHub refuses a run with more than 25,000 results.
func TestSARIFLimits(t *testing.T) {
	r := diag.Report{}
	for i := range 26_000 {
		d := r.Findings.Warnf(source.Span{}, "w", "%d", i)
		if i%2 == 0 {
			d.Severity = diag.Info
		}
		if i == 25_999 {
			d.Severity = diag.Error
		}
		if i == 1 {
			d.Suppressed = &diag.Suppression{Kind: diag.External}
		}
	}
	run := sarif(t, schema(t), r)
	results := run["results"].([]any)
	if len(results) != 25_000 {
		t.Errorf("%d results", len(results))
	}
	levels := map[any]int{}
	for _, result := range results {
		levels[result.(map[string]any)["level"]]++
	}
	if diff := cmp.Diff(map[any]int{"error": 1, "warning": 12_998, "note": 12_001}, levels); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got := fmt.Sprint(run["invocations"]); !strings.Contains(got, "1000 more findings") {
		t.Errorf("no word about the rest: %s", got)
	}
}
