// SPDX-License-Identifier: Apache-2.0

// Package render turns what users keep (Helm charts, kustomizations, manifest files,
// standard input) into manifests, in process and without the network: Chart means what
// `helm template` means, Kustomization what `kustomize build` means. It is the only
// package that imports Helm and krusty, and knows nothing of profiles.
package render

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"sigs.k8s.io/kustomize/api/konfig"

	"kilter.dev/kilter/internal/diag"
	"kilter.dev/kilter/internal/manifest"
	"kilter.dev/kilter/internal/source"
)

// Stdin is the path that means standard input.
const Stdin = "-"

// Options say what charts are rendered for. The zero value is that of `helm template`
// for Kubernetes 1.34. Kustomizations depend on Function and Texts alone, files on Stdin.
type Options struct {
	ReleaseName string   // "" means release-name
	Namespace   string   // "" means default
	KubeVersion string   // "1.34" or "1.34.2"; "" means 1.34
	APIVersions []string // known besides Helm's own list, as group/version

	Values map[string]any // as Values returns them; not changed

	IncludeCRDs bool // add the files of crds/
	SkipHooks   bool // leave out every object with a helm.sh/hook annotation
	SkipTests   bool // leave out the hooks of `helm test`

	// Schemas are shared by renderings of several charts; nil: nothing is.
	Schemas *Schemas

	// Function is called where a kustomization calls Kilter as a function; nil: that is an
	// error, as is a call of any other function.
	Function Function

	// Texts are what files of kustomizations hold instead of what is on disk, by their paths.
	Texts map[string]string

	Stdin io.Reader // what the path "-" reads; nil: nothing to read
}

// Kind is what a path holds.
type Kind string

// The kinds.
const (
	KindChart         Kind = "chart"
	KindKustomization Kind = "kustomization"
	KindManifests     Kind = "manifests"
)

// Detect says what path holds. It reads no file, since what is a pipe can be read only once;
// the error is that of a path that is not there. "-" is KindManifests.
func Detect(path string) (Kind, error) {
	if path == Stdin {
		return KindManifests, nil
	}
	info, err := os.Stat(path)
	if err != nil {
		return "", err
	}
	base := filepath.Base(path)
	switch {
	case info.IsDir():
		return detectFolder(path), nil
	case isPacked(base), base == "Chart.yaml":
		return KindChart, nil
	case slices.Contains(konfig.RecognizedKustomizationFileNames(), base):
		return KindKustomization, nil
	}
	return KindManifests, nil
}

func detectFolder(dir string) Kind {
	if isFile(filepath.Join(dir, "Chart.yaml")) {
		return KindChart
	}
	if _, ok := KustomizationFile(dir); ok {
		return KindKustomization
	}
	return KindManifests
}

// Path renders whatever path holds. A folder that is neither chart nor kustomization is
// searched for manifest files, charts and kustomizations, each rendered as such.
func Path(path string, o Options) ([]*manifest.Node, diag.List) {
	kind, err := Detect(path)
	if err != nil {
		return nil, Unreadable(path, err)
	}
	switch kind {
	case KindChart:
		return Chart(root(path, "Chart.yaml"), o)
	case KindKustomization:
		return builder{o.Function, o.Texts}.build(root(path, konfig.RecognizedKustomizationFileNames()...))
	}
	return Files([]string{path}, o)
}

// root is the folder of path if path is one of the files that make a folder what it is.
func root(path string, files ...string) string {
	if slices.Contains(files, filepath.Base(path)) && isFile(path) {
		return filepath.Dir(path)
	}
	return path
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// failed is a list of one error that has no position.
func failed(code, format string, args ...any) diag.List {
	var list diag.List
	list.Errorf(source.Span{}, code, format, args...)
	return list
}

// recovered turns a panic of a library into an error: a chart is foreign code.
func recovered(err *error) {
	if r := recover(); r != nil {
		*err = fmt.Errorf("%v", r)
	}
}
