// SPDX-License-Identifier: Apache-2.0

package kube

import (
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	networkingv1 "k8s.io/api/networking/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	resourcev1 "k8s.io/api/resource/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"
	storagev1 "k8s.io/api/storage/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// cluster sets the defaults of kinds that workloads refer to.
func cluster(o runtime.Object) {
	switch o := o.(type) {
	case *corev1.Endpoints:
		for _, subset := range o.Subsets {
			for i := range subset.Ports {
				empty(&subset.Ports[i].Protocol, corev1.ProtocolTCP)
			}
		}
	case *discoveryv1.EndpointSlice:
		for i := range o.Ports {
			unset(&o.Ports[i].Name, "")
			unset(&o.Ports[i].Protocol, corev1.ProtocolTCP)
		}
	case *networkingv1.IngressClass:
		if o.Spec.Parameters != nil {
			unset(&o.Spec.Parameters.Scope, networkingv1.IngressClassParametersReferenceScopeCluster)
		}
	case *rbacv1.RoleBinding:
		roles(&o.RoleRef, o.Subjects)
	case *rbacv1.ClusterRoleBinding:
		roles(&o.RoleRef, o.Subjects)
	case *resourcev1.ResourceClaim:
		deviceRequests(o.Spec.Devices.Requests)
		if o.Status.Allocation != nil {
			for _, result := range o.Status.Allocation.Devices.Results {
				tolerations(result.Tolerations)
			}
		}
	case *resourcev1.ResourceClaimTemplate:
		deviceRequests(o.Spec.Spec.Devices.Requests)
	case *schedulingv1.PriorityClass:
		unset(&o.PreemptionPolicy, corev1.PreemptLowerPriority)
	case *storagev1.StorageClass:
		unset(&o.ReclaimPolicy, corev1.PersistentVolumeReclaimDelete)
		unset(&o.VolumeBindingMode, storagev1.VolumeBindingImmediate)
	}
}

func roles(role *rbacv1.RoleRef, subjects []rbacv1.Subject) {
	empty(&role.APIGroup, rbacv1.GroupName)
	for i := range subjects {
		if kind := subjects[i].Kind; kind == rbacv1.UserKind || kind == rbacv1.GroupKind {
			empty(&subjects[i].APIGroup, rbacv1.GroupName)
		}
	}
}

func deviceRequests(requests []resourcev1.DeviceRequest) {
	for _, r := range requests {
		if r.Exactly != nil {
			exactCount(&r.Exactly.AllocationMode, &r.Exactly.Count)
			tolerations(r.Exactly.Tolerations)
		}
		for i := range r.FirstAvailable {
			exactCount(&r.FirstAvailable[i].AllocationMode, &r.FirstAvailable[i].Count)
			tolerations(r.FirstAvailable[i].Tolerations)
		}
	}
}

func exactCount(mode *resourcev1.DeviceAllocationMode, count *int64) {
	empty(mode, resourcev1.DeviceAllocationModeExactCount)
	if *mode == resourcev1.DeviceAllocationModeExactCount && *count == 0 {
		*count = 1
	}
}

func tolerations(list []resourcev1.DeviceToleration) {
	for i := range list {
		empty(&list[i].Operator, resourcev1.DeviceTolerationOpEqual)
	}
}
