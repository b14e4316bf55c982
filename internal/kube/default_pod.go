// SPDX-License-Identifier: Apache-2.0

package kube

import (
	"maps"

	"github.com/distribution/reference"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
)

// podSpec sets what pods and pod templates get alike.
func (d defaulter) podSpec(s *corev1.PodSpec) {
	empty(&s.ServiceAccountName, s.DeprecatedServiceAccount)
	s.DeprecatedServiceAccount = s.ServiceAccountName
	empty(&s.DNSPolicy, corev1.DNSClusterFirst)
	empty(&s.RestartPolicy, corev1.RestartPolicyAlways)
	unset(&s.SecurityContext, corev1.PodSecurityContext{})
	unset(&s.TerminationGracePeriodSeconds, corev1.DefaultTerminationGracePeriodSeconds)
	empty(&s.SchedulerName, corev1.DefaultSchedulerName)
	for i := range s.Volumes {
		d.volume(&s.Volumes[i])
	}
	for i := range s.InitContainers {
		container(&s.InitContainers[i])
	}
	for i := range s.Containers {
		container(&s.Containers[i])
	}
	for i := range s.EphemeralContainers {
		container((*corev1.Container)(&s.EphemeralContainers[i].EphemeralContainerCommon))
	}
	roundUp(s.Overhead)
	if s.Resources != nil {
		roundUp(s.Resources.Limits)
		roundUp(s.Resources.Requests)
	}
}

// pod sets what a pod gets and a pod template does not, too.
func (d defaulter) pod(o *corev1.Pod) {
	s := &o.Spec
	if s.TerminationGracePeriodSeconds != nil && *s.TerminationGracePeriodSeconds < 0 {
		*s.TerminationGracePeriodSeconds = 1
	}
	for _, containers := range [][]corev1.Container{s.Containers, s.InitContainers} {
		for i := range containers {
			requestLimits(&containers[i].Resources)
			if s.HostNetwork {
				hostPorts(containers[i].Ports)
			}
		}
	}
	unset(&s.EnableServiceLinks, corev1.DefaultEnableServiceLinks)
	d.podSpec(s)
	d.podResources(o)
	podStatus(&o.Status)
}

// requestLimits requests what is limited and not requested.
func requestLimits(r *corev1.ResourceRequirements) {
	if r.Limits == nil {
		return
	}
	requests := maps.Clone(r.Limits)
	maps.Copy(requests, r.Requests)
	r.Requests = requests
}

func hostPorts(ports []corev1.ContainerPort) {
	for i := range ports {
		if ports[i].HostPort == 0 {
			ports[i].HostPort = ports[i].ContainerPort
		}
	}
}

func podStatus(s *corev1.PodStatus) {
	switch {
	case s.PodIP != "" && (len(s.PodIPs) == 0 || s.PodIPs[0].IP != s.PodIP):
		s.PodIPs = []corev1.PodIP{{IP: s.PodIP}}
	case s.PodIP == "" && len(s.PodIPs) > 0:
		s.PodIP = s.PodIPs[0].IP
	}
	for _, statuses := range [][]corev1.ContainerStatus{s.InitContainerStatuses, s.ContainerStatuses, s.EphemeralContainerStatuses} {
		for i := range statuses {
			roundUp(statuses[i].AllocatedResources)
			if r := statuses[i].Resources; r != nil {
				roundUp(r.Limits)
				roundUp(r.Requests)
			}
		}
	}
	roundUp(s.AllocatedResources)
	if s.Resources != nil {
		roundUp(s.Resources.Limits)
		roundUp(s.Resources.Requests)
	}
}

func container(c *corev1.Container) {
	if c.ImagePullPolicy == "" {
		c.ImagePullPolicy = pullPolicy(c.Image)
	}
	empty(&c.TerminationMessagePath, corev1.TerminationMessagePathDefault)
	empty(&c.TerminationMessagePolicy, corev1.TerminationMessageReadFile)
	for i := range c.Ports {
		empty(&c.Ports[i].Protocol, corev1.ProtocolTCP)
	}
	for i := range c.Env {
		if from := c.Env[i].ValueFrom; from != nil {
			fieldRef(from.FieldRef)
			if from.FileKeyRef != nil {
				unset(&from.FileKeyRef.Optional, false)
			}
		}
	}
	roundUp(c.Resources.Limits)
	roundUp(c.Resources.Requests)
	for _, p := range []*corev1.Probe{c.LivenessProbe, c.ReadinessProbe, c.StartupProbe} {
		probe(p)
	}
	if c.Lifecycle != nil {
		for _, handler := range []*corev1.LifecycleHandler{c.Lifecycle.PostStart, c.Lifecycle.PreStop} {
			if handler != nil {
				httpGet(handler.HTTPGet)
			}
		}
	}
}

// pullPolicy is Always for images whose tag is latest, given or not.
func pullPolicy(image string) corev1.PullPolicy {
	name, err := reference.ParseNormalizedNamed(image)
	if err != nil {
		return corev1.PullIfNotPresent // as the API server does; validation refuses what is no name
	}
	if reference.IsNameOnly(name) {
		return corev1.PullAlways
	}
	if tagged, ok := name.(reference.Tagged); ok && tagged.Tag() == "latest" {
		return corev1.PullAlways
	}
	return corev1.PullIfNotPresent
}

func probe(p *corev1.Probe) {
	if p == nil {
		return
	}
	for _, f := range []struct {
		field *int32
		value int32
	}{{&p.TimeoutSeconds, 1}, {&p.PeriodSeconds, 10}, {&p.SuccessThreshold, 1}, {&p.FailureThreshold, 3}} {
		if *f.field == 0 {
			*f.field = f.value
		}
	}
	httpGet(p.HTTPGet)
	if p.GRPC != nil {
		unset(&p.GRPC.Service, "")
	}
}

func httpGet(h *corev1.HTTPGetAction) {
	if h != nil {
		empty(&h.Path, "/")
		empty(&h.Scheme, corev1.URISchemeHTTP)
	}
}

func fieldRef(f *corev1.ObjectFieldSelector) {
	if f != nil {
		empty(&f.APIVersion, "v1")
	}
}

// roundUp rounds quantities up to thousandths.
func roundUp(list corev1.ResourceList) {
	for name, quantity := range list {
		quantity.RoundUp(resource.Milli)
		list[name] = quantity
	}
}
