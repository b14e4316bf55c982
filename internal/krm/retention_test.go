// SPDX-License-Identifier: Apache-2.0

package krm_test

import (
	"io/fs"
	"strings"
	"testing"

	"kilter.dev/kilter/internal/krm"
	"kilter.dev/kilter/internal/manifest"
	"kilter.dev/kilter/profiles"
)

// TestOwnClaimsStay: no profile says of the claims of a StatefulSet that is there already
// that they are to be deleted, whichever mode it is applied in.
func TestOwnClaimsStay(t *testing.T) {
	t.Parallel()
	entries, err := fs.ReadDir(profiles.FS, ".")
	if err != nil {
		t.Fatal(err)
	}
	applied := 0
	for _, e := range entries {
		if _, err := fs.Stat(profiles.FS, e.Name()+"/profile.yaml"); err != nil || e.Name() == "parts" {
			continue
		}
		b := blueprintOf(t, e.Name())
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
				t.Fatalf("%s, %s: %s", e.Name(), mode, got["error"])
			}
			applied++
			if text := manifest.Print(docs...) + lines(results); strings.Contains(text, "RetentionPolicy") {
				t.Errorf("%s, %s: something is said of the claims:\n%s", e.Name(), mode, text)
			}
		}
	}
	if applied < 2*len(krm.Modes) {
		t.Errorf("only %d applied", applied)
	}
}
