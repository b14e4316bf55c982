// SPDX-License-Identifier: Apache-2.0

package lint_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/cel-go/cel"
	"github.com/google/go-cmp/cmp"
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
