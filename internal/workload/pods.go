// SPDX-License-Identifier: Apache-2.0

package workload

import (
	"slices"
	"strconv"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/client-go/kubernetes/scheme"

	"kilter.dev/kilter/internal/manifest"
)

// workload is the pods that one template makes.
type workload struct {
	entry    *entry
	part     part
	template *manifest.Node
	labels   labels.Set // of all its pods; of a label that differs from pod to pod, that of some pod
	perPod   []string   // labels that differ from pod to pod by its ordinal
	count    count

	budgets, services []*entry // that select some of its pods
}

// Labels that controllers give to single pods.
const (
	podNameLabel         = appsv1.StatefulSetPodNameLabel
	podIndexLabel        = appsv1.PodIndexLabel
	completionIndexLabel = batchv1.JobCompletionIndexAnnotation
)

// newWorkload returns the pods of a part, nil when it makes none.
func newWorkload(e *entry, p part) *workload {
	if !p.hasPods || p.kind == "PodTemplate" && len(p.path) == 0 {
		return nil
	}
	w := &workload{entry: e, part: p, template: e.object.Get(append(slices.Clone(p.path), p.template...)...)}
	w.labels = labels.Merge(texts(w.template.Get("metadata", "labels")), w.given())
	w.count = w.counted()
	return w
}

// given are the labels that the controller adds to the pods, as far as they are known:
// hashes and UIDs are empty.
func (w *workload) given() labels.Set {
	name := w.entry.object.Name
	switch w.entry.group + "/" + w.entry.object.Kind {
	case "apps/Deployment":
		return labels.Set{appsv1.DefaultDeploymentUniqueLabelKey: ""}
	case "apps/DaemonSet":
		return labels.Set{appsv1.ControllerRevisionHashLabelKey: ""}
	case "apps/StatefulSet":
		w.perPod = []string{podNameLabel, podIndexLabel}
		return labels.Set{appsv1.ControllerRevisionHashLabelKey: "", podNameLabel: name + "-0", podIndexLabel: "0"}
	case "batch/Job":
		return w.jobLabels(name)
	case "batch/CronJob", "jobset.x-k8s.io/JobSet":
		return w.jobLabels("")
	case "leaderworkerset.x-k8s.io/LeaderWorkerSet":
		return labels.Set{"leaderworkerset.sigs.k8s.io/name": name}
	}
	return nil
}

// jobLabels are those of a Job's pods; its name may not be known.
func (w *workload) jobLabels(name string) labels.Set {
	set := labels.Set{
		batchv1.JobNameLabel: name, "job-name": name, batchv1.ControllerUidLabel: "", "controller-uid": "",
	}
	if w.jobSpec().Get("completionMode").Text() == string(batchv1.IndexedCompletion) {
		w.perPod = []string{completionIndexLabel}
		set[completionIndexLabel] = "0"
	}
	if w.entry.object.Kind == "JobSet" {
		set["jobset.sigs.k8s.io/jobset-name"] = w.entry.object.Name
	}
	return set
}

// jobSpec is that of the Jobs that make the pods, nil where no Job does.
func (w *workload) jobSpec() *manifest.Node {
	path, ok := View{Group: w.part.group, Kind: w.part.kind, part: w.part}.Root(jobSpecRoot)
	if !ok {
		return nil
	}
	return w.entry.object.Get(append(slices.Clone(w.part.path), path...)...)
}

// selected reports whether the selector selects some of the pods.
func (w *workload) selected(s labels.Selector) bool {
	if !w.dependsOnPod(s) {
		return s.Matches(w.labels)
	}
	return w.selectedOf(s, max(w.count.now(), 1)) > 0
}

// mostPods is how many pods are looked at one by one.
const mostPods = 1000

// selectedOf returns how many of the first n pods the selector selects.
func (w *workload) selectedOf(s labels.Selector, n int) int {
	if !w.dependsOnPod(s) {
		if s.Matches(w.labels) {
			return n
		}
		return 0
	}
	own := labels.Merge(w.labels, nil)
	selected := 0
	for i := range min(n, mostPods) {
		ordinal := strconv.Itoa(i + int(w.count.first))
		for _, key := range w.perPod {
			own[key] = ordinal
			if key == podNameLabel {
				own[key] = w.entry.object.Name + "-" + ordinal
			}
		}
		if s.Matches(own) {
			selected++
		}
	}
	return selected
}

// dependsOnPod reports whether the selector may select some pods and not others.
func (w *workload) dependsOnPod(s labels.Selector) bool {
	if len(w.perPod) == 0 {
		return false
	}
	requirements, _ := s.Requirements()
	return slices.ContainsFunc(requirements, func(r labels.Requirement) bool { return slices.Contains(w.perPod, r.Key()) })
}

// podless are kinds of well-known custom resources that make no pods.
var podless = []string{
	"ServiceMonitor", "PodMonitor", "PrometheusRule", "Probe", "ScaledObject", "TriggerAuthentication", "Certificate", "Issuer",
	"ClusterIssuer", "Gateway", "HTTPRoute", "GRPCRoute", "VirtualService", "DestinationRule", "ExternalSecret", "SecretStore",
	"SealedSecret", "VerticalPodAutoscaler", "Application", "LocalQueue", "ClusterQueue", "ResourceFlavor", "CustomResourceDefinition",
}

// mayMakePods reports whether nobody knows that objects of the kind make no pods.
func mayMakePods(group, kind string) bool {
	return strings.Contains(group, ".") && !scheme.Scheme.IsGroupRegistered(group) && !slices.Contains(podless, kind)
}
