// SPDX-License-Identifier: Apache-2.0

package golden_test

import (
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"kilter.dev/kilter/internal/blueprint"
	"kilter.dev/kilter/internal/manifest"
)

// server is a vLLM server in miniature on a clock of its own: it answers 503 while it
// loads, then 200; after SIGTERM it takes no new request and ends when those in flight
// have ended, at the latest after its shutdown timeout.
type server struct {
	now, loaded int // seconds since the container's start
	stopping    bool
	requests    chan *request // those that have arrived
	*httptest.Server
}

// request is one that takes until a second of the server's clock.
type request struct {
	ends int
	done chan bool // true: answered; false: cut off
}

func newServer(t *testing.T, load int) *server {
	s := &server{loaded: load, requests: make(chan *request, 1)}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if s.now < s.loaded || s.stopping {
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		if takes := r.URL.Query().Get("seconds"); takes != "" {
			n, _ := strconv.Atoi(takes)
			running := &request{ends: s.now + n, done: make(chan bool)}
			s.requests <- running
			if !<-running.done {
				panic(http.ErrAbortHandler)
			}
		}
	}))
	t.Cleanup(s.Close)
	return s
}

// ask sends a request that takes some seconds. It returns when the server works on it;
// answered then waits for the client's side of it.
func (s *server) ask(seconds int) (running *request, answered func() bool) {
	result := make(chan bool)
	go func() {
		resp, err := http.Get(s.URL + "/v1/completions?seconds=" + strconv.Itoa(seconds))
		if err == nil {
			resp.Body.Close()
		}
		result <- err == nil && resp.StatusCode == http.StatusOK
	}()
	return <-s.requests, func() bool { return <-result }
}

// stop is kubelet's part of a stop, at second 0 of which the pod is deleted: SIGTERM after
// preStop, SIGKILL at the end of the grace period. The engine leaves when the running
// request has ended, or cuts it off when it has waited its shutdown timeout. stop returns
// the second at which the engine would leave.
func (s *server) stop(sigterm, waits, sigkill int, running *request) (left int) {
	s.now, s.stopping = sigterm, true
	left = max(sigterm, min(running.ends, sigterm+waits))
	s.now = min(left, sigkill)
	running.done <- s.now >= running.ends
	return left
}

// probe asks as kubelet does, at the given second.
func (s *server) probe(t *testing.T, p *manifest.Node, now int) bool {
	t.Helper()
	s.now = now
	resp, err := http.Get(s.URL + p.Get("httpGet", "path").Text())
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	return resp.StatusCode < 400
}

func seconds(t *testing.T, n *manifest.Node, path ...string) int {
	t.Helper()
	v, ok := n.Get(path...).Value.(int64)
	if !ok {
		t.Fatalf("no integer at %s", strings.Join(path, "."))
	}
	return int(v)
}

// start is kubelet's part of a start: it returns the second at which the startup probe
// succeeded, or the one at which the container was killed. Liveness and readiness begin
// only after success.
func start(t *testing.T, c *manifest.Node, s *server) (at int, alive bool) {
	t.Helper()
	p := c.Get("startupProbe")
	period, failures := seconds(t, p, "periodSeconds"), 0
	for at = 0; ; at += period { // the first probe comes at the very start
		if s.probe(t, p, at) {
			return at, true
		}
		if failures++; failures >= seconds(t, p, "failureThreshold") {
			return at, false
		}
	}
}

// vllm returns the blueprint of the profile.
func vllm(t *testing.T) *blueprint.Blueprint {
	t.Helper()
	for _, b := range blueprints(t) {
		if b.Profile.Name == "vllm-inference" {
			return b
		}
	}
	t.Fatal("no profile vllm-inference")
	return nil
}

// serving returns the object that holds the server, and its container.
func serving(t *testing.T, b *blueprint.Blueprint, values *manifest.Node) (object *manifest.Object, container *manifest.Node) {
	t.Helper()
	checked, errs := b.Params.Check(values)
	if err := errs.Err(); err != nil {
		t.Fatal(err)
	}
	objects, err := b.Render(blueprint.Workload{Name: release, Namespace: namespace, Values: checked})
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range objects {
		if o.Kind == "Deployment" || o.Kind == "StatefulSet" {
			return o, o.Get("spec", "template", "spec", "containers", "0")
		}
	}
	t.Fatal("no workload")
	return nil, nil
}

func group(fields ...manifest.Field) *manifest.Node { return manifest.NewMap(fields...) }

func number(key string, n int) manifest.Field {
	return manifest.Field{Key: key, Value: manifest.NewInt(int64(n))}
}

// timing draws the parameters that decide about time.
func timing(t *rapid.T) (load, preStop, drain, spare, minReady int, values *manifest.Node) {
	load = rapid.IntRange(60, 14400).Draw(t, "load")
	preStop = rapid.IntRange(0, 600).Draw(t, "preStop")
	drain = rapid.IntRange(0, 7200).Draw(t, "drain")
	spare = rapid.IntRange(0, 2).Draw(t, "spare")
	minReady = rapid.IntRange(0, 3600).Draw(t, "minReady")
	return load, preStop, drain, spare, minReady, group(
		manifest.Field{Key: "startup", Value: group(number("loadBudgetSeconds", load))},
		manifest.Field{Key: "shutdown", Value: group(number("preStopSeconds", preStop), number("drainSeconds", drain))},
		manifest.Field{Key: "rollout", Value: group(number("spareGpus", spare), number("minReadySeconds", minReady))},
	)
}

