// SPDX-License-Identifier: Apache-2.0

package paramtest_test

import (
	"io"
	"log"
	"math"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
	"helm.sh/helm/v3/pkg/chart"
	"helm.sh/helm/v3/pkg/chartutil"
	"pgregory.net/rapid"

	"kilter.dev/kilter/internal/diag"
	"kilter.dev/kilter/internal/manifest"
	"kilter.dev/kilter/internal/param"
	"kilter.dev/kilter/internal/param/paramtest"
	"kilter.dev/kilter/internal/source"
)

func TestMain(m *testing.M) {
	log.SetOutput(io.Discard) // Helm warns of tables that are not
	os.Exit(m.Run())
}

// TestHelmAgrees draws a schema and values, spoils the values or not, and asks Helm and
// Check the same two questions: are they legal, and what are they once completed?
func TestHelmAgrees(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		root := paramtest.DrawSchema(t)
		s, errs := param.Parse(root)
		if len(errs) > 0 {
			t.Fatalf("drawn schema is refused: %v\n%s", errs, manifest.Print(root))
		}
		for range 20 {
			agree(t, s, root)
		}
	})
}

// agree asks the questions once. root is the schema as written.
func agree(t *rapid.T, s *param.Schema, root *manifest.Node) {
	given := paramtest.Draw(t, s)
	legal := true
	for range rapid.IntRange(0, 2).Draw(t, "mutations") {
		mutate(t, s, given)
		legal = false
	}
	want, errs := s.Check(given)
	if legal && len(errs) > 0 {
		t.Fatalf("legal values are refused: %v\nschema:\n%svalues:\n%s", errs, manifest.Print(root), manifest.Print(given))
	}
	got, err := helmValues(t, s, given)
	if (err != nil) != (len(errs) > 0) {
		t.Fatalf("Helm says %v\nCheck says %v\nschema:\n%svalues:\n%s", err, errs, manifest.Print(root), manifest.Print(given))
	}
	if err != nil {
		return
	}
	if diff := cmp.Diff(want.Native(), likeCheck(s, got)); diff != "" {
		t.Fatalf("Helm's values (+) differ from Check's (-):\n%s\nschema:\n%svalues:\n%s", diff, manifest.Print(root), manifest.Print(given))
	}
}

// helmValues completes the values with the chart's as Helm does and validates them.
func helmValues(t interface{ Fatal(...any) }, s *param.Schema, given *manifest.Node) (map[string]any, error) {
	defaults, errs := s.Check(nil)
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	own, err := chartutil.ReadValues([]byte(s.ValuesYAML(defaults)))
	if err != nil {
		t.Fatal(err)
	}
	users, err := chartutil.ReadValues([]byte(manifest.Print(given)))
	if err != nil {
		t.Fatal(err)
	}
	c := &chart.Chart{Metadata: &chart.Metadata{Name: "c"}, Values: own}
	merged, err := chartutil.CoalesceValues(c, users)
	if err != nil {
		t.Fatal(err)
	}
	schema := manifest.JSON(s.JSONSchema("c"))
	return merged, chartutil.ValidateAgainstSingleSchema(merged, []byte(schema))
}

// likeCheck writes Helm's values as Check does: nulls of optional parameters are
// absent, whole numbers int64, and numbers for quantities and decimals text.
func likeCheck(s *param.Schema, values map[string]any) map[string]any {
	out := map[string]any{}
	for _, p := range s.Properties {
		v, ok := values[p.Name]
		switch {
		case p.Group():
			group, _ := v.(map[string]any)
			out[p.Name] = likeCheck(p, group)
		case !ok || v == nil:
		case p.Format != "":
			out[p.Name] = text(v)
		default:
			out[p.Name] = integers(v)
		}
	}
	return out
}

func text(v any) any {
	if f, ok := v.(float64); ok {
		return manifest.JSON(&manifest.Node{Shape: manifest.Float, Value: f})
	}
	return v
}

func integers(v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := map[string]any{}
		for k, e := range v {
			out[k] = integers(e)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, e := range v {
			out[i] = integers(e)
		}
		return out
	case float64:
		if v == math.Trunc(v) {
			return int64(v)
		}
	}
	return v
}

