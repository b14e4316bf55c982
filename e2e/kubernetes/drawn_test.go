// SPDX-License-Identifier: Apache-2.0

package kubernetes_test

import (
	"fmt"
	"io/fs"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"k8s.io/client-go/kubernetes/scheme"
	"sigs.k8s.io/yaml"

	"kilter.dev/kilter/internal/lint"
	"kilter.dev/kilter/internal/source"
	"kilter.dev/kilter/rules"
)

// TestFixedDrawn is TestFixedFixtures of objects that nobody would write: with any fields, and
// any of the values that validation tells apart. What it says of one that was refused already
// may stand elsewhere afterwards.
func TestFixedDrawn(t *testing.T) {
	const each = 200 // objects of a kind
	all, judged := loadRules(t), 0
	for _, kind := range stableKinds() {
		if strategies[kind.GroupKind()] == nil {
			continue
		}
		known, err := scheme.Scheme.New(kind)
		if err != nil {
			t.Fatal(err)
		}
		draw := filler{rand.New(rand.NewPCG(20260101, 2))}
		for i := range each {
			o := draw.object(kind, reflect.TypeOf(known).Elem())
			o["metadata"] = map[string]any{"name": fmt.Sprintf("x%d", i)}
			text, err := yaml.Marshal(o)
			if err != nil {
				t.Fatal(err)
			}
			n, worse := fixedDrawn(t, all, string(text))
			judged += n
			for _, w := range worse {
				t.Errorf("%s %d: the API server says: %s", kind.Kind, i, w)
			}
		}
	}
	t.Logf("%d objects are changed or added, and judged", judged)
	if judged < 300 {
		t.Error("too few to mean anything")
	}
}

// fixedDrawn fixes a drawn object, and returns what worsened does, with the rules, but for what is
// said of the object at another place before.
func fixedDrawn(t *testing.T, all *lint.Rules, text string) (int, []string) {
	t.Helper()
	before, err := objectsOf(text)[0].judge(t)
	if err != nil {
		return 0, nil
	}
	result := fixed(all, lint.Options{}, source.New("drawn.yaml", text))
	judged, worse := worsened(t, text, result.Files[0].Text)
	worse = slices.DeleteFunc(worse, func(w string) bool {
		return slices.ContainsFunc(before, func(b string) bool { return detail(b) == detail(w) })
	})
	for i := range worse {
		worse[i] += fmt.Sprintf(" of the fixes %s", made(result))
	}
	return judged, worse
}

// detail is a fault without its place.
func detail(fault string) string {
	_, text, _ := strings.Cut(fault, ": ")
	return text
}

// TestFixedNonsense: fixes that write what no API server takes are found, each for itself.
func TestFixedNonsense(t *testing.T) {
	const pod = "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: {containers: [{name: a, image: a}]}\n"
	for patch, want := range map[string]string{
		"podSpec: {restartPolicy: Sometimes}":         "spec.restartPolicy: Unsupported value",
		"podSpec: {restartPolice: Never}":             `unknown field "spec.restartPolice"`,
		"podSpec: {terminationGracePeriodSeconds: a}": "cannot unmarshal string",
		"podSpec: {activeDeadlineSeconds: -1}":        "spec.activeDeadlineSeconds: Invalid value",
		"podSpec: {restartPolicy: Never}":             "",
	} {
		all, err := lint.Load(nonsense(t, patch))
		if err != nil {
			t.Fatal(err)
		}
		result := fixed(all, lint.Options{}, source.New("pod.yaml", pod))
		judged, worse := worsened(t, pod, result.Files[0].Text)
		if judged != 1 || (len(worse) == 0) != (want == "") || !strings.Contains(strings.Join(worse, "; "), want) {
			t.Errorf("%s: %d objects, %q, want %q", patch, judged, worse, want)
		}
	}
}

// nonsense is a rule that makes the patch of every Pod, beside the shared variables.
func nonsense(t *testing.T, patch string) fs.FS {
	t.Helper()
	variables, err := fs.ReadFile(rules.FS, lint.VariablesFile)
	if err != nil {
		t.Fatal(err)
	}
	rule := fmt.Sprintf(`{apiVersion: kilter.dev/v1alpha1, kind: Rule, metadata: {name: nonsense}, spec: {title: T, severity: info, kinds: [Pod], why: W, sources: [S],
  checks: [{check: "'done' in object.metadata.?annotations.orValue({})", message: m, at: spec, fix: {message: f, patch: {metadata: {annotations: {done: ""}}, %s}}}]}}`, patch)
	return fstest.MapFS{lint.VariablesFile: {Data: variables}, "nonsense.yaml": {Data: []byte(rule)}}
}
