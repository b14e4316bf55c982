// SPDX-License-Identifier: Apache-2.0

package krm_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"kilter.dev/kilter/internal/blueprint"
	"kilter.dev/kilter/internal/diag"
	"kilter.dev/kilter/internal/krm"
	"kilter.dev/kilter/internal/lint"
	"kilter.dev/kilter/internal/manifest"
	"kilter.dev/kilter/internal/profile"
	"kilter.dev/kilter/internal/source"
	"kilter.dev/kilter/profiles"
	"kilter.dev/kilter/rules"
)

var update = os.Getenv("UPDATE") != ""

// TestApply runs testdata/*.txtar: request.yaml applied to in.yaml gives out.yaml and the
// lines of results. Every one is applied twice, which must change nothing more.
func TestApply(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) < 5 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			t.Parallel()
			archive, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			in := map[string]string{}
			for _, f := range archive.Files {
				in[f.Name] = string(f.Data)
			}
			b := blueprintOf(t, strings.TrimSpace(string(archive.Comment)))
			request := requestOf(t, in["request.yaml"])
			got := map[string]string{}
			docs, results := apply(t, b, request, parse(t, in["in.yaml"]), got)
			if got["error"] == "" {
				again, _ := apply(t, b, request, parse(t, manifest.Print(docs...)), got)
				if diff := cmp.Diff(manifest.Print(docs...), manifest.Print(again...)); diff != "" && request.Mode != krm.Audit {
					t.Errorf("applied twice (-once +twice):\n%s", diff)
				}
				got["out.yaml"], got["results"] = manifest.Print(docs...), lines(results)
			}
			for _, name := range []string{"out.yaml", "results", "error"} {
				if diff := cmp.Diff(in[name], got[name]); diff != "" && !update {
					t.Errorf("%s (-want +got):\n%s", name, diff)
				}
				set(archive, name, got[name])
			}
			if update {
				if err := os.WriteFile(file, txtar.Format(archive), 0o644); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// set replaces a file of the archive, or drops it when text is empty.
func set(a *txtar.Archive, name, text string) {
	var files []txtar.File
	for _, f := range a.Files {
		if f.Name != name {
			files = append(files, f)
		}
	}
	if text != "" {
		files = append(files, txtar.File{Name: name, Data: []byte(text)})
	}
	a.Files = files
}

func apply(t *testing.T, b *blueprint.Blueprint, r krm.Request, docs []*manifest.Node, got map[string]string) ([]*manifest.Node, []krm.Result) {
	t.Helper()
	out, results, err := krm.Apply(b, r, all, docs)
	if list, ok := err.(diag.List); ok {
		got["error"] = list.Error() + "\n"
	} else if err != nil {
		t.Fatal(err)
	}
	return out, results
}

func lines(results []krm.Result) string {
	var b strings.Builder
	for _, r := range results {
		if r.Severity == diag.Error && r.Span.File != nil {
			b.WriteString(r.Span.String() + ": ")
		}
		b.WriteString(r.Severity.String() + ": " + r.Object.Kind + " " + r.Object.Name + ": " + r.Message)
		if r.Current != nil {
			b.WriteString(", from " + strings.TrimSpace(manifest.Print(r.Current)))
		}
		if r.Code != krm.Code {
			b.WriteString(" [" + r.Code + "]")
		}
		if r.Hint != "" {
			b.WriteString("; " + r.Hint)
		}
		b.WriteString("\n")
	}
	return b.String()
}

func parse(t *testing.T, text string) []*manifest.Node {
	t.Helper()
	docs, errs := manifest.Parse(source.New("in.yaml", text))
	if err := errs.Err(); err != nil {
		t.Fatal(err)
	}
	return docs
}

// all are the rules of the catalogue.
func all() (*lint.Rules, error) { return lint.Load(rules.FS) }

// blueprintOf compiles a built-in profile, or one in testdata.
func blueprintOf(t testing.TB, name string) *blueprint.Blueprint {
	t.Helper()
	var root fs.FS = profiles.FS
	if _, err := os.Stat(filepath.Join("testdata", name)); err == nil {
		root = os.DirFS("testdata")
	}
	sub, err := fs.Sub(root, name)
	if err != nil {
		t.Fatal(err)
	}
	p, err := profile.Load(sub, profiles.Parts(), name)
	if err != nil {
		t.Fatal(err)
	}
	b, err := blueprint.Compile(p)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// requestOf reads the fields of a request from a map.
func requestOf(t *testing.T, text string) krm.Request {
	t.Helper()
	r := krm.Request{Name: "server"}
	docs, errs := manifest.Parse(source.New("request.yaml", text))
	if err := errs.Err(); err != nil {
		t.Fatal(err)
	}
	if len(docs) == 0 {
		return r
	}
	n := docs[0]
	r.Span = n.Span
	if name := n.Get("name").Text(); name != "" {
		r.Name = name
	}
	r.Namespace, r.KubeVersion = n.Get("namespace").Text(), n.Get("kube").Text()
	r.Container, r.Mode, r.Parameters = n.Get("container").Text(), krm.Mode(n.Get("mode").Text()), n.Get("parameters")
	if s := n.Get("selector"); s != nil {
		r.Selector = &krm.Selector{Kind: s.Get("kind").Text(), Name: s.Get("name").Text(), Labels: s.Get("labels")}
	}
	return r
}
