// SPDX-License-Identifier: Apache-2.0

package e2e_test

import (
	"os/exec"
	"path/filepath"
	"testing"
)

// BenchmarkProcess runs kilter and helm side by side: the start of a process, and the
// rendering of one chart.
func BenchmarkProcess(b *testing.B) {
	chart, err := filepath.Abs("../charts/vllm-inference")
	if err != nil {
		b.Fatal(err)
	}
	for _, c := range []struct {
		name, program string
		args          []string
	}{
		{"version/kilter", "kilter", []string{"version"}},
		{"version/helm3", "helm3", []string{"version"}},
		{"version/helm4", "helm4", []string{"version"}},
		{"render/kilter", "kilter", []string{"render", chart}},
		{"render/helm3", "helm3", []string{"template", chart, "--kube-version", "1.34"}},
		{"render/helm4", "helm4", []string{"template", chart, "--kube-version", "1.34"}},
	} {
		b.Run(c.name, func(b *testing.B) {
			program, err := filepath.Abs(filepath.Join("../bin", c.program))
			if err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				if out, err := exec.Command(program, c.args...).CombinedOutput(); err != nil {
					b.Fatalf("%v\n%s", err, out)
				}
			}
		})
	}
}
