// SPDX-License-Identifier: Apache-2.0

package render_test

import (
	"bytes"
	"io"
	"log"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"kilter.dev/kilter/internal/manifest"
	"kilter.dev/kilter/internal/render"
)

// folder is what one may find in a repository.
const folder = `
-- notes.txt --
not a manifest
-- values.txt --
-- b.yml --
{kind: B, apiVersion: v1}
---
{kind: B2, apiVersion: v1}
-- a.json --
{"kind": "A", "apiVersion": "v1"}
-- .git/config.yaml --
{kind: Hidden, apiVersion: v1}
-- service/kilter.yaml --
# a service
apiVersion: kilter.dev/v1alpha1
kind: Workload
-- service/stack.yaml --
apiVersion: v1
kind: ConfigMap
---
apiVersion: kilter.dev/v1alpha1
kind: Stack
-- service/profile.yaml --
apiVersion: kilter.dev/v1alpha1
kind: Profile
-- chart/Chart.yaml --
{apiVersion: v2, name: c, version: 1.0.0}
-- chart/values.yaml --
kind: Values
-- chart/templates/x.yaml --

---
kind: Empty{{ .Release.Name }}
---
apiVersion: v1
kind: InChart
-- kustom/base/kustomization.yaml --
resources: [x.yaml]
-- kustom/base/x.yaml --
{apiVersion: v1, kind: ConfigMap, metadata: {name: base}}
-- kustom/components/c/kustomization.yml --
apiVersion: kustomize.config.k8s.io/v1alpha1
kind: Component
-- kustom/overlays/prod/Kustomization --
namePrefix: prod-
resources: [../../base]
-- nothing/notes.txt --
`

func tree(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := txtar.Write(txtar.Parse([]byte(folder)), dir); err != nil {
		t.Fatal(err)
	}
	return dir
}

// TestDetect: what each path of a repository is.
func TestDetect(t *testing.T) {
	t.Chdir(tree(t))
	for path, want := range map[string]render.Kind{
		".":                                  render.KindManifests,
		"-":                                  render.KindManifests,
		"b.yml":                              render.KindManifests,
		"notes.txt":                          render.KindManifests,
		"service":                            render.KindManifests,
		"service/kilter.yaml":                render.KindManifests,
		"service/stack.yaml":                 render.KindManifests,
		"service/profile.yaml":               render.KindManifests,
		"chart":                              render.KindChart,
		"chart/Chart.yaml":                   render.KindChart,
		"chart/values.yaml":                  render.KindManifests,
		"kustom":                             render.KindManifests,
		"kustom/base":                        render.KindKustomization,
		"kustom/base/x.yaml":                 render.KindManifests,
		"kustom/overlays/prod":               render.KindKustomization,
		"kustom/components/c":                render.KindKustomization,
		"kustom/overlays/prod/Kustomization": render.KindKustomization,
	} {
		got, err := render.Detect(path)
		if err != nil || got != want {
			t.Errorf("%s: %s, %v; want %s", path, got, err, want)
		}
	}
	if _, err := render.Detect("nosuch"); !os.IsNotExist(err) {
		t.Errorf("nosuch: %v", err)
	}
}

// TestPath: a folder stands for its files, charts and kustomizations, in the order of
// names; the file that makes a folder what it is stands for the folder.
func TestPath(t *testing.T) {
	t.Chdir(tree(t))
	for path, want := range map[string]string{
		".":                "a.json:1 A, b.yml:1 B, b.yml:3 B2, chart/templates/x.yaml:3 Emptyweb, chart/templates/x.yaml:5 InChart, kustom/base:1 ConfigMap, kustom/overlays/prod:1 ConfigMap, service/kilter.yaml:2 Workload, service/profile.yaml:1 Profile, service/stack.yaml:1 ConfigMap, service/stack.yaml:4 Stack",
		"b.yml":            "b.yml:1 B, b.yml:3 B2",
		"chart":            "chart/templates/x.yaml:3 Emptyweb, chart/templates/x.yaml:5 InChart",
		"chart/Chart.yaml": "chart/templates/x.yaml:3 Emptyweb, chart/templates/x.yaml:5 InChart",
		"kustom":           "kustom/base:1 ConfigMap, kustom/overlays/prod:1 ConfigMap",
		"kustom/base":      "kustom/base:1 ConfigMap",
		"-":                "<stdin>:1 In",
	} {
		nodes, list := render.Path(path, render.Options{ReleaseName: "web", Stdin: strings.NewReader("kind: In\n")})
		if len(list) > 0 {
			t.Errorf("%s: %v", path, list)
		}
		if diff := cmp.Diff(want, places(nodes)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", path, diff)
		}
	}
}

// places lists where the documents are and of which kind.
func places(nodes []*manifest.Node) string {
	var found []string
	for _, n := range nodes {
		place := n.Span.String()
		found = append(found, place[:strings.LastIndex(place, ":")]+" "+n.Get("kind").Text())
	}
	return strings.Join(found, ", ")
}

// TestPathRefuses: nothing read is never a success.
func TestPathRefuses(t *testing.T) {
	t.Chdir(tree(t))
	if err := os.Symlink("lnk", "link"); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		"nothing":  "error: no manifests in \"nothing\" [nothing-there]\n\thint: give a chart, a kustomization, or YAML or JSON files",
		"chrt":     "error: there is no file or folder \"chrt\" [unreadable]\n\thint: did you mean \"chart\"?",
		"b.yaml":   "error: there is no file or folder \"b.yaml\" [unreadable]\n\thint: did you mean \"b.yml\"?",
		"-":        "error: nothing to read from standard input [unreadable]",
		"a.json/x": "error: cannot read \"a.json/x\": not a directory [unreadable]",
		"":         "error: a path is empty [unreadable]\n\thint: is a variable not set?",
		"link":     "link:1:1: error: this is a link to \"lnk\", which is not there [unreadable]",
	} {
		_, list := render.Path(path, render.Options{})
		if got := list.Error(); got != want {
			t.Errorf("%s:\n%s\nwant:\n%s", path, got, want)
		}
	}
}

// TestWarnings: what Helm logs becomes warnings, and the process is left as it was.
func TestWarnings(t *testing.T) {
	e := unpack(t, filepath.Join("testdata", "warnings.txtar"))
	var logged bytes.Buffer
	log.SetOutput(&logged)
	defer log.SetOutput(os.Stderr)
	transport := http.DefaultTransport
	nodes, list := render.Chart(filepath.Join(e.dir, "chart"), e.options(t))
	if len(nodes) != 1 {
		t.Errorf("%d documents", len(nodes))
	}
	if diff := cmp.Diff(e.section("want.txt"), list.Error()+"\n"); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if logged.Len() > 0 {
		t.Errorf("logged %q", &logged)
	}
	if log.Writer() != io.Writer(&logged) || http.DefaultTransport != transport {
		t.Error("the logger or the HTTP client is not what it was")
	}
}
