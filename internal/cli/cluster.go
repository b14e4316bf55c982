// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"fmt"
	"regexp"
)

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
