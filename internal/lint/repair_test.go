// SPDX-License-Identifier: Apache-2.0

package lint_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"kilter.dev/kilter/internal/lint"
	"kilter.dev/kilter/internal/manifest"
)

// TestRepairNull: null is what a fix may find anywhere, and reads as nothing.
func TestRepairNull(t *testing.T) {
	rules := mustLoad(t, `
  - each: {container: [podSpec.containers]}
    check: "false"
    message: m
    at: container
    fix:
      message: mend
      patch:
        container: {tty: true}
        podSpec: {volumes: [{name: v}], securityContext: {runAsNonRoot: true}}
`)
	for in, want := range map[string]string{
		"{containers: [null]}":                                     "{containers: [{tty: true}], volumes: [{name: v}], securityContext: {runAsNonRoot: true}}",
		"{containers: [null, {name: a}, null]}":                    "{containers: [{tty: true}, {name: a, tty: true}, {tty: true}], volumes: [{name: v}], securityContext: {runAsNonRoot: true}}",
		"{containers: [{}], volumes: null, securityContext: null}": "{containers: [{tty: true}], volumes: [{name: v}], securityContext: {runAsNonRoot: true}}",
		"{containers: [{}], volumes: [null]}":                      "{containers: [{tty: true}], volumes: [null, {name: v}], securityContext: {runAsNonRoot: true}}",
	} {
		object := func(spec string) *manifest.Object {
			return objects(t, "{apiVersion: apps/v1, kind: Deployment, metadata: {name: d}, spec: {template: {spec: "+spec+"}}}")[0]
		}
		got := object(in)
		for _, f := range rules.Run([]*manifest.Object{got}, lint.Options{Only: func(rule string) bool { return rule != "wrong-type" }}) {
			if err := f.Repair.Apply(got.Node); err != nil {
				t.Errorf("%s: %v", in, err)
			}
		}
		if diff := cmp.Diff(manifest.Print(object(want).Node), manifest.Print(got.Node)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", in, diff)
		}
	}
}
