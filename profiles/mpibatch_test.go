// SPDX-License-Identifier: Apache-2.0

package profiles_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// tells is a program that says who it is, and ends with the code that is asked for.
const tells = `command: [/bin/sh, -c, 'echo "rank ${OMPI_COMM_WORLD_RANK-${PMI_RANK-$RANK}} of ${OMPI_COMM_WORLD_SIZE-${PMI_SIZE-$WORLD_SIZE}} local ${OMPI_COMM_WORLD_LOCAL_RANK-${MPI_LOCALRANKID-$LOCAL_RANK}}, $MASTER_ADDR:$MASTER_PORT $*" >>"$STUB/said"; exit "$(cat "$STUB/code")"', program], args: [--step, "$(NNODES)"]`

// TestRankEnv: every pod knows its rank, the world and the master, the same after each
// restart, and its exit code is the program's.
func TestRankEnv(t *testing.T) {
	t.Parallel()
	n := newNodes(t, 50, "{nodes: 3, "+tells+"}")
	for _, code := range []int{1, 139, 85, 0} {
		n.write("code", fmt.Sprint(code))
		n.write("said", "")
		var want []string
		for i := range n.size() {
			if got := n.start(i).code(); got != code {
				t.Errorf("the program ends with %d, node %d with %d\n%s", code, i, got, n.read("log"))
			}
			want = append(want, fmt.Sprintf("rank %d of 3 local 0, %s-0.demo.apps.svc:29500 --step 3", i, n.jobName()))
		}
		if diff := cmp.Diff(want, strings.Split(strings.TrimSpace(n.read("said")), "\n")); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
}

// TestRankEnvWaits: a node waits for the master's name, but not for ever, and not when it
// is told to stop.
func TestRankEnvWaits(t *testing.T) {
	t.Parallel()
	n := newNodes(t, 51, "{"+tells+"}")
	n.write("code", "0")
	n.publish(0)
	if code := n.start(1, "RENDEZVOUS_SECONDS=1").code(); code != 1 || !strings.Contains(n.read("log"), "rank 1: no address of "+n.jobName()+"-0.demo.apps.svc in 1 seconds") {
		t.Errorf("without a master it ends with %d\n%s", code, n.read("log"))
	}
	stopped := n.start(1)
	time.Sleep(200 * time.Millisecond)
	if err := stopped.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if code := stopped.code(); code != 143 {
		t.Errorf("stopped, it ends with %d", code)
	}
	late := n.start(1)
	time.Sleep(200 * time.Millisecond)
	n.publish(1)
	if code := late.code(); code != 0 {
		t.Errorf("with a master that comes late it ends with %d\n%s", code, n.read("log"))
	}
}

// newMPI is newNodes with keys, and with the machine's mpirun of a name.
func newMPI(t *testing.T, net int, mpirun, params string) *nodes {
	t.Helper()
	need(t, "openssh-server openmpi-bin mpich", "/usr/sbin/sshd", "/usr/bin/ssh", "/usr/bin/"+mpirun)
	t.Parallel()
	n := newNodes(t, net, "{mode: ssh-launcher, ssh: {existingSecret: key}, "+params+"}")
	n.write("bin/mpirun", "#!/bin/sh\nexport OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1\nexec "+mpirun+" \"$@\"\n")
	if out, err := exec.Command("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", filepath.Join(n.dir, "key")).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if os.Getuid() == 0 { // sshd of root wants its folder
		if err := os.Mkdir("/run/sshd", 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
			t.Fatal(err)
		}
	}
	return n
}

// TestSSHLauncher: the machine's mpirun starts each rank once, two on a node, through sshd,
// again after each restart, and node 0 ends as the program does. The others run on until
// they are told to stop.
func TestSSHLauncher(t *testing.T) {
	for i, c := range []struct{ implementation, mpirun string }{{"OpenMPI", "mpirun.openmpi"}, {"MPICH", "mpirun.mpich"}} {
		t.Run(c.implementation, func(t *testing.T) {
			n := newMPI(t, 60+i, c.mpirun, "nodes: 3, slotsPerWorker: 2, mpi: {implementation: "+c.implementation+"}, "+tells)
			workers := []*process{n.start(1), n.start(2)}
			for _, code := range []int{7, 0} {
				n.write("code", fmt.Sprint(code))
				n.write("said", "")
				launcher := n.start(0)
				if got := launcher.code(); got != code {
					t.Errorf("the program ends with %d, node 0 with %d\n%s", code, got, n.read("log"))
				}
				launcher.signal(syscall.SIGKILL) // its sshd ends with the container
				if code != 0 {
					continue // ranks that fail may end others before they speak
				}
				var want []string
				for r := range 6 {
					want = append(want, fmt.Sprintf("rank %d of 6 local %d, : --step 3", r, r%2))
				}
				got := strings.Split(strings.TrimSpace(n.read("said")), "\n")
				slices.Sort(got)
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("(-want +got):\n%s\n%s", diff, n.read("log"))
				}
			}
			for _, w := range workers {
				if w.ended() {
					t.Errorf("a worker has ended\n%s", n.read("log"))
				} else if err := w.cmd.Process.Signal(syscall.SIGTERM); err != nil || w.code() != 143 {
					t.Errorf("a worker that is stopped ends with %d", w.code())
				}
			}
		})
	}
}

// TestSSHLauncherWaits: the launcher waits for a node that is not there, but not for ever,
// and a stranger's key opens nothing.
func TestSSHLauncherWaits(t *testing.T) {
	n := newMPI(t, 65, "mpirun.openmpi", tells)
	if code := n.start(0, "RENDEZVOUS_SECONDS=2").code(); code != 1 || !strings.Contains(n.read("log"), "launcher: "+n.jobName()+"-1.demo.apps.svc does not answer in 2 seconds") {
		t.Errorf("alone it ends with %d\n%s", code, n.read("log"))
	}
	n.start(1)
	if out, err := exec.Command("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", filepath.Join(n.dir, "other")).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	stranger := n.pod(0, "RENDEZVOUS_SECONDS=2", "KEY_FILE="+n.dir+"/other")
	if err := stranger.Run(); err == nil || stranger.ProcessState.ExitCode() != 1 {
		t.Errorf("with another key: %v", err)
	}
}
