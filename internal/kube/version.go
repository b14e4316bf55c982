// SPDX-License-Identifier: Apache-2.0

package kube

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Default is the Kubernetes version that counts where none is given.
const Default = "1.34"

// Versions returns the supported Kubernetes versions, oldest first.
func Versions() []string { return []string{"1.32", "1.33", "1.34", "1.35", "1.36", "1.37"} }

var versionText = regexp.MustCompile(`^v?(1\.[0-9]{1,3})(\.[0-9]+)?$`)

// Minor is the "1.34" of "v1.34.2", "" of what is no version.
func Minor(version string) string {
	m := versionText.FindStringSubmatch(version)
	if m == nil {
		return ""
	}
	return m[1]
}

// Problem says what is wrong with a version that users write, and what to write; "" for nothing.
func Problem(version string) (problem, hint string) {
	versions := Versions()
	switch minor := Minor(version); {
	case minor == "":
		return fmt.Sprintf("%q is not a Kubernetes version", version), "write one such as " + Default
	case !slices.Contains(versions, minor):
		return fmt.Sprintf("Kubernetes %s is not supported", version), fmt.Sprintf("the versions are %s to %s", versions[0], versions[len(versions)-1])
	}
	return "", ""
}

// AtLeast reports whether version ("1.34", "v1.34.2") is want ("1.35") or newer, by major
// and minor. Text that is no version is never new enough.
func AtLeast(version, want string) bool {
	major, minor, ok := minorOf(version)
	wantMajor, wantMinor, wantOK := minorOf(want)
	return ok && wantOK && (major > wantMajor || major == wantMajor && minor >= wantMinor)
}

// IsVersion reports whether version names a minor version of Kubernetes: "1.34", "v1.34.2".
func IsVersion(version string) bool {
	_, _, ok := minorOf(version)
	return ok
}

func minorOf(version string) (major, minor int, ok bool) {
	fields := strings.SplitN(strings.TrimPrefix(version, "v"), ".", 3)
	if len(fields) < 2 {
		return 0, 0, false
	}
	major, errMajor := strconv.Atoi(fields[0])
	minor, errMinor := strconv.Atoi(fields[1])
	return major, minor, errMajor == nil && errMinor == nil
}
