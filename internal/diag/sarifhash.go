// SPDX-License-Identifier: Apache-2.0

package diag

import (
	"crypto/sha256"
	"fmt"
	"strings"
	"unicode/utf16"
)

// hashed is how many characters a line's hash covers, from the line's start.
const hashed = 100

// lineHashes returns for each line of text what GitHub's upload-sarif computes as
// primaryLocationLineHash: it tells a finding in a file that changed elsewhere from a new
// one. A hash is a polynomial in 37, modulo 2^64, of the UTF-16 units from the line's start
// on, without blanks, behind which stand 0xFFFF and zeros; then ":" and how many lines have
// had the same one so far.
func lineHashes(text string) []string {
	units, starts := hashUnits(text)
	seen := map[uint64]int{}
	hashes := make([]string, len(starts))
	for i, start := range starts {
		var hash uint64
		for k := start; k < start+hashed; k++ {
			hash *= 37
			if k < len(units) {
				hash += uint64(units[k])
			}
		}
		seen[hash]++
		hashes[i] = fmt.Sprintf("%x:%d", hash, seen[hash])
	}
	return hashes
}

// hashUnits returns the characters that count and where among them each line starts.
func hashUnits(text string) (units []uint16, starts []int) {
	text = strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(text)
	starts = []int{0}
	for _, u := range utf16.Encode([]rune(text)) {
		if u == ' ' || u == '\t' {
			continue
		}
		units = append(units, u)
		if u == '\n' {
			starts = append(starts, len(units))
		}
	}
	return append(units, 0xffff), starts
}

// identity is a hash of what a finding is about: it outlives changes of the file around it,
// of the file's name and of the rule's words.
func (d Diagnostic) identity() string {
	parts := []string{d.Code, d.Object.APIVersion, d.Object.Kind, d.Object.Namespace, d.Object.Name, d.Path}
	if d.Object == (Ref{}) {
		parts = append(parts, d.Message)
	}
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return fmt.Sprintf("%x", sum[:8])
}

// fingerprints makes the partial fingerprints of the findings of one report; it keeps the
// hashes of each file.
type fingerprints map[string][]string

func (f fingerprints) of(d Diagnostic) map[string]string {
	prints := map[string]string{"objectRulePath/v1": d.identity()}
	file := d.Span.File
	if file == nil {
		return prints
	}
	if file.Origin != "" || d.Span.Hidden() { // the hash of a short line is as good as its text
		prints["primaryLocationLineHash"] = d.identity() + ":1"
		return prints
	}
	hashes, ok := f[file.Name]
	if !ok {
		hashes = lineHashes(file.Text)
		f[file.Name] = hashes
	}
	if line, _ := d.Span.Position(); line >= 1 && line <= len(hashes) {
		prints["primaryLocationLineHash"] = hashes[line-1]
	}
	return prints
}
