// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"kilter.dev/kilter/generators"
	"kilter.dev/kilter/internal/blueprint"
	"kilter.dev/kilter/internal/diag"
	"kilter.dev/kilter/internal/kube"
	"kilter.dev/kilter/internal/manifest"
	"kilter.dev/kilter/internal/profile"
	"kilter.dev/kilter/internal/render"
)

func newProfileLint(s streams) *cobra.Command {
	return &cobra.Command{
		Use:   "lint DIR...",
		Short: "Check profile folders: every hole, guard, parameter and case",
		Long: `Check profile folders and report everything that is wrong, each at its place. Every case
is rendered, its objects are read as the API server reads them, and every target is
generated. DIR is a profile's folder, or one that holds some.`,
		Example: "  kilter profile lint ./profiles/web\n  kilter profile lint ./profiles",
		Args:    needPaths,
		RunE:    func(_ *cobra.Command, args []string) error { return lintProfiles(s, args) },
	}
}

func lintProfiles(s streams, dirs []string) error {
	var folders []string
	for _, dir := range dirs {
		found, err := profileFolders(dir)
		if err != nil {
			return err
		}
		folders = append(folders, found...)
	}
	var errs diag.List
	for _, folder := range folders {
		line, err := lintProfile(folder)
		list, ok := err.(diag.List)
		switch {
		case ok:
			errs.Add(list)
		case err != nil:
			return err
		default:
			fmt.Fprintln(s.out, line)
		}
	}
	return errs.Err()
}

// profileFolders is dir where it is a profile's folder, else the profiles' folders in it.
func profileFolders(dir string) ([]string, error) {
	if _, err := os.Stat(filepath.Join(dir, "profile.yaml")); err == nil {
		return []string{dir}, nil
	}
	names, err := profile.List(os.DirFS(dir))
	if err != nil {
		return nil, render.Unreadable(dir, err)
	}
	if len(names) == 0 {
		return nil, inputError{fmt.Errorf("there is no profile in %q", dir), "name a folder that holds profile.yaml"}
	}
	for i, name := range names {
		names[i] = filepath.Join(dir, name)
	}
	return names, nil
}

// lintProfile returns a line about a profile without errors.
func lintProfile(dir string) (string, error) {
	absolute, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	folder := filepath.ToSlash(filepath.Clean(dir))
	if filepath.Base(folder) != filepath.Base(absolute) { // ".", ".."
		folder = filepath.ToSlash(filepath.Join(dir, "..", filepath.Base(absolute)))
	}
	b, err := found{folder: folder, fsys: os.DirFS(dir)}.blueprint()
	if err != nil {
		return "", err
	}
	var errs diag.List
	for _, c := range b.Profile.Cases {
		if err := errs.Take(lintCase(b, c)); err != nil {
			return "", inputError{fmt.Errorf("case %s: %w", c.Name, err), ""}
		}
	}
	return fmt.Sprintf("%s: %d parameters, %d templates, %d cases: no errors",
		folder, len(b.Params.Leaves()), len(b.Objects)+len(b.Tests), len(b.Profile.Cases)), once(errs).Err()
}

// lintCase renders a case, looks at its objects as Kubernetes would, and generates every
// target for it.
func lintCase(b *blueprint.Blueprint, c profile.Case) error {
	w, err := b.CaseWorkload(c, "example", manifest.DefaultNamespace)
	if err != nil {
		return err
	}
	objects, err := b.Render(w)
	if err != nil {
		return err
	}
	tests, err := b.RenderTests(w)
	if err != nil {
		return err
	}
	var errs diag.List
	for _, o := range slices.Concat(objects, tests) {
		errs.Add(kube.Fields(o, cmp.Or(w.KubeVersion, kube.Default)))
	}
	if err := errs.Err(); err != nil {
		return err
	}
	_, err = scaffold(b, w, generators.All)
	return err
}

// once drops what is said again about the same place, as cases share templates.
func once(errs diag.List) diag.List {
	errs.Sort()
	return slices.CompactFunc(errs, func(a, b diag.Diagnostic) bool {
		return a.Span.String() == b.Span.String() && a.Message == b.Message
	})
}
