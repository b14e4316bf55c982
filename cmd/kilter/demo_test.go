// SPDX-License-Identifier: Apache-2.0

package main

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestDemo: make demo ends well and shows that the forms agree.
func TestDemo(t *testing.T) {
	kilter, err := exec.LookPath("kilter")
	if err != nil {
		t.Fatal(err)
	}
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("bash is not installed")
	}
	demo := exec.Command(bash, filepath.Join("..", "..", "demo.sh"))
	demo.Env = append(demo.Environ(), "KILTER="+kilter)
	out, err := demo.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if n := strings.Count(string(out), "objects, all the same\n"); n < 4 {
		t.Errorf("%d comparisons, want at least 4:\n%s", n, out)
	}
}
