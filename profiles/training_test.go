// SPDX-License-Identifier: Apache-2.0

package profiles_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"kilter.dev/kilter/internal/manifest"
)

// What the training profiles promise of ranks, restarts and ends is tried on the rendered
// commands, with stubs for the launchers.

// forms are the parameters of every way to start ranks.
var forms = []string{
	"{framework: torch, nodes: 2, gpu: {count: 2}, script: train, module: true}",
	"{framework: torch, nodes: 3, elastic: {minNodes: 2}, gpu: {count: 2}}",
	"{framework: deepspeed, nodes: 2, gpu: {count: 3}}",
	"{framework: deepspeed}",
	"{framework: accelerate, nodes: 2, gpu: {count: 2}}",
	"{framework: accelerate, gpu: {count: 0}}",
	"{runtime: jobset, framework: torch, nodes: 2, gpu: {count: 2}}",
	"{runtime: jobset, framework: deepspeed, nodes: 2, gpu: {count: 2}, script: train, module: true}",
	"{runtime: statefulset, framework: torch, nodes: 2, gpu: {count: 2}}",
}

// with adds parameters to those in braces.
func with(form, more string) string { return strings.TrimSuffix(form, "}") + ", " + more + "}" }

const resuming = "args: [--epochs=3], checkpoint: {resumeArgs: [--resume, latest], pattern: 'checkpoint-*'}"

// TestTrainingRanks: every rank of the world starts once, knows its number on its node, and
// is told of the same master: the host with index 0, by the name that DNS has for it.
func TestTrainingRanks(t *testing.T) {
	for _, form := range forms {
		t.Run(form, func(t *testing.T) {
			t.Parallel()
			g := newGang(t, "deepspeed-training", with(form, resuming))
			codes, ranks := g.run("0")
			if slices.Max(codes) != 0 {
				t.Errorf("the pods end with %v", codes)
			}
			slices.SortFunc(ranks, func(a, b said) int { return a.Rank - b.Rank })
			var want []said
			for i := range g.ranks() {
				s := said{Rank: i, World: g.ranks(), Local: i % (g.ranks() / g.size()), Master: g.master + g.service, Port: "29500", Epochs: "3"}
				want = append(want, s)
			}
			if diff := cmp.Diff(want, ranks); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestTrainingStop: SIGTERM for a container's first process reaches every rank, which saves
// a checkpoint; the next start resumes, and so does every later one.
func TestTrainingStop(t *testing.T) {
	for _, form := range forms {
		t.Run(form, func(t *testing.T) {
			t.Parallel()
			g := newGang(t, "deepspeed-training", with(form, resuming))
			for attempt, want := range []string{"", "latest", "latest"} {
				g.newRendezvous()
				codes, ranks := g.run([]string{"wait", "wait", "0"}[attempt])
				if (slices.Min(codes) == 0) == (attempt < 2) {
					t.Errorf("attempt %d: the pods end with %v", attempt, codes)
				}
				for _, r := range ranks {
					if r.Resume != want || r.Epochs != "3" {
						t.Errorf("attempt %d: rank %d resumes from %q, not %q; epochs %s", attempt, r.Rank, r.Resume, want, r.Epochs)
					}
				}
			}
		})
	}
}

// TestTrainingExitCodes: a program's exit code is that of its container, whatever the
// launcher makes of it, and decides what Kubernetes does.
func TestTrainingExitCodes(t *testing.T) {
	const count, again, end = "count", "again", "end"
	for _, form := range forms {
		if strings.Contains(form, "statefulset") {
			continue
		}
		t.Run(form, func(t *testing.T) {
			t.Parallel()
			g := newGang(t, "deepspeed-training", with(form, "maxRestarts: 2, exitCodes: {fatal: 3, requeue: 85}"))
			for code, want := range map[int]string{1: count, 139: count, 2: end, 127: end, 3: end, 85: again} {
				g.newRendezvous()
				codes, _ := g.run(strconv.Itoa(code))
				if !slices.Contains(codes, code) {
					t.Errorf("the program ends with %d, the pods with %v", code, codes)
				}
				if got := g.verdict(code, false); got != want {
					t.Errorf("exit code %d: %s, not %s", code, got, want)
				}
			}
			for _, code := range []int{1, 2, 3, 85, 137, 143} {
				if got := g.verdict(code, true); got != again {
					t.Errorf("a disruption with exit code %d: %s", code, got)
				}
			}
			if n := g.retries(); n != 2 {
				t.Errorf("%d failures are forgiven, not 2", n)
			}
		})
	}
}

// newRendezvous lets the ranks of a stub's elastic group begin anew.
func (g *gang) newRendezvous() {
	g.t.Helper()
	taken, err := filepath.Glob(filepath.Join(g.dir, "demo-*"))
	if err != nil {
		g.t.Fatal(err)
	}
	for _, file := range taken {
		if err := os.Remove(file); err != nil {
			g.t.Fatal(err)
		}
	}
}

// verdict is what the Job controller, and then the JobSet's, do when a pod fails: count it
// against the retries, start it again, or end the run. The first rule that meets it decides.
func (g *gang) verdict(code int, disrupted bool) string {
	message, matched := "", ""
	for _, r := range g.job.Get("podFailurePolicy", "rules").Items {
		if condition := r.Get("onPodConditions", "0", "type"); condition != nil && disrupted {
			matched, message = r.Get("action").Text(), "Pod apps/a has condition "+condition.Text()+" matching FailJob rule at index 0"
			break
		}
		if slices.ContainsFunc(items(r.Get("onExitCodes", "values")), func(n *manifest.Node) bool { return n.Value == int64(code) }) {
			matched = r.Get("action").Text()
			message = fmt.Sprintf("Container trainer for pod apps/a failed with exit code %d matching FailJob rule at index 1", code)
			break
		}
	}
	switch {
	case matched == "":
		return "count"
	case matched == "Ignore":
		return "again"
	}
	for _, r := range items(g.object.Get("spec", "failurePolicy", "rules")) {
		patterns := items(r.Get("onJobFailureMessagePatterns"))
		meets := func(p *manifest.Node) bool { return strings.Contains(message, p.Text()) }
		if len(patterns) == 0 || slices.ContainsFunc(patterns, meets) {
			return map[string]string{"FailJobSet": "end", "RestartJobSetAndIgnoreMaxRestarts": "again"}[r.Get("action").Text()]
		}
	}
	return "end"
}

// retries is how many failures of one pod do not end the run.
func (g *gang) retries() int64 {
	if n := g.object.Get("spec", "failurePolicy", "maxRestarts"); n != nil {
		return n.Value.(int64)
	}
	return g.job.Get("backoffLimitPerIndex").Value.(int64)
}

// TestTrainingWaits: a pod waits for the name of the master, but not for ever.
func TestTrainingWaits(t *testing.T) {
	t.Parallel()
	g := newGang(t, "deepspeed-training", "{framework: torch}")
	g.write("hosts", "")
	g.write("do", "0")
	g.write("said", "")
	start := time.Now()
	late := g.start(0)
	if code := late.code(); code == 0 || time.Since(start) < 2*time.Second {
		t.Errorf("without a master it ends after %v: %d", time.Since(start), code)
	}
	patient := g.start(0)
	time.Sleep(300 * time.Millisecond)
	g.write("hosts", g.master+g.service)
	if code := patient.code(); code != 0 || len(g.said()) != 1 {
		t.Errorf("with a master that comes late: %d, %d ranks", code, len(g.said()))
	}
}
