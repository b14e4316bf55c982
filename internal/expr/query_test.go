// SPDX-License-Identifier: Apache-2.0

package expr_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kilter.dev/kilter/internal/expr"
	"kilter.dev/kilter/internal/manifest"
	"kilter.dev/kilter/internal/source"
)

func TestQuery(t *testing.T) {
	queries, err := expr.NewQueries("container", "gpu")
	if err != nil {
		t.Fatal(err)
	}
	values := map[string]any{
		"container": map[string]any{
			"image": "vllm/vllm-openai:v1",
			"args":  []any{"--port", "9000"},
			"ports": []any{map[string]any{"containerPort": int64(80)}},
		},
		"gpu": map[string]any{"count": int64(2)},
	}
	for _, c := range []struct {
		text    string
		want    any
		present bool
	}{
		{"gpu.count", int64(2), true},
		{"container.?command", nil, false},
		{"container.?resources.?limits.memory", nil, false},
		{"container.ports.map(p, p.containerPort)", []any{int64(80)}, true},
		{`{"a": container.image, ?"b": container.?b}`, map[string]any{"a": "vllm/vllm-openai:v1"}, true},
		{`container.image.split(":")[1]`, "v1", true},
		{`container.args.join(" ").find("--port[ =]([0-9]+)")`, "--port 9000", true},
		{"null", nil, false},
	} {
		q, errs := queries.Query(manifest.NewString(c.text))
		if errs.Err() != nil {
			t.Errorf("%s: %v", c.text, errs)
			continue
		}
		got, present, err := q.Eval(values)
		if diff := cmp.Diff(c.want, got); diff != "" || present != c.present || err != nil {
			t.Errorf("%s: present %v, error %v (-want +got):\n%s", c.text, present, err, diff)
		}
	}
	if _, _, err := must(queries.Query(manifest.NewString("container.nothing"))).Eval(values); err == nil {
		t.Error("a field that is not there: no error")
	}
	if got, _, _ := must(queries.Query(manifest.NewBool(false))).Eval(nil); got != false {
		t.Errorf("a constant is %v", got)
	}
}

func must(q *expr.Query, _ any) *expr.Query { return q }

// TestQueryErrors: mistakes have a place and a hint.
func TestQueryErrors(t *testing.T) {
	queries, err := expr.NewQueries("object", "container")
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		"a: contaner.image": `f.yaml:1:4: error: unknown name "contaner" [expr]`,
		"a: container.":     "f.yaml:1:14: error: not a CEL expression",
		"a: size(1, 2)":     "f.yaml:1:4: error: operator or function size does not take",
	} {
		docs, _ := manifest.Parse(source.New("f.yaml", text))
		_, errs := queries.Query(docs[0].Get("a"))
		if len(errs) == 0 || !strings.Contains(errs.Error(), want) {
			t.Errorf("%s: got %v", text, errs)
		}
	}
}
