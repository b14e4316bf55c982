// SPDX-License-Identifier: Apache-2.0

package param

import (
	"fmt"
	"strings"
)

// Listing returns the parameters for a reader at a terminal, in the order declared: the
// path, type, limits and default of each on a line, under it the description, wrapped at
// width characters.
func (s *Schema) Listing(width int) string {
	var b strings.Builder
	for _, p := range s.Leaves() {
		facts := []string{p.typeName()}
		if limits := p.limits(); limits != "" {
			facts = append(facts, limits)
		}
		if p.Default != nil {
			facts = append(facts, "default "+oneLine(p.Default))
		} else {
			facts = append(facts, "optional")
		}
		lines := wrap(strings.Join(facts, ", "), width-len("  "+p.Path+"  "))
		fmt.Fprintf(&b, "  %s  %s\n", p.Path, lines[0])
		for _, line := range append(lines[1:], wrap(p.Description, width-6)...) {
			fmt.Fprintf(&b, "      %s\n", line)
		}
	}
	return b.String()
}
