// SPDX-License-Identifier: Apache-2.0

package e2e_test

import (
	"path/filepath"
	"testing"
)

// TestHostile: texts that look like something else come through every form unchanged.
func TestHostile(t *testing.T) {
	for _, profile := range profiles(t) {
		t.Run(profile, func(t *testing.T) {
			t.Parallel()
			c := profileCase{profile, "hostile", filepath.Join("testdata", "hostile.yaml"), defaultKube}
			dir := scaffold(t, c)
			want := plain(t, run(t, "kilter", "render", filepath.Join(dir, "kilter.yaml")))
			agree(t, c, dir, want)
		})
	}
}
