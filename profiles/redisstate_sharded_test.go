// SPDX-License-Identifier: Apache-2.0

package profiles_test

import (
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// newShards prepares the pods of a Redis Cluster on three nodes of Kubernetes.
func newShards(t *testing.T, network, size int, params string) *cluster {
	t.Helper()
	c := newCluster(t, network, size, params)
	if c.wrap == nil {
		t.Skip("pods of a Redis Cluster need names")
	}
	for i, p := range c.pods {
		p.node = []string{"node-a", "node-b", "node-c", "node-b", "node-a", "node-c"}[i%6]
	}
	return c
}

// TestRedisShards leads three shards with a replica each through what happens to them.
func TestRedisShards(t *testing.T) {
	c := newShards(t, 5, 6, "{engine: redis, mode: cluster, cluster: {nodeTimeoutMs: 2000}, extraConfig: repl-diskless-sync-delay 0}")
	keys := []string{}
	for _, step := range []struct {
		name string
		run  func(*testing.T, *cluster) []string
	}{
		{"the cluster waits for all nodes", foundsOnce},
		{"helm test writes and reads", shardedHelmTest},
		{"a stopping master loses no acknowledged write", stoppingShard},
		{"all come back with each other's addresses", movedShards},
		{"a shard outlives its master", lostMaster},
		{"a master without its volume", emptyShard},
	} {
		if !t.Run(step.name, func(t *testing.T) {
			began := time.Now()
			keys = append(keys, step.run(t, c)...)
			c.whole(t, 60*time.Second, 3, 1)
			if lost := c.lost(keys); len(lost) > 0 {
				t.Errorf("%d of %d keys are lost, first %s", len(lost), len(keys), lost[0])
			}
			t.Logf("took %v", time.Since(began))
		}) {
			return
		}
	}
}

// foundsOnce starts all nodes but one, then that one.
func foundsOnce(t *testing.T, c *cluster) []string {
	for _, p := range c.pods[:5] {
		p.start()
	}
	time.Sleep(2 * time.Second)
	for _, p := range c.pods[:5] {
		if p.leads() {
			t.Errorf("%s has slots before all nodes answer", p.name)
		}
		if err := p.ready(); err == nil {
			t.Errorf("%s is ready", p.name)
		}
		if out, err := p.probe("redis", "livenessProbe"); err != nil {
			t.Errorf("%s is not alive: %s", p.name, out)
		}
	}
	c.pods[5].start()
	c.whole(t, 60*time.Second, 3, 1)
	masters := map[string]bool{}
	for _, p := range c.pods {
		// A replica by SYNC, which one that was refused PSYNC tries next, never confirms a write.
		if out := p.ask(redisPort, "ACL", "DRYRUN", "default", "SYNC"); !strings.Contains(out, "no permissions") {
			t.Errorf("%s lets replicas in by SYNC: %s", p.name, out)
		}
		if p.leads() {
			masters[p.node] = true
			if other := c.follower(p); other.node == p.node {
				t.Errorf("%s and its replica %s are both on %s", p.name, other.name, p.node)
			}
		}
	}
	if len(masters) != 3 {
		t.Errorf("the masters are on %v", masters)
	}
	return c.put(t, "first", 500, true)
}

func shardedHelmTest(t *testing.T, c *cluster) []string {
	container := c.objects["Pod/redis-test"].Get("spec", "containers", "0")
	for _, p := range c.pods[:3] { // a Service is any of the nodes
		cmd := p.exec(container, container.Get("command"))
		cmd.Env = append(cmd.Env, "SERVICE="+p.self())
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%v: %s", err, out)
		}
	}
	return nil
}

// stoppingShard stops a master under clients that write, as a drain does; it comes back with
// another address.
func stoppingShard(t *testing.T, c *cluster) []string {
	old := c.leader()
	heir := c.follower(old)
	var stop atomic.Bool
	written := make(chan []string)
	go func() {
		var keys []string
		k := newKeeper(c)
		defer k.close()
		for n := 0; !stop.Load(); n++ {
			key := t.Name() + strings.Repeat("x", n%7) + time.Now().String()
			if _, err := k.do(true, "SET", key, key); err == nil {
				keys = append(keys, key)
			}
		}
		written <- keys
	}()
	time.Sleep(500 * time.Millisecond)
	took, said := old.stop()
	t.Logf("preStop took %v: %s", took, said)
	if took > 10*time.Second || !strings.Contains(said, "the master is now "+heir.address) {
		t.Errorf("preStop took %v and said %q", took, said)
	}
	if !heir.leads() {
		t.Errorf("%s is %+v", heir.name, heir.shard())
	}
	time.Sleep(500 * time.Millisecond)
	stop.Store(true)
	keys := <-written
	t.Logf("%d writes were acknowledged", len(keys))
	if len(keys) < 50 {
		t.Errorf("only %d writes were acknowledged", len(keys))
	}
	old.move()
	old.start()
	return keys
}

