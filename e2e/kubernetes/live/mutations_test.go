// SPDX-License-Identifier: Apache-2.0

package live_test

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"kilter.dev/kilter/e2e/kubernetes/cluster"
	"kilter.dev/kilter/generators/policy"
	"kilter.dev/kilter/internal/fix/fixtest"
)

// TestMutations: of every object of the fixtures a mutating policy makes, in the API server,
// the object that kilter fix makes.
func TestMutations(t *testing.T) {
	for _, version := range versions {
		t.Run(version, func(t *testing.T) {
			all, c := loadRules(t), start(t, version)
			found := examples(t, all, version)
			p := install(t, c, policy.Mutating(all, policy.Options{KubeVersion: version}))
			define(t, p.setup, found)
			mended, invalid := map[string]int{}, 0
			for _, e := range found {
				name := policy.FixName(e.rule)
				if p.compiled[name] == nil {
					continue
				}
				object := complete(t, e.object, name)
				fixed := native(fixtest.Fixed(all, object, e.options).Node)
				want, err := try(t, p.setup, fixed)
				if err != nil {
					invalid++
					t.Logf("%s, %s is not valid: %v", name, object.ID(), err)
					continue
				}
				got, err := try(t, p.admin, native(object.Node))
				if err != nil {
					t.Errorf("%s, %s: %v", name, object.ID(), err)
					continue
				}
				if diff := gocmp.Diff(want, got); diff != "" {
					t.Errorf("%s, %s (-fix +policy):\n%s", name, object.ID(), diff)
				}
				if diff := gocmp.Diff(fixed.Object, native(object.Node).Object); diff != "" {
					mended[name]++
				}
			}
			for name := range p.compiled {
				if mended[name] == 0 {
					t.Errorf("%s mends nothing", name)
				}
			}
			t.Logf("%d objects, %d not valid", len(found), invalid)
		})
	}
}

// drawn is what the API server draws at random, or tells the time by.
var drawn = regexp.MustCompile(`[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|kube-api-access-[a-z0-9]{5}|10\.0\.0\.[0-9]+|[0-9-]{10}T[0-9:]{8}Z`)

// try returns what the API server would store of an object, without what is drawn.
func try(t *testing.T, client *cluster.Client, o *unstructured.Unstructured) (map[string]any, error) {
	t.Helper()
	resources, err := client.Of(o)
	if err != nil {
		t.Fatal(err)
	}
	got, err := resources.Create(t.Context(), o, metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}})
	for i := 0; err != nil && strings.Contains(err.Error(), "There can be a delay"); i++ { // the kind was defined a moment ago
		if i == 600 {
			return nil, err
		}
		time.Sleep(100 * time.Millisecond)
		got, err = resources.Create(t.Context(), o, metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}})
	}
	if err != nil {
		return nil, err
	}
	got.SetManagedFields(nil)
	text, err := got.MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	if err := got.UnmarshalJSON(drawn.ReplaceAll(text, []byte("drawn"))); err != nil {
		t.Fatal(err)
	}
	sortVolumes(got.Object)
	return got.Object, nil
}

// sortVolumes sorts volumes and mounts, among which the API server puts that of the account
// before those that policies add.
func sortVolumes(value any) {
	switch value := value.(type) {
	case []any:
		for _, item := range value {
			sortVolumes(item)
		}
	case map[string]any:
		for key, field := range value {
			sortVolumes(field)
			if list, ok := field.([]any); ok && (key == "volumes" || key == "volumeMounts") {
				slices.SortStableFunc(list, func(a, b any) int { return cmp.Compare(nameOf(a), nameOf(b)) })
			}
		}
	}
}

func nameOf(value any) string {
	m, _ := value.(map[string]any)
	name, _ := m["name"].(string)
	return name
}
