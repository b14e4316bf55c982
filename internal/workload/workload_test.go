// SPDX-License-Identifier: Apache-2.0

package workload_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"kilter.dev/kilter/internal/kube"
	"kilter.dev/kilter/internal/manifest"
	"kilter.dev/kilter/internal/source"
	"kilter.dev/kilter/internal/workload"
)

func parse(t testing.TB, text string) []*manifest.Object {
	t.Helper()
	docs, errs := manifest.Parse(source.New("input.yaml", text))
	if err := errs.Err(); err != nil {
		t.Fatal(err)
	}
	objects, errs := manifest.Objects(docs)
	if err := errs.Err(); err != nil {
		t.Fatal(err)
	}
	return objects
}

// related is what rules see beside the first view of the object of the kind and name.
func related(t testing.TB, text, kind, name string) map[string]any {
	t.Helper()
	objects := parse(t, text)
	set := workload.Index(objects, kube.Default)
	for _, o := range objects {
		if o.Kind != kind || o.Name != name {
			continue
		}
		views, err := set.Views(o)
		if err != nil {
			t.Fatal(err)
		}
		return set.Related(views[0])
	}
	t.Fatalf("there is no %s %s", kind, name)
	return nil
}

// names are those of a list of objects, or of workloads.
func names(list any) []string {
	all := []string{}
	for _, item := range list.([]any) {
		m := item.(map[string]any)
		if name, ok := m["name"].(string); ok {
			all = append(all, name)
			continue
		}
		all = append(all, m["metadata"].(map[string]any)["name"].(string))
	}
	return all
}

const budgeted = `
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 5
  selector: {matchLabels: {app: web}}
  template: {metadata: {labels: {app: web}}, spec: {containers: [{name: c, image: i}]}}
---
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: db, namespace: default}
spec:
  serviceName: db
  selector: {matchLabels: {app: db}}
  template: {metadata: {labels: {app: db}}, spec: {containers: [{name: c, image: i}]}}
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: web}
spec: {scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}, minReplicas: 2, maxReplicas: 4}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: both}
spec: {minAvailable: 50%, selector: {matchExpressions: [{key: app, operator: In, values: [web, db]}]}}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: none}
spec: {maxUnavailable: 1}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: all, namespace: default}
spec: {maxUnavailable: 1, selector: {}}
`

func TestRelatedBudget(t *testing.T) {
	both := related(t, budgeted, "PodDisruptionBudget", "both")
	want := map[string]any{
		"known": true, "expected": int64(5), "desired": int64(3), "allowed": int64(2), "allowedAtMinimum": int64(1), "syncFails": false, "reason": "",
	}
	if diff := cmp.Diff(want, both["budget"]); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"web", "db"}, names(both["workloads"])); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"all"}, names(both["overlaps"])); diff != "" {
		t.Error(diff)
	}
	if n := related(t, budgeted, "PodDisruptionBudget", "none")["workloads"].([]any); len(n) > 0 {
		t.Errorf("a budget without selector selects %v", n)
	}
	web := related(t, budgeted, "Deployment", "web")
	if diff := cmp.Diff(map[string]any{"replicas": int64(4), "min": int64(2), "max": int64(4), "autoscaled": true, "written": true}, web["scale"]); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"both", "all"}, names(web["pdbs"])); diff != "" {
		t.Error(diff)
	}
}

// TestHookIsNotMeant: of a hook and another object with its ID a reference means the other.
func TestHookIsNotMeant(t *testing.T) {
	objects := parse(t, `{apiVersion: apps/v1, kind: Deployment, metadata: {name: web, annotations: {helm.sh/hook: pre-install}}}
---
{apiVersion: apps/v1, kind: Deployment, metadata: {name: web}}
---
{apiVersion: autoscaling/v2, kind: HorizontalPodAutoscaler, metadata: {name: web}, spec: {scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}, maxReplicas: 3}}
`)
	set := workload.Index(objects, kube.Default)
	if hook, web := set.Scale(objects[0]), set.Scale(objects[1]); hook.Autoscaled || !web.Autoscaled {
		t.Errorf("scaled are the hook: %t, the other one: %t", hook.Autoscaled, web.Autoscaled)
	}
}
