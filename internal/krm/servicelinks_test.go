// SPDX-License-Identifier: Apache-2.0

package krm_test

import (
	"fmt"
	"strings"
	"testing"

	"kilter.dev/kilter/internal/krm"
	"kilter.dev/kilter/internal/manifest"
)

// TestServiceLinks: a workload that uses the variables for Services keeps them.
func TestServiceLinks(t *testing.T) {
	t.Parallel()
	b := blueprintOf(t, "vllm-inference")
	for args, want := range map[string]bool{
		`[--port, "8000"]`: true,
		`[--api, "https://$(KUBERNETES_SERVICE_HOST)"]`:                  true,
		`[--cache, "redis://$(REDIS_SERVICE_HOST):6379"]`:                false,
		`[--cache, "redis://${REDIS_PORT_6379_TCP_ADDR}"]`:               false,
		`[--port, "8000"], env: [{name: A, value: "$(B_SERVICE_PORT)"}]`: false,
	} {
		docs := parse(t, fmt.Sprintf(`{apiVersion: apps/v1, kind: Deployment, metadata: {name: chat}, spec: {
			selector: {matchLabels: {app: chat}}, template: {metadata: {labels: {app: chat}}, spec: {
			containers: [{name: main, image: "mine:1", args: %s}]}}}}`, args))
		got := map[string]string{}
		docs, _ = apply(t, b, krm.Request{Name: "chat"}, docs, got)
		if text := manifest.Print(docs[0]); strings.Contains(text, "enableServiceLinks: false") != want {
			t.Errorf("%s: want %v\n%s%s", args, want, text, got["error"])
		}
	}
}
