// SPDX-License-Identifier: Apache-2.0

package kube_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kilter.dev/kilter/internal/kube"
	"kilter.dev/kilter/internal/manifest"
	"kilter.dev/kilter/internal/source"
)

func TestCheck(t *testing.T) {
	for _, c := range []struct{ object, want string }{
		{"{apiVersion: apps/v1, kind: Deployment, metadata: {name: a}, spec: {replicas: 1}}", ""},
		{"{apiVersion: example.com/v1, kind: Widget, spec: {anything: 1}}", ""},
		{"{apiVersion: v1, kind: Pod, spec: {containers: [{name: a, args: [x, 30]}]}}",
			"1:69: spec.containers.args of Pod must be a string, not a number"},
		{`{apiVersion: v1, kind: Pod, spec: {containers: [{name: a, env: [{name: A, value: true}]}]}}`,
			"1:82: spec.containers.env.value of Pod must be a string, not true or false"},
		{`{apiVersion: apps/v1, kind: Deployment, spec: {replicas: "1"}}`,
			"1:58: spec.replicas of Deployment must be a number, not a string"},
		{"{apiVersion: v1, kind: ConfigMap, data: {a: b, c: 1}}",
			"1:51: data of ConfigMap must be a string, not a number"},
		{"{apiVersion: v1, kind: Service, spec: {ports: {}}}",
			"1:47: spec.ports of Service must be a list, not a map"},
		{"{apiVersion: v1, kind: Pod, spec: {nodeSelector: [a]}}",
			"1:50: spec.nodeSelector of Pod must be a map, not a list"},
		{"{apiVersion: v1, kind: Pod, spec: {securityContext: no}}",
			`1:53: spec.securityContext of Pod must be a map ("PodSecurityContext"), not true or false`},
		{"{apiVersion: v1, kind: Pod, spec: {contaners: [], containers: [{name: a, imge: b}]}}",
			"1:47: Pod has no field spec.contaners; 1:80: Pod has no field spec.containers[0].imge"},
	} {
		docs, errs := manifest.Parse(source.New("", c.object))
		objects, more := manifest.Objects(docs)
		if len(errs)+len(more) > 0 || len(objects) != 1 {
			t.Fatal(errs, more)
		}
		var got []string
		for _, d := range kube.Check(objects[0]) {
			line, col := d.Span.Position()
			got = append(got, fmt.Sprintf("%d:%d: %s", line, col, d.Message))
		}
		if diff := cmp.Diff(c.want, strings.Join(got, "; ")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.object, diff)
		}
	}
}
