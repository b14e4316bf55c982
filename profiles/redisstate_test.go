// SPDX-License-Identifier: Apache-2.0

package profiles_test

import (
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// The state that redis-state promises to keep is tried on real servers: the rendered
// scripts and configurations run as processes on loopback addresses.

// TestRedisCluster leads three nodes with sentinels through what happens to them.
func TestRedisCluster(t *testing.T) {
	c := newCluster(t, 1, 3, "{engine: redis, sentinel: {downAfterMs: 3000}}")
	for _, step := range []struct {
		name string
		run  func(*testing.T, *cluster)
	}{
		{"simultaneous start elects one master", electsOne},
		{"helm test writes and reads", helmTest},
		{"power loss keeps master and data", powerLoss},
		{"a stopping master loses no acknowledged write", stoppingMaster},
		{"an empty ordinal 0 follows", func(t *testing.T, c *cluster) { emptyNode(t, c, c.pods[0]) }},
		{"an empty master is not master again", func(t *testing.T, c *cluster) { emptyNode(t, c, c.master(t)) }},
		{"power loss and an empty master", emptyMasterAfterPowerLoss},
		{"an old master with an old memory follows", oldMaster},
	} {
		if !t.Run(step.name, func(t *testing.T) { step.run(t, c) }) {
			return
		}
	}
}

func electsOne(t *testing.T, c *cluster) {
	var most atomic.Int32
	watched, stop := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(watched)
		for {
			select {
			case <-stop:
				return
			case <-time.After(50 * time.Millisecond):
				most.Store(max(most.Load(), int32(len(c.masters()))))
			}
		}
	}()
	c.all((*pod).start)
	c.settled(t, 60*time.Second)
	close(stop)
	<-watched
	if most.Load() != 1 {
		t.Errorf("there were %d masters at a time", most.Load())
	}
	if m := c.master(t); m != c.pods[0] {
		t.Errorf("the first master is %s", m.name)
	}
	fill(t, c.master(t), 1000)
}

// helmTest runs the pod of helm test; a Service is any of the sentinels.
func helmTest(t *testing.T, c *cluster) {
	container := c.objects["Pod/redis-test"].Get("spec", "containers", "0")
	cmd := c.pods[2].exec(container, container.Get("command"))
	cmd.Env = append(cmd.Env, "SERVICE="+c.pods[2].self())
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
	if reply := c.master(t).ask(redisPort, "DEL", "kilter-test"); reply != "1" {
		t.Errorf("there was no key of the test: DEL answers %q", reply)
	}
}

func powerLoss(t *testing.T, c *cluster) {
	before := c.master(t)
	time.Sleep(1500 * time.Millisecond) // appendfsync everysec
	c.all((*pod).kill)
	c.all((*pod).start)
	c.settled(t, 60*time.Second)
	if after := c.master(t); after != before {
		t.Errorf("the master was %s and is %s", before.name, after.name)
	}
	c.wantKeys(t, 1000)
}

// stoppingMaster stops the master under a client that writes and asks for one replica.
func stoppingMaster(t *testing.T, c *cluster) {
	old := c.master(t)
	w := startWriter(c)
	time.Sleep(time.Second)
	before := w.acknowledged.Load()
	took, said := old.stop()
	t.Logf("preStop took %v: %s", took, said)
	if took > 25*time.Second || !strings.Contains(said, "the master is now") {
		t.Errorf("preStop took %v and said %q", took, said)
	}
	time.Sleep(2 * time.Second)
	written := w.stop()
	if before == 0 || int64(len(written)) <= before {
		t.Errorf("%d writes were acknowledged before preStop and %d in all", before, len(written))
	}
	if lost := missing(t, c.master(t), written); len(lost) > 0 {
		t.Errorf("%d of %d acknowledged writes are lost, first %s", len(lost), len(written), lost[0])
	}
	t.Logf("%d writes acknowledged, %d of them before preStop", len(written), before)
	old.start()
	c.settled(t, 60*time.Second)
	if old.role() != "slave" {
		t.Errorf("the old master is %s", old.role())
	}
}

// emptyNode loses a node and its volume. It must come back as a replica, take no part in an
// election while it is empty, and be ready only with all data.
func emptyNode(t *testing.T, c *cluster, p *pod) {
	want := c.master(t).keys()
	p.kill()
	p.wipe()
	p.start()
	unready := 0
	for end := time.Now().Add(90 * time.Second); ; time.Sleep(200 * time.Millisecond) {
		if p.role() == "master" {
			t.Fatal("an empty node is master")
		}
		_, err := p.probe("redis", "readinessProbe")
		if keys := p.keys(); err == nil && keys < want {
			t.Fatalf("ready with %d of %d keys", keys, want)
		}
		if err == nil {
			break
		}
		if _, dead := p.probe("redis", "livenessProbe"); dead == nil {
			unready++
		}
		if time.Now().After(end) {
			t.Fatal("not ready within 90 s")
		}
	}
	if unready == 0 {
		t.Error("the node was never alive and not ready, so that nothing was tried")
	}
	c.settled(t, 60*time.Second)
	c.wantKeys(t, want)
}

