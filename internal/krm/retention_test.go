// SPDX-License-Identifier: Apache-2.0

package krm_test

import (
	"strings"
	"testing"

	"kilter.dev/kilter/internal/krm"
	"kilter.dev/kilter/internal/manifest"
)

// TestOwnClaimsStay: no profile says of the claims of a StatefulSet that is there already
// that they are to be deleted, whichever mode it is applied in.
func TestOwnClaimsStay(t *testing.T) {
	t.Parallel()
	applied := 0
	for _, b := range builtIn(t) {
		if !strings.Contains(strings.Join(b.Profile.Component.Kinds, " "), "StatefulSet") {
			continue
		}
		for _, mode := range krm.Modes {
			docs := parse(t, `{apiVersion: apps/v1, kind: StatefulSet, metadata: {name: chat}, spec: {
				serviceName: chat, selector: {matchLabels: {app: chat}}, template: {metadata: {labels: {app: chat}}, spec: {
				containers: [{name: main, image: "mine:1", volumeMounts: [{name: data, mountPath: /mine}]}]}},
				volumeClaimTemplates: [{metadata: {name: data}, spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}}]}}`)
			got := map[string]string{}
			docs, results := apply(t, b, krm.Request{Name: "chat", Mode: mode}, docs, got)
			if got["error"] != "" || len(results) == 0 {
				t.Fatalf("%s, %s: %s", b.Profile.Name, mode, got["error"])
			}
			applied++
			if text := manifest.Print(docs...) + lines(results); strings.Contains(text, "RetentionPolicy") {
				t.Errorf("%s, %s: something is said of the claims:\n%s", b.Profile.Name, mode, text)
			}
		}
	}
	if applied < 2*len(krm.Modes) {
		t.Errorf("only %d applied", applied)
	}
}
