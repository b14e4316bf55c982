// SPDX-License-Identifier: Apache-2.0

package render

import (
	"cmp"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"helm.sh/helm/v3/pkg/chart"
	"helm.sh/helm/v3/pkg/chart/loader"
	"helm.sh/helm/v3/pkg/chartutil"
	"helm.sh/helm/v3/pkg/engine"

	"kilter.dev/kilter/internal/diag"
	"kilter.dev/kilter/internal/kube"
	"kilter.dev/kilter/internal/manifest"
	"kilter.dev/kilter/internal/source"
)

// Chart renders the chart at path, a folder or a .tgz file, as `helm template` does:
// dependencies, conditions, tags, import-values and the values schema are honoured, and
// the documents come in Helm's install order, CRDs first, hooks last. A position in the
// result is a line of the rendered text of the template it names.
//
// What a chart computes from the clock or from chance differs from run to run, as with
// Helm; all else is the same bytes for the same input. Schemas that refer to other files
// or to the network are not followed. One bad document does not hide the others.
func Chart(path string, o Options) ([]*manifest.Node, diag.List) {
	r := &rendering{path: path, options: o}
	var list diag.List
	logged, err := sideBySide(r.render)
	if logged {
		r = &rendering{path: path, options: o}
		list, err = quietly(r.render)
	}
	list.Add(r.warnings)
	if err != nil {
		return nil, append(list, r.explain(err)...)
	}
	var nodes []*manifest.Node
	for _, d := range r.documents {
		parsed, problems := manifest.Parse(d)
		nodes = append(nodes, parsed...)
		list.Add(problems)
	}
	if r.unsorted != nil && list.Err() == nil {
		list.Add(r.explain(r.unsorted))
	}
	return nodes, list
}

// rendering is a chart on its way to documents.
type rendering struct {
	path    string
	options Options

	chart     *chart.Chart
	documents []*source.File
	unsorted  error // why the documents are in the order of the files instead
	warnings  diag.List
}

func (r *rendering) render() error {
	if err := r.load(); err != nil {
		return err
	}
	values, err := r.values()
	if err != nil {
		return err
	}
	files, err := engine.Engine{}.Render(r.chart, values)
	if err != nil {
		return err
	}
	for name := range files {
		if strings.HasSuffix(name, "NOTES.txt") {
			delete(files, name)
		}
	}
	r.collect(files)
	return nil
}

// load reads the chart and checks what `helm template` checks before it renders.
func (r *rendering) load() error {
	c, err := loader.Load(r.path)
	if err != nil {
		return err
	}
	r.chart = c
	sortDependencies(c)
	if t := c.Metadata.Type; t != "" && t != "application" {
		return refusal{t + " charts cannot be rendered on their own", "render a chart that depends on it"}
	}
	return r.missing().Err()
}

// missing says which dependencies are not in charts/, where they are written.
func (r *rendering) missing() (list diag.List) {
	for _, want := range r.chart.Metadata.Dependencies {
		if slices.ContainsFunc(r.chart.Dependencies(), func(d *chart.Chart) bool { return d.Name() == want.Name }) {
			continue
		}
		list.Errorf(r.dependency(want.Name), "chart", "charts/ lacks the dependency %s", want.Name).Hint = "run helm dependency build " + r.path
	}
	return list
}

// dependency is where a chart says that it depends on another: in Chart.yaml or, as in the
// days of Helm 2, in requirements.yaml.
func (r *rendering) dependency(name string) source.Span {
	at := source.Span{File: source.New(filepath.Join(r.path, "Chart.yaml"), "")}
	for _, f := range r.chart.Raw {
		if f.Name != "Chart.yaml" && f.Name != "requirements.yaml" {
			continue
		}
		docs, _ := manifest.Parse(source.New(filepath.Join(r.path, f.Name), string(f.Data)))
		if len(docs) == 0 {
			continue
		}
		for _, item := range items(docs[0].Get("dependencies")) {
			if item.Get("name").Text() == name {
				return item.Get("name").Span
			}
		}
	}
	return at
}

// refusal is a chart that cannot be rendered, before any template is.
type refusal struct{ message, hint string }

func (e refusal) Error() string { return e.message }

// sortDependencies gives subcharts an order: Helm's loader takes them from a map.
func sortDependencies(c *chart.Chart) {
	subcharts := slices.Clone(c.Dependencies())
	slices.SortStableFunc(subcharts, func(a, b *chart.Chart) int {
		return cmp.Or(cmp.Compare(a.Name(), b.Name()), cmp.Compare(a.Metadata.Version, b.Metadata.Version))
	})
	c.SetDependencies(subcharts...)
	for _, s := range subcharts {
		sortDependencies(s)
	}
}

// values are what the templates see.
func (r *rendering) values() (chartutil.Values, error) {
	capabilities, err := r.capabilities()
	if err != nil {
		return nil, err
	}
	user := copyMap(r.options.Values)
	if err := chartutil.ProcessDependenciesWithMerge(r.chart, user); err != nil {
		return nil, err
	}
	values, err := chartutil.ToRenderValuesWithSchemaValidation(r.chart, user, chartutil.ReleaseOptions{
		Name:      cmp.Or(r.options.ReleaseName, "release-name"),
		Namespace: manifest.Namespace(r.options.Namespace),
		Revision:  1,
		IsInstall: true,
	}, capabilities, true)
	if err != nil {
		return nil, err
	}
	merged, err := values.Table("Values")
	if err != nil {
		return nil, err
	}
	list := r.options.Schemas.check(r.chart, merged.AsMap(), "")
	if err := list.Err(); err != nil {
		return nil, err
	}
	r.warnings = list
	want := r.chart.Metadata.KubeVersion
	if want != "" && !chartutil.IsCompatibleRange(want, capabilities.KubeVersion.Version) {
		return nil, refusal{
			fmt.Sprintf("the chart wants Kubernetes %s, not %s", want, capabilities.KubeVersion.Version),
			"say for which version with --kube-version",
		}
	}
	return values, nil
}

var minorOnly = regexp.MustCompile(`^v?\d+\.\d+$`)

func (r *rendering) capabilities() (*chartutil.Capabilities, error) {
	text := cmp.Or(r.options.KubeVersion, kube.Default)
	if minorOnly.MatchString(text) {
		text += ".0"
	}
	version, err := chartutil.ParseKubeVersion(text)
	if err != nil {
		return nil, refusal{fmt.Sprintf("%q is not a Kubernetes version", r.options.KubeVersion), `write "1.34" or "1.34.2"`}
	}
	capabilities := chartutil.DefaultCapabilities.Copy()
	capabilities.KubeVersion = *version
	capabilities.APIVersions = append(slices.Clone(capabilities.APIVersions), r.options.APIVersions...)
	return capabilities, nil
}

// copyMap copies maps and lists, so that Helm may write into them.
func copyMap(m map[string]any) map[string]any {
	out := make(map[string]any, len(m))
	for k, v := range m {
		out[k] = copyValue(v)
	}
	return out
}

func copyValue(v any) any {
	switch v := v.(type) {
	case map[string]any:
		return copyMap(v)
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = copyValue(v[i])
		}
		return out
	}
	return v
}