// wild are values that fit some parameters and not others.
var wild = []*manifest.Node{
	{},
	manifest.NewBool(true),
	manifest.NewInt(0), manifest.NewInt(-1), manifest.NewInt(3), manifest.NewInt(1000000),
	manifest.NewInt(param.MaxInteger), manifest.NewInt(-param.MaxInteger),
	{Shape: manifest.Float, Value: 5.0}, {Shape: manifest.Float, Value: 0.9}, {Shape: manifest.Float, Value: -1.5},
	{Shape: manifest.Float, Value: 1e6}, {Shape: manifest.Float, Value: 12345.678},
	manifest.NewString(""), manifest.NewString("1"), manifest.NewString("latest"), manifest.NewString("LATEST"),
	manifest.NewString("v1"), manifest.NewString("1 GB"), manifest.NewString("1.5Gi"), manifest.NewString("-1"),
	manifest.NewString("true"), manifest.NewString("😀😀😀😀😀😀😀"), manifest.NewString("a\nb"),
	manifest.NewList(), manifest.NewMap(),
	manifest.NewList(&manifest.Node{}), manifest.NewList(manifest.NewString("a"), manifest.NewInt(1)),
	manifest.NewList(manifest.NewMap(manifest.Field{Key: "a", Value: &manifest.Node{}})),
	manifest.NewMap(manifest.Field{Key: "a", Value: &manifest.Node{}}),
	manifest.NewMap(manifest.Field{Key: "tag", Value: manifest.NewMap(manifest.Field{Key: "b", Value: &manifest.Node{}})}),
	manifest.NewMap(manifest.Field{Key: "x", Value: manifest.NewString("y")}),
	manifest.NewMap(manifest.Field{Key: "a", Value: manifest.NewInt(7)}),
}

// mutate puts one wild value at a declared, undeclared or already given place.
func mutate(t *rapid.T, s *param.Schema, n *manifest.Node) {
	v := rapid.SampledFrom(wild).Draw(t, "wild").Clone()
	var places []func()
	var visit func(n *manifest.Node)
	visit = func(n *manifest.Node) {
		for i := range n.Fields {
			places = append(places, func() { n.Fields[i].Value = v })
			visit(n.Fields[i].Value)
		}
		for i := range n.Items {
			places = append(places, func() { n.Items[i] = v })
			visit(n.Items[i])
		}
		switch n.Shape {
		case manifest.Map:
			places = append(places, func() { n.Set("unknown", v) })
		case manifest.List:
			places = append(places, func() { n.Items = append(n.Items, v) })
		}
	}
	visit(n)
	for _, p := range s.Properties {
		places = append(places, func() { n.Set(p.Name, v) })
		switch p.Type {
		case param.Array:
			places = append(places, func() { n.Set(p.Name, manifest.NewList(v)) })
		case param.Object:
			inner := manifest.NewMap(manifest.Field{Key: "k", Value: v})
			for _, q := range p.Properties {
				inner.Fields[0].Key = q.Name
			}
			places = append(places, func() { n.Set(p.Name, inner) })
		}
	}
	rapid.SampledFrom(places).Draw(t, "place")()
}

// TestNullsLikeHelm pins the rules for null, one by one.
func TestNullsLikeHelm(t *testing.T) {
	s, errs := param.Parse(parse(t, `
type: object
properties:
  replicas: {type: integer, default: 2, description: d}
  memory: {type: string, description: d}
  affinity: {type: object, x-kubernetes-preserve-unknown-fields: true, default: {}, description: d}
  labels: {type: object, additionalProperties: {type: string}, default: {}, description: d}
  env: {type: array, items: {type: object, x-kubernetes-preserve-unknown-fields: true}, default: [{name: A}], description: d}
  tls:
    type: object
    properties:
      port: {type: integer, default: 443, description: d}
      secret: {type: string, description: d}
`))
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	for _, test := range []struct {
		values string
		want   string // error; "" for none
	}{
		{"memory: null", ""},
		{"tls: {secret: null}", ""},
		{"affinity: {nodeAffinity: null}", ""},
		{"affinity: {nodeAffinity: {a: null}}", ""},
		{"env: [{name: null}]", ""},
		{"replicas: null", "replicas may not be null"},
		{"tls: {port: null}", "tls.port may not be null"},
		{"tls: null", "tls may not be null"},
		{"affinity: null", "affinity may not be null"},
		{"labels: {a: null}", "labels.a may not be null"},
		{"env: [null]", "env[0] may not be null"},
	} {
		n := parse(t, test.values)
		got, errs := s.Check(n)
		if message := messages(errs); message != test.want {
			t.Errorf("%s: Check says %q, want %q", test.values, message, test.want)
		}
		merged, err := helmValues(t, s, n)
		if (err != nil) != (test.want != "") {
			t.Errorf("%s: Helm says %v", test.values, err)
		}
		if err != nil {
			continue
		}
		if diff := cmp.Diff(got.Native(), likeCheck(s, merged)); diff != "" {
			t.Errorf("%s: Helm's values (+) differ:\n%s", test.values, diff)
		}
	}
}

func parse(t *testing.T, text string) *manifest.Node {
	t.Helper()
	docs, errs := manifest.Parse(source.New("values.yaml", text))
	if len(errs) > 0 || len(docs) != 1 {
		t.Fatalf("%d documents: %v", len(docs), errs)
	}
	return docs[0]
}

func messages(errs diag.List) string {
	text := ""
	for i, d := range errs {
		if i > 0 {
			text += "; "
		}
		text += d.Message
	}
	return text
}
