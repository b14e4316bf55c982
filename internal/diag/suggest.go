// SPDX-License-Identifier: Apache-2.0

package diag

import (
	"fmt"
	"strings"
)

// DidYouMean returns `did you mean "x"?` for the known name nearest to name, or ""
// when none is near: when more than a third of the letters differ. Two letters that changed
// places are one difference, and so is what one of the two has behind the other one.
func DidYouMean(name string, known []string) string {
	best, bestDistance := "", len(name)/3+1 // the first that is too far
	for _, k := range known {
		if strings.EqualFold(k, name) {
			best, bestDistance = k, 0
			continue
		}
		d := distance(name, k)
		if len(name) >= 3 && strings.HasPrefix(k, name) || len(k) > len(name)/2 && strings.HasPrefix(name, k) {
			d = 1
		}
		if d < bestDistance {
			best, bestDistance = k, d
		}
	}
	if best == "" {
		return ""
	}
	return fmt.Sprintf("did you mean %q?", best)
}

// distance is how many bytes to add, remove, replace or exchange with the next one make b of a.
func distance(a, b string) int {
	rows := make([][]int, len(a)+1)
	for i := range rows {
		rows[i] = make([]int, len(b)+1)
		rows[i][0] = i
	}
	for j := range rows[0] {
		rows[0][j] = j
	}
	for i := 1; i <= len(a); i++ {
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			rows[i][j] = min(rows[i-1][j]+1, rows[i][j-1]+1, rows[i-1][j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				rows[i][j] = min(rows[i][j], rows[i-2][j-2]+1)
			}
		}
	}
	return rows[len(a)][len(b)]
}
