// SPDX-License-Identifier: Apache-2.0

package render_test

import (
	"log"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"kilter.dev/kilter/internal/render"
)

// TestSideBySide: charts that are rendered at the same time each have their own warnings, and
// the process has its logger and its client afterwards.
func TestSideBySide(t *testing.T) {
	output, transport := log.Writer(), http.DefaultTransport
	charts := map[string]int{} // how many warnings each has
	for name, condition := range map[string]string{"plain": "true", "odd": `"text"`} {
		dir := filepath.Join(t.TempDir(), name)
		write(t, filepath.Join(dir, "Chart.yaml"), "{apiVersion: v2, name: "+name+", version: 1.0.0, dependencies: [{name: sub, version: 1.0.0, condition: sub.enabled}]}")
		write(t, filepath.Join(dir, "values.yaml"), "sub: {enabled: "+condition+"}")
		write(t, filepath.Join(dir, "charts", "sub", "Chart.yaml"), "{apiVersion: v2, name: sub, version: 1.0.0}")
		write(t, filepath.Join(dir, "templates", "a.yaml"), "{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}")
		charts[dir] = 0
		if name == "odd" {
			charts[dir] = 1
		}
	}
	var work sync.WaitGroup
	for dir, warnings := range charts {
		for range 20 {
			work.Go(func() {
				docs, list := render.Chart(dir, render.Options{})
				if len(docs) != 1 || len(list) != warnings {
					t.Errorf("%s: %d documents, %v, want %d warnings", dir, len(docs), list, warnings)
				}
			})
		}
	}
	work.Wait()
	if log.Writer() != output || http.DefaultTransport != transport {
		t.Error("the logger or the client is not what it was")
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
