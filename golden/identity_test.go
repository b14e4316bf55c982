// SPDX-License-Identifier: Apache-2.0

package golden_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"kilter.dev/kilter/internal/blueprint"
	"kilter.dev/kilter/internal/manifest"
	"kilter.dev/kilter/internal/profile"
	"kilter.dev/kilter/internal/source"
)

// neighbours are names that workloads of one profile may have in one namespace.
var neighbours = []string{"demo", "demo2", "demo-b"}

// pods are the labels of the pods that an object makes.
type pods struct {
	of     string // "Deployment demo"
	labels labels.Set
}

// selection is a selector of pods in an object.
type selection struct {
	of, at   string
	selector labels.Selector
}

// selectorPaths are the selectors of pods that objects of a kind have, from the root.
var selectorPaths = map[string][]string{
	"Deployment":          {"spec.selector"},
	"StatefulSet":         {"spec.selector"},
	"DaemonSet":           {"spec.selector"},
	"Job":                 {"spec.selector"},
	"Service":             {"spec.selector"},
	"PodDisruptionBudget": {"spec.selector"},
	"NetworkPolicy":       {"spec.podSelector"},
	"PodMonitor":          {"spec.selector"},
}

func podsOf(t *testing.T, o *manifest.Object) []pods {
	t.Helper()
	path, ok := podPaths[o.Kind]
	if !ok {
		return nil
	}
	set := labels.Set{}
	meta := o.Get(strings.Split(strings.TrimSuffix(path, "spec")+"metadata.labels", ".")...)
	convert(t, meta, &set)
	return []pods{{of: o.Kind + " " + o.Name, labels: set}}
}

// selectionsOf returns the selectors of the object and those that spread its pods.
func selectionsOf(t *testing.T, o *manifest.Object) []selection {
	t.Helper()
	var found []selection
	add := func(at string, n *manifest.Node) {
		if n != nil {
			found = append(found, selection{of: o.Kind + " " + o.Name, at: at, selector: selectorOf(t, o.Kind, n)})
		}
	}
	for _, at := range selectorPaths[o.Kind] {
		add(at, o.Get(strings.Split(at, ".")...))
	}
	if path, ok := podPaths[o.Kind]; ok {
		spread := o.Get(strings.Split(path+".topologySpreadConstraints", ".")...)
		for i := range len(items(spread)) {
			add("topologySpreadConstraints", spread.Items[i].Get("labelSelector"))
		}
	}
	return found
}

func items(n *manifest.Node) []*manifest.Node {
	if n == nil {
		return nil
	}
	return n.Items
}

