// SPDX-License-Identifier: Apache-2.0

package manifest_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	kube "sigs.k8s.io/yaml"

	"kilter.dev/kilter/internal/manifest"
	"kilter.dev/kilter/internal/source"
)

// corpus is the texts of a folder beside the repository, by file name.
func corpus(t testing.TB, name string) []*source.File {
	t.Helper()
	paths, _ := filepath.Glob(filepath.Join("../../../shared", name, "*.yaml"))
	if len(paths) == 0 {
		t.Skipf("no files in ../shared/%s beside the repository", name)
	}
	var files []*source.File
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, source.New(filepath.Base(path), string(text)))
	}
	return files
}

var separator = regexp.MustCompile(`(?m)^---(?:[ \t].*)?\r?\n`)

func TestCorpusIsWhatKubernetesReads(t *testing.T) {
	documents := 0
	for _, f := range corpus(t, "corpus") {
		docs, diags := manifest.Parse(f)
		for _, d := range diags {
			if !strings.Contains(d.Message, "twice") {
				t.Errorf("%s: %s", d.Span, d.Message)
			}
		}
		var want []any
		for _, text := range separator.Split(f.Text, -1) {
			data, err := kube.YAMLToJSON([]byte(text))
			if err != nil {
				t.Fatalf("%s: %v", f.Name, err)
			}
			if string(data) != "null" {
				want = append(want, nativeJSON(t, data))
			}
		}
		var got []any
		for _, n := range docs {
			got = append(got, manifest.Native(n))
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-Kubernetes +ours):\n%s", f.Name, diff)
		}
		if again := parse(t, manifest.Print(docs...)); !manifest.Equal(manifest.NewList(docs...), manifest.NewList(again...)) {
			t.Errorf("%s: printed and read back, it differs", f.Name)
		}
		if _, diags := manifest.Objects(docs); len(diags) > 0 {
			t.Errorf("%s: %v", f.Name, diags)
		}
		for _, n := range docs {
			checkSpans(t, n)
		}
		documents += len(docs)
	}
	if documents < 2000 {
		t.Errorf("compared %d documents, want 2000 and more", documents)
	}
}

// checkSpans wants spans in the text, and At to find each word of each string that is
// written without escapes. What is folded is at the line break.
func checkSpans(t testing.TB, n *manifest.Node) {
	s := n.Span
	if s.File == nil || s.Start < 0 || s.End < s.Start || s.End > len(s.File.Text) {
		t.Fatalf("span [%d, %d) of %s is not in the text", s.Start, s.End, manifest.JSON(n))
	}
	if text := n.Text(); text != "" {
		for _, at := range []int{0, len(text) / 2, len(text) - 1} {
			got := n.At(at, at+1)
			isFold := text[at] == ' ' && strings.TrimLeft(got.Text(), " \t\r\n\u0085") == ""
			if got != n.Span && !isFold && got.Text() != text[at:at+1] && !strings.HasPrefix(got.Text(), `\`) && got.Text() != "''" && got.Text() != "\r\n" && text[at] != '\n' {
				t.Errorf("%s: byte %d of %q is at %q", s, at, text, got.Text())
			}
			if got.Start < s.Start || got.End > s.End {
				t.Errorf("%s: At(%d) is outside", s, at)
			}
		}
	}
	for _, f := range n.Fields {
		if f.KeySpan.File == nil || f.KeySpan.Start < 0 || f.KeySpan.End > len(s.File.Text) {
			t.Fatalf("span of key %q is not in the text", f.Key)
		}
		checkSpans(t, f.Value)
	}
	for _, item := range n.Items {
		checkSpans(t, item)
	}
}

func TestOddFiles(t *testing.T) {
	want := map[string]int{ // objects; -1: errors only
		"01-empty-docs.yaml": 1, "02-list-null.yaml": 0, "03-list-nullitems.yaml": 0, "04-deploymentlist.yaml": 1, "08-pdb-expr.yaml": 2, "09-pdb-emptysel.yaml": 2,
		"10-templated.yaml": -1, "12-sep-comment.yaml": 2, "15-toplevel-seq.yaml": -1, "16-scalar.yaml": -1, "20-dupkey.yaml": -1, "23-noapiversion.yaml": -1, "24-empty.yaml": 0,
	}
	for _, f := range corpus(t, "odd-yaml") {
		docs, diags := manifest.Parse(f)
		objects, more := manifest.Objects(docs)
		diags.Add(more)
		expect, ok := want[f.Name]
		if !ok {
			expect = 1
		}
		if (expect < 0) != (diags.Err() != nil) || expect >= 0 && len(objects) != expect {
			t.Errorf("%s: %d objects, errors: %v", f.Name, len(objects), diags)
		}
	}
}

func BenchmarkParse(b *testing.B) {
	files := corpus(b, "corpus")
	for b.Loop() {
		for _, f := range files {
			manifest.Parse(f)
		}
	}
}
