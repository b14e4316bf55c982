// SPDX-License-Identifier: Apache-2.0

package kube

import (
	"strconv"
	"strings"
)

// Default is the Kubernetes version that counts where none is given.
const Default = "1.34"

// Versions returns the supported Kubernetes versions, oldest first.
func Versions() []string { return []string{"1.32", "1.33", "1.34", "1.35", "1.36", "1.37"} }

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
