// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"fmt"
	"regexp"
	"strconv"
)

// The minor versions of Kubernetes 1 that Kilter knows.
const (
	oldestKube = 32
	newestKube = 37
)

var kubeVersion = regexp.MustCompile(`^v?(1\.([0-9]{1,3}))(\.[0-9]+)?$`)

// kubeProblem says what is wrong with a Kubernetes version, "" for nothing.
func kubeProblem(text string) (problem, hint string) {
	m := kubeVersion.FindStringSubmatch(text)
	if m == nil {
		return fmt.Sprintf("%q is not a Kubernetes version", text), "write one such as 1.34"
	}
	if minor, err := strconv.Atoi(m[2]); err != nil || minor < oldestKube || minor > newestKube {
		return fmt.Sprintf("Kubernetes %s is not supported", text), fmt.Sprintf("the versions are 1.%d to 1.%d", oldestKube, newestKube)
	}
	return "", ""
}

// kubeMinor is the "1.34" of a version without a problem, "" of "".
func kubeMinor(text string) string {
	m := kubeVersion.FindStringSubmatch(text)
	if m == nil {
		return ""
	}
	return m[1]
}

var (
	dnsLabel = regexp.MustCompile(`^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$`)
	letter   = regexp.MustCompile(`^[a-z]`)
)

// nameProblem says what is wrong with the name of a workload, which its Service has too.
func nameProblem(name string) (problem, hint string) {
	if dnsLabel.MatchString(name) && letter.MatchString(name) {
		return "", ""
	}
	return fmt.Sprintf("%q cannot be the name of a workload", name),
		"use at most 63 lower-case letters, digits and -, beginning with a letter"
}

func namespaceProblem(name string) (problem, hint string) {
	if dnsLabel.MatchString(name) {
		return "", ""
	}
	return fmt.Sprintf("%q cannot be a namespace", name),
		"use at most 63 lower-case letters, digits and -, beginning and ending with a letter or digit"
}

// checkFlag makes a usage error of what a check says about a flag's value; "" passes.
func checkFlag(flag, value string, check func(string) (problem, hint string)) error {
	if value == "" {
		return nil
	}
	if problem, hint := check(value); problem != "" {
		return usageError{fmt.Errorf("%s: %s", flag, problem), hint}
	}
	return nil
}
