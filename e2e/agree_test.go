// SPDX-License-Identifier: Apache-2.0

package e2e_test

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestAgree: in every case all forms of a new service, rendered by the programs that users
// have, and the published chart with the case as its values, are the golden objects.
func TestAgree(t *testing.T) {
	eachCase(t, func(t *testing.T, c profileCase) {
		agree(t, c, scaffold(t, c), plain(t, read(t, filepath.Join("..", "golden", c.profile, c.name+".yaml"))))
	})
}

// withFunctions makes kustomize run the functions that a kustomization calls.
var withFunctions = []string{"build", "--enable-alpha-plugins", "--enable-exec"}

// agree compares all forms of the service in dir, and the published chart with the values
// of the case, with the objects.
func agree(t *testing.T, c profileCase, dir string, want map[string]object) {
	t.Helper()
	chart, overlay, published := filepath.Join(dir, "chart"), filepath.Join(dir, "kustomize", "overlays", "prod"), filepath.Join("..", "charts", c.profile)
	flags := []string{"-n", namespace, "--kube-version", c.kube, "--skip-tests"}
	forms := []struct {
		name, program string
		args          []string
	}{
		{"workload file", "kilter", []string{"render", filepath.Join(dir, "kilter.yaml")}},
		{"chart", "helm3", append([]string{"template", release, chart}, flags...)},
		{"chart", "helm4", append([]string{"template", release, chart}, flags...)},
		{"chart", "kilter", append([]string{"render", chart, "--name", release}, flags...)},
		{"kustomization", "kustomize", []string{"build", overlay}},
		{"kustomization", "kilter", []string{"render", overlay}},
		{"call of the function", "kustomize", append(withFunctions, filepath.Join(dir, "krm"))},
		{"published chart", "helm3", append([]string{"template", release, published, "-f", c.file}, flags...)},
		{"published chart", "helm4", append([]string{"template", release, published, "-f", c.file}, flags...)},
		{"published chart", "kilter", append([]string{"render", published, "--name", release, "-f", c.file}, flags...)},
	}
	for _, f := range forms {
		if diff := cmp.Diff(want, plain(t, run(t, f.program, f.args...))); diff != "" {
			t.Errorf("%s by %s (-want +%s):\n%s", f.name, f.program, f.program, diff)
		}
	}
}
