// SPDX-License-Identifier: Apache-2.0

package render_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kilter.dev/kilter/internal/render"
)

// packFolder writes the folder as a .tgz whose files stand below top, as helm package does.
func packFolder(t *testing.T, dir, top, name string) {
	t.Helper()
	var text bytes.Buffer
	zip := gzip.NewWriter(&text)
	w := tar.NewWriter(zip)
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		if err := w.WriteHeader(&tar.Header{Name: top + "/" + filepath.ToSlash(rel), Mode: 0o644, Size: int64(len(data)), Typeflag: tar.TypeReg}); err != nil {
			return err
		}
		_, err = w.Write(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, close := range []func() error{w.Close, zip.Close} {
		if err := close(); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(name, text.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestPackedSubcharts: a packed chart means what its folder does, also with packed subcharts, and
// whether it is named itself, by its folder or by its Chart.yaml.
func TestPackedSubcharts(t *testing.T) {
	for _, name := range []string{"subcharts", "nested", "null", "library"} {
		t.Run(name, func(t *testing.T) {
			e := unpack(t, filepath.Join("testdata", "chart", name+".txtar"))
			dir, o := filepath.Join(e.dir, "chart"), e.options(t)
			want := rendered(t, dir, o)
			if want == "" {
				t.Fatal("nothing to compare")
			}
			same := func(how, path string) {
				t.Helper()
				if diff := cmp.Diff(want, rendered(t, path, o)); diff != "" {
					t.Errorf("%s (-folder +got):\n%s", how, diff)
				}
			}
			same("Chart.yaml", filepath.Join(dir, "Chart.yaml"))
			packFolder(t, dir, "chart", filepath.Join(e.dir, "chart.tgz"))
			same("packed", filepath.Join(e.dir, "chart.tgz"))
			subcharts, err := filepath.Glob(filepath.Join(dir, "charts", "*"))
			if err != nil {
				t.Fatal(err)
			}
			for _, sub := range subcharts {
				packFolder(t, sub, filepath.Base(sub), sub+"-1.0.0.tgz")
				if err := os.RemoveAll(sub); err != nil {
					t.Fatal(err)
				}
			}
			same("with packed subcharts", dir)
			packFolder(t, dir, "chart", filepath.Join(e.dir, "chart.tgz"))
			same("packed with packed subcharts", filepath.Join(e.dir, "chart.tgz"))
		})
	}
}

func rendered(t *testing.T, path string, o render.Options) string {
	t.Helper()
	nodes, list := render.Path(path, o)
	if err := list.Err(); err != nil {
		t.Fatal(err)
	}
	return printed(nodes)
}

// TestPackedErrors: what is no chart is said to be none.
func TestPackedErrors(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "empty"), 0o755); err != nil {
		t.Fatal(err)
	}
	packFolder(t, filepath.Join(dir, "empty"), "empty", filepath.Join(dir, "empty.tgz"))
	if err := os.WriteFile(filepath.Join(dir, "text.tgz"), []byte("apiVersion: v1\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"empty.tgz":  "no files in chart archive",
		"text.tgz":   "does not appear to be a gzipped archive",
		"absent.tgz": "no file or folder",
	} {
		nodes, list := render.Path(filepath.Join(dir, name), render.Options{})
		if len(nodes) > 0 || list.Err() == nil || !strings.Contains(list.Error(), want) {
			t.Errorf("%s: %d documents and %v, want %q", name, len(nodes), list, want)
		}
	}
}
