// SPDX-License-Identifier: Apache-2.0

// Package blueprinttest gives tests the built-in profiles.
package blueprinttest

import (
	"io/fs"
	"testing"

	"kilter.dev/kilter/internal/blueprint"
	"kilter.dev/kilter/internal/profile"
	"kilter.dev/kilter/profiles"
)

// Builtin returns a built-in profile, compiled.
func Builtin(t testing.TB, name string) *blueprint.Blueprint {
	t.Helper()
	sub, err := fs.Sub(profiles.FS, name)
	if err != nil {
		t.Fatal(err)
	}
	p, err := profile.Load(sub, profiles.Parts(), "profiles/"+name)
	if err != nil {
		t.Fatal(err)
	}
	b, err := blueprint.Compile(p)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// All returns the built-in profiles, compiled, in the order of their names.
func All(t testing.TB) []*blueprint.Blueprint {
	t.Helper()
	names, err := profile.List(profiles.FS)
	if err != nil {
		t.Fatal(err)
	}
	if len(names) == 0 {
		t.Fatal("no profiles")
	}
	var all []*blueprint.Blueprint
	for _, name := range names {
		all = append(all, Builtin(t, name))
	}
	return all
}
