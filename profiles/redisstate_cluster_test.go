// SPDX-License-Identifier: Apache-2.0

package profiles_test

import (
	"bytes"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"kilter.dev/kilter/internal/manifest"
)

const password = `a b"c\x41$d'#` // everything that a configuration file could misread

// cluster is a StatefulSet whose pods are processes on loopback addresses. They run the
// commands, environment and files of the rendered objects; only addresses and folders differ.
type cluster struct {
	t       *testing.T
	objects map[string]*manifest.Node
	dir     string
	pods    []*pod
	// wrap runs a process in a mount namespace with hosts as /etc/hosts, so that pods have
	// their names in the cluster; nil where that is not allowed: then addresses are names.
	wrap []string
	mu   sync.Mutex // guards hosts
}

type pod struct {
	c        *cluster
	name     string
	budget   int  // START_SECONDS; 0 for what is rendered
	late     bool // the sentinel does not answer, so that the server is not started
	address  string
	node     string // of Kubernetes
	dir      string
	exists   bool
	redis    *process
	sentinel *process
}

const domain = "redis-headless.apps.svc.cluster.local"

// newCluster prepares the pods and starts none. Clusters of parallel tests need different
// networks: the third byte of 127.0.x.y.
func newCluster(t *testing.T, network, size int, params string) *cluster {
	t.Helper()
	needRedis(t)
	t.Parallel()
	c := &cluster{t: t, dir: t.TempDir()}
	wrap := []string{"unshare", "--map-root-user", "--mount", "sh", "-c", `mount --bind "$0" /etc/hosts && exec "$@"`, filepath.Join(c.dir, "hosts")}
	c.write("hosts", "127.0.0.1 localhost\n127.0.0.11 probe.kilter\n")
	if out, err := exec.Command(wrap[0], append(wrap[1:], "getent", "hosts", "probe.kilter")...).CombinedOutput(); err == nil {
		c.wrap = wrap
	} else {
		t.Logf("pods have no names, only addresses: unshare: %v: %s", err, out)
	}
	c.configure(params)
	c.write("password", password+"\n")
	for i := range size {
		p := &pod{c: c, name: fmt.Sprintf("redis-%d", i), address: fmt.Sprintf("127.0.%d.%d", network, 11+i)}
		p.dir = filepath.Join(c.dir, p.name)
		if c, err := net.Dial("tcp", net.JoinHostPort(p.address, "6379")); err == nil {
			c.Close()
			t.Fatalf("a server runs at %s already", p.address)
		}
		c.pods = append(c.pods, p)
	}
	t.Cleanup(func() {
		for _, p := range c.pods {
			p.kill()
			if t.Failed() {
				log, _ := os.ReadFile(p.path("log"))
				t.Logf("log of %s:\n%s", p.name, log)
			}
		}
	})
	return c
}

// configure renders the objects and writes what their ConfigMaps hold, as the kubelet does.
func (c *cluster) configure(params string) {
	c.objects = renderRedis(c.t, params)
	for _, name := range []string{"config", "scripts"} {
		data := c.objects["ConfigMap/redis-"+name].Get("data")
		for _, f := range data.Fields {
			c.write(filepath.Join(name, f.Key), f.Value.Text())
		}
	}
}

func (c *cluster) write(name, text string) {
	write(c.t, filepath.Join(c.dir, name), text)
}

// publish writes the names of the pods that exist, as the cluster's DNS would have them.
func (c *cluster) publish() {
	c.mu.Lock()
	defer c.mu.Unlock()
	hosts := "127.0.0.1 localhost\n"
	for _, p := range c.pods {
		if p.exists {
			hosts += fmt.Sprintf("%s %s.%s %s\n", p.address, p.name, domain, domain)
		}
	}
	c.write("hosts", hosts)
}

func (p *pod) path(elem ...string) string {
	return filepath.Join(append([]string{p.dir}, elem...)...)
}

// self is the name of the pod for other pods.
func (p *pod) self() string {
	if p.c.wrap == nil {
		return p.address
	}
	return p.name + "." + domain
}

