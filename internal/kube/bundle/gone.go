// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
)

// ancestors are modules that still have the types of APIs that are gone, and say since
// when. Types say so since 1.19; what was new in between is in more than one of them.
var ancestors = []string{
	"k8s.io/api@v0.22.17", "k8s.io/apiextensions-apiserver@v0.22.17", "k8s.io/kube-aggregator@v0.22.17",
	"k8s.io/api@v0.26.15", "k8s.io/api@v0.29.15", "k8s.io/api@v0.32.13",
}

var (
	removed   = regexp.MustCompile(`func \(in \*(\w+)\) APILifecycleRemoved\(\) \(major, minor int\) \{\s*return (\d+), (\d+)`)
	groupName = regexp.MustCompile(`const GroupName = "([^"]*)"`)
)

// readGone returns the lines of the beta and stable APIs that are in none of kinds. What
// alpha APIs say is a guess that was never kept.
func readGone(kinds *table) ([]string, error) {
	seen := map[string]bool{}
	var lines []string
	for _, ancestor := range ancestors {
		dir, err := module(ancestor)
		if err != nil {
			return nil, err
		}
		files, err := filepath.Glob(filepath.Join(dir, "*/*/zz_generated.prerelease-lifecycle.go"))
		if err != nil {
			return nil, err
		}
		more, err := filepath.Glob(filepath.Join(dir, "pkg/apis/*/*/zz_generated.prerelease-lifecycle.go"))
		if err != nil {
			return nil, err
		}
		for _, file := range append(files, more...) {
			found, err := goneIn(file)
			if err != nil {
				return nil, err
			}
			for _, g := range found {
				if kinds.rows[g.id] == nil && !seen[g.id] {
					seen[g.id] = true
					lines = append(lines, "gone "+g.id+" "+g.version)
				}
			}
		}
	}
	slices.Sort(lines)
	return lines, nil
}

type gone struct{ id, version string }

var unstable = regexp.MustCompile(`alpha|List$`)

func goneIn(file string) ([]gone, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	version := filepath.Base(filepath.Dir(file))
	register, err := os.ReadFile(filepath.Join(filepath.Dir(file), "register.go"))
	if err != nil {
		return nil, err
	}
	group := groupName.FindSubmatch(register)
	if group == nil {
		return nil, fmt.Errorf("%s: no GroupName", file)
	}
	var found []gone
	for _, m := range removed.FindAllSubmatch(text, -1) {
		minor, err := strconv.Atoi(string(m[3]))
		if err != nil {
			return nil, err
		}
		id := string(group[1]) + "/" + version + " " + string(m[1])
		if !unstable.MatchString(id) && minor <= 32 {
			found = append(found, gone{id, string(m[2]) + "." + string(m[3])})
		}
	}
	return found, nil
}
