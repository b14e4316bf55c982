// SPDX-License-Identifier: Apache-2.0

package helm

import (
	"strconv"
	"strings"
	"testing"
	"text/template"

	"github.com/google/go-cmp/cmp"
	"helm.sh/helm/v3/pkg/chart"
	"helm.sh/helm/v3/pkg/chartutil"
	"helm.sh/helm/v3/pkg/engine"
	"pgregory.net/rapid"

	"kilter.dev/kilter/internal/blueprint"
	"kilter.dev/kilter/internal/expr"
	"kilter.dev/kilter/internal/manifest"
	"kilter.dev/kilter/internal/param"
	"kilter.dev/kilter/internal/source"
)

// tricky draws texts of what templates and YAML trip over.
var tricky = rapid.Custom(func(t *rapid.T) string {
	parts := []string{"{", "{{", "}}", "}", "-", " ", "\n", "\t", `"`, "`", "a", "%", `\`, "/*", "*/", "#", ":", "é", "\r"}
	return strings.Join(rapid.SliceOfN(rapid.SampledFrom(parts), 0, 12).Draw(t, "parts"), "")
})

// TestNamedTemplatesKeepEveryByte draws texts with and without holes.
func TestNamedTemplatesKeepEveryByte(t *testing.T) {
	p := printer{chart: "c", params: &param.Schema{Type: param.Object}}
	rapid.Check(t, func(t *rapid.T) {
		var args []expr.Tree
		want := ""
		for range rapid.IntRange(1, 4).Draw(t, "pieces") {
			text := tricky.Draw(t, "text")
			want += text
			if rapid.Bool().Draw(t, "hole") {
				args = append(args, raw("print "+strconv.Quote(text)))
			} else {
				args = append(args, &expr.Literal{Value: text})
			}
		}
		tree := expr.Tree(&expr.Call{Op: expr.Concat, Args: args, T: expr.Type{Kind: expr.String}})
		if len(args) == 1 {
			tree = args[0]
		}
		text := p.named("x", tree) + `{{ template "c.x" . }}`
		parsed, err := template.New("t").Parse(text)
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		var got strings.Builder
		if err := parsed.Execute(&got, nil); err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		if got.String() != want {
			t.Fatalf("got %q, want %q from\n%s", &got, want, text)
		}
	})
}

// TestConstantsKeepEveryByte draws constants of a template in all places that a constant
// can have, beside entries that exist or not.
func TestConstantsKeepEveryByte(t *testing.T) {
	p := printer{chart: "c", params: &param.Schema{Type: param.Object}}
	rapid.Check(t, func(t *rapid.T) {
		n, want := drawNode(t, 3)
		root := &blueprint.Node{Shape: manifest.Map, Fields: []blueprint.Field{{Key: "root", Value: n}}}
		text := p.object(root, "x")
		c := &chart.Chart{
			Metadata:  &chart.Metadata{Name: "c", Version: "1.0.0"},
			Templates: []*chart.File{{Name: "templates/x.yaml", Data: []byte(text)}},
		}
		values, err := chartutil.ToRenderValues(c, nil, chartutil.ReleaseOptions{Name: "r"}, nil)
		if err != nil {
			t.Fatal(err)
		}
		files, err := engine.Engine{}.Render(c, values)
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		out := files["c/templates/x.yaml"]
		docs, errs := manifest.Parse(source.New("x", out))
		if err := errs.Err(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		var got any
		if len(docs) > 0 {
			got = manifest.Native(docs[0].Get("root"))
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("(-want +got):\n%s\n%s\n%s", diff, text, out)
		}
		if got != nil && strings.HasPrefix(out, "\n") {
			t.Fatalf("blank line at the start of %q", out)
		}
	})
}

// drawNode draws a node and the value it has, nil when it does not exist.
func drawNode(t *rapid.T, depth int) (*blueprint.Node, any) {
	n := &blueprint.Node{}
	if rapid.IntRange(0, 3).Draw(t, "guarded") == 0 {
		n.Guard = expr.Negate(&expr.Call{Op: expr.AtLeast, Args: []expr.Tree{&expr.Literal{Value: "1.1"}}, T: expr.Type{Kind: expr.Bool}})
	}
	var v any
	switch kind := rapid.IntRange(0, 2).Draw(t, "kind"); {
	case depth == 0 || kind == 0:
		text := strings.ReplaceAll(tricky.Draw(t, "text"), "\r", "")
		n.Shape, n.Literal, v = manifest.String, manifest.NewString(text), text
	case kind == 1:
		n.Shape = manifest.List
		var list []any
		for range rapid.IntRange(1, 3).Draw(t, "items") {
			item, value := drawNode(t, depth-1)
			n.Items = append(n.Items, item)
			if value != nil {
				list = append(list, value)
			}
		}
		if list != nil {
			v = list
		}
	default:
		n.Shape = manifest.Map
		entries := map[string]any{}
		for i := range rapid.IntRange(1, 3).Draw(t, "fields") {
			key := strconv.Itoa(i) + strings.TrimRight(tricky.Draw(t, "key"), "\r\n")
			field, value := drawNode(t, depth-1)
			n.Fields = append(n.Fields, blueprint.Field{Key: key, Value: field})
			if value != nil {
				entries[key] = value
			}
		}
		if len(entries) > 0 {
			v = entries
		}
	}
	if n.Guard != nil {
		return n, nil
	}
	return n, v
}

func TestFileNames(t *testing.T) {
	service := &blueprint.Node{Shape: manifest.Map, Fields: []blueprint.Field{constant("kind", "ServiceAccount")}}
	hole := &blueprint.Node{Shape: manifest.List}
	got := fileNames([]*blueprint.Object{
		{File: "a_b.yaml", Root: service}, {File: "a_b.yaml", Root: service}, {File: "a_b.yaml", Root: service},
		{File: "a_b.yaml", Root: hole}, {File: "autoscaling/hpa.yaml", Root: service}, {File: "x/rbac.yaml", Root: service},
		{File: "y/rbac.yaml", Root: service}, {File: "validate.yaml", Root: hole},
	})
	want := []string{"a-b.yaml", "a-b-serviceaccount.yaml", "a-b-2.yaml", "a-b-3.yaml", "hpa.yaml", "x-rbac.yaml", "y-rbac.yaml", "validate-2.yaml"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatal(diff)
	}
}
