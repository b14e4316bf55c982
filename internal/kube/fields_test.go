// SPDX-License-Identifier: Apache-2.0

package kube_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kilter.dev/kilter/internal/diag"
	"kilter.dev/kilter/internal/kube"
)

// shown is a list of findings, one a line: "line:col severity code path: message (hint)".
func shown(list diag.List) string {
	var b strings.Builder
	for _, d := range list {
		line, col := d.Span.Position()
		fmt.Fprintf(&b, "%d:%d %s %s %s: %s", line, col, d.Severity, d.Code, d.Path, d.Message)
		if d.Hint != "" {
			fmt.Fprintf(&b, " (%s)", d.Hint)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

type fieldsCase struct{ name, version, object, want string }

func (c fieldsCase) run(t *testing.T) {
	list := kube.Fields(parse(t, c.object), c.version)
	if diff := cmp.Diff(strings.TrimPrefix(c.want, "\n"), shown(list)); diff != "" {
		t.Errorf("%s on %s:\n%s\n(-want +got):\n%s", c.name, c.version, c.object, diff)
	}
}

func TestUnknownField(t *testing.T) {
	for _, c := range []fieldsCase{
		{"fine", "1.34", "{apiVersion: apps/v1, kind: Deployment, metadata: {name: a}, spec: {replicas: 1}}", ""},
		{"custom", "1.34", "{apiVersion: example.com/v1, kind: Widget, spec: {anything: 1}}", ""},
		{"custom in a known name", "1.34", "{apiVersion: apps.kruise.io/v1alpha1, kind: StatefulSet, spec: {anything: 1}}", ""},
		{"near", "1.34", `
apiVersion: apps/v1
kind: Deployment
spec:
  replica: 1
  template:
    spec:
      containers:
        - name: a
          imge: b
`, `
5:3 error unknown-field spec.replica: DeploymentSpec has no field "replica" (did you mean "replicas"?)
10:11 error unknown-field spec.template.spec.containers[0].imge: Container has no field "imge" (did you mean "image"?)
`},
		{"case", "1.34", "{apiVersion: v1, kind: Pod, spec: {HostNetwork: true}}",
			"1:36 error unknown-field spec.HostNetwork: PodSpec has no field \"HostNetwork\" (did you mean \"hostNetwork\"?)\n"},
		{"indentation", "1.34", "{apiVersion: v1, kind: Pod, spec: {containers: [{nodeSelector: {a: b}}]}}",
			"1:50 error unknown-field spec.containers[0].nodeSelector: Container has no field \"nodeSelector\" (a PodSpec has a field \"nodeSelector\": is the indentation right?)\n"},
		{"null", "1.34", "{apiVersion: v1, kind: Pod, spec: {nodeName: null, containers: null}}", ""},
		{"unknown and null", "1.34", "{apiVersion: v1, kind: Pod, spec: {nothing: null}}",
			"1:36 error unknown-field spec.nothing: PodSpec has no field \"nothing\"\n"},
		{"later", "1.34", "{apiVersion: v1, kind: Pod, spec: {schedulingGroup: {}}}",
			"1:36 error unknown-field spec.schedulingGroup: PodSpec has no field \"schedulingGroup\" before Kubernetes 1.36 (the target is Kubernetes 1.34: remove the field, or give another --kube-version)\n"},
		{"earlier", "1.36", "{apiVersion: v1, kind: Pod, spec: {workloadRef: {}}}",
			"1:36 error unknown-field spec.workloadRef: PodSpec has no field \"workloadRef\" since Kubernetes 1.36\n"},
		{"never", "1.37", "{apiVersion: apps/v1, kind: Deployment, spec: {podReplacementPolicy: Failed}}",
			"1:48 error unknown-field spec.podReplacementPolicy: DeploymentSpec has no field \"podReplacementPolicy\"\n"},
		{"free", "1.34", "{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, spec: {versions: [{schema: {openAPIV3Schema: {properties: {a: {default: {b: 1}, enum: [1, x]}}}}}]}}", ""},
		{"annotation", "1.34", `{apiVersion: v1, kind: Pod, metadata: {annotations: {a/b: [x]}}}`,
			`1:59 error wrong-type metadata.annotations["a/b"]: annotations["a/b"] must be a string, not a list` + "\n"},
		{"old version", "1.20", "{apiVersion: batch/v1, kind: Job, spec: {podReplacementPolicy: Failed}}", ""},
		{"new version", "1.99", "{apiVersion: batch/v1, kind: Job, spec: {podReplacementPolicy: Failed}}", ""},
	} {
		c.run(t)
	}
}

func TestWrongType(t *testing.T) {
	for _, c := range []fieldsCase{
		{"list", "1.34", "{apiVersion: v1, kind: Service, spec: {ports: {}}}",
			"1:47 error wrong-type spec.ports: ports must be a list, not a map\n"},
		{"map", "1.34", "{apiVersion: v1, kind: Pod, spec: {nodeSelector: [a], securityContext: 1}}", `
1:50 error wrong-type spec.nodeSelector: nodeSelector must be a map, not a list
1:72 error wrong-type spec.securityContext: securityContext must be a map, not the integer 1
`},
		{"integer", "1.34", `{apiVersion: apps/v1, kind: Deployment, spec: {replicas: "1", minReadySeconds: yes, progressDeadlineSeconds: 3000000000}}`, `
1:58 error wrong-type spec.replicas: replicas must be an integer, not the string "1" (write 1, without quotes)
1:80 error wrong-type spec.minReadySeconds: minReadySeconds must be an integer, not true
1:110 error wrong-type spec.progressDeadlineSeconds: progressDeadlineSeconds must be an integer, not the integer 3000000000 (it must lie between -2147483648 and 2147483647)
`},
		{"boolean", "1.34", `{apiVersion: v1, kind: Pod, spec: {hostNetwork: "true", hostPID: 1}}`, `
1:49 error wrong-type spec.hostNetwork: hostNetwork must be true or false, not the string "true" (write true, without quotes)
1:66 error wrong-type spec.hostPID: hostPID must be true or false, not the integer 1
`},
		{"quantity", "1.34", `{apiVersion: v1, kind: Pod, spec: {overhead: {cpu: 1.5, memory: 1Gb, gpu: true, a: " 1 "}}}`, `
1:65 error wrong-type spec.overhead.memory: overhead.memory must be a quantity, not the string "1Gb" (a number with an optional suffix: 500m, 1.5, 2Gi)
1:75 error wrong-type spec.overhead.gpu: overhead.gpu must be a quantity, not true
`},
		{"port", "1.34", `{apiVersion: v1, kind: Service, spec: {ports: [{targetPort: http}, {targetPort: 0}, {targetPort: ""}, {targetPort: 1.5}, {targetPort: true}, {targetPort: 65536}, {targetPort: "8080"}, {targetPort: Http}]}}`, `
1:116 error yaml-type-trap spec.ports[3].targetPort: targetPort must be the number or the name of a port, not the number 1.5
1:135 error wrong-type spec.ports[4].targetPort: targetPort must be the number or the name of a port, not true
1:155 error wrong-type spec.ports[5].targetPort: targetPort must be the number or the name of a port, not the integer 65536 (it must lie between 0 and 65535)
1:176 error wrong-type spec.ports[6].targetPort: targetPort must be the number or the name of a port, not the string "8080" (write 8080, without quotes)
1:198 error wrong-type spec.ports[7].targetPort: targetPort must be the number or the name of a port, not the string "Http" (a name must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-))
`},
		{"port of a probe", "1.34", `{apiVersion: v1, kind: Pod, spec: {containers: [{livenessProbe: {tcpSocket: {port: 0}}}]}}`,
			"1:84 error wrong-type spec.containers[0].livenessProbe.tcpSocket.port: port must be the number or the name of a port, not the integer 0 (it must lie between 1 and 65535)\n"},
		{"pods of a budget", "1.34", `{apiVersion: policy/v1, kind: PodDisruptionBudget, spec: {minAvailable: "1", maxUnavailable: 101%}}`, `
1:73 error wrong-type spec.minAvailable: minAvailable must be an integer, or a percentage such as 25%, not the string "1" (write 1, without quotes)
1:94 error wrong-type spec.maxUnavailable: maxUnavailable must be an integer, or a percentage such as 25%, not the string "101%" (maxUnavailable cannot be more than 100%)
`},
		{"pods of a rollout", "1.34", `{apiVersion: apps/v1, kind: Deployment, spec: {strategy: {rollingUpdate: {maxSurge: 200%, maxUnavailable: -1}}}}`,
			"1:107 error wrong-type spec.strategy.rollingUpdate.maxUnavailable: maxUnavailable must be an integer, or a percentage such as 25%, not the integer -1 (it must lie between 0 and 2147483647)\n"},
		{"pods of a DaemonSet's rollout", "1.34", `{apiVersion: apps/v1, kind: DaemonSet, spec: {updateStrategy: {rollingUpdate: {maxSurge: 200%, maxUnavailable: -5%}}}}`, `
1:90 error wrong-type spec.updateStrategy.rollingUpdate.maxSurge: maxSurge must be an integer, or a percentage such as 25%, not the string "200%" (maxSurge cannot be more than 100%)
1:112 error wrong-type spec.updateStrategy.rollingUpdate.maxUnavailable: maxUnavailable must be an integer, or a percentage such as 25%, not the string "-5%" ("-5%" is no percentage)
`},
		{"base64", "1.34", "{apiVersion: v1, kind: Secret, data: {a: YQ==, b: plain, c: 12}}", `
1:51 error wrong-type data.b: data.b must be base64 (plain text goes to stringData)
1:61 error yaml-type-trap data.c: data.c must be a string in base64, but without quotes it is an integer (write it in quotes)
`},
		{"time", "1.34", `{apiVersion: v1, kind: Pod, metadata: {creationTimestamp: yesterday, deletionTimestamp: 2026-01-02T03:04:05Z}}`,
			`1:59 error wrong-type metadata.creationTimestamp: creationTimestamp must be a time, not the string "yesterday" (write it like "2006-01-02T15:04:05Z")` + "\n"},
		{"document", "1.34", "{apiVersion: v1, kind: Pod, spec: []}", "1:35 error wrong-type spec: spec must be a map, not a list\n"},
	} {
		c.run(t)
	}
}

func TestTypeTrap(t *testing.T) {
	for _, c := range []fieldsCase{
		{"labels", "1.34", `
apiVersion: v1
kind: Pod
metadata:
  labels: {version: 1.10, on: yes, id: 1e+06, mode: 0777, ok: "1.10", empty: }
spec:
  containers:
    - name: a
      args: [x, 30]
      env:
        - {name: A, value: true}
`, `
5:21 error yaml-type-trap metadata.labels.version: labels.version must be a string, but 1.10 without quotes is a number, and reads as 1.1 (write "1.10")
5:31 error yaml-type-trap metadata.labels.true: labels.true must be a string, but yes without quotes is a boolean, and reads as true (write "yes")
5:40 error yaml-type-trap metadata.labels.id: labels.id must be a string, but 1e+06 without quotes is an integer, and reads as 1000000 (write "1e+06")
5:53 error yaml-type-trap metadata.labels.mode: labels.mode must be a string, but 0777 without quotes is an integer, and reads as 511 (write "0777")
9:17 error yaml-type-trap spec.containers[0].args[1]: args[1] must be a string, but 30 without quotes is an integer (write "30")
11:28 error yaml-type-trap spec.containers[0].env[0].value: value must be a string, but true without quotes is a boolean (write "true")
`},
		{"float", "1.34", "{apiVersion: apps/v1, kind: Deployment, spec: {replicas: 1.5, minReadySeconds: 2.0}}",
			"1:58 error yaml-type-trap spec.replicas: replicas must be an integer, not the number 1.5\n"},
		{"octal", "1.34", `
apiVersion: apps/v1
kind: Deployment
spec:
  replicas: 010
  template:
    spec:
      volumes: [{configMap: {defaultMode: 0644, items: [{mode: 0600}]}}]
`, "5:13 warning yaml-type-trap spec.replicas: replicas: 010 is octal, and reads as 8 (write 10 if you mean that)\n"},
	} {
		c.run(t)
	}
}

func TestRemovedAPI(t *testing.T) {
	for _, c := range []fieldsCase{
		{"gone", "1.34", "{apiVersion: extensions/v1beta1, kind: Ingress, spec: {x: 1}}",
			"1:14 error removed-api apiVersion: extensions/v1beta1 Ingress is gone since Kubernetes 1.22 (use networking.k8s.io/v1)\n"},
		{"gone without a successor", "1.34", "{apiVersion: policy/v1beta1, kind: PodSecurityPolicy}",
			"1:14 error removed-api apiVersion: policy/v1beta1 PodSecurityPolicy is gone since Kubernetes 1.25\n"},
		{"gone within the bundle", "1.37", "{apiVersion: networking.k8s.io/v1beta1, kind: IPAddress}",
			"1:14 error removed-api apiVersion: networking.k8s.io/v1beta1 IPAddress is gone since Kubernetes 1.37 (use networking.k8s.io/v1)\n"},
		{"not yet", "1.33", "{apiVersion: resource.k8s.io/v1, kind: DeviceClass}",
			"1:14 error removed-api apiVersion: resource.k8s.io/v1 DeviceClass comes with Kubernetes 1.34, the target is 1.33 (use resource.k8s.io/v1beta2)\n"},
		{"there", "1.34", "{apiVersion: resource.k8s.io/v1, kind: DeviceClass}", ""},
		{"off", "1.34", "{apiVersion: resource.k8s.io/v1beta1, kind: DeviceClass, spec: {x: 1}}", `
1:14 warning removed-api apiVersion: resource.k8s.io/v1beta1 DeviceClass is off by default on Kubernetes 1.34 (use resource.k8s.io/v1)
1:65 error unknown-field spec.x: DeviceClassSpec has no field "x"
`},
		{"off without a successor", "1.37", "{apiVersion: scheduling.k8s.io/v1beta1, kind: PodGroup}",
			"1:14 warning removed-api apiVersion: scheduling.k8s.io/v1beta1 PodGroup is off by default on Kubernetes 1.37 (the cluster must have --runtime-config=scheduling.k8s.io/v1beta1=true)\n"},
		{"wrong group", "1.34", "{apiVersion: v1, kind: Deployment}",
			"1:14 error removed-api apiVersion: Kubernetes 1.34 has no v1 Deployment (use apps/v1)\n"},
		{"wrong version", "1.34", "{apiVersion: apps/v2, kind: Deployment}",
			"1:14 error removed-api apiVersion: Kubernetes 1.34 has no apps/v2 Deployment (use apps/v1)\n"},
		{"misspelt", "1.34", "{apiVersion: apps/v1, kind: Deploymnt}",
			"1:29 error removed-api kind: Kubernetes 1.34 has no kind Deploymnt in apps/v1 (did you mean \"Deployment\"?)\n"},
		{"kubeconfig", "1.34", "{apiVersion: v1, kind: Config, clusters: []}", ""},
	} {
		c.run(t)
	}
}

func TestDroppedField(t *testing.T) {
	const statefulSet = "{apiVersion: apps/v1, kind: StatefulSet, spec: {updateStrategy: {rollingUpdate: {maxUnavailable: 2}}}}"
	const path = "spec.updateStrategy.rollingUpdate.maxUnavailable"
	for _, c := range []fieldsCase{
		{"maxUnavailable", "1.34", statefulSet, "1:82 warning silently-dropped-field " + path + ": Kubernetes 1.34 drops maxUnavailable" +
			" without a word: feature gate MaxUnavailableStatefulSet is off by default (remove it, or have the gate enabled: it is on since Kubernetes 1.37)\n"},
		{"maxUnavailable", "1.35", statefulSet, "1:82 warning silently-dropped-field " + path + ": Kubernetes 1.35 drops maxUnavailable" +
			" without a word: feature gate MaxUnavailableStatefulSet is off by default (remove it, or have the gate enabled: it is on since Kubernetes 1.37" +
			" (and was in 1.35.0 to 1.35.3, where pods that are broken hold up the rollout))\n"},
		{"maxUnavailable", "1.37", statefulSet, ""},
		{"null", "1.34", strings.Replace(statefulSet, "2", "null", 1), ""},
		{"Deployment's", "1.34", "{apiVersion: apps/v1, kind: Deployment, spec: {strategy: {rollingUpdate: {maxUnavailable: 2}}}}", ""},
		{"scheduling", "1.37", "{apiVersion: batch/v1, kind: Job, spec: {scheduling: {}}}",
			"1:42 warning silently-dropped-field spec.scheduling: Kubernetes 1.37 drops scheduling without a word: feature gate WorkloadWithJob is off by default (remove it, or have the gate enabled)\n"},
		{"schedulingGroup", "1.37", "{apiVersion: v1, kind: Pod, spec: {schedulingGroup: {podGroupName: a}}}",
			"1:36 warning silently-dropped-field spec.schedulingGroup: Kubernetes 1.37 drops schedulingGroup without a word: feature gate GenericWorkload is off by default (remove it, or have the gate enabled)\n"},
		{"gate that is gone", "1.37", "{apiVersion: v1, kind: Pod, spec: {securityContext: {seLinuxChangePolicy: MountOption}}}", ""},
	} {
		c.run(t)
	}
}

func TestObject(t *testing.T) {
	list := kube.Fields(parse(t, "{apiVersion: v1, kind: Pod, metadata: {name: a, namespace: b}, x: 1}"), "1.34")
	if len(list) != 1 || list[0].Object != (diag.Ref{APIVersion: "v1", Kind: "Pod", Namespace: "b", Name: "a"}) {
		t.Errorf("%+v", list)
	}
}
