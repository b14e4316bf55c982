// SPDX-License-Identifier: Apache-2.0

package kubernetes_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"kilter.dev/kilter/internal/kube"
	"kilter.dev/kilter/internal/manifest"
	"kilter.dev/kilter/internal/source"
)

// intOrString are objects with a place for an integer or string.
var intOrString = []string{
	`{apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: {name: a, namespace: b}, spec: {selector: {matchLabels: {a: b}}, minAvailable: %s}}`,
	`{apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: {name: a, namespace: b}, spec: {selector: {matchLabels: {a: b}}, maxUnavailable: %s}}`,
	`{apiVersion: apps/v1, kind: Deployment, metadata: {name: a, namespace: b}, spec: {strategy: {rollingUpdate: {maxSurge: %s, maxUnavailable: 1}}, ` + aTemplate + `}}`,
	`{apiVersion: apps/v1, kind: Deployment, metadata: {name: a, namespace: b}, spec: {strategy: {rollingUpdate: {maxSurge: 1, maxUnavailable: %s}}, ` + aTemplate + `}}`,
	`{apiVersion: apps/v1, kind: DaemonSet, metadata: {name: a, namespace: b}, spec: {updateStrategy: {rollingUpdate: {maxSurge: %s, maxUnavailable: 0}}, ` + aTemplate + `}}`,
	`{apiVersion: apps/v1, kind: DaemonSet, metadata: {name: a, namespace: b}, spec: {updateStrategy: {rollingUpdate: {maxUnavailable: %s}}, ` + aTemplate + `}}`,
	`{apiVersion: apps/v1, kind: StatefulSet, metadata: {name: a, namespace: b}, spec: {serviceName: a, updateStrategy: {rollingUpdate: {maxUnavailable: %s}}, ` + aTemplate + `}}`,
	`{apiVersion: v1, kind: Service, metadata: {name: a, namespace: b}, spec: {selector: {a: b}, ports: [{port: 80, targetPort: %s}]}}`,
	`{apiVersion: v1, kind: Pod, metadata: {name: a, namespace: b}, spec: {containers: [{name: a, image: b, readinessProbe: {tcpSocket: {port: %s}}}]}}`,
	`{apiVersion: v1, kind: Pod, metadata: {name: a, namespace: b}, spec: {containers: [{name: a, image: b, livenessProbe: {httpGet: {port: %s}}}]}}`,
}

const aTemplate = `selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}, spec: {containers: [{name: a, image: b}]}}`

var candidates = []string{
	`1`, `3`, `-1`, `65535`, `65536`, `2147483647`, `2147483648`, `1.5`, `true`, `[1]`,
	`1%`, `25%`, `100%`, `101%`, `200%`, `007%`, `-5%`, `+5%`, `5%%`, `'%'`, `' 5%'`, `1.5%`, `5 %`,
	`"1"`, `"0"`, `"-1"`, `"8080"`, `""`, `x`, `http`, `HTTP`, `a-b`, `-a`, `a-`, `a--b`, `a_b`, `a1`, `abcdefghijklmno`, `abcdefghijklmnop`,
}

// TestIntOrString: what is no number of pods and no port is what the API server refuses.
func TestIntOrString(t *testing.T) {
	refused := 0
	for _, object := range intOrString {
		for _, candidate := range candidates {
			text := fmt.Sprintf(object, candidate)
			faults, err := objectsOf(text)[0].judge(t)
			faults = slices.DeleteFunc(faults, func(f string) bool { return strings.Contains(f, "when `max") })
			docs, _ := manifest.Parse(source.New("a.yaml", text))
			objects, _ := manifest.Objects(docs)
			list := kube.Fields(objects[0], version)
			if theirs, ours := err != nil || len(faults) > 0, list.Err() != nil; theirs != ours {
				t.Errorf("%s: the API server says %q, %v; kube.Fields %v", text, faults, err, list)
			} else if ours {
				refused++
			}
		}
	}
	if all := len(intOrString) * len(candidates); refused < 100 || all-refused < 50 {
		t.Errorf("%d of %d were refused", refused, all)
	}
}
