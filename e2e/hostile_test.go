// SPDX-License-Identifier: Apache-2.0

package e2e_test

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestHostile: texts that look like something else come through every form unchanged.
func TestHostile(t *testing.T) {
	for _, profile := range profiles(t) {
		t.Run(profile, func(t *testing.T) {
			t.Parallel()
			c := profileCase{profile, "hostile", filepath.Join(t.TempDir(), "hostile.yaml"), defaultKube}
			write(t, c.file, hostile(t, profile), 0o644)
			dir := scaffold(t, c)
			want := plain(t, run(t, "kilter", "render", filepath.Join(dir, "kilter.yaml")))
			agree(t, c, dir, want)
		})
	}
}

var topLevel = regexp.MustCompile(`(?m)^(\w+):.*\n(?:[ -].*\n)*`)

// hostile is testdata/hostile.yaml without the parameters that the profile does not have.
func hostile(t *testing.T, profile string) string {
	t.Helper()
	var s schema
	decode(t, filepath.Join("..", "charts", profile, "values.schema.json"), &s)
	return topLevel.ReplaceAllStringFunc(read(t, filepath.Join("testdata", "hostile.yaml")), func(value string) string {
		name, _, _ := strings.Cut(value, ":")
		if _, ok := s.Properties[name]; ok {
			return value
		}
		return ""
	})
}

// TestSpoiledByKustomize: a key that kustomize would take for a number is refused, once
// and by its name; the chart carries it.
func TestSpoiledByKustomize(t *testing.T) {
	c := profileCase{profiles(t)[0], "number", filepath.Join(t.TempDir(), "values.yaml"), defaultKube}
	write(t, c.file, `podAnnotations: {"123": text}`, 0o644)
	dir := filepath.Join(t.TempDir(), release)
	flags := []string{"new", release, "--profile", c.profile, "-f", c.file, "-o", dir}
	_, said, err := try(t, "kilter", flags...)
	if err == nil || strings.Count(said, `does not read the key "123"`) != 1 {
		t.Errorf("got error %v:\n%s", err, said)
	}
	run(t, "kilter", append(flags, "--to", "helm")...)
	want := plain(t, run(t, "kilter", "render", filepath.Join(dir, "kilter.yaml")))
	for _, helm := range helms {
		got := plain(t, run(t, helm, "template", release, filepath.Join(dir, "chart"), "--kube-version", c.kube, "--skip-tests"))
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", helm, diff)
		}
	}
}
