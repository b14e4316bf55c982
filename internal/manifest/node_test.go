// SPDX-License-Identifier: Apache-2.0

package manifest_test

import (
	"encoding/json"
	"fmt"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"kilter.dev/kilter/internal/manifest"
	"kilter.dev/kilter/internal/source"
)

func TestGetSetDelete(t *testing.T) {
	n := parseOne(t, "a: {b: [x, {c: 1}]}\nd: text\n")
	for _, c := range []struct {
		path []string
		want string
	}{
		{nil, `{"a": {"b": ["x", {"c": 1}]}, "d": "text"}`},
		{[]string{"a", "b", "1", "c"}, "1"},
		{[]string{"a", "b", "2"}, "null"},
		{[]string{"a", "b", "x"}, "null"},
		{[]string{"a", "c", "d"}, "null"},
		{[]string{"d", "e"}, "null"},
	} {
		if got := flow(orNull(n.Get(c.path...))); got != c.want {
			t.Errorf("Get(%q) = %s, want %s", c.path, got, c.want)
		}
	}
	before := n.Clone()
	n.Get("a").Set("b", manifest.NewString("new"))
	n.Set("e", manifest.NewMap(manifest.Field{Key: "f", Value: manifest.NewList(manifest.NewBool(true))}))
	n.Delete("d")
	n.Delete("none")
	if got, want := flow(n), `{"a": {"b": "new"}, "e": {"f": [true]}}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got, want := flow(before), `{"a": {"b": ["x", {"c": 1}]}, "d": "text"}`; got != want {
		t.Errorf("the clone is %s, want %s", got, want)
	}
	if got := before.Get("d").Span.String(); got != "t.yaml:2:4" {
		t.Errorf("the clone's span is %s", got)
	}
}

func orNull(n *manifest.Node) *manifest.Node {
	if n == nil {
		return &manifest.Node{}
	}
	return n
}

func TestNilNode(t *testing.T) {
	var n *manifest.Node
	n.Set("a", nil)
	n.Delete("a")
	if n.Get("a") != nil || n.Text() != "" || n.Clone() != nil || manifest.Native(n) != nil || manifest.JSON(n) != "null" {
		t.Error("nil does not read as null")
	}
	if !manifest.Equal(n, &manifest.Node{}) || manifest.Equal(n, manifest.NewMap()) {
		t.Error("nil does not equal null alone")
	}
}

func TestNewMapKeepsTheLastOfEqualKeys(t *testing.T) {
	n := manifest.NewMap(manifest.Field{Key: "a", Value: manifest.NewInt(1)}, manifest.Field{Key: "b"}, manifest.Field{Key: "a", Value: manifest.NewInt(2)})
	if got := flow(n); got != `{"a": 2, "b": null}` {
		t.Errorf("got %s", got)
	}
}

func TestFromNative(t *testing.T) {
	type kind string
	for want, v := range map[string]any{
		"null": nil, "true": true, `"a"`: kind("a"), "1": uint8(1), "-2": int32(-2), "3": json.Number("3"), "1.5": json.Number("1.5"), "0.5": float32(.5), "9223372036854776000": uint64(1 << 63),
		`{"a": 1, "b": [null, "x"]}`: map[string]any{"b": []any{nil, "x"}, "a": 1},
		`{"1": "a", "true": 2}`:      map[any]any{1: "a", true: 2},
		`["a", "b"]`:                 []string{"a", "b"},
		`{"c": "d"}`:                 map[string]string{"c": "d"},
		`{}`:                         map[string]any{},
		`[]`:                         []any{},
	} {
		n, err := manifest.FromNative(v)
		if err != nil || flow(n) != want {
			t.Errorf("FromNative(%v) = %s, %v, want %s", v, flow(orNull(n)), err, want)
		}
	}
	loop := []any{nil}
	loop[0] = loop
	for want, v := range map[string]any{
		"+Inf cannot be written as a number":               math.Inf(1),
		"a: [1]: NaN cannot be written as a number":        map[string]any{"a": []any{1, math.NaN()}},
		`"x" is not a number`:                              json.Number("x"),
		"a value of type func() cannot be written as YAML": func() {},
		`key "1" is there twice`:                           map[any]any{1: 1, "1": 2},
	} {
		if n, err := manifest.FromNative(v); err == nil || err.Error() != want {
			t.Errorf("FromNative(%v) = %v, %v, want %s", v, n, err, want)
		}
	}
	if _, err := manifest.FromNative(loop); err == nil {
		t.Error("a list that holds itself is no error")
	}
}

func TestNativeRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := nodes(3).Draw(t, "node")
		got, err := manifest.FromNative(manifest.Native(n))
		if err != nil || !manifest.Equal(n, got) || !manifest.Equal(n, n.Clone()) {
			t.Fatalf("%s: got %s, %v", manifest.JSON(n), manifest.JSON(got), err)
		}
	})
}

func TestEqual(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"{a: 1, b: 2}", "{b: 2, a: 1}", true},
		{"{a: 1}", "{a: 1, b: 2}", false},
		{"{a: 1, b: 2}", "{a: 1, c: 2}", false},
		{"[1, 2]", "[2, 1]", false},
		{"1", "1.0", true},
		{"1", `"1"`, false},
		{"1", "1.5", false},
		{"9007199254740993", "9007199254740992", false},
		{"[null]", "[]", false},
		{"{}", "[]", false},
		{"'null'", "[null]", false},
	} {
		a, b := parseOne(t, c.a), parseOne(t, c.b)
		if manifest.Equal(a, b) != c.want || manifest.Equal(b, a) != c.want {
			t.Errorf("Equal(%s, %s) is not %v", c.a, c.b, c.want)
		}
	}
	float := func(f float64) *manifest.Node { return &manifest.Node{Shape: manifest.Float, Value: f} }
	for _, c := range []struct {
		i    int64
		f    float64
		want bool
	}{{1, 1, true}, {1, 1.5, false}, {math.MaxInt64, 1 << 63, false}, {math.MinInt64, -1 << 63, true}, {1<<53 + 1, 1 << 53, false}} {
		if manifest.Equal(manifest.NewInt(c.i), float(c.f)) != c.want || manifest.Equal(float(c.f), manifest.NewInt(c.i)) != c.want {
			t.Errorf("Equal(%d, %v) is not %v", c.i, c.f, c.want)
		}
	}
}

func TestObjects(t *testing.T) {
	for text, want := range map[string]string{
		"apiVersion: v1\nkind: Pod\nmetadata: {name: a, namespace: b}": "v1 Pod b/a",
		"apiVersion: v1\nkind: Pod\nmetadata: null":                    "v1 Pod /",
		"apiVersion: v1\nkind: List\nitems: [{apiVersion: v1, kind: Pod, metadata: {name: a}}, null, {apiVersion: v1, kind: List, items: [{apiVersion: v1, kind: Secret}]}]": "v1 Pod /a, v1 Secret /",
		"apiVersion: apps/v1\nkind: DeploymentList\nitems: [{metadata: {name: a}}]":                                                                                          "apps/v1 Deployment /a",
		"apiVersion: apps/v1\nkind: DeploymentList\nitems: [{apiVersion: v1, kind: Pod}]":                                                                                    "v1 Pod /",
		"apiVersion: a.b/v1\nkind: AllowList":  "a.b/v1 AllowList /",
		"apiVersion: v1\nkind: List\nitems: 3": "3:8 items of a List must be a list, not this integer",
		"kind: List\nitems: [{kind: Pod}]":     "2:9 object has no apiVersion",
		"a: 1":                                 "1:1 object has no apiVersion and no kind",
		"apiVersion: 1\nkind: Pod":             "1:13 apiVersion must be a string, not this integer",
		"apiVersion: v1\nkind: ''":             "1:1 object has no kind",
		"[]":                                   "1:1 a Kubernetes object is a map, not this list",
		"a":                                    "1:1 a Kubernetes object is a map, not this string",
	} {
		objects, diags := manifest.Objects(parse(t, text))
		got := ""
		for _, o := range objects {
			got += fmt.Sprintf(", %s %s %s/%s", o.APIVersion, o.Kind, o.Namespace, o.Name)
			if o.Node.Get("apiVersion").Text() != o.APIVersion || o.Node.Get("kind").Text() != o.Kind {
				t.Errorf("%q: the node is %s", text, flow(o.Node))
			}
		}
		for _, d := range diags {
			got += fmt.Sprintf(", %s %s", d.Span.String()[len("t.yaml:"):], d.Message)
		}
		if diff := cmp.Diff(", "+want, got); diff != "" {
			t.Errorf("%q (-want +got):\n%s", text, diff)
		}
	}
	if objects, diags := manifest.Objects([]*manifest.Node{nil, {}}); len(objects)+len(diags) > 0 {
		t.Errorf("nulls are %v, %v", objects, diags)
	}
}

func TestObjectsHaveTheirPlace(t *testing.T) {
	docs, _ := manifest.Parse(source.New("t.yaml", "apiVersion: apps/v1\nkind: DeploymentList\nitems:\n- metadata:\n    name: a\n"))
	objects, _ := manifest.Objects(docs)
	if len(objects) != 1 || objects[0].Span.String() != "t.yaml:4:3" || objects[0].Get("kind").Span.String() != "t.yaml:2:7" {
		t.Errorf("got %+v", objects)
	}
}

// TestID: versions of an API hold the same objects; the core group has no name.
func TestID(t *testing.T) {
	for _, c := range []struct {
		object manifest.Object
		want   string
	}{
		{manifest.Object{APIVersion: "v1", Kind: "Service", Namespace: "a", Name: "b"}, "Service a/b"},
		{manifest.Object{APIVersion: "apps/v1", Kind: "Deployment", Name: "b"}, "Deployment.apps b"},
	} {
		if got := c.object.ID().String(); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
	old, current := manifest.Object{APIVersion: "apps/v1beta1", Name: "a"}, manifest.Object{APIVersion: "apps/v1", Name: "a"}
	if old.ID() != current.ID() {
		t.Error("the version decides about the ID")
	}
}

func TestOverlay(t *testing.T) {
	under := parseOne(t, "a: {b: 1, c: 2}\nd: [1]\n")
	over := parseOne(t, "d: [2]\na: {c: null, e: null, b: 3}\n")
	for nulls, want := range map[manifest.Nulls]string{
		manifest.NullOver:    `{"a": {"b": 3, "c": null, "e": null}, "d": [2]}`,
		manifest.KeepUnder:   `{"a": {"b": 3, "c": 2, "e": null}, "d": [2]}`,
		manifest.DeleteUnder: `{"a": {"b": 3, "e": null}, "d": [2]}`,
	} {
		got := manifest.Overlay(under, over, nulls)
		if flow(got) != want {
			t.Errorf("%d: got %s, want %s", nulls, flow(got), want)
		}
		if at, want := got.Fields[0].KeySpan, over.Fields[1].KeySpan; at != want {
			t.Errorf("%d: a is at %s, want %s", nulls, at, want)
		}
		if manifest.Overlay(under, nil, nulls) != under || manifest.Overlay(nil, over, nulls) != over {
			t.Errorf("%d: nothing changes something", nulls)
		}
	}
	if got := manifest.Overlay(under, parseOne(t, "[]"), manifest.KeepUnder); got.Shape != manifest.List {
		t.Errorf("a list over a map is %s", flow(got))
	}
	if want := `{"a": {"b": 1, "c": 2}, "d": [1]}`; flow(under) != want {
		t.Errorf("under has become %s", flow(under))
	}
}
