// SPDX-License-Identifier: Apache-2.0

// Package fixtest says what the tests of fixes want of them.
package fixtest

import (
	"regexp"

	"kilter.dev/kilter/internal/kube"
	"kilter.dev/kilter/internal/lint"
)

// same is what a finding has in common with one before. At is a path, or a message without
// its numbers.
type same struct{ rule, object, at string }

var number = regexp.MustCompile(`[0-9]+(\.[0-9]+)?`)

func byMessage(f lint.Finding) same {
	return same{f.Code, objectOf(f), number.ReplaceAllString(f.Message, "0")}
}

func byPath(f lint.Finding) same { return same{f.Code, objectOf(f), f.Path} }

func objectOf(f lint.Finding) string {
	if f.Object == nil {
		return ""
	}
	return f.Object.ID().String()
}

// Broken are the findings of all rules after a fix that were not there before. The numbers
// in a message may have changed, and all of its words where the one before had no fix. What
// is found more often than before is new. An object that could not be read before was not
// judged at all.
func Broken(before, after []lint.Finding) []lint.Finding {
	known, unread := map[same]int{}, map[string]bool{}
	for _, f := range before {
		known[byMessage(f)]++
		unread[objectOf(f)] = unread[objectOf(f)] || f.Code == kube.TypeTrap || f.Code == kube.WrongType
	}
	var others []lint.Finding
	for _, f := range after {
		if k := byMessage(f); known[k] > 0 {
			known[k]--
		} else if !unread[objectOf(f)] {
			others = append(others, f)
		}
	}
	reworded := map[same]int{}
	for _, f := range before {
		if k := byMessage(f); known[k] > 0 && f.Repair == nil {
			known[k]--
			reworded[byPath(f)]++
		}
	}
	var broken []lint.Finding
	for _, f := range others {
		if k := byPath(f); reworded[k] > 0 {
			reworded[k]--
		} else {
			broken = append(broken, f)
		}
	}
	return broken
}
