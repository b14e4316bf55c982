// SPDX-License-Identifier: Apache-2.0

package kube

import (
	"maps"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// core sets the defaults of the core kinds that run no pods.
func (d defaulter) core(o runtime.Object) {
	switch o := o.(type) {
	case *corev1.Service:
		service(&o.Spec)
		if o.Spec.Type == corev1.ServiceTypeLoadBalancer {
			ingressModes(o.Status.LoadBalancer.Ingress)
		}
	case *corev1.PersistentVolumeClaim:
		d.claim(o)
	case *corev1.PersistentVolume:
		d.persistentVolume(o)
	case *corev1.ConfigMap:
		if o.Data == nil {
			o.Data = map[string]string{}
		}
	case *corev1.Secret:
		secret(o)
	case *corev1.ResourceQuota:
		roundUp(o.Spec.Hard)
		roundUp(o.Status.Hard)
		roundUp(o.Status.Used)
	case *corev1.LimitRange:
		for i := range o.Spec.Limits {
			limits(&o.Spec.Limits[i])
		}
	case *corev1.Namespace:
		namespace(o)
	}
}

func service(s *corev1.ServiceSpec) {
	empty(&s.SessionAffinity, corev1.ServiceAffinityNone)
	switch s.SessionAffinity {
	case corev1.ServiceAffinityNone:
		s.SessionAffinityConfig = nil
	case corev1.ServiceAffinityClientIP:
		if c := s.SessionAffinityConfig; c == nil || c.ClientIP == nil || c.ClientIP.TimeoutSeconds == nil {
			timeout := corev1.DefaultClientIPServiceAffinitySeconds
			s.SessionAffinityConfig = &corev1.SessionAffinityConfig{ClientIP: &corev1.ClientIPConfig{TimeoutSeconds: &timeout}}
		}
	}
	empty(&s.Type, corev1.ServiceTypeClusterIP)
	for i := range s.Ports {
		p := &s.Ports[i]
		empty(&p.Protocol, corev1.ProtocolTCP)
		if p.TargetPort == intstr.FromInt32(0) || p.TargetPort == intstr.FromString("") {
			p.TargetPort = intstr.FromInt32(p.Port)
		}
	}
	balanced := s.Type == corev1.ServiceTypeLoadBalancer
	ported := balanced || s.Type == corev1.ServiceTypeNodePort
	if ported || s.Type == corev1.ServiceTypeClusterIP && len(s.ExternalIPs) > 0 {
		empty(&s.ExternalTrafficPolicy, corev1.ServiceExternalTrafficPolicyCluster)
	}
	if ported || s.Type == corev1.ServiceTypeClusterIP {
		unset(&s.InternalTrafficPolicy, corev1.ServiceInternalTrafficPolicyCluster)
	}
	if balanced {
		unset(&s.AllocateLoadBalancerNodePorts, true)
	}
}

func ingressModes(ingress []corev1.LoadBalancerIngress) {
	for i := range ingress {
		if ingress[i].IP != "" {
			unset(&ingress[i].IPMode, corev1.LoadBalancerIPModeVIP)
		}
	}
}

func limits(l *corev1.LimitRangeItem) {
	if l.Type == corev1.LimitTypeContainer {
		l.Default = filled(l.Default, l.Max)
		l.DefaultRequest = filled(l.DefaultRequest, l.Default, l.Min)
	}
	for _, list := range []corev1.ResourceList{l.Max, l.Min, l.Default, l.DefaultRequest, l.MaxLimitRequestRatio} {
		roundUp(list)
	}
}

// filled is list with what only a later one has.
func filled(list corev1.ResourceList, later ...corev1.ResourceList) corev1.ResourceList {
	all := corev1.ResourceList{}
	for i := len(later) - 1; i >= 0; i-- {
		maps.Copy(all, later[i])
	}
	maps.Copy(all, list)
	return all
}

func secret(o *corev1.Secret) {
	empty(&o.Type, corev1.SecretTypeOpaque)
	for key, text := range o.StringData {
		if o.Data == nil {
			o.Data = map[string][]byte{}
		}
		o.Data[key] = []byte(text)
	}
	o.StringData = nil
}

func namespace(o *corev1.Namespace) {
	if o.Name != "" {
		if o.Labels == nil {
			o.Labels = map[string]string{}
		}
		o.Labels[corev1.LabelMetadataName] = o.Name
	}
	empty(&o.Status.Phase, corev1.NamespaceActive)
}

// defaultUtilization is what pods are to use of the CPU that they request, in percent.
const defaultUtilization int32 = 80

func (d defaulter) horizontalPodAutoscaler(s *autoscalingv2.HorizontalPodAutoscalerSpec) {
	unset(&s.MinReplicas, 1)
	if len(s.Metrics) == 0 {
		utilization := defaultUtilization
		s.Metrics = []autoscalingv2.MetricSpec{{
			Type: autoscalingv2.ResourceMetricSourceType,
			Resource: &autoscalingv2.ResourceMetricSource{
				Name:   corev1.ResourceCPU,
				Target: autoscalingv2.MetricTarget{Type: autoscalingv2.UtilizationMetricType, AverageUtilization: &utilization},
			},
		}}
	}
	if s.Behavior != nil {
		percent := autoscalingv2.HPAScalingPolicy{Type: autoscalingv2.PercentScalingPolicy, Value: 100, PeriodSeconds: 15}
		pods := autoscalingv2.HPAScalingPolicy{Type: autoscalingv2.PodsScalingPolicy, Value: 4, PeriodSeconds: 15}
		unset(&s.Behavior.ScaleUp, autoscalingv2.HPAScalingRules{})
		unset(&s.Behavior.ScaleUp.StabilizationWindowSeconds, 0)
		scalingRules(s.Behavior.ScaleUp, pods, percent)
		unset(&s.Behavior.ScaleDown, autoscalingv2.HPAScalingRules{})
		scalingRules(s.Behavior.ScaleDown, percent)
	}
}

func scalingRules(r *autoscalingv2.HPAScalingRules, policies ...autoscalingv2.HPAScalingPolicy) {
	unset(&r.SelectPolicy, autoscalingv2.MaxChangePolicySelect)
	if r.Policies == nil {
		r.Policies = policies
	}
}
