// SPDX-License-Identifier: Apache-2.0

package param_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"kilter.dev/kilter/internal/diag"
	"kilter.dev/kilter/internal/manifest"
	"kilter.dev/kilter/internal/param"
	"kilter.dev/kilter/internal/param/paramtest"
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

var update = flag.Bool("update", false, "rewrite the golden files")

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", path, diff)
	}
}

// documents returns the documents of a file in testdata.
func documents(t testing.TB, name string) []*manifest.Node {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	docs, errs := manifest.Parse(source.New(name, string(text)))
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	return docs
}

// web is the schema with every construct.
func web(t testing.TB) *param.Schema {
	t.Helper()
	s, errs := param.Parse(documents(t, "web.yaml")[0])
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	return s
}

func TestParseErrors(t *testing.T) {
	var all diag.List
	for _, doc := range documents(t, "schema.yaml") {
		s, errs := param.Parse(doc)
		if s == nil || len(errs) == 0 {
			t.Errorf("%s: no errors or no schema", doc.Span)
		}
		all.Add(errs)
	}
	golden(t, "schema.golden", all.Error())
}

func TestCheckErrors(t *testing.T) {
	var all diag.List
	for _, doc := range documents(t, "values.yaml") {
		_, errs := web(t).Check(doc)
		if len(errs) == 0 {
			t.Errorf("%s: no errors", doc.Span)
		}
		all.Add(errs)
	}
	golden(t, "values.golden", all.Error())
}

func TestProducts(t *testing.T) {
	s := web(t)
	v, errs := s.Check(parse(t, "memory: 1000000\nimage: {tag: '1.30'}\nextraEnv: [{name: A, value: 'a|b`c'}]\n"))
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	golden(t, "values.yaml.golden", s.ValuesYAML(v))
	golden(t, "values.schema.json.golden", manifest.JSON(s.JSONSchema("web"))+"\n")
	golden(t, "README.md.golden", s.Markdown(v))
}

func TestDefaults(t *testing.T) {
	got, errs := web(t).Check(nil)
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	want := map[string]any{
		"replicas":    int64(2),
		"image":       map[string]any{"repository": "nginx", "tag": "1.29", "pullPolicy": "IfNotPresent"},
		"utilization": "0.9",
		"engine": map[string]any{
			"banner": "first line\n  second: {{ line }}\n", "extraArgs": []any{},
		},
		"tls":          map[string]any{"enabled": false},
		"nodeSelector": map[string]any{},
		"extraEnv":     []any{},
		"port":         "http",
	}
	if diff := cmp.Diff(want, got.Native()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestNumbers(t *testing.T) {
	s := web(t)
	for text, want := range map[string]any{
		"memory: 1000000":       "1000000",
		"memory: 1e6":           "1000000",
		"memory: 1.5":           "1.5",
		"memory: 1.50":          "1.5",
		"memory: '1.50'":        "1.50",
		"memory: 2Gi":           "2Gi",
		"utilization: -0.25":    "-0.25",
		"utilization: 0.000001": "0.000001",
		"replicas: 5.0":         int64(5),
		"replicas: 1e2":         int64(100),
		"port: 8080.0":          int64(8080),
		"port: 0.5":             0.5,
	} {
		v, errs := s.Check(parse(t, text))
		if len(errs) > 0 {
			t.Errorf("%s: %v", text, errs)
			continue
		}
		if key, _, _ := strings.Cut(text, ":"); v[key] != want {
			t.Errorf("%s: got %#v, want %#v", text, v[key], want)
		}
	}
}

// TestValuesYAML reads the file back and gets the same values.
func TestValuesYAML(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, errs := param.Parse(paramtest.DrawSchema(t))
		if len(errs) > 0 {
			t.Fatal(errs)
		}
		want, errs := s.Check(paramtest.Draw(t, s))
		if len(errs) > 0 {
			t.Fatal(errs)
		}
		text := s.ValuesYAML(want)
		docs, errs := manifest.Parse(source.New("values.yaml", text))
		if len(errs) > 0 || len(docs) != 1 {
			t.Fatalf("%d documents, %v:\n%s", len(docs), errs, text)
		}
		got, errs := s.Check(docs[0])
		if len(errs) > 0 {
			t.Fatalf("%v:\n%s", errs, text)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("(-want +got):\n%s\n%s", diff, text)
		}
	})
}

func TestLookup(t *testing.T) {
	s := web(t)
	for path, want := range map[string]string{
		"": "", "image": "image", "image.tag": "image.tag",
		"image.nope": "-", "nope": "-", "image.tag.x": "-", "ports.name": "-", "image.": "-",
	} {
		got := "-"
		if p := s.Lookup(path); p != nil {
			got = p.Path
		}
		if got != want {
			t.Errorf("Lookup(%q) is %q, want %q", path, got, want)
		}
	}
	var leaves []string
	for _, leaf := range s.Leaves() {
		leaves = append(leaves, leaf.Path)
	}
	want := "replicas image.repository image.tag image.pullPolicy memory utilization engine.maxModelLen engine.dtype engine.banner " +
		"engine.extraArgs tls.enabled ports nodeSelector limits affinity extraEnv port"
	if got := strings.Join(leaves, " "); got != want {
		t.Errorf("leaves are\n%s, want\n%s", got, want)
	}
}

// FuzzCheck: no values and no schema make the package panic.
func FuzzCheck(f *testing.F) {
	// Small seeds: the fuzzer takes minutes to shrink whole files.
	for _, name := range []string{"values.yaml", "schema.yaml"} {
		text, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			f.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			f.Add(line)
			f.Add("type: object\nproperties:\n" + line)
		}
	}
	s := web(f)
	f.Fuzz(func(t *testing.T, text string) {
		docs, _ := manifest.Parse(source.New("values.yaml", text))
		for _, doc := range docs {
			if v, errs := s.Check(doc); errs.Err() == nil {
				s.ValuesYAML(v)
				s.Markdown(v)
			}
			other, _ := param.Parse(doc)
			v, _ := other.Check(nil)
			other.ValuesYAML(v)
			other.Markdown(v)
			manifest.JSON(other.JSONSchema("x"))
		}
	})
}
