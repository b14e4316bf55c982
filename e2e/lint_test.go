// SPDX-License-Identifier: Apache-2.0

package e2e_test

import (
	"path/filepath"
	"strings"
	"testing"
)

// helms are the versions of Helm that charts must work with.
var helms = []string{"helm3", "helm4"}

// charts returns the folders of the published charts.
func charts(t *testing.T) []string {
	t.Helper()
	var dirs []string
	for _, file := range glob(t, "../charts/*/Chart.yaml") {
		dirs = append(dirs, filepath.Dir(file))
	}
	return dirs
}

// TestLint: helm lint --strict finds nothing in the published charts, with their defaults
// and with the values of each case.
func TestLint(t *testing.T) {
	for _, chart := range charts(t) {
		t.Run(filepath.Base(chart), func(t *testing.T) {
			t.Parallel()
			lint(t, chart, defaultKube)
			for _, values := range glob(t, filepath.Join(chart, "ci", "*-values.yaml")) {
				lint(t, chart, kubeOf(t, values), "-f", values)
			}
		})
	}
}

func lint(t *testing.T, chart, kube string, flags ...string) {
	t.Helper()
	for _, helm := range helms {
		out, errText, err := try(t, helm, append([]string{"lint", "--strict", chart, "--kube-version", kube}, flags...)...)
		if err != nil {
			t.Errorf("%s %q: %v\n%s%s", helm, flags, err, errText, out)
		}
	}
}

// TestUnittest: the suites of the published charts pass.
func TestUnittest(t *testing.T) {
	for _, chart := range charts(t) {
		t.Run(filepath.Base(chart), func(t *testing.T) {
			t.Parallel()
			unittest(t, chart)
		})
	}
}

func unittest(t *testing.T, chart string) {
	t.Helper()
	out := run(t, "helm-unittest", "--strict", chart)
	if !strings.Contains(out, "1 passed, 1 total") || strings.Contains(out, "Tests:       0 passed") {
		t.Errorf("no suites ran:\n%s", out)
	}
}

// TestScaffoldedCharts: in every case the chart of a new service has nothing to lint, and
// its suites pass.
func TestScaffoldedCharts(t *testing.T) {
	eachCase(t, func(t *testing.T, c profileCase) {
		chart := filepath.Join(scaffold(t, c), "chart")
		lint(t, chart, c.kube)
		unittest(t, chart)
	})
}
