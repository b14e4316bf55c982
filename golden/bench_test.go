// SPDX-License-Identifier: Apache-2.0

package golden_test

import (
	"io/fs"
	"testing"

	"kilter.dev/kilter/internal/blueprint"
	"kilter.dev/kilter/internal/profile"
	"kilter.dev/kilter/internal/render"
	"kilter.dev/kilter/profiles"
)

// BenchmarkCompile loads and compiles each profile.
func BenchmarkCompile(b *testing.B) {
	for _, bp := range blueprints(b) {
		b.Run(bp.Profile.Name, func(b *testing.B) {
			sub, err := fs.Sub(profiles.FS, bp.Profile.Name)
			if err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				p, err := profile.Load(sub, profiles.Parts(), bp.Profile.Name)
				if err != nil {
					b.Fatal(err)
				}
				if _, err := blueprint.Compile(p); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkRender renders the default case of each profile by each target.
func BenchmarkRender(b *testing.B) {
	for _, bp := range blueprints(b) {
		w, err := bp.CaseWorkload(bp.Profile.Cases[0], release, namespace)
		if err != nil {
			b.Fatal(err)
		}
		dir := b.TempDir()
		write(b, dir, chart(b, bp).Files)
		b.Run(bp.Profile.Name+"/blueprint", func(b *testing.B) {
			for b.Loop() {
				if _, err := bp.Render(w); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(bp.Profile.Name+"/chart", func(b *testing.B) {
			for b.Loop() {
				byChart(b, dir, w, render.ValueFlags{})
			}
		})
	}
}
