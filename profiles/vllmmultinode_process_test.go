// SPDX-License-Identifier: Apache-2.0

package profiles_test

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"kilter.dev/kilter/internal/manifest"
)

// groupPrograms stand for vLLM and Ray: they say what they were told, and a Ray cluster is a
// folder, with a listener for its head.
var groupPrograms = map[string]string{
	"vllm": `#!/bin/sh
echo "vllm $*"
exit "${VLLM_EXIT:-0}"`,
	"ray": `#!/bin/sh
for a; do case $a in --node-ip-address=*) ip=${a#*=} ;; esac; done
touch "$STUB/alive-$ip"
case " $* " in
*" --head "*) python3 "$STUB/bin/listen.py" "$ip" "$STUB/alive-$ip" </dev/null >/dev/null 2>&1 & ;;
*)
	echo "ray $*"
	while [ -e "$STUB/alive-$HEAD" ]; do sleep 0.1; done
	rm "$STUB/alive-$ip"
	exit 1
	;;
esac`,
	"listen.py": `import os, socket, sys
s = socket.create_server((sys.argv[1], 6379))
s.settimeout(0.1)
while os.path.exists(sys.argv[2]):
    try:
        s.accept()
    except OSError:
        pass
`,
	"site/ray.py": `import glob, os
def init(address, log_to_driver): assert address == "auto"
def nodes(): return [{"Alive": True} for _ in glob.glob(os.environ["STUB"] + "/alive-*")]
`,
}

// group is a group of a rendered LeaderWorkerSet, whose pods are processes.
type group struct {
	t       *testing.T
	dir     string
	net     int
	objects map[string]*manifest.Node
}

func newGroup(t *testing.T, net int, params string) group {
	t.Helper()
	g := group{t: t, dir: t.TempDir(), net: net, objects: renderProfile(t, "vllm-inference", "demo", params)}
	for name, text := range groupPrograms {
		write(t, filepath.Join(g.dir, "bin", name), text)
	}
	if scripts := g.objects["ConfigMap/demo-ray"]; scripts != nil {
		write(t, filepath.Join(g.dir, "scripts/ray.sh"), scripts.Get("data", "ray.sh").Text())
	}
	return g
}

func (g group) address(index int) string { return fmt.Sprintf("127.0.%d.%d", g.net, 11+index) }

