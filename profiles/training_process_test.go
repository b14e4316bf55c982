// SPDX-License-Identifier: Apache-2.0

package profiles_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/tools/txtar"

	"kilter.dev/kilter/internal/manifest"
)

// gang is a training run: the pods that a rendered Job, JobSet or StatefulSet makes, as
// processes with the stubs instead of the launchers.
type gang struct {
	t       *testing.T
	dir     string         // what is in the container: /scripts, /checkpoints; and the stubs
	object  *manifest.Node // the Job, JobSet or StatefulSet
	job     *manifest.Node // the spec of the Job, nil for a StatefulSet
	pod     *manifest.Node // the pod template
	master  string         // the host name of the pod with index 0
	service string         // what follows the host name
}

// said is what one rank says of itself.
type said struct {
	Rank, World, Local           int
	Master, Port, Resume, Epochs string
}

func newGang(t *testing.T, profile, params string) *gang {
	t.Helper()
	need(t, "python3", "python3")
	g := &gang{t: t, dir: t.TempDir()}
	objects := renderProfile(t, profile, "demo", params)
	for _, f := range txtar.Parse([]byte(trainingStubs)).Files {
		g.write("lib/"+f.Name, string(f.Data))
	}
	for _, f := range objects["ConfigMap/demo-scripts"].Get("data").Fields {
		g.write("scripts/"+f.Key, f.Value.Text())
	}
	for id, o := range objects {
		name := o.Get("metadata", "name").Text()
		switch kind, _, _ := strings.Cut(id, "/"); kind {
		case "Job":
			g.object, g.job, g.master, g.service = o, o.Get("spec"), name+"-0", ".demo"
		case "CronJob":
			g.object, g.job, g.master, g.service = o, o.Get("spec", "jobTemplate", "spec"), name+"-29000000-0", ".demo"
		case "JobSet":
			g.object, g.job, g.master, g.service = o, o.Get("spec", "replicatedJobs", "0", "template", "spec"), name+"-node-0-0", "."+name
		case "StatefulSet":
			g.object, g.master, g.service = o, name+"-0", ".demo"
		}
	}
	g.pod = g.object.Get("spec", "template")
	if g.job != nil {
		g.pod = g.job.Get("template")
	}
	g.write("hosts", g.master+g.service)
	return g
}

func (g *gang) write(name, text string) {
	g.t.Helper()
	write(g.t, filepath.Join(g.dir, name), text)
}

// size is how many pods there are.
func (g *gang) size() int {
	n := g.object.Get("spec", "replicas")
	if g.job != nil {
		n = g.job.Get("completions")
	}
	return int(n.Value.(int64))
}

// field is what the downward API gives a pod with an index.
func (g *gang) field(path string, index int) string {
	switch path {
	case "metadata.labels['batch.kubernetes.io/job-name']", "metadata.labels['jobset.sigs.k8s.io/jobset-name']":
		return strings.TrimSuffix(strings.TrimSuffix(g.master, "-0"), "-node-0")
	case "metadata.annotations['batch.kubernetes.io/job-completion-index']", "metadata.labels['apps.kubernetes.io/pod-index']":
		return strconv.Itoa(index)
	case "status.podIP":
		return "10.0.0." + strconv.Itoa(index)
	}
	g.t.Fatalf("no field %s", path)
	return ""
}

// start starts the container of the pod with an index, as kubelet would.
func (g *gang) start(index int) *process {
	g.t.Helper()
	c := g.pod.Get("spec", "containers", "0")
	local := strings.NewReplacer("/scripts/", g.dir+"/scripts/", "/checkpoints/", g.dir+"/checkpoints/").Replace
	own, vars := environment(c, func(path string) string { return g.field(path, index) })
	env := []string{"PATH=" + os.Getenv("PATH"), "PYTHONPATH=" + g.dir + "/lib", "STUB=" + g.dir, "PYTHONDONTWRITEBYTECODE=1"}
	for _, e := range own {
		env = append(env, local(e))
	}
	command := words(c, vars)
	for i, w := range command {
		command[i] = local(w)
	}
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Dir, cmd.Env = filepath.Join(g.dir, "lib"), append(env, "RENDEZVOUS_SECONDS=2")
	return run(g.t, cmd, filepath.Join(g.dir, "log"))
}

// run runs all pods, in which rank 0 does as told, and returns their exit codes and what
// the ranks said.
func (g *gang) run(do string) (codes []int, ranks []said) {
	g.t.Helper()
	g.write("do", do)
	g.write("said", "")
	var pods []*process
	for i := range g.size() {
		pods = append(pods, g.start(i))
	}
	if do == "wait" {
		g.await(g.ranks())
		for _, p := range pods { // kubelet's SIGTERM is for the first process alone
			if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil {
				g.t.Error(err)
			}
		}
	}
	for _, p := range pods {
		codes = append(codes, p.code())
	}
	ranks = g.said()
	if g.t.Failed() {
		log, _ := os.ReadFile(filepath.Join(g.dir, "log"))
		g.t.Logf("%s", log)
	}
	return codes, ranks
}

// ranks is how many processes the pods have in all.
func (g *gang) ranks() int {
	for _, e := range g.pod.Get("spec", "containers", "0", "env").Items {
		if e.Get("name").Text() == "NPROC_PER_NODE" {
			n, _ := strconv.Atoi(e.Get("value").Text())
			return n * g.size()
		}
	}
	return 0
}

func (g *gang) await(ranks int) {
	g.t.Helper()
	for start := time.Now(); len(g.said()) < ranks; time.Sleep(20 * time.Millisecond) {
		if time.Since(start) > 30*time.Second {
			log, _ := os.ReadFile(filepath.Join(g.dir, "log"))
			g.t.Fatalf("only %d of %d ranks started\n%s", len(g.said()), ranks, log)
		}
	}
}

func (g *gang) said() []said {
	g.t.Helper()
	text, err := os.ReadFile(filepath.Join(g.dir, "said"))
	if err != nil {
		g.t.Fatal(err)
	}
	var ranks []said
	for line := range strings.Lines(string(text)) {
		var r said
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			g.t.Fatal(err)
		}
		ranks = append(ranks, r)
	}
	return ranks
}
