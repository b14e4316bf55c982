// SPDX-License-Identifier: Apache-2.0

package kubernetes_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// input is a few objects as users write them: workloads, their PodDisruptionBudgets, and
// their HorizontalPodAutoscalers.
type input struct {
	*rand.Rand
	docs []string
}

// generate draws the input of a number.
func generate(number int) []string {
	in := &input{Rand: rand.New(rand.NewPCG(20260101, uint64(number)))}
	for i := range 1 + in.IntN(3) {
		in.workload(fmt.Sprintf("w%d", i))
	}
	for i := range 1 + in.IntN(2) {
		in.budget(fmt.Sprintf("b%d", i))
	}
	in.Shuffle(len(in.docs), func(i, j int) { in.docs[i], in.docs[j] = in.docs[j], in.docs[i] })
	return in.docs
}

func (in *input) add(format string, args ...any) {
	in.docs = append(in.docs, fmt.Sprintf(format, args...))
}

// pick returns one of the choices; repeat one to make it likelier.
func (in *input) pick(choices ...string) string { return choices[in.IntN(len(choices))] }

func (in *input) metadata(name string) string {
	return fmt.Sprintf("{name: %s%s}", name, in.pick("", "", ", namespace: default", ", namespace: default", ", namespace: other"))
}

// number is a field of an integer that may be left out or null.
func (in *input) number(field string, least, most int) string {
	switch in.IntN(6) {
	case 0:
		return ""
	case 1:
		return field + ": null, "
	}
	return fmt.Sprintf("%s: %d, ", field, least+in.IntN(most-least+1))
}

func (in *input) template(restart string) string {
	labels := in.pick("app: a", "app: a", "app: b", "tier: x", "app: a, tier: x", "app: b, tier: z", "app: b, tier: x")
	return fmt.Sprintf("{metadata: {labels: {%s}}, spec: {%scontainers: [{name: c, image: i}]}}", labels, restart)
}

func (in *input) job() string {
	mode := in.pick("", "completionMode: Indexed, ")
	suspend := in.pick("", "", "", "suspend: true, ")
	return fmt.Sprintf("{%s%s%s%stemplate: %s}", in.number("parallelism", 0, 4), in.number("completions", 1, 6), mode, suspend, in.template("restartPolicy: Never, "))
}

func (in *input) workload(name string) {
	metadata := in.metadata(name)
	kind := in.pick("Deployment", "Deployment", "Deployment", "StatefulSet", "StatefulSet", "ReplicaSet", "ReplicationController",
		"Job", "CronJob", "Pod", "DaemonSet", "JobSet", "LeaderWorkerSet")
	replicas := in.number("replicas", 0, 7)
	switch kind {
	case "Deployment", "ReplicaSet":
		in.add("apiVersion: apps/v1\nkind: %s\nmetadata: %s\nspec: {%sselector: {matchLabels: {}}, template: %s}\n", kind, metadata, replicas, in.template(""))
	case "StatefulSet":
		start := in.pick("", "", "ordinals: {start: 2}, ")
		in.add("apiVersion: apps/v1\nkind: StatefulSet\nmetadata: %s\nspec: {%s%sserviceName: s, selector: {}, template: %s}\n", metadata, replicas, start, in.template(""))
	case "DaemonSet":
		in.add("apiVersion: apps/v1\nkind: DaemonSet\nmetadata: %s\nspec: {selector: {}, template: %s}\n", metadata, in.template(""))
	case "ReplicationController":
		in.add("apiVersion: v1\nkind: ReplicationController\nmetadata: %s\nspec: {%stemplate: %s}\n", metadata, replicas, in.template(""))
	case "Pod":
		in.add("apiVersion: v1\nkind: Pod\nmetadata: %s, labels: {app: %s}}\nspec: {containers: [{name: c, image: i}]}\n", strings.TrimSuffix(metadata, "}"), in.pick("a", "b"))
	case "Job":
		in.add("apiVersion: batch/v1\nkind: Job\nmetadata: %s\nspec: %s\n", metadata, in.job())
	case "CronJob":
		in.add("apiVersion: batch/v1\nkind: CronJob\nmetadata: %s\nspec: {schedule: '@daily', jobTemplate: {spec: %s}}\n", metadata, in.job())
	case "JobSet":
		in.add("apiVersion: jobset.x-k8s.io/v1alpha2\nkind: JobSet\nmetadata: %s\nspec: {%sreplicatedJobs: [{name: a, %stemplate: {spec: %s}}, {name: b, template: {spec: %s}}]}\n",
			metadata, in.pick("", "", "suspend: true, "), in.number("replicas", 0, 3), in.job(), in.job())
	case "LeaderWorkerSet":
		in.add("apiVersion: leaderworkerset.x-k8s.io/v1\nkind: LeaderWorkerSet\nmetadata: %s\nspec: {%sleaderWorkerTemplate: {%s%sworkerTemplate: %s}}\n",
			metadata, in.number("replicas", 0, 3), in.number("size", 1, 3), in.pick("", "leaderTemplate: "+in.template("")+", "), in.template(""))
	}
	switch kind {
	case "Deployment", "StatefulSet", "ReplicaSet":
		if in.IntN(2) == 0 {
			in.autoscaler(name, kind, metadata)
		}
	}
}

