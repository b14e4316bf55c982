// SPDX-License-Identifier: Apache-2.0

// Package helm compiles a blueprint to a Helm chart for Helm 3 and 4: templates,
// values.yaml and its schema, documentation and tests. It prints the typed tree and
// never edits YAML as text. It does not render.
package helm

import (
	"cmp"
	"path"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/txtar"

	"kilter.dev/kilter/internal/blueprint"
	"kilter.dev/kilter/internal/expr"
	"kilter.dev/kilter/internal/manifest"
	"kilter.dev/kilter/internal/param"
)

// Chart is what a chart says beyond its blueprint.
type Chart struct {
	Name, Version, AppVersion string
	Values                    param.Values // the defaults that values.yaml shows
}

// The labels that only charts have.
const (
	ChartLabel     = "helm.sh/chart"
	ManagedByLabel = "app.kubernetes.io/managed-by"
)

// Generate returns the files of the chart, with names relative to its folder, sorted.
func Generate(b *blueprint.Blueprint, c Chart) (*txtar.Archive, error) {
	p := printer{chart: c.Name, params: b.Params}
	files := []txtar.File{
		{Name: "Chart.yaml", Data: []byte(chartYAML(b, c))},
		{Name: "values.yaml", Data: []byte(valuesYAML(b, c))},
		{Name: "values.schema.json", Data: []byte(manifest.JSON(b.Params.JSONSchema(c.Name)) + "\n")},
		{Name: "README.md", Data: []byte(readme(b, c))},
		{Name: ".helmignore", Data: []byte(helmignore)},
	}
	if text := p.validate(b); text != "" {
		files = append(files, txtar.File{Name: "templates/" + validateFile, Data: []byte(text)})
	}
	if b.Notes != nil {
		files = append(files, txtar.File{Name: "templates/NOTES.txt", Data: []byte(p.notes(b.Notes))})
	}
	objects, tests := fileNames(b.Objects), fileNames(b.Tests)
	for i, o := range b.Objects {
		f := p.template("templates/", objects[i], o.Root)
		f.Data = append([]byte(featureComment(b, o)), f.Data...)
		files = append(files, f)
	}
	for i, o := range b.Tests {
		files = append(files, p.template("templates/tests/", tests[i], hook(o.Root)))
	}
	files = append(files, txtar.File{Name: "templates/_helpers.tpl", Data: []byte(p.helpers(b.Variables, func(name string) bool {
		call := strconv.Quote(p.chart + "." + name)
		return slices.ContainsFunc(files, func(f txtar.File) bool { return strings.Contains(string(f.Data), call) })
	}))})
	for _, k := range b.Profile.Cases {
		text := k.Text
		if strings.TrimSpace(text) == "" {
			text = "{}\n"
		}
		files = append(files, txtar.File{Name: "ci/" + k.Name + "-values.yaml", Data: []byte(text)})
	}
	suites, err := suites(b, c, objects)
	if err != nil {
		return nil, err
	}
	files = append(files, suites...)
	slices.SortFunc(files, func(a, b txtar.File) int { return cmp.Compare(a.Name, b.Name) })
	return &txtar.Archive{Files: files}, nil
}

func (p printer) template(folder, name string, root *blueprint.Node) txtar.File {
	base := strings.TrimSuffix(name, path.Ext(name))
	return txtar.File{Name: folder + name, Data: []byte(p.object(p.label(root), base))}
}

// featureComment says in the template of a feature's object what the feature is.
func featureComment(b *blueprint.Blueprint, o *blueprint.Object) string {
	for _, f := range b.Profile.Features {
		if f.Name == path.Dir(o.File) {
			return "{{- /* " + f.Name + ": " + comment(oneLine(f.Description)) + " */ -}}\n"
		}
	}
	return ""
}

// label returns root with the labels that only charts have, where they are not written.
func (p printer) label(root *blueprint.Node) *blueprint.Node {
	return with(root, []string{"metadata", "labels"}, []blueprint.Field{
		text(ChartLabel, p.include("chart.label", ".")),
		text(ManagedByLabel, ".Release.Service"),
	})
}

// hook returns root with the annotations of a pod of helm test, where they are not written.
func hook(root *blueprint.Node) *blueprint.Node {
	return with(root, []string{"metadata", "annotations"}, []blueprint.Field{
		constant("helm.sh/hook", "test"),
		constant("helm.sh/hook-delete-policy", "before-hook-creation,hook-succeeded"),
	})
}

func text(key, pipeline string) blueprint.Field {
	return blueprint.Field{Key: key, Value: &blueprint.Node{Shape: manifest.String, Text: &expr.Template{Tree: raw(pipeline)}}}
}

func constant(key, value string) blueprint.Field {
	return blueprint.Field{Key: key, Value: &blueprint.Node{Shape: manifest.String, Literal: manifest.NewString(value)}}
}

// with returns n with the fields added to the map at path, which is made where it is
// missing. A field that is there stays, and so does all of a map that is a hole.
func with(n *blueprint.Node, path []string, fields []blueprint.Field) *blueprint.Node {
	if n.Text != nil || n.Shape != manifest.Map {
		return n
	}
	out := *n
	out.Fields = slices.Clone(n.Fields)
	at := func(key string) int {
		return slices.IndexFunc(out.Fields, func(f blueprint.Field) bool { return f.Key == key })
	}
	if len(path) == 0 {
		out.Literal = nil
		for _, f := range fields {
			if at(f.Key) < 0 {
				out.Fields = append(out.Fields, f)
			}
		}
		return &out
	}
	if at(path[0]) < 0 {
		out.Fields = append(out.Fields, blueprint.Field{Key: path[0], Value: &blueprint.Node{Shape: manifest.Map}})
	}
	i := at(path[0])
	out.Fields[i].Value = with(out.Fields[i].Value, path[1:], fields)
	return &out
}
