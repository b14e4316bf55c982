// SPDX-License-Identifier: Apache-2.0

package profiles_test

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"kilter.dev/kilter/internal/manifest"
)

// shard is what a pod of a Redis Cluster says of itself.
type shard struct {
	id, name, role, master string // master is the id of the one that it follows
	slots                  []string
}

// shard asks the pod for its own line of CLUSTER NODES; role is "" while it does not answer.
func (p *pod) shard() (s shard) {
	for line := range strings.Lines(p.ask(redisPort, "CLUSTER", "NODES")) {
		f := strings.Fields(line)
		if len(f) < 8 || !strings.Contains(f[2], "myself") {
			continue
		}
		_, s.name, _ = strings.Cut(f[1], ",")
		s.id, s.master, s.slots = f[0], f[3], f[8:]
		s.role = strings.TrimPrefix(f[2], "myself,")
	}
	return s
}

// leads reports whether the pod is the master of a shard.
func (p *pod) leads() bool {
	s := p.shard()
	return s.role == "master" && len(s.slots) > 0
}

func (p *pod) ready() error {
	out, err := p.probe("redis", "readinessProbe")
	if err != nil {
		return fmt.Errorf("%s: %w", out, err)
	}
	return nil
}

// whole waits until every shard has its replicas, all pods are ready, and each knows exactly
// the others.
func (c *cluster) whole(t *testing.T, within time.Duration, shards, replicas int) {
	t.Helper()
	why := ""
	for end := time.Now().Add(within); ; time.Sleep(200 * time.Millisecond) {
		if why = c.broken(shards, replicas); why == "" {
			return
		} else if time.Now().After(end) {
			t.Fatalf("not whole within %v: %s", within, why)
		}
	}
}

// broken says what is not as it should be.
func (c *cluster) broken(shards, replicas int) string {
	followers := map[string]int{}
	for _, p := range c.pods {
		if s := p.shard(); s.role == "master" && len(s.slots) > 0 {
			followers[s.id] += 0
		} else if s.role == "slave" {
			followers[s.master]++
		} else {
			return fmt.Sprintf("%s is %+v", p.name, s)
		}
	}
	if len(followers) != shards {
		return fmt.Sprintf("there are %d shards", len(followers))
	}
	for id, n := range followers {
		if n != replicas {
			return fmt.Sprintf("%s has %d replicas", id, n)
		}
	}
	for _, p := range c.pods {
		info := p.ask(redisPort, "CLUSTER", "INFO")
		for _, want := range []string{"cluster_state:ok", "cluster_slots_ok:16384", fmt.Sprintf("cluster_known_nodes:%d\r", len(c.pods)), fmt.Sprintf("cluster_size:%d\r", shards)} {
			if !strings.Contains(info, want) {
				return fmt.Sprintf("%s: not %q: %s", p.name, want, info)
			}
		}
	}
	for _, p := range c.pods {
		if err := p.ready(); err != nil {
			return fmt.Sprintf("%s: %v", p.name, err)
		}
	}
	return ""
}

// leader is a pod that leads a shard.
func (c *cluster) leader() *pod {
	return c.pods[slices.IndexFunc(c.pods, (*pod).leads)]
}

// follower is a pod that follows the master.
func (c *cluster) follower(master *pod) *pod {
	id := master.shard().id
	i := slices.IndexFunc(c.pods, func(p *pod) bool { return p.exists && p.shard().master == id })
	return c.pods[i]
}

// keeper is a client of a Redis Cluster: it follows the names that the nodes send it to.
type keeper struct {
	c     *cluster
	conns map[*pod]*client
	last  *pod
}

func newKeeper(c *cluster) *keeper {
	return &keeper{c: c, conns: map[*pod]*client{}, last: c.pods[0]}
}

func (k *keeper) close() {
	for _, conn := range k.conns {
		conn.conn.Close()
	}
}

// do sends a command that names a key to the node that has it, and with wait asks that a
// replica confirms it.
func (k *keeper) do(wait bool, args ...string) (string, error) {
	var err error
	for range 5 {
		conn := k.conns[k.last]
		if conn == nil {
			if conn, err = dial(k.last.address, redisPort); err != nil {
				k.last = k.c.pods[(slices.Index(k.c.pods, k.last)+1)%len(k.c.pods)]
				continue
			}
			k.conns[k.last] = conn
		}
		var reply string
		reply, err = conn.do(args...)
		if err == nil && wait {
			var confirmed string
			if confirmed, err = conn.do("WAIT", "1", "1000"); err == nil && confirmed == "0" {
				return "", fmt.Errorf("no replica has %v", args)
			}
		}
		if err == nil {
			return reply, nil
		}
		at := k.c.named(err)
		if at == nil {
			conn.conn.Close()
			delete(k.conns, k.last)
			return "", err
		}
		k.last = at
	}
	return "", err
}

// named is the pod that a node sends a client to, by its name.
func (c *cluster) named(err error) *pod {
	f := strings.Fields(err.Error())
	if len(f) != 3 || f[0] != "MOVED" {
		return nil
	}
	i := slices.IndexFunc(c.pods, func(p *pod) bool { return f[2] == p.self()+":6379" })
	if i < 0 {
		return nil
	}
	return c.pods[i]
}

// lost returns the keys that the cluster does not have.
func (c *cluster) lost(keys []string) (lost []string) {
	k := newKeeper(c)
	defer k.close()
	for _, key := range keys {
		if value, err := k.do(false, "GET", key); err != nil || value != key {
			lost = append(lost, fmt.Sprint(key, ": ", value, err))
		}
	}
	return lost
}

// put writes n keys; with wait a replica has each.
func (c *cluster) put(t *testing.T, what string, n int, wait bool) (keys []string) {
	t.Helper()
	k := newKeeper(c)
	defer k.close()
	for i := range n {
		key := fmt.Sprintf("%s-%d", what, i)
		eventually(t, 10*time.Second, "the cluster takes "+key, func() bool {
			_, err := k.do(wait, "SET", key, key)
			return err == nil
		})
		keys = append(keys, key)
	}
	return keys
}

// shell prepares commands as the README has people run them in a container of the pod.
func (p *pod) shell(container *manifest.Node, commands string) *exec.Cmd {
	script := ". " + filepath.Join(p.c.dir, "scripts", "lib.sh") + "; " + commands
	cmd := exec.Command(p.c.wrap[0], append(slices.Clone(p.c.wrap[1:]), "sh", "-c", script)...)
	cmd.Env = p.env(container)
	return cmd
}

// move gives the pod another address, as one that is made anew gets.
func (p *pod) move() {
	var network, host int
	if _, err := fmt.Sscanf(p.address, "127.0.%d.%d", &network, &host); err != nil {
		p.c.t.Fatal(err)
	}
	p.address = fmt.Sprintf("127.0.%d.%d", network, host+20)
}
