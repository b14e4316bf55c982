// SPDX-License-Identifier: Apache-2.0

package profiles_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"kilter.dev/kilter/internal/manifest"
)

func renderKafka(t *testing.T, params string) map[string]*manifest.Node {
	t.Helper()
	return renderProfile(t, "kafka-state", "log", params)
}

// kafkaShapes are clusters of every shape, by how many brokers they have.
var kafkaShapes = map[string]int{
	"{}":                     3,
	"{dualRole: true}":       3,
	"{brokers: 7}":           7,
	"{drainCleaner: legacy}": 3,
	"{authentication: none}": 3,
	"{monitoring: {enabled: true}, topic: {enabled: true}, user: {enabled: true}}": 3,
	"{brokers: 1, dualRole: true, cruiseControl: {enabled: false}}":                1,
}

// TestKafkaReplication: no factor is more than there are brokers, which the operator refuses,
// and with several brokers one that restarts stops no producer and loses no only copy. The
// topic says its factor, which Strimzi's example has at 1.
func TestKafkaReplication(t *testing.T) {
	for params, brokers := range kafkaShapes {
		objects := renderKafka(t, params)
		config := objects["Kafka/log"].Get("spec", "kafka", "config")
		replication, inSync := min(brokers, 3), max(min(brokers, 3)-1, 1)
		for key, want := range map[string]int{
			"default.replication.factor": replication, "min.insync.replicas": inSync, "offsets.topic.replication.factor": replication,
			"transaction.state.log.replication.factor": replication, "transaction.state.log.min.isr": inSync,
			"share.coordinator.state.topic.replication.factor": replication, "share.coordinator.state.topic.min.isr": inSync,
		} {
			if got := manifest.Native(config.Get(key)); fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("%s: %s is %v, want %d", params, key, got, want)
			}
		}
		if topic := objects["KafkaTopic/log-topic"]; topic != nil {
			if got := fmt.Sprint(manifest.Native(topic.Get("spec", "replicas"))); got != fmt.Sprint(replication) {
				t.Errorf("%s: the topic has %s replicas", params, got)
			}
		}
	}
}

// TestKafkaBudgets: the operator makes a budget over the pods of all pools; a second one over
// one of them would block its eviction for good. Only the legacy Drain Cleaner needs 0.
func TestKafkaBudgets(t *testing.T) {
	for params := range kafkaShapes {
		objects := renderKafka(t, params)
		for name := range objects {
			if strings.HasPrefix(name, "PodDisruptionBudget/") {
				t.Errorf("%s: %s", params, name)
			}
		}
		want := "1"
		if strings.Contains(params, "legacy") {
			want = "0"
		}
		budget := objects["Kafka/log"].Get("spec", "kafka", "template", "podDisruptionBudget", "maxUnavailable")
		if got := fmt.Sprint(manifest.Native(budget)); got != want {
			t.Errorf("%s: maxUnavailable is %s, want %s", params, got, want)
		}
	}
}

// TestKafkaPools: what Strimzi's examples leave out is there: resources, a place on other
// nodes, time to hand over leaders; the claims outlive the cluster, and one volume of each
// pool holds the metadata.
func TestKafkaPools(t *testing.T) {
	for params := range kafkaShapes {
		pools := 0
		for name, o := range renderKafka(t, params) {
			if !strings.HasPrefix(name, "KafkaNodePool/") {
				continue
			}
			pools++
			spec := o.Get("spec")
			if o.Get("metadata", "labels", "strimzi.io/cluster").Text() != "log" {
				t.Errorf("%s: %s belongs to no cluster", params, name)
			}
			request, limit := spec.Get("resources", "requests", "memory").Text(), spec.Get("resources", "limits", "memory").Text()
			if request == "" || request != limit || spec.Get("resources", "requests", "cpu").Text() == "" || spec.Get("resources", "limits", "cpu") != nil {
				t.Errorf("%s: %s has the resources %s", params, name, manifest.JSON(spec.Get("resources")))
			}
			if min, max := spec.Get("jvmOptions", "-Xms").Text(), spec.Get("jvmOptions", "-Xmx").Text(); min != max || !regexp.MustCompile(`^\d+m$`).MatchString(max) {
				t.Errorf("%s: %s has a heap of %s to %s", params, name, min, max)
			}
			pod := spec.Get("template", "pod")
			if fmt.Sprint(manifest.Native(pod.Get("terminationGracePeriodSeconds"))) != "120" ||
				fmt.Sprint(manifest.Native(pod.Get("topologySpreadConstraints", "0", "minDomains"))) != fmt.Sprint(manifest.Native(spec.Get("replicas"))) {
				t.Errorf("%s: %s has the pod %s", params, name, manifest.JSON(pod))
			}
			metadata := 0
			for _, volume := range spec.Get("storage", "volumes").Items {
				if volume.Get("kraftMetadata") != nil {
					metadata++
				}
				if fmt.Sprint(manifest.Native(volume.Get("deleteClaim"))) != "false" {
					t.Errorf("%s: %s deletes claims", params, name)
				}
			}
			if metadata != 1 {
				t.Errorf("%s: %s has %d volumes for metadata", params, name, metadata)
			}
		}
		if want := 2 - strings.Count(params, "dualRole"); pools != want {
			t.Errorf("%s: %d pools, want %d", params, pools, want)
		}
	}
}

