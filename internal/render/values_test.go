// SPDX-License-Identifier: Apache-2.0

package render_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"helm.sh/helm/v3/pkg/cli/values"
	"helm.sh/helm/v3/pkg/getter"

	"kilter.dev/kilter/internal/render"
	"kilter.dev/kilter/internal/source"
)

// helmValues are what helm itself makes of the flags.
func helmValues(f render.ValueFlags) (map[string]any, error) {
	var names []string
	for _, file := range f.Files {
		names = append(names, file.Name)
	}
	o := values.Options{ValueFiles: names, JSONValues: f.SetJSON, Values: f.Set, StringValues: f.SetString}
	return o.MergeValues(getter.Providers{})
}

func valuesFile(t testing.TB, text string) *source.File {
	t.Helper()
	name := filepath.Join(t.TempDir(), "values.yaml")
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return source.New(name, text)
}

// TestValues: the flags mean what they mean to helm, types included.
func TestValues(t *testing.T) {
	files := []string{
		"", "---\n", "# nothing\n", "{}", "null", "~", "a: 1", "a: 1\na2: 1.5\nb: 1000000\nc: 1e6\nd: 0777\ne: 0x1F\nf: 1_000\n",
		"a: yes\nb: on\nc: y\nd: true\ne: 'yes'\n", "on: 1\nyes: 2\n1: 3\n1.5: 4\nnull: 5\n", "a: null\nb:\nc: ~\nd: {e: null}\n",
		"a: {b: {c: 1, d: 2}}\n", "a: [1, {b: null}, [2]]\n", "a: 2001-01-01\nb: 12:30:45\n", "a: &x {b: 1}\nc: *x\nd: {<<: *x, e: 2}\n",
		"a: |\n  b\n  {{ c }}\nd: >-\n  e\n  f\n", "\ufeffa: 1\n", "a: 9007199254740993\nb: 12345678901234567890\nc: 1e400\n", "a: .inf\n", "a: 1\n---\nb: 2\n",
		"a: !!str 1\nb: !!binary aGk=\n", "{\"a\": 1, \"b\": [true, null]}", "a: 1\na: 2\n", "[1]", "text", "1", "a: b: c", "a: [", "\t", "a: \"\\ud800\"\n",
	}
	for _, text := range files {
		sameValues(t, render.ValueFlags{Files: []*source.File{valuesFile(t, text)}})
	}
	for _, flags := range []string{
		"a=1", "a=1,b=2", "a.b.c=1", "a={1,2,x}", "a={}", "a[0]=1", "a[2]=1", "a[0].b=1,a[1].c=2", "a[0][1]=x", "a=null", "a.b=null", "a=", "a=1e6", "a=0777",
		"a=1.10", "a=true", "a=TRUE", "a=yes", `a\.b=1`, `a=1\,2`, `a=\{1\}`, "a=b=c", "a= b ", "a=12345678901234567890", "a=-1", "a=+1", `a.b\.c/d=1`, "a=é",
		"", "a", "a.b", "=1", ".=1", "a[=1", "a[x]=1", "a[-1]=1", "a[99999999]=1", "a={1", "a={{ x }}", ",", "a,b=1", "a.=1", "a..b=1",
	} {
		sameValues(t, render.ValueFlags{Set: []string{flags}})
		sameValues(t, render.ValueFlags{SetString: []string{flags}})
	}
	for _, flags := range []string{
		`a=1`, `a=1.0`, `a=1000000`, `a="x"`, `a=[1,{"b":null}]`, `a={"b":{"c":1}}`, `a=null`, `a.b=true,c=2`, `a={"b":1},c=3`,
		`a`, `a=`, `a=x`, `a={`, `{`, `[1]`, `a=1 2`, ``,
	} {
		sameValues(t, render.ValueFlags{SetJSON: []string{flags}})
	}
}

// TestValuesOrder: what wins when several flags set the same.
func TestValuesOrder(t *testing.T) {
	one := valuesFile(t, "a: {x: file, y: [1, 2], z: {d: 1}}\nb: [1, 2, 3]\nc: {k: v}\n")
	two := valuesFile(t, "a: {y: [3], z: null}\nb: {now: map}\nc: text\n")
	for _, f := range []render.ValueFlags{
		{Files: []*source.File{one, two}},
		{Files: []*source.File{two, one}},
		{Files: []*source.File{one}, Set: []string{"a.x=set", "b[1]=set", "a.z.d=null"}},
		{Files: []*source.File{one}, Set: []string{"a.x=set", "a.x=later"}, SetString: []string{"a.x=1"}, SetJSON: []string{`a={"x":"json","w":1}`}},
		{Files: []*source.File{one}, Set: []string{"b.c=1"}},
		{Files: []*source.File{one}, Set: []string{"a.y[3]=x", "c=null"}},
		{Files: []*source.File{one}, SetJSON: []string{`a.z={"e":2}`, `b=[9]`}},
	} {
		sameValues(t, f)
	}
}

