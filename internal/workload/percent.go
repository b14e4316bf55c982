// SPDX-License-Identifier: Apache-2.0

package workload

import "k8s.io/apimachinery/pkg/util/intstr"

// Percentages round up in PodDisruptionBudgets, in maxSurge, and in DaemonSets, and down
// in maxUnavailable of Deployments and StatefulSets. Text that is no percentage counts 0:
// the API server refuses it.

func scaled(v intstr.IntOrString, of int, up bool) int {
	n, err := intstr.GetScaledValueFromIntOrPercent(&v, of, up)
	if err != nil {
		return 0
	}
	return max(n, 0)
}

// DeploymentFenceposts returns in pods how far a rolling update of a Deployment goes above
// and below its replicas (ResolveFenceposts of k8s.io/kubernetes v1.37.2,
// pkg/controller/deployment/util).
func DeploymentFenceposts(maxSurge, maxUnavailable intstr.IntOrString, replicas int) (surge, unavailable int) {
	surge, unavailable = scaled(maxSurge, replicas, true), scaled(maxUnavailable, replicas, false)
	if surge == 0 && unavailable == 0 {
		unavailable = 1 // else it could not proceed
	}
	return surge, unavailable
}

// StatefulSetUnavailable returns how many pods a rolling update of a StatefulSet takes down
// at once, where maxUnavailable is in effect (getStatefulSetMaxUnavailable, ibidem,
// pkg/controller/statefulset).
func StatefulSetUnavailable(maxUnavailable intstr.IntOrString, replicas int) int {
	return max(scaled(maxUnavailable, replicas, false), 1)
}

// DaemonSetFenceposts returns how many nodes a rolling update of a DaemonSet doubles and
// empties at once (SurgeCount and UnavailableCount, ibidem, pkg/controller/daemon/util).
func DaemonSetFenceposts(maxSurge, maxUnavailable intstr.IntOrString, nodes int) (surge, unavailable int) {
	return scaled(maxSurge, nodes, true), scaled(maxUnavailable, nodes, true)
}
