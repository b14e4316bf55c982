// SPDX-License-Identifier: Apache-2.0

package profiles_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"kilter.dev/kilter/internal/manifest"
)

// nodes are the pods of a rendered Job of profile mpi-batch, as processes: they run its
// command and environment; only addresses and folders differ.
type nodes struct {
	t   *testing.T
	dir string
	job *manifest.Node
	net int // the third byte of the pods' addresses, 127.0.x.y
}

// nodePrograms stand between the nodes and the machine. STUB/names is the DNS.
var nodePrograms = map[string]string{
	"getent": `grep -q "^Host $2\$" "$STUB/names"`,
	"ssh": `config=$2; shift 2
cat "$STUB/names" "$config" >"$RUN_DIR/config.$$"
exec /usr/bin/ssh -F "$RUN_DIR/config.$$" "$@"`,
	"sshd": `exec /usr/sbin/sshd -o "ListenAddress=$ADDRESS" "$@"`,
}

func newNodes(t *testing.T, net int, params string) *nodes {
	t.Helper()
	n := &nodes{t: t, dir: t.TempDir(), net: net}
	objects := renderProfile(t, "mpi-batch", "demo", params)
	for id, o := range objects {
		if strings.HasPrefix(id, "Job/") {
			n.job = o
		}
	}
	n.write("scripts/start.sh", objects["ConfigMap/demo-scripts"].Get("data", "start.sh").Text())
	for name, text := range nodePrograms {
		n.write("bin/"+name, "#!/bin/sh\n"+text+"\n")
	}
	n.publish(n.size())
	return n
}

func (n *nodes) size() int { return int(n.job.Get("spec", "completions").Value.(int64)) }

func (n *nodes) write(name, text string) {
	n.t.Helper()
	write(n.t, filepath.Join(n.dir, name), text)
}

func (n *nodes) read(name string) string {
	n.t.Helper()
	text, err := os.ReadFile(filepath.Join(n.dir, name))
	if err != nil {
		n.t.Fatal(err)
	}
	return string(text)
}

func (n *nodes) jobName() string { return n.job.Get("metadata", "name").Text() }

func (n *nodes) address(index int) string { return fmt.Sprintf("127.0.%d.%d", n.net, 11+index) }

// publish gives the first pods their names.
func (n *nodes) publish(count int) {
	names := ""
	for i := range count {
		names += fmt.Sprintf("Host %s-%d.demo.apps.svc\nHostName %s\n", n.jobName(), i, n.address(i))
	}
	n.write("names", names)
}

// field is what the downward API gives a pod.
func (n *nodes) field(path string, index int) string {
	switch path {
	case "metadata.namespace":
		return "apps"
	case "metadata.labels['batch.kubernetes.io/job-name']":
		return n.jobName()
	case "metadata.annotations['batch.kubernetes.io/job-completion-index']":
		return strconv.Itoa(index)
	}
	n.t.Fatalf("no field %s", path)
	return ""
}

// pod is the container of the pod with an index, as kubelet makes it.
func (n *nodes) pod(index int, more ...string) *exec.Cmd {
	n.t.Helper()
	c := n.job.Get("spec", "template", "spec", "containers", "0")
	own, vars := environment(c, func(path string) string { return n.field(path, index) })
	env := append([]string{"PATH=" + n.dir + "/bin:/usr/bin:/bin", "STUB=" + n.dir, "ADDRESS=" + n.address(index)}, own...)
	env = append(env, "RUN_DIR="+n.dir+"/run-"+strconv.Itoa(index), "KEY_FILE="+n.dir+"/key")
	command := words(c, vars)
	for i, w := range command {
		command[i] = strings.Replace(w, "/scripts/", n.dir+"/scripts/", 1)
	}
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Dir, cmd.Env = n.dir, append(env, more...)
	return cmd
}

// start starts the pod with an index; its output is in the file log.
func (n *nodes) start(index int, more ...string) *process {
	n.t.Helper()
	p := run(n.t, n.pod(index, more...), filepath.Join(n.dir, "log"))
	n.t.Cleanup(func() { p.terminate() })
	return p
}
