// SPDX-License-Identifier: Apache-2.0

package helm

import (
	"cmp"
	"fmt"
	"regexp"
	"strings"

	"golang.org/x/tools/txtar"

	"kilter.dev/kilter/internal/blueprint"
	"kilter.dev/kilter/internal/manifest"
)

// suiteNamespace is where the suites install the release, which is called as the chart.
const suiteNamespace = "default"

// suites returns a helm-unittest suite per case: the objects of the blueprint as
// assertions, so that a chart proves without Kilter that it means the same. names are
// the template files of the blueprint's objects. A case that the defaults of the chart
// make illegal has none.
func suites(b *blueprint.Blueprint, c Chart, names []string) ([]txtar.File, error) {
	defaults, err := manifest.FromNative(map[string]any(c.Values))
	if err != nil {
		return nil, err
	}
	var files []txtar.File
	for _, k := range b.Profile.Cases {
		values, errs := b.Params.Check(manifest.Overlay(defaults, k.Values, manifest.DeleteUnder))
		if errs.Err() != nil {
			continue
		}
		w := blueprint.Workload{Name: c.Name, Namespace: suiteNamespace, KubeVersion: cmp.Or(k.KubeVersion, blueprint.DefaultKubeVersion), Values: values}
		if _, err := b.Render(w); err != nil {
			continue
		}
		tests := manifest.NewList()
		for i, o := range b.Objects {
			one := *b
			one.Objects = []*blueprint.Object{o}
			objects, err := one.RenderUnchecked(w)
			if err != nil {
				return nil, err
			}
			tests.Items = append(tests.Items, suiteTest(names[i], objects))
		}
		if len(tests.Items) == 0 {
			continue
		}
		files = append(files, txtar.File{Name: "tests/" + k.Name + "_test.yaml", Data: []byte(manifest.Print(suite(k.Name, w, tests)))})
	}
	return files, nil
}

func suite(name string, w blueprint.Workload, tests *manifest.Node) *manifest.Node {
	major, minor, _ := strings.Cut(w.KubeVersion, ".")
	return manifest.NewMap(
		entry("suite", manifest.NewString("case "+name)),
		entry("values", manifest.NewList(manifest.NewString("../ci/"+name+"-values.yaml"))),
		entry("release", manifest.NewMap(
			entry("name", manifest.NewString(w.Name)),
			entry("namespace", manifest.NewString(w.Namespace)),
		)),
		entry("capabilities", manifest.NewMap(
			entry("majorVersion", manifest.NewString(major)),
			entry("minorVersion", manifest.NewString(minor)),
		)),
		entry("tests", tests),
	)
}

func suiteTest(name string, objects []*manifest.Object) *manifest.Node {
	asserts := manifest.NewList(assert("hasDocuments", -1, entry("count", manifest.NewInt(int64(len(objects))))))
	for i, o := range objects {
		index := i
		if len(objects) == 1 {
			index = -1
		}
		for _, f := range o.Fields {
			if f.Key != "metadata" {
				asserts.Items = append(asserts.Items, assert("equal", index, entry("path", manifest.NewString(f.Key)), entry("value", uniform(f.Value))))
			}
		}
		asserts.Items = append(asserts.Items, assert("equal", index, entry("path", manifest.NewString("metadata.name")), entry("value", o.Get("metadata", "name"))))
	}
	it := "is left out"
	if len(objects) > 0 {
		it = fmt.Sprintf("holds the %s %s", objects[0].Kind, objects[0].Name)
	}
	return manifest.NewMap(
		entry("it", manifest.NewString(it)),
		entry("template", manifest.NewString("templates/"+name)),
		entry("asserts", asserts),
	)
}

// assert is an assertion about the document of the given index, -1 for the file.
func assert(kind string, index int, fields ...manifest.Field) *manifest.Node {
	n := manifest.NewMap(entry(kind, manifest.NewMap(fields...)))
	if index >= 0 {
		n.Set("documentIndex", manifest.NewInt(int64(index)))
	}
	return n
}

var blanks = regexp.MustCompile(`(?m)[ ]+\r?\n`)

// uniform is n as helm-unittest makes what a chart renders before it compares, and what
// it does not make of the value it compares with: without blanks before line breaks and
// without line breaks at the start of a text.
func uniform(n *manifest.Node) *manifest.Node {
	out := n.Clone()
	for i := range out.Fields {
		out.Fields[i].Value = uniform(out.Fields[i].Value)
	}
	for i := range out.Items {
		out.Items[i] = uniform(out.Items[i])
	}
	if out.Shape == manifest.String {
		out.Value = strings.TrimLeft(blanks.ReplaceAllString(out.Text(), "\n"), "\n")
	}
	return out
}

func entry(key string, v *manifest.Node) manifest.Field { return manifest.Field{Key: key, Value: v} }
