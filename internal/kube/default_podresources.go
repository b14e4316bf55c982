// SPDX-License-Identifier: Apache-2.0

package kube

import (
	"maps"
	"strings"

	corev1 "k8s.io/api/core/v1"
	helper "k8s.io/component-helpers/resource"
)

// podResources completes the resources of a pod as a whole, where it has some, by its
// containers': gate PodLevelResources, on since 1.34. 1.37 does it later, when it prepares
// the pod for storage, and validating admission sees that too.
func (d defaulter) podResources(o *corev1.Pod) {
	r := o.Spec.Resources
	if r == nil || !d.atLeast("1.34") {
		return
	}
	if len(r.Limits) > 0 || len(r.Requests) > 0 {
		hugePageLimits(o)
	}
	if len(r.Limits) == 0 {
		return
	}
	requests := corev1.ResourceList{}
	maps.Copy(requests, r.Requests)
	for name, quantity := range helper.AggregateContainerRequests(o, helper.PodResourcesOptions{}) {
		if _, ok := requests[name]; !ok && helper.IsSupportedPodLevelResource(name) && !isHugePage(name) {
			requests[name] = quantity
		}
	}
	for name, quantity := range r.Limits {
		if _, ok := requests[name]; !ok && helper.IsSupportedPodLevelResource(name) {
			requests[name] = quantity
		}
	}
	if len(requests) > 0 {
		r.Requests = requests
	}
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
