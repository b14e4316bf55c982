// SPDX-License-Identifier: Apache-2.0

package kube_test

import (
	"slices"
	"testing"

	"kilter.dev/kilter/internal/kube"
)

func TestAtLeast(t *testing.T) {
	for _, c := range []struct {
		version, want string
		is            bool
	}{{"1.34", "1.34", true}, {"v1.34.2", "1.34", true}, {"1.9", "1.10", false}, {"2.0", "1.35", true}, {"x", "1.1", false}, {"1.34", "", false}} {
		if got := kube.AtLeast(c.version, c.want); got != c.is {
			t.Errorf("AtLeast(%q, %q) = %v", c.version, c.want, got)
		}
	}
}

func TestVersions(t *testing.T) {
	if !slices.Contains(kube.Versions(), kube.Default) {
		t.Errorf("%s is not supported", kube.Default)
	}
}

func TestProblem(t *testing.T) {
	for version, want := range map[string][2]string{
		"1.34": {"1.34", ""}, "v1.34": {"1.34", ""}, "1.34.2": {"1.34", ""}, "v1.37.10": {"1.37", ""},
		"1.99":   {"1.99", "Kubernetes 1.99 is not supported; the versions are 1.32 to 1.37"},
		"1.31.4": {"1.31", "Kubernetes 1.31.4 is not supported; the versions are 1.32 to 1.37"},
		"latest": {"", `"latest" is not a Kubernetes version; write one such as 1.34`},
		"2.0":    {"", `"2.0" is not a Kubernetes version; write one such as 1.34`},
		"":       {"", `"" is not a Kubernetes version; write one such as 1.34`},
	} {
		problem, hint := kube.Problem(version)
		if problem != "" {
			problem += "; " + hint
		}
		if got := [2]string{kube.Minor(version), problem}; got != want {
			t.Errorf("%q: %q, want %q", version, got, want)
		}
	}
}