// TestKafkaOpenToNobody: unless it is asked for, nobody connects without TLS, a name and
// a rule that lets it.
func TestKafkaOpenToNobody(t *testing.T) {
	for params := range kafkaShapes {
		kafka := renderKafka(t, params)["Kafka/log"].Get("spec", "kafka")
		open := strings.Contains(params, "authentication: none")
		for _, listener := range kafka.Get("listeners").Items {
			tls := fmt.Sprint(manifest.Native(listener.Get("tls"))) == "true"
			if tls == open || (listener.Get("authentication", "type") == nil) != open || listener.Get("networkPolicyPeers", "0") == nil {
				t.Errorf("%s: listener %s", params, manifest.JSON(listener))
			}
		}
		if (kafka.Get("authorization", "type") == nil) != open {
			t.Errorf("%s: authorization is %s", params, manifest.JSON(kafka.Get("authorization")))
		}
	}
}

// TestKafkaAlertPatterns: Strimzi's own rules look for pods and claims called
// CLUSTER-kafka-0, as none of a node pool is.
func TestKafkaAlertPatterns(t *testing.T) {
	for params, pods := range map[string][]string{
		"{monitoring: {enabled: true}}":                 {"broker", "controller"},
		"{monitoring: {enabled: true}, dualRole: true}": {"node"},
	} {
		objects := renderKafka(t, params)
		text := manifest.Print(objects["PrometheusRule/log"])
		for _, pool := range pods {
			if objects["KafkaNodePool/log-"+pool] == nil {
				t.Errorf("%s: no pool log-%s", params, pool)
			}
			pod := "log-log-" + pool + "-12"
			for matcher, name := range map[string]string{`\bpod=~\\?"([^"\\]*)`: pod, `persistentvolumeclaim=~\\?"([^"\\]*)`: "data-1-" + pod} {
				patterns := regexp.MustCompile(matcher).FindAllStringSubmatch(text, -1)
				if !slices.ContainsFunc(patterns, func(m []string) bool { return regexp.MustCompile("^(?:" + m[1] + ")$").MatchString(name) }) {
					t.Errorf("%s: no alert is about %s", params, name)
				}
			}
		}
		for _, m := range regexp.MustCompile(`kafka_(?:controller|log|server)_[a-z_]+`).FindAllString(text, -1) {
			if !allowed(objects["Kafka/log"], m) {
				t.Errorf("%s: Kafka does not report %s", params, m)
			}
		}
	}
}

// allowed reports whether Kafka's metrics reporter lets the metric pass.
func allowed(kafka *manifest.Node, metric string) bool {
	list := kafka.Get("spec", "kafka", "metricsConfig", "values", "allowList").Items
	return slices.ContainsFunc(list, func(p *manifest.Node) bool { return regexp.MustCompile("^(?:" + p.Text() + ")$").MatchString(metric) })
}

// TestKafkaDisk: a disk holds what is written in the retention time, with all replicas.
func TestKafkaDisk(t *testing.T) {
	for params, want := range map[string]string{
		"{}":                                      "110Gi", // 50 kB/s x 604800 s x 3 x 1.3 = 117.9 GB
		"{storage: {volumes: 2}}":                 "55Gi",
		"{storage: {volumes: 4}}":                 "28Gi",
		"{ingressKBps: 1, retentionHours: 1}":     "8Gi",
		"{ingressKBps: 1000, retentionHours: 24}": "314Gi", // 337 GB
		"{storage: {size: 1Ti}}":                  "1Ti",
	} {
		volume := renderKafka(t, params)["KafkaNodePool/log-broker"].Get("spec", "storage", "volumes", "0")
		if got := volume.Get("size").Text(); got != want {
			t.Errorf("%s: a volume has %s, want %s", params, got, want)
		}
	}
}