func (in *input) autoscaler(name, kind, metadata string) {
	least := in.number("minReplicas", 1, 4)
	target := in.pick(name, name, name, "missing")
	if in.IntN(8) == 0 {
		metadata = in.metadata(name) // in another namespace, perhaps
	}
	in.add("apiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata: %s\nspec: {%smaxReplicas: %d, scaleTargetRef: {apiVersion: apps/v1, kind: %s, name: %s}}\n",
		metadata, least, 4+in.IntN(3), kind, target)
}

func (in *input) budget(name string) {
	amount := in.pick("0", "1", "1", "2", "3", "9", "0%", "1%", "25%", "30%", "33%", "34%", "50%", "51%", "67%", "80%", "99%", "100%")
	field := in.pick("minAvailable", "maxUnavailable")
	numbers := field + ": " + amount
	switch in.IntN(25) {
	case 0:
		numbers = ""
	case 1:
		numbers = "minAvailable: 1, maxUnavailable: " + amount
	case 2:
		numbers = "minAvailable: null, maxUnavailable: " + amount
	}
	in.add("apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: %s\nspec: {%s}\n", in.metadata(name), strings.TrimPrefix(numbers+in.selector(), ", "))
}

func (in *input) selector() string {
	switch in.IntN(20) {
	case 0:
		return ""
	case 1:
		return ", selector: null"
	case 2, 3:
		return ", selector: {}"
	}
	labels := in.pick("", "", "app: a", "app: a", "app: b", "app: a, tier: x", "tier: x", "tier: z",
		"statefulset.kubernetes.io/pod-name: w0-0", "apps.kubernetes.io/pod-index: '2'", "batch.kubernetes.io/job-completion-index: '1'", "app: 'not a value!'")
	var expressions []string
	for range in.IntN(3) {
		expressions = append(expressions, in.pick(
			"{key: app, operator: In, values: [a, b]}", "{key: app, operator: In, values: [b]}", "{key: app, operator: NotIn, values: [a]}",
			"{key: tier, operator: Exists}", "{key: tier, operator: DoesNotExist}", "{key: pod-template-hash, operator: Exists}",
			"{key: statefulset.kubernetes.io/pod-name, operator: In, values: [w0-0, w0-1, w1-3]}", "{key: apps.kubernetes.io/pod-index, operator: NotIn, values: ['0']}",
			"{key: tier, operator: Exists, values: [x]}", "{key: app, operator: In, values: []}", "{key: job-name, operator: Exists}", "{key: app, operator: Is, values: [a]}"))
	}
	return fmt.Sprintf(", selector: {matchLabels: {%s}, matchExpressions: [%s]}", labels, strings.Join(expressions, ", "))
}
