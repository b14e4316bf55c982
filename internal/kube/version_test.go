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