func selectorOf(t *testing.T, kind string, n *manifest.Node) labels.Selector {
	t.Helper()
	if kind == "Service" {
		var set labels.Set
		convert(t, n, &set)
		return set.AsSelector()
	}
	var selector metav1.LabelSelector
	convert(t, n, &selector)
	s, err := metav1.LabelSelectorAsSelector(&selector)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func convert(t *testing.T, n *manifest.Node, into any) {
	t.Helper()
	if err := json.Unmarshal([]byte(manifest.JSON(n)), into); err != nil {
		t.Fatalf("%v\n%s", err, manifest.Print(n))
	}
}

// TestNeighbours: workloads of one profile in one namespace share no object, except one
// that the user named, and none selects pods of another; pods of helm test are selected
// by nothing.
func TestNeighbours(t *testing.T) {
	for _, b := range blueprints(t) {
		for _, c := range b.Profile.Cases {
			t.Run(b.Profile.Name+"/"+c.Name, func(t *testing.T) {
				objects := map[string][]*manifest.Object{}
				for _, name := range neighbours {
					objects[name] = caseObjects(t, b, c, name)
				}
				for _, a := range neighbours {
					for _, b := range neighbours {
						if a != b {
							for _, problem := range shared(t, c, objects[a], objects[b]) {
								t.Error(problem)
							}
						}
					}
					for _, problem := range strays(t, objects[a]) {
						t.Error(problem)
					}
				}
			})
		}
	}
}

// caseObjects renders the case under a name, with the pods of helm test.
func caseObjects(t *testing.T, b *blueprint.Blueprint, c profile.Case, name string) []*manifest.Object {
	t.Helper()
	w, err := b.CaseWorkload(c, name, namespace)
	if err != nil {
		t.Fatal(err)
	}
	return withTests(t, b, w)
}

// shared says where two workloads meet: by an object of the same name that the case did
// not name, or by a selector of a that matches pods of b.
func shared(t *testing.T, c profile.Case, a, b []*manifest.Object) []string {
	t.Helper()
	var problems []string
	for _, x := range a {
		for _, y := range b {
			if x.Kind == y.Kind && x.Namespace == y.Namespace && x.Name == y.Name && !written(c.Values, x.Name) {
				problems = append(problems, fmt.Sprintf("both have %s %s", x.Kind, x.Name))
			}
			for _, s := range selectionsOf(t, x) {
				for _, p := range podsOf(t, y) {
					if s.selector.Matches(p.labels) {
						problems = append(problems, fmt.Sprintf("%s of %s selects the pods of %s of the other", s.at, s.of, p.of))
					}
				}
			}
		}
	}
	return problems
}

// strays says which controllers of one workload select pods that are not their own, and
// what selects pods of helm test.
func strays(t *testing.T, objects []*manifest.Object) []string {
	t.Helper()
	var problems []string
	for _, x := range objects {
		for _, y := range objects {
			if x == y || !slices.Contains([]string{"Deployment", "StatefulSet", "DaemonSet"}, x.Kind) && y.Kind != "Pod" {
				continue
			}
			for _, s := range selectionsOf(t, x) {
				for _, p := range podsOf(t, y) {
					if s.selector.Matches(p.labels) {
						problems = append(problems, fmt.Sprintf("%s of %s selects the pods of %s", s.at, s.of, p.of))
					}
				}
			}
		}
	}
	return problems
}

// written says whether text is a value somewhere in n.
func written(n *manifest.Node, text string) bool {
	switch {
	case n == nil:
		return false
	case n.Shape == manifest.String:
		return n.Text() == text
	}
	for _, f := range n.Fields {
		if written(f.Value, text) {
			return true
		}
	}
	return slices.ContainsFunc(n.Items, func(item *manifest.Node) bool { return written(item, text) })
}

// TestNeighboursRefuses: what TestNeighbours relies on finds names and selectors in common.
func TestNeighboursRefuses(t *testing.T) {
	const workload = `
apiVersion: apps/v1
kind: Deployment
metadata: {name: NAME}
spec:
  selector: {matchLabels: {app: NAME}}
  template:
    metadata: {labels: {app: NAME, part: web}}
    spec: {topologySpreadConstraints: [{labelSelector: {matchLabels: {app: NAME}}}]}
---
apiVersion: v1
kind: Service
metadata: {name: NAME}
spec: {selector: {app: NAME}}
---
apiVersion: v1
kind: Pod
metadata: {name: NAME-test, labels: {app: test}}
`
	for _, c := range []struct{ old, new, want string }{
		{"", "", ""},
		{"kind: Service\nmetadata: {name: NAME}", "kind: Service\nmetadata: {name: web}", "both have Service web"},
		{"spec: {selector: {app: NAME}}", "spec: {selector: {part: web}}", "spec.selector of Service a selects the pods of Deployment b of the other"},
		{"spec: {selector: {app: NAME}}", "spec: {selector: {}}", "spec.selector of Service a selects the pods of Deployment b of the other"},
		{"{labelSelector: {matchLabels: {app: NAME}}}", "{labelSelector: {matchExpressions: [{key: part, operator: Exists}]}}", "topologySpreadConstraints of Deployment a"},
		{"labels: {app: test}", "labels: {app: NAME}", "spec.selector of Service a selects the pods of Pod a-test"},
	} {
		text := strings.Replace(workload, c.old, c.new, 1)
		a, b := objectsOf(t, strings.ReplaceAll(text, "NAME", "a")), objectsOf(t, strings.ReplaceAll(text, "NAME", "b"))
		problems := strings.Join(append(shared(t, profile.Case{}, a, b), strays(t, a)...), "\n")
		if c.want == "" && problems != "" || !strings.Contains(problems, c.want) {
			t.Errorf("%s: got %q, want %q", c.new, problems, c.want)
		}
	}
}

// objectsOf returns the objects that text holds.
func objectsOf(t *testing.T, text string) []*manifest.Object {
	t.Helper()
	docs, errs := manifest.Parse(source.New("objects.yaml", text))
	objects, more := manifest.Objects(docs)
	if err := append(errs, more...).Err(); err != nil {
		t.Fatal(err)
	}
	return objects
}
