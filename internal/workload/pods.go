// SPDX-License-Identifier: Apache-2.0

package workload

import (
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/client-go/kubernetes/scheme"

	"kilter.dev/kilter/internal/manifest"
)

// workload is the pods that one template makes.
type workload struct {
	entry    *entry
	part     part
	template *manifest.Node
	labels   labels.Set // of all its pods; of those in perPod, the first pod's
	perPod   []string   // labels that differ from pod to pod
	count    count

	budgets, services, others []*entry // that select some of its pods
}

// newWorkload returns the pods of a part, nil when it makes none.
func newWorkload(e *entry, p part) *workload {
	if !p.hasPods || p.kind == "PodTemplate" && len(p.path) == 0 {
		return nil
	}
	w := &workload{entry: e, part: p, template: e.object.Get(append(slices.Clone(p.path), p.template...)...)}
	w.count = w.counted()
	own := w.givenTo(0)
	w.labels = labels.Merge(labels.Merge(texts(w.template.Get("metadata", "labels")), w.given()), own)
	for key := range own {
		w.perPod = append(w.perPod, key)
	}
	return w
}

// jobSpec is that of the Jobs that make the pods, nil where no Job does.
func (w *workload) jobSpec() *manifest.Node {
	path, ok := View{Group: w.part.group, Kind: w.part.kind, part: w.part}.Root(jobSpecRoot)
	if !ok {
		return nil
	}
	return w.entry.object.Get(append(slices.Clone(w.part.path), path...)...)
}

// selected reports whether the selector selects some of the pods, were there as many as
// there may be.
func (w *workload) selected(s labels.Selector) bool {
	scale := w.scale()
	return w.selectedOf(s, max(scale.Replicas, scale.Max, 1)) > 0
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
	selected := 0
	for i := range min(n, mostPods) {
		if s.Matches(labels.Merge(w.labels, w.givenTo(i))) {
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

// counts reports whether it is known how many pods the selector selects, and of how many
// owners: each group of a LeaderWorkerSet has its own.
func (w *workload) counts(s labels.Selector) bool {
	return w.count.known && (w.entry.object.Kind != "LeaderWorkerSet" || !w.dependsOnPod(s))
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
