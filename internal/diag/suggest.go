// SPDX-License-Identifier: Apache-2.0

package diag

import (
	"fmt"
	"strings"
)

// DidYouMean returns `did you mean "x"?` for the known name nearest to name, or ""
// when none is near (more than a third of the letters differ).
func DidYouMean(name string, known []string) string {
	best, bestDistance := "", len(name)/3+1
	for _, k := range known {
		if strings.EqualFold(k, name) {
			best, bestDistance = k, 0
			continue
		}
		if d := distance(name, k); d < bestDistance || d == bestDistance && best == "" {
			best, bestDistance = k, d
		}
	}
	if best == "" {
		return ""
	}
	return fmt.Sprintf("did you mean %q?", best)
}

// distance is the Levenshtein distance of a and b, in bytes.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		diagonal := row[0]
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			diagonal, row[j] = row[j], min(row[j]+1, row[j-1]+1, diagonal+cost)
		}
	}
	return row[len(b)]
}
