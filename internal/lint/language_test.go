// SPDX-License-Identifier: Apache-2.0

package lint_test

import (
	"fmt"
	"reflect"
	"slices"
	"testing"

	"github.com/google/cel-go/cel"
	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/types/known/structpb"
	"k8s.io/apimachinery/pkg/util/version"
	"k8s.io/apiserver/pkg/cel/environment"

	"kilter.dev/kilter/internal/lint"
)

// apiServer returns the environment of new expressions in the oldest supported version.
func apiServer() *cel.Env {
	return environment.MustBaseEnvSet(version.MajorMinor(1, 32)).NewExpressionsEnv()
}

// TestLanguage: rules are evaluated in the language of an API server, no more and no less.
func TestLanguage(t *testing.T) {
	language, err := lint.Language()
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(words(apiServer()), words(language)); diff != "" {
		t.Errorf("(-API server +rules):\n%s", diff)
	}
}

// words are the libraries, functions with their signatures, and macros of an environment.
func words(env *cel.Env) []string {
	words := env.Libraries()
	for name, function := range env.Functions() {
		for _, overload := range function.OverloadDecls() {
			words = append(words, fmt.Sprint("function ", name, overload.ID(), overload.ArgTypes(), overload.ResultType(), overload.IsMemberFunction()))
		}
	}
	for _, macro := range env.Macros() {
		words = append(words, "macro "+macro.MacroKey())
	}
	return slices.Compact(slices.Sorted(slices.Values(words)))
}

// TestIndexes: what is looked up in a long list is where an API server finds it.
func TestIndexes(t *testing.T) {
	language, err := lint.Language()
	if err != nil {
		t.Fatal(err)
	}
	long := "(variables + ['a', 'b', 1, 'a', 2.0, 1, 'b', 'c'])"
	items := make([]any, 40)
	for i := range items {
		items[i] = fmt.Sprint("x", i%30)
	}
	for _, text := range []string{
		"[%s].map(l, l.map(i, l.indexOf(i)))[0]", "[%s].map(l, l.map(i, l.lastIndexOf(i)))[0]",
		"%s.indexOf('none')", "%s.lastIndexOf('none')", "[%s].map(l, l.indexOf('x7'))",
		"'abcb'.lastIndexOf('b') + %s.lastIndexOf(2) + 'abcb'.indexOf('b')", "%s.indexOf([1])",
	} {
		text = fmt.Sprintf(text, long)
		var got []string
		for _, env := range []*cel.Env{language, apiServer()} {
			env, err := env.Extend(cel.Variable("variables", cel.ListType(cel.DynType)))
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, value(t, env, text, map[string]any{"variables": items}))
		}
		if got[0] != got[1] {
			t.Errorf("%s is %s, in an API server %s", text, got[0], got[1])
		}
	}
}

func value(t *testing.T, env *cel.Env, text string, in map[string]any) string {
	t.Helper()
	ast, issues := env.Parse(text)
	if err := issues.Err(); err != nil {
		return err.Error()
	}
	program, err := env.Program(ast)
	if err != nil {
		t.Fatal(err)
	}
	result, _, err := program.Eval(in)
	if err != nil {
		return err.Error()
	}
	native, err := result.ConvertToNative(reflect.TypeFor[*structpb.Value]())
	return fmt.Sprint(native, err)
}