// TestStart: a server that loads as long as its budget allows is never killed, neither by
// the startup probe nor by the others; one that loads much longer is.
func TestStart(t *testing.T) {
	b := vllm(t)
	rapid.Check(t, func(r *rapid.T) {
		load, _, _, _, _, values := timing(r)
		_, c := serving(t, b, values)
		s := newServer(t, load)
		up, alive := start(t, c, s)
		if !alive {
			r.Fatalf("killed at %d s while loading within its budget of %d s", up, load)
		}
		for _, name := range []string{"livenessProbe", "readinessProbe"} {
			p := c.Get(name)
			for i := range 3 {
				if now := up + i*seconds(t, p, "periodSeconds"); !s.probe(t, p, now) {
					r.Fatalf("%s fails at %d s, after the start", name, now)
				}
			}
		}
		if up, alive := start(t, c, newServer(t, load+2*seconds(t, c, "startupProbe", "periodSeconds")+1)); alive {
			r.Fatalf("a server that loads longer than its budget of %d s is taken for started at %d s", load, up)
		}
	})
}

// TestDrain: a request that arrives in the last moment before SIGTERM, because some proxy
// has not yet heard of the pod's end, and takes all of the drain time is answered, and the
// engine has left before SIGKILL, with seconds to spare; a longer one is cut off by the
// engine and not by SIGKILL. After SIGTERM there are no new ones.
func TestDrain(t *testing.T) {
	b := vllm(t)
	rapid.Check(t, func(r *rapid.T) {
		_, preStop, drain, _, _, values := timing(r)
		o, c := serving(t, b, values)
		sigterm := 0
		if sleep := c.Get("lifecycle", "preStop", "sleep"); sleep != nil {
			sigterm = seconds(t, sleep, "seconds")
		}
		if sigterm != preStop {
			r.Fatalf("SIGTERM after %d s, not after preStopSeconds %d", sigterm, preStop)
		}
		sigkill := seconds(t, o.Node, "spec", "template", "spec", "terminationGracePeriodSeconds")
		waits := argument(t, c, "--shutdown-timeout=")
		for _, takes := range []int{0, drain, drain + 1, drain + sigkill} {
			s := newServer(t, 0)
			s.now = sigterm
			running, answered := s.ask(takes)
			left := s.stop(sigterm, waits, sigkill, running)
			if got := answered(); got != (takes <= drain) {
				r.Fatalf("a request of %d s with %d s to drain: answered is %t", takes, drain, got)
			}
			if slack := sigkill - left; slack < 10 {
				r.Fatalf("SIGKILL %d s after the engine has left", slack)
			}
			if s.probe(t, c.Get("readinessProbe"), s.now) {
				r.Fatal("takes requests after SIGTERM")
			}
			s.Close()
		}
	})
}

// argument returns the number behind an argument of the container.
func argument(t *testing.T, c *manifest.Node, name string) int {
	t.Helper()
	for _, arg := range c.Get("args").Items {
		if text, ok := strings.CutPrefix(arg.Text(), name); ok {
			n, err := strconv.Atoi(text)
			if err != nil {
				t.Fatal(err)
			}
			return n
		}
	}
	t.Fatalf("no argument %s", name)
	return 0
}

// TestProgressDeadline: the slowest legal step of a rollout ends before the Deployment is
// called stuck: a new node, the image, the wait for a shared model, the load,
// minReadySeconds, and before all that the old pod's grace period where no pod may be added.
func TestProgressDeadline(t *testing.T) {
	const node, pull = 600, 600
	b := vllm(t)
	rapid.Check(t, func(r *rapid.T) {
		load, _, _, spare, minReady, values := timing(r)
		wait := 0
		if rapid.Bool().Draw(r, "shared") {
			wait = rapid.IntRange(60, 86400).Draw(r, "wait")
			mode := manifest.Field{Key: "mode", Value: manifest.NewString("shared")}
			values.Set("modelCache", group(mode, number("prefillTimeoutSeconds", wait)))
		}
		o, c := serving(t, b, values)
		up, _ := start(t, c, newServer(t, load))
		step := wait + node + pull + up + seconds(t, c, "readinessProbe", "periodSeconds") + minReady
		if seconds(t, o.Node, "spec", "strategy", "rollingUpdate", "maxSurge") == 0 {
			step += seconds(t, o.Node, "spec", "template", "spec", "terminationGracePeriodSeconds")
		} else if spare == 0 {
			r.Fatal("a surge without a spare GPU")
		}
		if deadline := seconds(t, o.Node, "spec", "progressDeadlineSeconds"); deadline <= step {
			r.Fatalf("deadline %d s, slowest step %d s", deadline, step)
		}
	})
}
