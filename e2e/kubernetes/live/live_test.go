// SPDX-License-Identifier: Apache-2.0

// Package live_test tries what Kilter says, and what it emits, on a real Kubernetes.
package live_test

import (
	"context"
	"fmt"
	"os"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"kilter.dev/kilter/e2e/kubernetes/cluster"
	"kilter.dev/kilter/internal/lint"
	"kilter.dev/kilter/internal/manifest"
	"kilter.dev/kilter/rules"
)

func TestMain(m *testing.M) {
	code := m.Run()
	for _, c := range started {
		if err := c.Stop(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			code = 1
		}
	}
	os.Exit(code)
}

// started are the clusters that run.
var started = map[string]*cluster.Cluster{}

// start returns a cluster of a version without nodes, where objects stay as they are written.
// Tests that use it do not run in parallel.
func start(t *testing.T, version string) *cluster.Cluster {
	t.Helper()
	return startWith(t, version, cluster.Options{Version: version, Controllers: []string{
		"serviceaccount-controller", "validatingadmissionpolicy-status-controller",
	}})
}

// startWith returns the cluster of a name, started with the options when there is none.
func startWith(t *testing.T, name string, o cluster.Options) *cluster.Cluster {
	t.Helper()
	if c := started[name]; c != nil {
		return c
	}
	c, err := cluster.Start(context.Background(), o)
	if c != nil {
		started[name] = c
	}
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func client(t *testing.T, c *cluster.Cluster, user string) *cluster.Client {
	t.Helper()
	client, err := c.Client(user)
	if err != nil {
		t.Fatal(err)
	}
	return client
}

func loadRules(t *testing.T) *lint.Rules {
	t.Helper()
	all, err := lint.Load(rules.FS)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// native is a node as clients write it.
func native(n *manifest.Node) *unstructured.Unstructured {
	return &unstructured.Unstructured{Object: manifest.Native(n).(map[string]any)}
}