// env is the environment that a container of the StatefulSet has in this pod.
func (p *pod) env(container *manifest.Node) []string {
	fields := map[string]string{"metadata.name": p.name, "metadata.namespace": "apps", "status.podIPs": p.address, "spec.nodeName": p.node}
	env, vars := environment(container, func(path string) string { return fields[path] })
	env = append([]string{"PATH=" + os.Getenv("PATH")}, env...)
	if vars["AUTH_FILE"] != "" {
		env = append(env, "AUTH_FILE="+filepath.Join(p.c.dir, "password"))
	}
	if p.c.wrap == nil {
		var peers []string
		for _, q := range p.c.pods {
			if q.exists {
				peers = append(peers, q.address)
			}
		}
		env = append(env, "SELF="+p.address, "PEERS="+strings.Join(peers, " "))
	}
	if p.budget > 0 {
		env = append(env, fmt.Sprintf("START_SECONDS=%d", p.budget))
	}
	return append(env, "HOST="+p.address, "BIND="+p.address,
		"DATA_DIR="+p.path("data"), "CONF_DIR="+filepath.Join(p.c.dir, "config"), "RUN_DIR="+p.path("tmp"))
}

// command prepares a command of the pod's container called name: its own, or that of the
// probe or hook at a path in it. It is nil when the pod has no such container.
func (p *pod) command(name string, at ...string) *exec.Cmd {
	spec := p.c.objects["StatefulSet/redis"].Get("spec", "template", "spec")
	containers := slices.Concat(items(spec.Get("initContainers")), items(spec.Get("containers")))
	i := slices.IndexFunc(containers, func(n *manifest.Node) bool { return n.Get("name").Text() == name })
	if i < 0 {
		return nil
	}
	return p.exec(containers[i], containers[i].Get(append(at, "command")...))
}

// exec prepares argv as a process of the container in this pod.
func (p *pod) exec(container, argv *manifest.Node) *exec.Cmd {
	args := slices.Clone(p.c.wrap)
	for _, arg := range argv.Items {
		args = append(args, strings.Replace(arg.Text(), "/scripts/", filepath.Join(p.c.dir, "scripts")+"/", 1))
	}
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Env = p.env(container)
	return cmd
}

// probe runs a probe of a container as the kubelet does and returns its output and error.
func (p *pod) probe(container, kind string) (string, error) {
	out, err := p.command(container, kind, "exec").CombinedOutput()
	return string(bytes.TrimSpace(out)), err
}

// start creates the pod on what its volume holds: the sentinel first, then the server.
func (p *pod) start() {
	t := p.c.t
	for _, dir := range []string{"data", "tmp"} {
		if err := os.MkdirAll(p.path(dir), 0o700); err != nil {
			t.Error(err)
		}
	}
	p.exists = true
	p.c.publish()
	if p.sentinel = run(t, p.command("sentinel"), p.path("log")); p.late {
		return
	} else if p.sentinel != nil {
		for end := time.Now().Add(30 * time.Second); ; time.Sleep(100 * time.Millisecond) {
			if _, err := p.probe("sentinel", "startupProbe"); err == nil {
				break
			} else if time.Now().After(end) {
				t.Errorf("%s: the sentinel does not start", p.name)
				return
			}
		}
	}
	p.redis = run(t, p.command("redis"), p.path("log"))
}

// kill ends the pod as a lost node does: at once. Its volume stays, its name goes.
func (p *pod) kill() {
	p.redis.signal(syscall.SIGKILL)
	p.sentinel.signal(syscall.SIGKILL)
	p.gone()
}

// restart ends the server's container and starts it again, as the kubelet does after a crash.
func (p *pod) restart() {
	p.redis.signal(syscall.SIGKILL)
	p.redis = run(p.c.t, p.command("redis"), p.path("log"))
}

// stop ends the pod as a drain does: preStop, SIGTERM to the server, then the sidecar. It
// returns how long preStop took and what it said.
func (p *pod) stop() (time.Duration, string) {
	began := time.Now()
	out, err := p.command("redis", "lifecycle", "preStop", "exec").CombinedOutput()
	took := time.Since(began)
	if err != nil {
		p.c.t.Errorf("preStop: %v: %s", err, out)
	}
	for _, process := range []*process{p.redis, p.sentinel} {
		process.terminate()
	}
	p.gone()
	return took, string(out)
}

func (p *pod) gone() {
	p.redis, p.sentinel, p.exists = nil, nil, false
	if err := os.RemoveAll(p.path("tmp")); err != nil {
		p.c.t.Error(err)
	}
	p.c.publish()
}

// wipe empties the pod's volume.
func (p *pod) wipe() {
	if err := os.RemoveAll(p.path("data")); err != nil {
		p.c.t.Error(err)
	}
}

// all calls f for every pod at the same time.
func (c *cluster) all(f func(*pod)) {
	var wg sync.WaitGroup
	for _, p := range c.pods {
		wg.Go(func() { f(p) })
	}
	wg.Wait()
}
