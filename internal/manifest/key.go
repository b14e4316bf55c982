// SPDX-License-Identifier: Apache-2.0

package manifest

import (
	"strings"

	yaml "go.yaml.in/yaml/v3"
)

// IsTextUnquoted reports whether YAML 1.2 readers take s for text even without quotes:
// false for 1e3, null, true, 2001-01-01 and <<.
func IsTextUnquoted(s string) bool {
	return (&yaml.Node{Kind: yaml.ScalarNode, Value: s}).ShortTag() == "!!str"
}

// SurvivesJSON reports whether a YAML reader takes s from JSON as it is. DEL, NEL and
// other controls stand unescaped in JSON, where YAML refuses or folds them.
func SurvivesJSON(s string) bool {
	if !strings.ContainsFunc(s, func(r rune) bool { return r > '~' }) {
		return true
	}
	var back string
	return yaml.Unmarshal([]byte(quoteJSON(s)), &back) == nil && back == s
}
