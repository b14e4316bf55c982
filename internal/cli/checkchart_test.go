// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// pack writes the files of a chart as helm package does.
func pack(t *testing.T, name string, files map[string]string) {
	t.Helper()
	var text bytes.Buffer
	zip := gzip.NewWriter(&text)
	w := tar.NewWriter(zip)
	for _, file := range slices.Sorted(maps.Keys(files)) {
		if err := w.WriteHeader(&tar.Header{Name: "web/" + file, Mode: 0o644, Size: int64(len(files[file])), Typeflag: tar.TypeReg}); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(files[file])); err != nil {
			t.Fatal(err)
		}
	}
	if w.Close() != nil || zip.Close() != nil {
		t.Fatal("cannot pack")
	}
	if err := os.WriteFile(name, text.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestPackedChart: a packed chart is rendered with the values it is tested with, as its folder is.
func TestPackedChart(t *testing.T) {
	files := map[string]string{
		"Chart.yaml":             "{apiVersion: v2, name: web, version: 1.0.0}",
		"values.yaml":            "image: web:1.0.0\n",
		"ci/a-values.yaml":       "image: web\n",
		"ci/b-values.yaml":       "image: [\n",
		"ci/c-values.yaml":       "# kube: 1.99\nimage: web\n",
		"ci/other.yaml":          "image: other\n",
		"ci/deep/d-values.yaml":  "image: deep\n",
		"templates/web.yaml":     "apiVersion: v1\nkind: Pod\nmetadata: {name: web}\nspec: {containers: [{name: web, image: \"{{ .Values.image }}\"}]}\n",
		"templates/_helpers.tpl": "",
	}
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, "web", name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	pack(t, filepath.Join(dir, "web.tgz"), files)
	of := func(path string) (all []string) {
		for _, f := range checkJSON(t, path, "").Findings {
			if f.Rule == "image-not-pinned" || f.Rule == "" {
				all = append(all, strings.TrimPrefix(f.File, path)+": "+f.Message)
			}
		}
		return all
	}
	want, got := of(filepath.Join(dir, "web")), of(filepath.Join(dir, "web.tgz"))
	if len(want) != 1 || !strings.Contains(want[0], "with ci/a-values.yaml") {
		t.Errorf("the folder: %q", want)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-folder +packed):\n%s", diff)
	}
}
