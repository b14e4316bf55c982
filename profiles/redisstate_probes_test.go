// SPDX-License-Identifier: Apache-2.0

package profiles_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"kilter.dev/kilter/internal/manifest"
)

// TestRedisScripts: shellcheck has nothing to say about the scripts.
func TestRedisScripts(t *testing.T) {
	need(t, "shellcheck", "shellcheck")
	dir := t.TempDir()
	args := []string{"--external-sources"}
	for _, f := range renderRedis(t, "{mode: cluster}")["ConfigMap/redis-scripts"].Get("data").Fields {
		name := filepath.Join(dir, f.Key)
		if err := os.WriteFile(name, []byte(f.Value.Text()), 0o600); err != nil {
			t.Fatal(err)
		}
		args = append(args, name)
	}
	if out, err := exec.Command("shellcheck", args...).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestRedisScaling: the number of nodes is in no pod template and no ConfigMap, so that
// scaling restarts no pod.
func TestRedisScaling(t *testing.T) {
	three, five := renderRedis(t, "replicas: 3"), renderRedis(t, "replicas: 5")
	for _, at := range [][]string{{"ConfigMap/redis-config", "data"}, {"ConfigMap/redis-scripts", "data"}, {"StatefulSet/redis", "spec", "template"}, {"StatefulSet/redis", "spec", "volumeClaimTemplates"}} {
		a, b := manifest.Print(three[at[0]].Get(at[1:]...)), manifest.Print(five[at[0]].Get(at[1:]...))
		if diff := cmp.Diff(a, b); diff != "" {
			t.Errorf("%v differs between 3 and 5 replicas:\n%s", at, diff)
		}
	}
}

// TestRedisProbes: what the probes say of one server in each state.
func TestRedisProbes(t *testing.T) {
	params := func(more string) string {
		return fmt.Sprintf("{engine: redis, mode: standalone, extraConfig: %q}", more)
	}
	c := newCluster(t, 4, 1, params(""))
	p := c.pods[0]
	want := func(state string, alive, ready bool, says string) {
		t.Helper()
		for kind, good := range map[string]bool{"startupProbe": alive, "livenessProbe": alive, "readinessProbe": ready} {
			out, err := p.probe("redis", kind)
			if (err == nil) != good || err != nil && !strings.Contains(out, says) {
				t.Errorf("%s: %s says %q, %v", state, kind, out, err)
			}
		}
	}
	if err := os.MkdirAll(p.path("tmp"), 0o700); err != nil {
		t.Fatal(err)
	}
	want("no server", false, false, "no reply")
	p.start()
	eventually(t, 20*time.Second, "the server answers", func() bool { return p.role() == "master" })
	want("serving", true, true, "")
	fill(t, p, 20000)

	p.redis.signal(syscall.SIGSTOP)
	want("hanging", false, false, "within 5 s")
	p.redis.signal(syscall.SIGCONT)

	if err := os.WriteFile(p.path("tmp", "password"), []byte("wrong"), 0o600); err != nil {
		t.Fatal(err)
	}
	want("another password", true, false, "NOAUTH")

	p.kill()
	c.configure(params("key-load-delay 500\nloading-process-events-interval-bytes 1024\n"))
	p.start()
	loading := func() bool { return strings.Contains(p.ask(redisPort, "INFO", "persistence"), "loading:1") }
	eventually(t, 20*time.Second, "the server loads", loading)
	want("loading", true, false, "LOADING")
	if !loading() {
		t.Error("loading ended too early to try the probes")
	}
	p.ask(redisPort, "CONFIG", "SET", "key-load-delay", "0")
	eventually(t, 60*time.Second, "the server has loaded", func() bool { return p.keys() == 20000 })
	want("loaded", true, true, "")
	if reply := p.ask(redisPort, "FLUSHALL"); reply != "" {
		t.Errorf("FLUSHALL on a store of state answers %q", reply)
	}
}