// sameValues compares with helm: the values, or that there is an error.
func sameValues(t *testing.T, f render.ValueFlags) {
	t.Helper()
	want, helmErr := helmValues(f)
	got, list := render.Values(f)
	if (helmErr != nil) != (list.Err() != nil) {
		t.Errorf("%+v: helm says %v, we say %v", f, helmErr, list.Err())
	}
	if helmErr != nil || list.Err() != nil {
		return
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%+v (-helm +kilter):\n%s", f, diff)
	}
}

// TestValuesErrors: every bad flag and file is named, with the place in it.
func TestValuesErrors(t *testing.T) {
	_, list := render.Values(render.ValueFlags{
		Files:   []*source.File{source.New("values.yaml", "a: 1\nb: [\n"), source.New("list.yaml", "- a\n")},
		Set:     []string{"replicas", "a[x]=1"},
		SetJSON: []string{"a={"},
	})
	list.Sort()
	const want = `error: --set "a[x]=1": error parsing index: strconv.Atoi: parsing "x": invalid syntax [values]
error: --set "replicas": key "replicas" has no value [values]
	hint: write --set name=value
error: --set-json "a={": unexpected EOF [values]
	hint: write --set-json 'name=["a", 1]', with the value as JSON
list.yaml:1:1: error: values are a map of names, this is a list [values]
	- a
	^^^
values.yaml:2:4: error: "[" is not closed [yaml]
	b: [
	   ^
	hint: write "]" where the list ends, or put the text in quotes
`
	if diff := cmp.Diff(want, list.Error()+"\n"); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestValuesJSON: --set-json takes a whole object too, as that of Helm 4 does.
func TestValuesJSON(t *testing.T) {
	got, list := render.Values(render.ValueFlags{SetJSON: []string{`{"a": {"b": 1}, "c": 1}`, ` {"a": {"d": null}, "c": [2]}`}})
	if err := list.Err(); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]any{"a": map[string]any{"b": 1.0, "d": nil}, "c": []any{2.0}}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestValuesBase: flags are laid over what is there.
func TestValuesBase(t *testing.T) {
	got, list := render.Values(render.ValueFlags{
		Base: map[string]any{"a": map[string]any{"b": int64(1), "c": int64(2)}}, Files: []*source.File{source.New("<stdin>", "a: {b: 3}\n")},
	})
	if err := list.Err(); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]any{"a": map[string]any{"b": 3.0, "c": int64(2)}}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// FuzzValues: whatever a file and flags hold, helm and Values agree, and nothing panics.
func FuzzValues(f *testing.F) {
	f.Add("a: {b: [1, 2]}\n", "a.b[1]=x", `a={"c":null}`)
	f.Add("a: null\n", `a={1,2},b\.c=1e6`, `{"a":1}`)
	f.Add("a: 1_000\non: yes\n", "a[3]=,", "a=1,b=2")
	f.Fuzz(func(t *testing.T, file, set, setJSON string) {
		flags := render.ValueFlags{Files: []*source.File{valuesFile(t, file)}, Set: []string{set}, SetJSON: []string{setJSON}}
		got, list := render.Values(flags)
		want, err := helmOrPanic(flags)
		if strings.HasPrefix(strings.TrimSpace(setJSON), "{") {
			return // an object, which helm 3 refuses
		}
		if (err != nil) != (list.Err() != nil) {
			t.Fatalf("helm says %v, we say %v", err, list.Err())
		}
		if err == nil && jsonText(want) != jsonText(got) {
			t.Fatalf("helm: %s\nkilter: %s", jsonText(want), jsonText(got))
		}
	})
}

// helmOrPanic takes a panic of helm for an error, as Values does.
func helmOrPanic(f render.ValueFlags) (v map[string]any, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%v", r)
		}
	}()
	return helmValues(f)
}

// jsonText is v as JSON; what JSON cannot hold is the text of the error.
func jsonText(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	return string(text)
}
