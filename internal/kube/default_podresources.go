// SPDX-License-Identifier: Apache-2.0

package kube

import (
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	helper "k8s.io/component-helpers/resource"
)

// podResources completes the resources of a pod as a whole, where it has some, by its
// containers': gate PodLevelResources, on since 1.34. 1.37 does it later, when it prepares
// the pod for storage, and validating admission sees that too; it does more then: gate
// PodLevelResourcesFixDefaulting.
func (d defaulter) podResources(o *corev1.Pod) {
	r := o.Spec.Resources
	if r == nil || len(r.Limits)+len(r.Requests) == 0 || !d.atLeast("1.34") {
		return
	}
	hugePageLimits(o)
	if len(r.Limits) > 0 || d.atLeast("1.37") {
		podRequests(o)
	}
	if d.atLeast("1.37") {
		podLimits(o)
	}
}

// podRequests requests what the containers request, and else what is limited.
func podRequests(o *corev1.Pod) {
	r := o.Spec.Resources
	requests := corev1.ResourceList{}
	for name, quantity := range helper.AggregateContainerRequests(o, helper.PodResourcesOptions{}) {
		if helper.IsSupportedPodLevelResource(name) && !isHugePage(name) {
			requests[name] = quantity
		}
	}
	for name, quantity := range r.Limits {
		if _, ok := requests[name]; !ok && helper.IsSupportedPodLevelResource(name) {
			requests[name] = quantity
		}
	}
	maps.Copy(requests, r.Requests)
	if len(requests) > 0 {
		r.Requests = requests
	}
}

// podLimits limits what is requested and what every container limits, to their sum, or to
// the request where that is more.
func podLimits(o *corev1.Pod) {
	r := o.Spec.Resources
	sums := helper.AggregateContainerLimits(o, helper.PodResourcesOptions{})
	for name, request := range r.Requests {
		sum, limited := sums[name]
		if _, ok := r.Limits[name]; ok || !limited || !helper.IsSupportedPodLevelResource(name) || !allLimit(&o.Spec, name) {
			continue
		}
		if r.Limits == nil {
			r.Limits = corev1.ResourceList{}
		}
		if request.Cmp(sum) > 0 {
			sum = request
		}
		r.Limits[name] = sum
	}
}

// allLimit reports whether every container limits a resource.
func allLimit(s *corev1.PodSpec, name corev1.ResourceName) bool {
	unlimited := func(c corev1.Container) bool {
		_, ok := c.Resources.Limits[name]
		return !ok
	}
	return len(s.EphemeralContainers) == 0 && !slices.ContainsFunc(s.InitContainers, unlimited) && !slices.ContainsFunc(s.Containers, unlimited)
}

func hugePageLimits(o *corev1.Pod) {
	r := o.Spec.Resources
	for name, quantity := range helper.AggregateContainerLimits(o, helper.PodResourcesOptions{}) {
		_, requested := r.Requests[name]
		_, limited := r.Limits[name]
		if requested || limited || !isHugePage(name) || !helper.IsSupportedPodLevelResource(name) {
			continue
		}
		if r.Limits == nil {
			r.Limits = corev1.ResourceList{}
		}
		r.Limits[name] = quantity
	}
}

func isHugePage(name corev1.ResourceName) bool {
	return strings.HasPrefix(string(name), corev1.ResourceHugePagesPrefix)
}