func emptyMasterAfterPowerLoss(t *testing.T, c *cluster) {
	old := c.master(t)
	want := old.keys()
	time.Sleep(1500 * time.Millisecond)
	c.all((*pod).kill)
	// The sentinel's memory goes in the first run above; here it stays and names the node.
	for _, name := range []string{"appendonlydir", "dump.rdb", "complete"} {
		if err := os.RemoveAll(old.path("data", name)); err != nil {
			t.Fatal(err)
		}
	}
	c.all((*pod).start)
	c.settled(t, 100*time.Second)
	if old.role() != "slave" {
		t.Errorf("the empty node is %s", old.role())
	}
	c.wantKeys(t, want)
}

// oldMaster loses the master, lets the others go on, loses all, and starts the old master
// first: its memory names itself, but what the others wrote since must not be lost.
func oldMaster(t *testing.T, c *cluster) {
	old := c.master(t)
	old.kill()
	eventually(t, 30*time.Second, "another master", func() bool { return len(c.masters()) == 1 })
	want := c.master(t).keys() + 500
	fill(t, c.master(t), 500)
	next := c.master(t)
	time.Sleep(1500 * time.Millisecond)
	c.all((*pod).kill)
	old.start()
	time.Sleep(5 * time.Second)
	if role := old.role(); role != "" {
		t.Errorf("the old master starts as %q before it has heard of the others", role)
	}
	for _, p := range c.pods {
		if p != old {
			p.start()
		}
	}
	c.settled(t, 60*time.Second)
	if after := c.master(t); after != next {
		t.Errorf("the master was %s and is %s", next.name, after.name)
	}
	c.wantKeys(t, want)
}

// TestRedisBootstrap: nobody leads while a node that may hold data has not been heard.
func TestRedisBootstrap(t *testing.T) {
	c := newCluster(t, 2, 3, "{engine: redis}")
	// Ordinal 0 alone, as when its volume is lost and no other pod runs.
	c.pods[0].budget = 3
	c.pods[0].start()
	if _, err := c.pods[0].probe("sentinel", "livenessProbe"); err != nil {
		t.Error("the sentinel does not answer")
	}
	if out, err := c.pods[0].probe("sentinel", "readinessProbe"); err == nil {
		t.Error("a sentinel that knows no master is ready: ", out)
	}
	gaveUp := func() bool { return c.pods[0].redis.ended() }
	eventually(t, 15*time.Second, "ordinal 0 gives up", gaveUp)
	if code := c.pods[0].redis.cmd.ProcessState.ExitCode(); code != 1 {
		t.Errorf("it ends with %d", code)
	}
	c.pods[0].kill()
	// A volume from elsewhere on ordinal 1: data, but no memory of a master.
	c.pods[0].budget = 10
	if err := os.MkdirAll(c.pods[1].path("data", "appendonlydir"), 0o700); err != nil {
		t.Fatal(err)
	}
	c.write("redis-1/data/appendonlydir/appendonly.aof.1.base.rdb", "REDIS")
	c.pods[1].late = true
	c.pods[1].start()
	c.pods[2].start()
	c.pods[0].start()
	eventually(t, 30*time.Second, "ordinal 0 gives up", gaveUp)
	if n := len(c.masters()); n != 0 {
		t.Errorf("%d masters though ordinal 1 may hold data", n)
	}
}

// TestRedisCache: without volumes a server comes back empty each time. The replicas keep
// the data when it was the master, and all go on when all were lost.
func TestRedisCache(t *testing.T) {
	c := newCluster(t, 3, 3, "{engine: redis, purpose: cache, persistence: {enabled: false}, sentinel: {downAfterMs: 2000}}")
	c.all((*pod).start)
	c.settled(t, 60*time.Second)
	fill(t, c.master(t), 100)
	c.wantKeys(t, 100)
	time.Sleep(11 * time.Second) // sentinels look at priorities every 10 s
	c.master(t).restart()
	c.settled(t, 60*time.Second)
	c.wantKeys(t, 100)
	c.all((*pod).restart)
	c.settled(t, 60*time.Second)
	c.wantKeys(t, 0)
}