// pod is the container of the pod with an index in its group, with what the operator and
// kubelet give it.
func (g group) pod(index int, more ...string) *exec.Cmd {
	g.t.Helper()
	spec := g.objects["LeaderWorkerSet/demo"].Get("spec", "leaderWorkerTemplate")
	template := "workerTemplate"
	if index == 0 {
		template = "leaderTemplate"
	}
	container := spec.Get(template, "spec", "containers", "0")
	injected := map[string]string{
		"LWS_LEADER_ADDRESS": g.address(0), "LWS_GROUP_SIZE": fmt.Sprint(spec.Get("size").Value), "LWS_WORKER_INDEX": strconv.Itoa(index),
	}
	own, vars := environment(container, func(string) string { return g.address(index) })
	env := append([]string{"PATH=" + g.dir + "/bin:/usr/bin:/bin", "PYTHONPATH=" + g.dir + "/bin/site", "STUB=" + g.dir, "HEAD=" + g.address(0)}, own...)
	for name, value := range injected {
		vars[name] = value
		env = append(env, name+"="+value)
	}
	command := words(container, vars)
	for i, w := range command {
		command[i] = strings.Replace(w, "/scripts/", g.dir+"/scripts/", 1)
	}
	path := command[0]
	if !strings.Contains(path, "/") {
		path = filepath.Join(g.dir, "bin", path)
	}
	cmd := exec.Command(path, command[1:]...)
	cmd.Dir, cmd.Env = g.dir, append(env, more...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	return cmd
}

// run starts all pods and returns what each printed, and its exit code.
func (g group) run(size int, more ...string) (out []string, codes []int) {
	g.t.Helper()
	pods, texts := make([]*exec.Cmd, size), make([]strings.Builder, size)
	for i := range pods {
		pods[i] = g.pod(i, more...)
		pods[i].Stdout, pods[i].Stderr = &texts[i], &texts[i]
		if err := pods[i].Start(); err != nil {
			g.t.Fatal(err)
		}
		group := pods[i].Process.Pid
		g.t.Cleanup(func() { _ = syscall.Kill(-group, syscall.SIGKILL) })
	}
	for i, pod := range pods {
		_ = pod.Wait()
		if i == 0 { // with its leader a Ray cluster ends
			_ = exec.Command("rm", "-f", filepath.Join(g.dir, "alive-"+g.address(0))).Run()
		}
		codes = append(codes, pod.ProcessState.ExitCode())
		out = append(out, texts[i].String())
	}
	return out, codes
}

// TestMultiNode: vLLM on each node is told how many there are, which one it is and where the
// first is, in every life of the group; and only the first one serves.
func TestMultiNode(t *testing.T) {
	t.Parallel()
	g := newGroup(t, 90, "{gpu: {count: 8}, multiNode: {nodes: 3}}")
	for _, exit := range []int{0, 7, 0} {
		out, codes := g.run(3, "VLLM_EXIT="+strconv.Itoa(exit))
		for i, text := range out {
			want := fmt.Sprintf("--tensor-parallel-size=8 --pipeline-parallel-size=3 --shutdown-timeout=60 --nnodes=3 --node-rank=%d --master-addr=127.0.90.11", i)
			if !strings.Contains(text, want) || strings.Contains(text, "--headless") != (i > 0) || codes[i] != exit {
				t.Errorf("node %d: exit code %d, %s", i, codes[i], text)
			}
		}
	}
}

// TestMultiNodeRay: the leader serves when all nodes have joined, and not before; its
// arguments reach vLLM as they are, and the others end with it, so that the group starts
// again, which it can.
func TestMultiNodeRay(t *testing.T) {
	t.Parallel()
	g := newGroup(t, 91, `{gpu: {count: 8}, multiNode: {nodes: 3, backend: ray}, engine: {extraArgs: ["--a=b c", "--d=$e"]}}`)
	for range 2 {
		out, codes := g.run(3)
		if !strings.Contains(out[0], "--distributed-executor-backend=ray --a=b c --d=$e") || strings.Contains(out[0], "headless") || codes[0] != 0 {
			t.Errorf("leader: exit code %d, %s", codes[0], out[0])
		}
		for i := 1; i < 3; i++ {
			if !strings.Contains(out[i], "ray start --address=127.0.91.11:6379 --node-ip-address="+g.address(i)) || codes[i] != 1 {
				t.Errorf("worker %d: exit code %d, %s", i, codes[i], out[i])
			}
		}
	}
}

// TestMultiNodeRayTimeout: nodes that do not come are no reason to serve with fewer, nor to
// wait for ever.
func TestMultiNodeRayTimeout(t *testing.T) {
	t.Parallel()
	g := newGroup(t, 92, "{gpu: {count: 8}, multiNode: {nodes: 3, backend: ray}}")
	out, codes := g.run(2, "JOIN_TIMEOUT_SECONDS=3")
	if codes[0] == 0 || strings.Contains(out[0], "vllm") || !strings.Contains(out[0], "2 of 3 nodes joined in 3 s") {
		t.Errorf("leader: exit code %d, %s", codes[0], out[0])
	}
}

// TestMultiNodeRayAlone: a worker without a leader ends, too.
func TestMultiNodeRayAlone(t *testing.T) {
	t.Parallel()
	worker := newGroup(t, 93, "{gpu: {count: 8}, multiNode: {nodes: 3, backend: ray}}").pod(1, "JOIN_TIMEOUT_SECONDS=1")
	text, err := worker.CombinedOutput()
	if err == nil || !strings.Contains(string(text), "no Ray at 127.0.93.11:6379 after 1 s") {
		t.Errorf("%v, %s", err, text)
	}
}
