// SPDX-License-Identifier: Apache-2.0

package workload

import (
	"math"

	"kilter.dev/kilter/internal/manifest"
)

// Control says what owns pods, as far as a PodDisruptionBudget cares.
type Control int

// The kinds of control.
const (
	Scaled   Control = iota // by something with a scale subresource: Deployment, StatefulSet, …
	Unscaled                // by something without: Job, DaemonSet, SparkApplication
	Bare                    // by nothing
)

// count is how many pods a workload has.
type count struct {
	replicas int64 // that the object asks for; 1 where it does not say
	written  bool  // whether it says
	perUnit  int64 // pods of a replica
	first    int64 // the ordinal of the first pod, of each group of a LeaderWorkerSet
	known    bool  // false: depends on the cluster
	control  Control
}

// now is the number of pods without autoscaling.
func (c count) now() int { return pods(c.replicas, c.perUnit) }

func pods(replicas, perUnit int64) int {
	return int(min(max(replicas, 0)*max(perUnit, 0), math.MaxInt32))
}

// counted reads the numbers of the object.
func (w *workload) counted() count {
	o := w.entry.object
	replicas := o.Get("spec", "replicas")
	c := count{replicas: integer(replicas, 1), written: !isNull(replicas), perUnit: 1, known: true}
	switch w.entry.group + "/" + o.Kind {
	case "apps/StatefulSet":
		c.first = integer(o.Get("spec", "ordinals", "start"), 0)
	case "apps/DaemonSet":
		c.control, c.known, c.written, c.replicas = Unscaled, false, false, 0
	case "batch/Job", "batch/CronJob":
		c = count{replicas: 1, perUnit: jobPods(w.jobSpec()), known: true, control: Unscaled}
		if truth(o.Get("spec", "suspend")) {
			c.replicas = 0
		}
	case "/Pod":
		c = count{replicas: 1, perUnit: 1, known: true, control: Bare}
	case "jobset.x-k8s.io/JobSet":
		job := o.Get(w.part.path[:len(w.part.path)-1]...)
		c = count{replicas: integer(job.Get("replicas"), 1), perUnit: jobPods(w.jobSpec()), known: true, control: Unscaled}
		if truth(o.Get("spec", "suspend")) {
			c.replicas = 0
		}
	case "leaderworkerset.x-k8s.io/LeaderWorkerSet":
		c.first, c.perUnit = groupPods(o.Get("spec", "leaderWorkerTemplate"), w.part.template[0])
	case "sparkoperator.k8s.io/SparkApplication", "sparkoperator.k8s.io/ScheduledSparkApplication":
		instances := o.Get(append(w.part.path[:len(w.part.path):len(w.part.path)], "instances")...)
		c = count{replicas: integer(instances, 1), perUnit: 1, known: true, control: Unscaled}
	}
	return c
}

// jobPods is how many pods of a Job run at once.
func jobPods(spec *manifest.Node) int64 {
	if truth(spec.Get("suspend")) {
		return 0
	}
	parallelism := integer(spec.Get("parallelism"), 1)
	return min(parallelism, integer(spec.Get("completions"), parallelism))
}

// groupPods is which pods of a group of a LeaderWorkerSet a template makes. Without a
// template of its own the leader, which is the first, has the workers' one.
func groupPods(spec *manifest.Node, template string) (first, n int64) {
	switch size := integer(spec.Get("size"), 1); {
	case template == "leaderTemplate":
		return 0, 1
	case isNull(spec.Get("leaderTemplate")):
		return 0, size
	default:
		return 1, size - 1
	}
}

// Scale is how many pods a workload has, and may have.
type Scale struct {
	// Replicas is the number in the end: what the object asks for, and 1 where it does not
	// say, within the bounds of its autoscaler.
	Replicas int
	// Min and Max are the bounds of the autoscaler, of all of them when there are several,
	// and Replicas without one.
	Min, Max int
	// Autoscaled says that a HorizontalPodAutoscaler or KEDA ScaledObject targets it.
	Autoscaled bool
	// Written says that the object sets its replicas.
	Written bool
}

// scale returns the numbers of a workload.
func (w *workload) scale() Scale {
	c := w.count
	s := Scale{Replicas: c.now(), Written: c.written}
	s.Min, s.Max = s.Replicas, s.Replicas
	if c.control != Scaled {
		return s
	}
	for i, e := range w.entry.autoscalers {
		lowest, highest := e.bounds()
		if i == 0 {
			s.Min, s.Max, s.Autoscaled = pods(lowest, c.perUnit), pods(highest, c.perUnit), true
		}
		s.Min, s.Max = min(s.Min, pods(lowest, c.perUnit)), max(s.Max, pods(highest, c.perUnit))
	}
	if s.Autoscaled && s.Replicas > 0 { // replicas 0 turns a HorizontalPodAutoscaler off
		s.Replicas = max(min(s.Replicas, s.Max), s.Min)
	}
	return s
}

// bounds are the fewest and most replicas of an autoscaler.
func (e *entry) bounds() (lowest, highest int64) {
	spec := e.object.Get("spec")
	if !e.isScaledObject() {
		lowest = integer(spec.Get("minReplicas"), 1)
		return lowest, integer(spec.Get("maxReplicas"), lowest)
	}
	// KEDA's defaults: github.com/kedacore/keda/apis/keda/v1alpha1/scaledobject_types.go.
	lowest = integer(spec.Get("minReplicaCount"), 0)
	return min(lowest, integer(spec.Get("idleReplicaCount"), lowest)), integer(spec.Get("maxReplicaCount"), 100)
}

func isNull(n *manifest.Node) bool { return n == nil || n.Shape == manifest.Null }

// integer returns the value of an Int node, clamped to 32 bits, fallback for others.
func integer(n *manifest.Node, fallback int64) int64 {
	if n == nil {
		return fallback
	}
	i, ok := n.Value.(int64)
	if !ok {
		return fallback
	}
	return min(max(i, math.MinInt32), math.MaxInt32)
}

func truth(n *manifest.Node) bool { return n != nil && n.Value == true }
