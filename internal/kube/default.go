// SPDX-License-Identifier: Apache-2.0

package kube

import (
	"math"

	appsv1 "k8s.io/api/apps/v1"
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// defaulter sets the defaults of one version of Kubernetes. The functions follow the
// SetDefaults_ functions of k8s.io/kubernetes v1.37.2, pkg/apis/*/v1/defaults.go and
// zz_generated.defaults.go, and what its conversions to the internal version and back add,
// Apache-2.0, © The Kubernetes Authors; where an older version differs, they say so.
type defaulter struct{ version string }

func (d defaulter) atLeast(want string) bool { return AtLeast(d.version, want) }

// setDefaults sets what the API server sets. Kinds that no function is here for keep
// what was read.
func setDefaults(o runtime.Object, version string) {
	d := defaulter{version}
	switch o := o.(type) {
	case *appsv1.Deployment:
		d.deployment(&o.Spec)
	case *appsv1.DaemonSet:
		d.daemonSet(&o.Spec)
	case *appsv1.ReplicaSet:
		unset(&o.Spec.Replicas, 1)
		d.podSpec(&o.Spec.Template.Spec)
	case *appsv1.StatefulSet:
		d.statefulSet(&o.Spec)
	case *batchv1.Job:
		d.job(&o.Spec)
		if len(o.Labels) == 0 {
			o.Labels = o.Spec.Template.Labels
		}
	case *batchv1.CronJob:
		d.cronJob(&o.Spec)
	case *corev1.ReplicationController:
		d.replicationController(o)
	case *corev1.Pod:
		d.pod(o)
	case *corev1.PodTemplate:
		d.podSpec(&o.Template.Spec)
	case *autoscalingv1.HorizontalPodAutoscaler:
		unset(&o.Spec.MinReplicas, 1)
		if o.Annotations["autoscaling.alpha.kubernetes.io/metrics"] == "" { // metrics of later versions
			unset(&o.Spec.TargetCPUUtilizationPercentage, defaultUtilization)
		}
	case *autoscalingv2.HorizontalPodAutoscaler:
		d.horizontalPodAutoscaler(&o.Spec)
	case *networkingv1.NetworkPolicy:
		d.networkPolicy(&o.Spec)
	default:
		d.core(o)
		cluster(o)
	}
}

// unset sets what p points to where it is unset.
func unset[T any](p **T, value T) {
	if *p == nil {
		*p = &value
	}
}

// empty sets s where it is empty.
func empty[T ~string](s *T, value T) {
	if *s == "" {
		*s = value
	}
}

func (d defaulter) deployment(s *appsv1.DeploymentSpec) {
	unset(&s.Replicas, 1)
	empty(&s.Strategy.Type, appsv1.RollingUpdateDeploymentStrategyType)
	if s.Strategy.Type == appsv1.RollingUpdateDeploymentStrategyType {
		unset(&s.Strategy.RollingUpdate, appsv1.RollingUpdateDeployment{})
		unset(&s.Strategy.RollingUpdate.MaxUnavailable, intstr.FromString("25%"))
		unset(&s.Strategy.RollingUpdate.MaxSurge, intstr.FromString("25%"))
	}
	if r := s.Strategy.RollingUpdate; r != nil {
		unset(&r.MaxUnavailable, intstr.FromInt32(0))
		unset(&r.MaxSurge, intstr.FromInt32(0))
	}
	unset(&s.RevisionHistoryLimit, 10)
	unset(&s.ProgressDeadlineSeconds, 600)
	d.podSpec(&s.Template.Spec)
}

func (d defaulter) daemonSet(s *appsv1.DaemonSetSpec) {
	empty(&s.UpdateStrategy.Type, appsv1.RollingUpdateDaemonSetStrategyType)
	if s.UpdateStrategy.Type == appsv1.RollingUpdateDaemonSetStrategyType {
		unset(&s.UpdateStrategy.RollingUpdate, appsv1.RollingUpdateDaemonSet{})
		unset(&s.UpdateStrategy.RollingUpdate.MaxUnavailable, intstr.FromInt32(1))
	}
	if r := s.UpdateStrategy.RollingUpdate; r != nil {
		unset(&r.MaxUnavailable, intstr.FromInt32(0))
		unset(&r.MaxSurge, intstr.FromInt32(0))
	}
	unset(&s.RevisionHistoryLimit, 10)
	d.podSpec(&s.Template.Spec)
}

func (d defaulter) statefulSet(s *appsv1.StatefulSetSpec) {
	empty(&s.PodManagementPolicy, appsv1.OrderedReadyPodManagement)
	strategy := &s.UpdateStrategy
	if strategy.Type == "" {
		strategy.Type = appsv1.RollingUpdateStatefulSetStrategyType
		unset(&strategy.RollingUpdate, appsv1.RollingUpdateStatefulSetStrategy{})
	}
	if r := strategy.RollingUpdate; r != nil {
		unset(&r.Partition, 0)
		if strategy.Type == appsv1.RollingUpdateStatefulSetStrategyType && d.atLeast("1.37") { // gate MaxUnavailableStatefulSet
			unset(&r.MaxUnavailable, intstr.FromInt32(1))
		}
	}
	unset(&s.PersistentVolumeClaimRetentionPolicy, appsv1.StatefulSetPersistentVolumeClaimRetentionPolicy{})
	empty(&s.PersistentVolumeClaimRetentionPolicy.WhenDeleted, appsv1.RetainPersistentVolumeClaimRetentionPolicyType)
	empty(&s.PersistentVolumeClaimRetentionPolicy.WhenScaled, appsv1.RetainPersistentVolumeClaimRetentionPolicyType)
	unset(&s.Replicas, 1)
	unset(&s.RevisionHistoryLimit, 10)
	d.podSpec(&s.Template.Spec)
	for i := range s.VolumeClaimTemplates {
		s.VolumeClaimTemplates[i].APIVersion, s.VolumeClaimTemplates[i].Kind = "v1", "PersistentVolumeClaim"
		d.claim(&s.VolumeClaimTemplates[i])
	}
}

func (d defaulter) job(s *batchv1.JobSpec) {
	if s.Completions == nil && s.Parallelism == nil {
		unset(&s.Completions, 1)
	}
	unset(&s.Parallelism, 1)
	if s.BackoffLimitPerIndex != nil {
		unset(&s.BackoffLimit, math.MaxInt32)
	}
	unset(&s.BackoffLimit, 6)
	unset(&s.CompletionMode, batchv1.NonIndexedCompletion)
	unset(&s.Suspend, false)
	if s.PodFailurePolicy != nil {
		unset(&s.PodReplacementPolicy, batchv1.Failed)
	}
	unset(&s.PodReplacementPolicy, batchv1.TerminatingOrFailed)
	unset(&s.ManualSelector, false)
	d.jobTemplate(s)
}

// jobTemplate is what a CronJob's Job gets before it is a Job.
func (d defaulter) jobTemplate(s *batchv1.JobSpec) {
	if s.PodFailurePolicy != nil {
		for _, rule := range s.PodFailurePolicy.Rules {
			for i := range rule.OnPodConditions {
				empty(&rule.OnPodConditions[i].Status, corev1.ConditionTrue)
			}
		}
	}
	d.podSpec(&s.Template.Spec)
}

func (d defaulter) cronJob(s *batchv1.CronJobSpec) {
	empty(&s.ConcurrencyPolicy, batchv1.AllowConcurrent)
	unset(&s.Suspend, false)
	unset(&s.SuccessfulJobsHistoryLimit, 3)
	unset(&s.FailedJobsHistoryLimit, 1)
	d.jobTemplate(&s.JobTemplate.Spec)
}

func (d defaulter) replicationController(o *corev1.ReplicationController) {
	if o.Spec.Template != nil {
		labels := o.Spec.Template.Labels
		if len(o.Spec.Selector) == 0 {
			o.Spec.Selector = labels
		}
		if len(o.Labels) == 0 {
			o.Labels = labels
		}
		d.podSpec(&o.Spec.Template.Spec)
	}
	unset(&o.Spec.Replicas, 1)
}

func (d defaulter) networkPolicy(s *networkingv1.NetworkPolicySpec) {
	if len(s.PolicyTypes) == 0 {
		s.PolicyTypes = []networkingv1.PolicyType{networkingv1.PolicyTypeIngress}
		if len(s.Egress) != 0 {
			s.PolicyTypes = append(s.PolicyTypes, networkingv1.PolicyTypeEgress)
		}
	}
	for i := range s.Ingress {
		policyPorts(s.Ingress[i].Ports)
	}
	for i := range s.Egress {
		policyPorts(s.Egress[i].Ports)
	}
}

func policyPorts(ports []networkingv1.NetworkPolicyPort) {
	for i := range ports {
		unset(&ports[i].Protocol, corev1.ProtocolTCP)
	}
}
