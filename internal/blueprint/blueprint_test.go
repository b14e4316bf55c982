// SPDX-License-Identifier: Apache-2.0

package blueprint_test

import (
	"errors"
	"io/fs"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"kilter.dev/kilter/internal/blueprint"
	"kilter.dev/kilter/internal/diag"
	"kilter.dev/kilter/internal/manifest"
	"kilter.dev/kilter/internal/profile"
	"kilter.dev/kilter/internal/source"
)

// compile loads and compiles the profile "web" in an archive, with the parts in its folder parts.
func compile(a *txtar.Archive) (*blueprint.Blueprint, error) {
	fsys := fstest.MapFS{}
	for _, f := range a.Files {
		fsys[f.Name] = &fstest.MapFile{Data: f.Data}
	}
	parts, err := fs.Sub(fsys, "parts")
	if err != nil {
		return nil, err
	}
	p, err := profile.Load(fsys, parts, "web")
	if err != nil {
		return nil, err
	}
	return blueprint.Compile(p)
}

var want = regexp.MustCompile(`# want "(.*)"\s*$`)

// TestMistakes: all mistakes are reported, at their lines, and nothing else.
func TestMistakes(t *testing.T) {
	a, err := txtar.ParseFile("testdata/mistakes.txtar")
	if err != nil {
		t.Fatal(err)
	}
	_, err = compile(a)
	var errs diag.List
	if !errors.As(err, &errs) {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, d := range errs {
		line, _ := d.Span.Position()
		got[d.Span.File.Name+":"+strconv.Itoa(line)] += d.Message
	}
	for _, f := range a.Files {
		for i, line := range strings.Split(string(f.Data), "\n") {
			place := "web/" + f.Name + ":" + strconv.Itoa(i+1)
			m := want.FindStringSubmatch(line)
			switch {
			case m == nil:
			case !regexp.MustCompile(m[1]).MatchString(got[place]):
				t.Errorf("%s: got %q, want %q", place, got[place], m[1])
			}
			if m != nil {
				delete(got, place)
			}
		}
	}
	for place, message := range got {
		t.Errorf("%s: nobody wants %q", place, message)
	}
}

const good = `
-- profile.yaml --
apiVersion: kilter.dev/v1alpha1
kind: Profile
metadata: {name: web}
spec:
  title: Web
  description: A web server.
  parameters:
    type: object
    properties:
      pods: {type: integer, default: 0, description: d}
      on: {type: object, properties: {enabled: {type: boolean, default: false, description: d}}}
      text: {type: string, description: d}
      labels: {type: object, additionalProperties: {type: string}, default: {}, description: d}
      list: {type: array, items: {type: string}, default: [], description: d}
      objects: {type: array, items: {type: object, x-kubernetes-preserve-unknown-fields: true}, default: [], description: d}
  variables:
  - {name: double, description: d, value: "${params.pods * 2}"}
  constraints:
  - {rule: params.pods < 10, at: pods, message: "${params.pods} is too many"}
  features: [{name: more, description: d}]
-- cases/default.yaml --
{}
-- templates/a.yaml --
apiVersion: v1
kind: ConfigMap
metadata:
  name: ${workload.name}
data:
  zero: ${params.pods}
  double: ${variables.double}
  text: <${params.?text}>
  map:
    own: a
    $merge: ${params.labels}
  ${workload.name}-key: k
  onlyMerged: {$merge: "${params.labels}"}
  empty: {}
  guarded: {$if: "${params.pods > 0}", a: b}
  guardedEmpty: {$if: "${params.pods > 0}"}
  items: [first, "${params.list}", last]
  onlyList: ["${params.list}"]
  hole: ${params.labels}
  kube: ${kube.atLeast("1.35")}
-- templates/b.yaml --
${params.objects}
-- templates/more/c.yaml --
apiVersion: v1
kind: Secret
metadata: {name: s, namespace: other, labels: {app.kubernetes.io/name: own}}
`

// TestRender says what templates mean: what is nothing is left out, 0 and false are not nothing.
func TestRender(t *testing.T) {
	text := strings.NewReplacer("\n      on: {", "\n      more: {").Replace(good)
	b, err := compile(txtar.Parse([]byte(text)))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ name, values, want string }{
		{"defaults", `{}`, `apiVersion: v1
kind: ConfigMap
metadata:
  name: w
  namespace: ns
  labels:
    app.kubernetes.io/name: web
    app.kubernetes.io/instance: w
data:
  zero: 0
  double: 0
  map:
    own: a
  w-key: k
  empty: {}
  items:
  - first
  - last
  kube: false
`},
		{"given", `{pods: 3, text: t, labels: {own: x, other: z}, list: [b, c], more: {enabled: true}, objects: [{apiVersion: v1, kind: A, metadata: {name: x}}]}`, `apiVersion: v1
kind: ConfigMap
metadata:
  name: w
  namespace: ns
  labels:
    app.kubernetes.io/name: web
    app.kubernetes.io/instance: w
data:
  zero: 3
  double: 6
  text: "<t>"
  map:
    own: a
    other: z
  w-key: k
  onlyMerged:
    other: z
    own: x
  empty: {}
  guarded:
    a: b
  guardedEmpty: {}
  items:
  - first
  - b
  - c
  - last
  onlyList:
  - b
  - c
  hole:
    other: z
    own: x
  kube: false
---
apiVersion: v1
kind: A
metadata:
  name: x
---
apiVersion: v1
kind: Secret
metadata:
  name: s
  namespace: other
  labels:
    app.kubernetes.io/instance: w
    app.kubernetes.io/name: own
`},
	} {
		docs, _ := manifest.Parse(source.New("values.yaml", c.values))
		values, errs := b.Params.Check(docs[0])
		if len(errs) > 0 {
			t.Fatal(errs)
		}
		objects, err := b.Render(blueprint.Workload{Name: "w", Namespace: "ns", Values: values})
		if err != nil {
			t.Fatal(err)
		}
		var nodes []*manifest.Node
		for _, o := range objects {
			nodes = append(nodes, o.Node)
		}
		if diff := cmp.Diff(c.want, manifest.Print(nodes...)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

// TestConstraint: a violated constraint is reported at the value the user wrote.
func TestConstraint(t *testing.T) {
	b, err := compile(txtar.Parse([]byte(strings.Replace(good, "\n      on: {", "\n      more: {", 1))))
	if err != nil {
		t.Fatal(err)
	}
	docs, _ := manifest.Parse(source.New("values.yaml", "list: []\npods: 12\n"))
	values, _ := b.Params.Check(docs[0])
	_, err = b.Render(blueprint.Workload{Name: "W", Values: values, Written: docs[0]})
	if err == nil {
		t.Fatal("no error")
	}
	const wantText = `values.yaml:1:1: error: the name "W" is not a DNS label that begins with a letter [constraint]
	list: []
	^^^^^^^^
values.yaml:2:7: error: pods: 12 is too many [constraint]
	pods: 12
	      ^^`
	if diff := cmp.Diff(wantText, err.Error()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestAdded: what is wrong with an object that a parameter adds is reported where the user
// wrote it. One without a namespace is put beside the workload's own.
func TestAdded(t *testing.T) {
	b, err := compile(txtar.Parse([]byte(strings.Replace(good, "\n      on: {", "\n      more: {", 1))))
	if err != nil {
		t.Fatal(err)
	}
	docs, _ := manifest.Parse(source.New("values.yaml", `objects:
- {apiVersion: v1, kind: ConfigMap, metadata: {name: own}}
- {apiVersion: v1, kind: ConfigMap, metadata: {name: w}}
- {apiVersion: v1, kind: ConfigMap, metadata: {name: w, namespace: other}}
- {kind: ConfigMap, metadata: {name: old}}
`))
	values, errs := b.Params.Check(docs[0])
	if errs.Err() != nil {
		t.Fatal(errs)
	}
	_, err = b.Render(blueprint.Workload{Name: "w", Namespace: "prod", Values: values, Written: docs[0]})
	if err == nil {
		t.Fatal("no error")
	}
	const wantText = `values.yaml:3:3: error: more than one ConfigMap is called w [duplicate]
	- {apiVersion: v1, kind: ConfigMap, metadata: {name: w}}
	  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
	web/templates/a.yaml:1:1: the other one
	hint: give one of them another name
values.yaml:5:3: error: object has no apiVersion [not-an-object]
	- {kind: ConfigMap, metadata: {name: old}}
	  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
	hint: every Kubernetes object says its apiVersion and kind`
	if diff := cmp.Diff(wantText, err.Error()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
