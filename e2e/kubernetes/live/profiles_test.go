// SPDX-License-Identifier: Apache-2.0

package live_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/yaml"

	"kilter.dev/kilter/e2e/kubernetes/cluster"
	"kilter.dev/kilter/internal/blueprint"
	"kilter.dev/kilter/internal/blueprint/blueprinttest"
	"kilter.dev/kilter/internal/kube"
	"kilter.dev/kilter/internal/profile"
)

// TestAccepted: the API server takes each object of each case of each profile, with all of its
// fields and without a warning, of Pod Security's restricted level either, and finds nothing to
// change when it is applied again.
func TestAccepted(t *testing.T) {
	for _, version := range versions {
		t.Run(version, func(t *testing.T) {
			c := start(t, version)
			client := client(t, c, cluster.Setup)
			defineOthers(t, client)
			for _, b := range blueprinttest.All(t) {
				for _, example := range b.Profile.Cases {
					if example.KubeVersion == "" || kube.AtLeast(version, example.KubeVersion) {
						t.Run(b.Profile.Name+"/"+example.Name, func(t *testing.T) { accepted(t, client, b, example, version) })
					}
				}
			}
		})
	}
}

// accepted applies the objects of a case twice, to a namespace of its own.
func accepted(t *testing.T, client *cluster.Client, b *blueprint.Blueprint, example profile.Case, version string) {
	namespace := b.Profile.Name + "-" + example.Name
	apply(t, client, &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "v1", "kind": "Namespace",
		"metadata": map[string]any{"name": namespace, "labels": map[string]any{"pod-security.kubernetes.io/warn": "restricted"}},
	}})
	w, err := b.CaseWorkload(example, "demo", namespace)
	if err != nil {
		t.Fatal(err)
	}
	w.KubeVersion = version
	objects, err := b.Render(w)
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range objects {
		first := apply(t, client, native(o.Node))
		again := apply(t, client, native(o.Node))
		if first == nil || again == nil {
			continue
		}
		// A claim is stored once more as it is.
		first.SetResourceVersion("")
		again.SetResourceVersion("")
		if diff := gocmp.Diff(first, again); diff != "" {
			t.Errorf("%s changes when it is applied again (-first +again):\n%s", o.ID(), diff)
		}
	}
}

// apply returns what the API server made of an object; nil after an error.
func apply(t *testing.T, client *cluster.Client, o *unstructured.Unstructured) *unstructured.Unstructured {
	t.Helper()
	ctx, warnings := cluster.Warnings(t.Context())
	got, err := client.Apply(ctx, o, "kilter")
	if err != nil {
		t.Errorf("%s %s: %v", o.GetKind(), o.GetName(), err)
	}
	for _, text := range warnings() {
		if strings.Contains(text, `must not include "IPC_LOCK"`) {
			continue // RDMA pins memory, where a profile is told to use it
		}
		t.Errorf("%s %s: warning: %s", o.GetKind(), o.GetName(), text)
	}
	return got
}

// open are the kinds whose definitions are not in e2e/testdata/crd; there the end-to-end tests
// hold them to the Go types of their projects.
var open = []schema.GroupVersionKind{
	{Group: "monitoring.coreos.com", Version: "v1", Kind: "PodMonitor"},
	{Group: "monitoring.coreos.com", Version: "v1", Kind: "ServiceMonitor"},
	{Group: "monitoring.coreos.com", Version: "v1", Kind: "PrometheusRule"},
	{Group: "jobset.x-k8s.io", Version: "v1alpha2", Kind: "JobSet"},
	{Group: "gateway.networking.k8s.io", Version: "v1", Kind: "HTTPRoute"},
}

// defineOthers serves the kinds of profiles that are not Kubernetes' own.
func defineOthers(t *testing.T, client *cluster.Client) {
	t.Helper()
	definitions := cluster.Open(open)
	files, err := filepath.Glob(filepath.Join(cluster.Repository(), "e2e", "testdata", "crd", "*.yaml"))
	if err != nil || len(files) == 0 {
		t.Fatal("no definitions: ", err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		d := &unstructured.Unstructured{}
		if err := yaml.Unmarshal(text, &d.Object); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		definitions = append(definitions, d)
	}
	if err := client.Define(t.Context(), definitions); err != nil {
		t.Fatal(err)
	}
}
