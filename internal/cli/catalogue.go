// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"kilter.dev/kilter/internal/blueprint"
	"kilter.dev/kilter/internal/diag"
	"kilter.dev/kilter/internal/profile"
	"kilter.dev/kilter/internal/render"
	"kilter.dev/kilter/profiles"
)

// profilesVariable holds the folders of --profiles for callers that give no flags, such as
// kustomize: separated as in PATH.
const profilesVariable = "KILTER_PROFILES"

// catalogue finds profiles: in the folders of --profiles, then among the built-in ones.
type catalogue struct{ dirs []string }

// again is how a later command finds a profile of the user's; empty for a built-in one.
type again struct {
	flags string // each with a space before it
	env   string // an assignment of profilesVariable with a space after it
}

func (c catalogue) again(f found) again {
	if f.builtin {
		return again{}
	}
	var a again
	var dirs []string
	for _, dir := range c.dirs {
		dir = filepath.ToSlash(dir)
		a.flags += " --profiles " + dir
		if !filepath.IsAbs(dir) {
			dir = "$PWD/" + dir // kustomize runs a function in the folder of its kustomization
		}
		dirs = append(dirs, dir)
	}
	a.env = profilesVariable + `="` + strings.Join(dirs, string(filepath.ListSeparator)) + `" `
	return a
}

// found is a profile's folder.
type found struct {
	name, folder string // folder is what positions name: "profiles/web" for a built-in one
	fsys         fs.FS
	builtin      bool
}

// all returns every profile by name; one in --profiles hides a built-in one.
func (c catalogue) all() ([]found, error) {
	var out []found
	seen := map[string]bool{}
	add := func(root fs.FS, folder string, builtin bool) error {
		names, err := profile.List(root)
		if err != nil {
			return err
		}
		for _, name := range names {
			if seen[name] {
				continue
			}
			seen[name] = true
			sub, err := fs.Sub(root, name)
			if err != nil {
				return err
			}
			out = append(out, found{name: name, folder: path.Join(folder, name), fsys: sub, builtin: builtin})
		}
		return nil
	}
	for _, dir := range c.dirs {
		if exists(filepath.Join(dir, "profile.yaml")) {
			return nil, inputError{fmt.Errorf("--profiles %s is itself a profile", dir), "name the folder above it"}
		}
		if err := add(os.DirFS(dir), filepath.ToSlash(filepath.Clean(dir)), false); err != nil {
			return nil, render.Unreadable(dir, err)
		}
	}
	if err := add(profiles.FS, "profiles", true); err != nil {
		return nil, err
	}
	slices.SortFunc(out, func(a, b found) int { return strings.Compare(a.name, b.name) })
	return out, nil
}

// find returns the profile called name.
func (c catalogue) find(name string) (found, error) {
	all, err := c.all()
	if err != nil {
		return found{}, err
	}
	var names []string
	for _, f := range all {
		if f.name == name {
			return f, nil
		}
		names = append(names, f.name)
	}
	hint := diag.DidYouMean(name, names)
	if hint == "" {
		hint = "the profiles are " + strings.Join(names, ", ") + ";"
	}
	return found{}, inputError{fmt.Errorf("there is no profile %q", name), hint + " --profiles DIR adds your own"}
}

// load reads the profile; the parts that it names are Kilter's own.
func (f found) load() (*profile.Profile, error) {
	return profile.Load(f.fsys, profiles.Parts(), f.folder)
}

// blueprint loads and compiles the profile. It reports what is wrong in any file at once:
// a profile that is not well-formed is compiled as far as it goes.
func (f found) blueprint() (*blueprint.Blueprint, error) {
	p, err := f.load()
	if p == nil {
		return nil, err
	}
	errs, _ := err.(diag.List)
	b, err := blueprint.Compile(p)
	more, ok := err.(diag.List)
	if err != nil && !ok {
		return nil, err
	}
	errs.Add(more)
	if err := errs.Err(); err != nil {
		return nil, err
	}
	return b, nil
}
