// SPDX-License-Identifier: Apache-2.0

package profiles_test

import (
	"fmt"
	"sync/atomic"
	"testing"
	"time"
)

func eventually(t *testing.T, within time.Duration, what string, f func() bool) {
	t.Helper()
	for end := time.Now().Add(within); !f(); time.Sleep(100 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("not within %v: %s", within, what)
		}
	}
}

func (c *cluster) masters() (masters []*pod) {
	for _, p := range c.pods {
		if p.role() == "master" {
			masters = append(masters, p)
		}
	}
	return masters
}

// master is the only master.
func (c *cluster) master(t *testing.T) *pod {
	t.Helper()
	masters := c.masters()
	if len(masters) != 1 {
		t.Fatalf("there are %d masters", len(masters))
	}
	return masters[0]
}

// settled waits until there is one master, every sentinel names it and knows all others,
// and every pod is ready.
func (c *cluster) settled(t *testing.T, within time.Duration) {
	t.Helper()
	eventually(t, within, "one master that all agree on, and all pods ready", func() bool {
		masters := c.masters()
		if len(masters) != 1 {
			return false
		}
		for _, p := range c.pods {
			if p.named() != masters[0].self() || !p.agrees(masters[0], len(c.pods)-1) {
				return false
			}
			for _, container := range []string{"redis", "sentinel"} {
				if _, err := p.probe(container, "readinessProbe"); err != nil {
					return false
				}
			}
		}
		return true
	})
}

// wantKeys waits until every pod holds exactly n keys.
func (c *cluster) wantKeys(t *testing.T, n int) {
	t.Helper()
	for _, p := range c.pods {
		eventually(t, 20*time.Second, fmt.Sprintf("%s holds %d keys, not %d", p.name, n, p.keys()), func() bool { return p.keys() == n })
	}
}

// fill writes n keys and waits until a replica has them, if there is one.
func fill(t *testing.T, p *pod, n int) {
	t.Helper()
	c, err := dial(p.address, redisPort)
	if err != nil {
		t.Fatal(err)
	}
	defer c.conn.Close()
	eventually(t, 30*time.Second, p.name+" accepts writes", func() bool {
		_, err := c.do("SET", "first", "")
		return err == nil
	})
	if _, err := c.do("DEL", "first"); err != nil {
		t.Fatal(err)
	}
	for i := range n {
		key := fmt.Sprintf("key-%s-%d", t.Name(), i)
		if _, err := c.do("SET", key, key); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := c.do("WAIT", "1", "1000"); err != nil {
		t.Fatal(err)
	}
}

// writer writes keys through whatever master the sentinels name, one after the other.
type writer struct {
	acknowledged atomic.Int64
	stopping     atomic.Bool
	written      chan []string
}

func startWriter(c *cluster) *writer {
	w := &writer{written: make(chan []string, 1)}
	go func() {
		var written []string
		for i := 0; !w.stopping.Load(); {
			for _, p := range c.pods {
				for _, m := range c.pods {
					if p.named() == m.self() {
						i = w.write(m, i, &written)
					}
				}
			}
			time.Sleep(10 * time.Millisecond)
		}
		w.written <- written
	}()
	return w
}

// write writes keys from the i-th on until the first error and returns the next i. A key
// counts as written when a replica has confirmed it.
func (w *writer) write(p *pod, i int, written *[]string) int {
	c, err := dial(p.address, redisPort)
	if err != nil {
		return i
	}
	defer c.conn.Close()
	for ; !w.stopping.Load(); i++ {
		key := fmt.Sprintf("write-%d", i)
		if _, err := c.do("SET", key, key); err != nil {
			return i + 1
		}
		confirmed, err := c.do("WAIT", "1", "1000")
		if err != nil {
			return i + 1
		}
		if confirmed != "0" {
			*written = append(*written, key)
			w.acknowledged.Add(1)
		}
	}
	return i
}

// stop ends the writer and returns the keys that were acknowledged.
func (w *writer) stop() []string {
	w.stopping.Store(true)
	return <-w.written
}

// missing returns the keys that p does not hold.
func missing(t *testing.T, p *pod, keys []string) (lost []string) {
	t.Helper()
	c, err := dial(p.address, redisPort)
	if err != nil {
		t.Fatal(err)
	}
	defer c.conn.Close()
	for _, key := range keys {
		if value, err := c.do("GET", key); err != nil || value != key {
			lost = append(lost, key)
		}
	}
	return lost
}
