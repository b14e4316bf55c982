// SPDX-License-Identifier: Apache-2.0

package krm_test

import (
	"strings"
	"testing"

	"kilter.dev/kilter/internal/krm"
)

// TestSharedMemory: what the vLLM profile adds at /dev/shm fits beside the memory limit that
// a container has. Where nothing fits, nothing is added, and it is said why.
func TestSharedMemory(t *testing.T) {
	t.Parallel()
	b := blueprintOf(t, "vllm-inference")
	for _, tt := range []struct{ limits, size, want string }{
		{"{nvidia.com/gpu: 8}", "9Gi", ""},
		{"{nvidia.com/gpu: 8, memory: 100Gi}", "9Gi", ""},
		{"{nvidia.com/gpu: 8, memory: 10Gi}", "6Gi", ""},
		{"{nvidia.com/gpu: 8, memory: 5500Mi}", "1Gi", ""},
		{"{nvidia.com/gpu: 1, memory: 256Mi}", "", "warning: Deployment server: resources.memory is not inferred: 256Mi must be at least 4Gi more than the 1Gi of /dev/shm"},
		{"{nvidia.com/gpu: 1, memory: 4Gi}", "", `volumeMounts["/dev/shm"] is left open: it would count to a memory limit below 5Gi`},
	} {
		docs := parse(t, `{apiVersion: apps/v1, kind: Deployment, metadata: {name: server}, spec: {
			selector: {matchLabels: {app: server}}, template: {metadata: {labels: {app: server}}, spec: {
			containers: [{name: main, image: "vllm/vllm-openai:v0.9.1", resources: {limits: `+tt.limits+`}}]}}}}`)
		docs, results := apply(t, b, krm.Request{Name: "server"}, docs, map[string]string{})
		size := ""
		if volumes := docs[0].Get("spec", "template", "spec", "volumes"); volumes != nil {
			size = volumes.Items[0].Get("emptyDir", "sizeLimit").Text()
		}
		if size != tt.size {
			t.Errorf("%s: /dev/shm has %s, want %s", tt.limits, size, tt.size)
		}
		said := lines(results)
		if isSaid := strings.Contains(said, "/dev/shm"); isSaid != (tt.want != "") || !strings.Contains(said, tt.want) {
			t.Errorf("%s: want %q in\n%s", tt.limits, tt.want, said)
		}
	}
}
