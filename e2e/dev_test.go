// SPDX-License-Identifier: Apache-2.0

package e2e_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/api/resource"
)

// TestDev: in every case overlays/dev builds, and runs on nodes that have no devices.
func TestDev(t *testing.T) {
	eachCase(t, func(t *testing.T, c profileCase) {
		objects := plain(t, run(t, "kustomize", "build", filepath.Join(scaffold(t, c), "kustomize", "overlays", "dev")))
		for id, o := range objects {
			for _, found := range devices(o) {
				t.Errorf("%s requests %s", id, found)
			}
		}
	})
}

// devices returns what the containers and pods anywhere in v request of extended
// resources, such as GPUs, and of resource claims.
func devices(v any) []string {
	var found []string
	switch v := v.(type) {
	case []any:
		for _, item := range v {
			found = append(found, devices(item)...)
		}
	case map[string]any:
		for key, value := range v {
			switch key {
			case "limits", "requests":
				found = append(found, extended(value)...)
			case "resourceClaims":
				found = append(found, fmt.Sprintf("resource claims %v", value))
			default:
				found = append(found, devices(value)...)
			}
		}
	}
	return found
}

// extended returns the extended resources of a list of resources: those whose name has a
// domain. None of something is no request.
func extended(list any) []string {
	resources, _ := list.(map[string]any)
	var found []string
	for name, value := range resources {
		amount := fmt.Sprint(value)
		if q, err := resource.ParseQuantity(amount); strings.Contains(name, "/") && (err != nil || !q.IsZero()) {
			found = append(found, name+": "+amount)
		}
	}
	return found
}

// TestDevices: what TestDev relies on finds requests.
func TestDevices(t *testing.T) {
	for text, want := range map[string]int{
		`{spec: {template: {spec: {containers: [{resources: {limits: {nvidia.com/gpu: "1"}}}]}}}}`:          1,
		`{spec: {initContainers: [{resources: {requests: {amd.com/gpu: 2, cpu: 1}}}]}}`:                     1,
		`{spec: {resourceClaims: [{name: gpu}]}}`:                                                           1,
		`{spec: {containers: [{resources: {limits: {nvidia.com/gpu: 0, memory: 1Gi, hugepages-2Mi: 0}}}]}}`: 0,
	} {
		if got := devices(documents(t, text)[0]); len(got) != want {
			t.Errorf("%s: found %q, want %d", text, got, want)
		}
	}
}