// movedShards loses power and the volume of a master; every pod comes back with the address of
// another, so that what the nodes remember of each other is wrong: the one replica that has
// the shard's data finds a stranger at its master's address.
func movedShards(t *testing.T, c *cluster) []string {
	before := map[string]string{}
	for _, p := range c.pods {
		before[p.name] = p.shard().id
	}
	time.Sleep(1500 * time.Millisecond) // appendfsync everysec
	lost := c.leader()
	c.all((*pod).kill)
	lost.wipe()
	first := c.pods[0].address
	for i, p := range c.pods {
		if p.address = first; i+1 < len(c.pods) {
			p.address = c.pods[i+1].address
		}
	}
	c.all((*pod).start)
	c.whole(t, 60*time.Second, 3, 1)
	for _, p := range c.pods {
		if same := p.shard().id == before[p.name]; same == (p == lost) {
			t.Errorf("%s is the same node of the cluster: %v", p.name, same)
		}
	}
	return nil
}

// lostMaster loses a master without a word; the cluster goes on without it.
func lostMaster(t *testing.T, c *cluster) []string {
	old := c.leader()
	heir := c.follower(old)
	old.kill()
	eventually(t, 30*time.Second, "a replica takes over", heir.leads)
	keys := c.put(t, "without", 100, false)
	old.start()
	return keys
}

// emptyShard loses a master and its volume; it comes back as another node at the same
// address, so that the others never miss it, and must not be a master of nothing.
func emptyShard(t *testing.T, c *cluster) []string {
	old := c.leader()
	heir := c.follower(old)
	old.kill()
	old.wipe()
	old.start()
	eventually(t, 30*time.Second, "a replica takes over", heir.leads)
	return nil
}

// TestRedisShardedCache: without volumes the server of a master that crashes comes back empty,
// and waits until its replica has taken over. A fourth shard takes its part of the slots, and
// goes again without them; nobody remembers it.
func TestRedisShardedCache(t *testing.T) {
	const params = "{engine: redis, mode: cluster, purpose: cache, persistence: {enabled: false}, cluster: {shards: %d, nodeTimeoutMs: 2000}, extraConfig: repl-diskless-sync-delay 0}"
	c := newShards(t, 6, 8, fmt.Sprintf(params, 3))
	all := c.pods
	c.pods = all[:6]
	c.all((*pod).start)
	c.whole(t, 60*time.Second, 3, 1)
	keys := c.put(t, "cached", 300, true)

	crashed := c.leader()
	heir := c.follower(crashed)
	crashed.restart()
	eventually(t, 30*time.Second, "a replica takes over", heir.leads)
	c.whole(t, 60*time.Second, 3, 1)

	c.pods = all
	c.configure(fmt.Sprintf(params, 4))
	all[6].start()
	all[7].start()
	eventually(t, 30*time.Second, "the new shard has a replica", func() bool {
		return all[6].ready() == nil && all[7].ready() == nil && all[7].shard().master == all[6].shard().id
	})
	c.rebalance(t, "--cluster-use-empty-masters")
	c.whole(t, 60*time.Second, 4, 1)

	c.rebalance(t, "--cluster-weight", all[6].shard().id+"=0")
	c.configure(fmt.Sprintf(params, 3))
	all[7].stop()
	all[6].stop()
	c.pods = all[:6]
	c.whole(t, 60*time.Second, 3, 1)
	if lost := c.lost(keys); len(lost) > 0 {
		t.Errorf("%d of %d keys are lost, first %s", len(lost), len(keys), lost[0])
	}
}

// rebalance moves slots as the README has people do it.
func (c *cluster) rebalance(t *testing.T, args ...string) {
	t.Helper()
	containers := c.objects["StatefulSet/redis"].Get("spec", "template", "spec", "containers")
	move := c.pods[0].shell(containers.Items[0], `"$ENGINE-cli" --cluster rebalance "$HOST:6379" `+strings.Join(args, " "))
	if out, err := move.CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
}
