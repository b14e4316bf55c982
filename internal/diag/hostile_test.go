// SPDX-License-Identifier: Apache-2.0

package diag_test

import (
	"encoding/json"
	"encoding/xml"
	"io"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"kilter.dev/kilter/internal/diag"
	"kilter.dev/kilter/internal/source"
)

// TestHostile: whatever stands in a file, the output is what its readers can read.
func TestHostile(t *testing.T) {
	s := schema(t)
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{
			"\x1b[31m\x00\x07", "]]>", "<!--", "&amp;<x a='\"'>", "::error::x\n::y", "%0A%25", "[x](https://example.com)", "\xff\xfe", "\u2028\ufffe\uffff", "{0}",
		}), rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) string { return string(b) }))
		f := source.New(text.Draw(t, "file"), text.Draw(t, "text"))
		at := source.Span{File: f, Start: rapid.IntRange(-1, 9).Draw(t, "start"), End: rapid.IntRange(-1, 9).Draw(t, "end")}
		d := diag.Diagnostic{
			Span: at, Code: text.Draw(t, "code"), Message: text.Draw(t, "message"), Hint: text.Draw(t, "hint"), Path: text.Draw(t, "path"), Fix: text.Draw(t, "fix"),
			Object:   diag.Ref{APIVersion: text.Draw(t, "version"), Kind: text.Draw(t, "kind"), Namespace: text.Draw(t, "namespace"), Name: text.Draw(t, "name")},
			Related:  []diag.Related{{Span: at, Message: text.Draw(t, "related")}},
			Severity: diag.Severity(rapid.IntRange(0, 2).Draw(t, "severity")),
		}
		suppressed := d
		suppressed.Suppressed = &diag.Suppression{Kind: diag.InSource, Reason: text.Draw(t, "reason")}
		r := diag.Report{Findings: diag.List{d, suppressed}, Unreadable: diag.List{d}, Files: []string{f.Name}, Objects: 1}

		var b strings.Builder
		if err := r.JSON(&b); err != nil || !json.Valid([]byte(b.String())) {
			t.Errorf("JSON: %v: %s", err, b.String())
		}
		if run := sarif(t, s, r); len(run["results"].([]any)) != 2 {
			t.Errorf("%d results", len(run["results"].([]any)))
		}
		checkXML(t, r)
		b.Reset()
		_ = r.GitHub(&b)
		if lines := strings.Split(b.String(), "\n"); len(lines) != 3 || !strings.HasPrefix(lines[1], "::") || strings.ContainsAny(b.String(), "\r") {
			t.Errorf("not two annotations: %q", b.String())
		}
		if plain := r.Findings.Error(); strings.ContainsAny(plain, "\x1b\x00\x07\r\u0085") {
			t.Errorf("control characters: %q", plain)
		}
	})
}

// checkXML decodes every token and compares the number of test cases.
func checkXML(t *rapid.T, r diag.Report) {
	var b strings.Builder
	if err := r.JUnit(&b); err != nil {
		t.Fatal(err)
	}
	cases := 0
	for d := xml.NewDecoder(strings.NewReader(b.String())); ; {
		token, err := d.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatalf("XML: %v: %q", err, b.String())
		}
		if start, ok := token.(xml.StartElement); ok && start.Name.Local == "testcase" {
			cases++
		}
	}
	if cases != 3 {
		t.Errorf("%d test cases", cases)
	}
}
