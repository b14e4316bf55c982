// SPDX-License-Identifier: Apache-2.0

package kube_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"kilter.dev/kilter/internal/kube"
	"kilter.dev/kilter/internal/manifest"
	"kilter.dev/kilter/internal/source"
)

// TestDefaulted pins a few objects, and what versions differ in. e2e/kubernetes compares
// the newest version with Kubernetes itself.
func TestDefaulted(t *testing.T) {
	for _, c := range []struct {
		object, version string
		path            []string
		want            any
	}{
		{"{apiVersion: apps/v1, kind: Deployment}", "1.34", []string{"spec", "strategy"},
			map[string]any{"type": "RollingUpdate", "rollingUpdate": map[string]any{"maxSurge": "25%", "maxUnavailable": "25%"}}},
		{"{apiVersion: apps/v1beta1, kind: Deployment}", "1.34", []string{"spec", "progressDeadlineSeconds"}, int64(600)},
		{"{apiVersion: apps/v1, kind: StatefulSet}", "1.36", []string{"spec", "updateStrategy", "rollingUpdate"},
			map[string]any{"partition": int64(0)}},
		{"{apiVersion: apps/v1, kind: StatefulSet}", "1.37", []string{"spec", "updateStrategy", "rollingUpdate"},
			map[string]any{"partition": int64(0), "maxUnavailable": int64(1)}},
		{"{apiVersion: v1, kind: Pod, spec: {containers: [{name: a, image: b, resources: {limits: {nvidia.com/gpu: 1, cpu: 0.5}}}]}}", "1.34",
			[]string{"spec", "containers", "0", "resources", "requests"}, map[string]any{"nvidia.com/gpu": "1", "cpu": "500m"}},
		{"{apiVersion: v1, kind: Pod, spec: {unknown: 1, nodeName: null}}", "1.34", []string{"spec"},
			map[string]any{"dnsPolicy": "ClusterFirst", "enableServiceLinks": true, "restartPolicy": "Always",
				"schedulerName": "default-scheduler", "securityContext": map[string]any{}, "terminationGracePeriodSeconds": int64(30)}},
		{"{apiVersion: example.com/v1, kind: Deployment, spec: {a: null, b: 1.5}}", "1.34", []string{"spec"},
			map[string]any{"b": 1.5}},
		{"{apiVersion: example.com/v1, kind: Thing, spec: [null, {a: null}]}", "1.34", nil,
			map[string]any{"apiVersion": "example.com/v1", "kind": "Thing", "metadata": map[string]any{}, "spec": []any{nil, map[string]any{}}}},
		{"{apiVersion: autoscaling/v2, kind: HorizontalPodAutoscaler, spec: {behavior: {scaleUp: {policies: []}}}}", "1.34",
			[]string{"spec", "behavior", "scaleUp"}, map[string]any{"selectPolicy": "Max", "stabilizationWindowSeconds": int64(0)}},
		{"{apiVersion: autoscaling/v1, kind: HorizontalPodAutoscaler, spec: {maxReplicas: 2}}", "1.34", []string{"spec"},
			map[string]any{"maxReplicas": int64(2), "minReplicas": int64(1), "scaleTargetRef": map[string]any{"kind": "", "name": ""}, "targetCPUUtilizationPercentage": int64(80)}},
		{"{apiVersion: v1, kind: Secret, data: {a: YQ==}, stringData: {b: b}}", "1.34", []string{"data"}, map[string]any{"a": "YQ==", "b": "Yg=="}},
		{"{apiVersion: v1, kind: Secret, stringData: {b: b}}", "1.34", []string{"stringData"}, nil},
		{"{apiVersion: apps/v1, kind: StatefulSet, spec: {volumeClaimTemplates: [{}]}}", "1.34", []string{"spec", "volumeClaimTemplates", "0", "kind"}, "PersistentVolumeClaim"},
		{"{apiVersion: v1, kind: Pod, spec: {resources: {requests: {cpu: 1}}, containers: [{resources: {limits: {cpu: 2}}}]}}", "1.36",
			[]string{"spec", "resources"}, map[string]any{"requests": map[string]any{"cpu": "1"}}},
		{"{apiVersion: v1, kind: Pod, spec: {resources: {requests: {cpu: 1}}, containers: [{resources: {limits: {cpu: 2}}}]}}", "1.37",
			[]string{"spec", "resources"}, map[string]any{"limits": map[string]any{"cpu": "2"}, "requests": map[string]any{"cpu": "1"}}},
	} {
		got, err := kube.Defaulted(native(t, c.object), c.version)
		if err != nil {
			t.Fatal(err)
		}
		node, err := manifest.FromNative(got)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(c.want, manifest.Native(node.Get(c.path...))); diff != "" {
			t.Errorf("%s on %s (-want +got):\n%s", c.object, c.version, diff)
		}
	}
}

func TestDefaultedWrongType(t *testing.T) {
	for _, text := range []string{
		"{apiVersion: apps/v1, kind: Deployment, spec: {replicas: two}}",
		"{apiVersion: apps/v1, kind: Deployment, spec: {replicas: 3000000000}}",
		"{apiVersion: apps/v1, kind: Deployment, spec: {replicas: 1.5}}",
		"{apiVersion: v1, kind: Pod, spec: {containers: {}}}",
		"{apiVersion: v1, kind: Pod, spec: {containers: [{resources: {limits: {cpu: lots}}}]}}",
		"{apiVersion: v1, kind: Pod, spec: 1}",
	} {
		if got, err := kube.Defaulted(native(t, text), kube.Default); err == nil {
			t.Errorf("%s: no error, %v", text, got)
		}
	}
}

func native(t testing.TB, text string) map[string]any {
	t.Helper()
	value, _ := manifest.Native(parse(t, text).Node).(map[string]any)
	return value
}

func parse(t testing.TB, text string) *manifest.Object {
	t.Helper()
	docs, errs := manifest.Parse(source.New("", text))
	objects, more := manifest.Objects(docs)
	if len(errs)+len(more) > 0 || len(objects) != 1 {
		t.Fatal(errs, more)
	}
	return objects[0]
}
