// SPDX-License-Identifier: Apache-2.0

package lint

import (
	"strings"
	"testing"

	"github.com/google/cel-go/cel"
)

// TestOrdered goes over a map that stands in a list and below a key.
func TestOrdered(t *testing.T) {
	env, err := cel.NewEnv(cel.Variable("x", cel.DynType))
	if err != nil {
		t.Fatal(err)
	}
	ast, issues := env.Compile("x[0].m.map(k, k + x[0].m[k])")
	if issues.Err() != nil {
		t.Fatal(issues.Err())
	}
	program, err := env.Program(ast)
	if err != nil {
		t.Fatal(err)
	}
	m := map[string]any{}
	want := ""
	for _, c := range "abcdefghijklmnopqrstuvwxyz" {
		m[string(c)] = string(c)
		want += string(c) + string(c)
	}
	value, _, err := program.Eval(map[string]any{"x": ordered{}.NativeToValue([]any{map[string]any{"m": m}})})
	if err != nil {
		t.Fatal(err)
	}
	native, err := nativeOf(value)
	if err != nil {
		t.Fatal(err)
	}
	var got strings.Builder
	for _, item := range native.([]any) {
		got.WriteString(item.(string))
	}
	if got.String() != want {
		t.Errorf("got %s, want %s", got.String(), want)
	}
}
