// SPDX-License-Identifier: Apache-2.0

package profiles_test

import (
	"strings"
	"testing"
)

// TestWebPeers: what podinfo's chart, the application charts of Stakater and bjw-s, and
// hand-written Deployments get wrong.
func TestWebPeers(t *testing.T) {
	const (
		scaled = "{}"
		fixed  = "{autoscaling: {enabled: false}, replicas: 8}"
		single = "{autoscaling: {enabled: false}, replicas: 1}"
		lb     = "{shutdown: {loadBalancerSeconds: 30, drainSeconds: 40}}"
		tight  = "{rollout: {maxSurgePercent: 0}}"
		config = "{config: {LEVEL: debug}}"
	)
	checkMistakes(t, "web-api", []mistake{
		{scaled, "Deployment", "spec.replicas", "", "replicas beside an autoscaler: each apply undoes what it has scaled"},
		{scaled, "HorizontalPodAutoscaler", "spec.minReplicas", "2", "one of one is an outage for each drain"},
		{scaled, "HorizontalPodAutoscaler", "spec.behavior.scaleDown.stabilizationWindowSeconds", "300", ""},
		{scaled, "Deployment", "spec.template.spec.containers.0.resources.requests.cpu", "250m", "without a request the autoscaler reads <unknown>"},
		{scaled, "Deployment", "spec.template.spec.containers.0.resources.limits.cpu", "", "a limit throttles before the autoscaler sees load"},
		{fixed, "Deployment", "spec.replicas", "8", ""},
		{fixed, "HorizontalPodAutoscaler", "", "", "nobody asked for one"},
		{scaled, "PodDisruptionBudget", "spec.maxUnavailable", "1", "podinfo has none where replicaCount is 1 though its autoscaler runs more"},
		{fixed, "PodDisruptionBudget", "spec.maxUnavailable", "2", ""},
		{fixed, "PodDisruptionBudget", "spec.minAvailable", "", ""},
		{fixed, "PodDisruptionBudget", "spec.unhealthyPodEvictionPolicy", "AlwaysAllow", "else pods that crash block every drain"},
		{single, "PodDisruptionBudget", "", "", "minAvailable 1 of one pod blocks every drain"},
		{single, "Deployment", "spec.strategy.rollingUpdate.maxUnavailable", "0", "podinfo's 1 of one pod is an outage for each rollout"},
		{scaled, "Deployment", "spec.strategy.rollingUpdate.maxSurge", "25%", ""},
		{tight, "Deployment", "spec.strategy.rollingUpdate.maxUnavailable", "1", "both 0 is refused"},
		{scaled, "Deployment", "spec.minReadySeconds", "5", "Stakater's chart writes it into the pod's spec"},
		{scaled, "Deployment", "spec.template.spec.minReadySeconds", "", "the same"},
		{scaled, "Deployment", "spec.template.metadata.labels.helm.sh/chart", "", "each version of the chart would start all pods anew"},
		{scaled, "Deployment", "spec.template.spec.enableServiceLinks", "false", "a Service called port sets PORT"},
		{scaled, "Deployment", "spec.template.spec.containers.0.lifecycle.preStop.sleep.seconds", "15", "github.com/kubernetes/kubernetes/issues/20473"},
		{scaled, "Deployment", "spec.template.spec.terminationGracePeriodSeconds", "60", ""},
		{lb, "Deployment", "spec.template.spec.containers.0.lifecycle.preStop.sleep.seconds", "45", "github.com/quay/quay/pull/6871"},
		{lb, "Deployment", "spec.template.spec.terminationGracePeriodSeconds", "100", "a grace period that the preStop uses up"},
		{scaled, "Deployment", "spec.template.spec.containers.0.livenessProbe.httpGet.path", "/healthz", "one path for both restarts servers that are only busy"},
		{scaled, "Deployment", "spec.template.spec.containers.0.readinessProbe.httpGet.path", "/readyz", "the same"},
		{scaled, "Deployment", "spec.template.spec.topologySpreadConstraints.0.matchLabelKeys.0", "pod-template-hash", "github.com/kubernetes/kubernetes/issues/98215"},
		{scaled, "Deployment", "spec.template.spec.topologySpreadConstraints.0.whenUnsatisfiable", "ScheduleAnyway", ""},
		{config, "Deployment", "spec.template.metadata.annotations.kilter.dev/config", "ab013dcc", "bjw-s' checksum is over all ConfigMaps: one starts all anew"},
		{scaled, "Deployment", "spec.template.metadata.annotations.kilter.dev/config", "", "the same"},
		{scaled, "Service", "spec.ports.0.targetPort", "http", "a name that the pods declare"},
		{scaled, "Deployment", "spec.template.spec.containers.0.ports.0.name", "http", "the same"},
	})
}

// TestWebPorts: a port is declared once, under the name by which probes, the PodMonitor and
// the NetworkPolicy know it.
func TestWebPorts(t *testing.T) {
	for _, c := range []struct{ params, ports, probes, metrics string }{
		{"{}", "http 9898", "http", "http"},
		{"{port: 80, probes: {port: 80}, monitoring: {port: 80}}", "http 80", "http", "http"},
		{"{port: 80, probes: {port: 81}}", "http 80, health 81", "health", "http"},
		{"{port: 80, monitoring: {port: 81}}", "http 80, metrics 81", "http", "metrics"},
		{"{port: 80, probes: {port: 81}, monitoring: {port: 81}}", "http 80, health 81", "health", "health"},
		{"{port: 80, probes: {port: 81}, monitoring: {port: 82}}", "http 80, health 81, metrics 82", "health", "metrics"},
	} {
		params := strings.Replace(c.params, "monitoring: {", "monitoring: {enabled: true, ", 1)
		if params == c.params {
			params = strings.Replace(strings.TrimSuffix(params, "}")+", monitoring: {enabled: true}}", "{, ", "{", 1)
		}
		objects := renderProfile(t, "web-api", "shop", params)
		container := objects["Deployment/shop"].Get("spec", "template", "spec", "containers", "0")
		var ports []string
		for _, p := range items(container.Get("ports")) {
			ports = append(ports, at(p, "name")+" "+at(p, "containerPort"))
		}
		got := []string{strings.Join(ports, ", "), at(container, "readinessProbe.httpGet.port"), at(objects["PodMonitor/shop"], "spec.podMetricsEndpoints.0.port")}
		policy := at(objects["NetworkPolicy/shop"], "spec.ingress.1.ports.0.port")
		if want := []string{c.ports, c.probes, c.metrics}; strings.Join(got, "; ") != strings.Join(want, "; ") || policy != c.metrics {
			t.Errorf("%s: got %q and %s in the NetworkPolicy, want %q", c.params, got, policy, want)
		}
	}
}
