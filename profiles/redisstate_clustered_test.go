// SPDX-License-Identifier: Apache-2.0

package profiles_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kilter.dev/kilter/internal/manifest"
)

// TestRedisShardScaling: the numbers of shards and replicas are in one file of a ConfigMap that
// pods see change, and nowhere in what would restart them.
func TestRedisShardScaling(t *testing.T) {
	small, large := renderRedis(t, "mode: cluster"), renderRedis(t, "{mode: cluster, cluster: {shards: 5, replicasPerShard: 2}}")
	for _, at := range [][]string{{"ConfigMap/redis-scripts", "data"}, {"StatefulSet/redis", "spec", "template"}, {"StatefulSet/redis", "spec", "volumeClaimTemplates"}} {
		a, b := manifest.Print(small[at[0]].Get(at[1:]...)), manifest.Print(large[at[0]].Get(at[1:]...))
		if diff := cmp.Diff(a, b); diff != "" {
			t.Errorf("%v differs:\n%s", at, diff)
		}
	}
	for _, f := range small["ConfigMap/redis-config"].Get("data").Fields {
		if b := large["ConfigMap/redis-config"].Get("data", f.Key).Text(); f.Value.Text() != b && f.Key != "shape" {
			t.Errorf("%s differs: %q and %q", f.Key, f.Value.Text(), b)
		}
	}
	for objects, want := range map[string]map[string]*manifest.Node{"6": small, "15": large} {
		if got := fmt.Sprint(manifest.Native(want["StatefulSet/redis"].Get("spec", "replicas"))); got != objects {
			t.Errorf("there are %s pods, want %s", got, objects)
		}
	}
}

// TestRedisShardObjects: one budget for all nodes, since a master and its replica may not go
// together; the bus only between nodes; names in place of addresses, and before a pod is ready.
func TestRedisShardObjects(t *testing.T) {
	objects := renderRedis(t, "{mode: cluster, hostSpread: required}")
	budgets := 0
	for name := range objects {
		if strings.HasPrefix(name, "PodDisruptionBudget/") {
			budgets++
		}
	}
	budget := objects["PodDisruptionBudget/redis"].Get("spec")
	if got := fmt.Sprint(manifest.Native(budget.Get("maxUnavailable"))); budgets != 1 || got != "1" {
		t.Errorf("there are %d budgets, one of them for %s pods", budgets, got)
	}
	set := objects["StatefulSet/redis"].Get("spec")
	if a, b := manifest.Print(budget.Get("selector")), manifest.Print(set.Get("selector")); a != b {
		t.Errorf("the budget selects %s, not %s", a, b)
	}
	if got := set.Get("podManagementPolicy").Text(); got != "Parallel" {
		t.Errorf("pods start %s: the first would wait for the others for ever", got)
	}
	if got := fmt.Sprint(manifest.Native(set.Get("template", "spec", "topologySpreadConstraints", "0", "minDomains"))); got != "6" {
		t.Errorf("six pods that need a node each have minDomains %s", got)
	}
	headless := objects["Service/redis-headless"].Get("spec")
	if manifest.Native(headless.Get("publishNotReadyAddresses")) != true {
		t.Error("nodes have no names before they are ready")
	}
	config := objects["ConfigMap/redis-config"].Get("data", "cluster.conf").Text()
	for _, line := range []string{"cluster-preferred-endpoint-type hostname", "cluster-require-full-coverage no", "cluster-node-timeout 15000"} {
		if !strings.Contains(config, line+"\n") {
			t.Errorf("no line %q", line)
		}
	}
	for _, rule := range objects["NetworkPolicy/redis"].Get("spec", "ingress").Items {
		bus := slices.ContainsFunc(rule.Get("ports").Items, func(n *manifest.Node) bool { return fmt.Sprint(manifest.Native(n.Get("port"))) == "16379" })
		if from := rule.Get("from").Items; bus && (len(from) != 1 || from[0].Get("podSelector", "matchLabels", "app.kubernetes.io/component").Text() != "node") {
			t.Errorf("the bus is open to %s", manifest.Print(rule.Get("from")))
		}
	}
}

// TestRedisModes: what only a cluster needs is nowhere else.
func TestRedisModes(t *testing.T) {
	for _, mode := range []string{"sentinel", "standalone"} {
		for name, o := range renderRedis(t, "mode: "+mode) {
			text := manifest.Print(o)
			for _, word := range []string{"16379", "join.sh: ", "shape:", "NODE_NAME\n"} {
				if strings.Contains(text, word) {
					t.Errorf("%s: %s has %s", mode, name, word)
				}
			}
		}
	}
}
