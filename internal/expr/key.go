// SPDX-License-Identifier: Apache-2.0

package expr

import (
	"fmt"
	"strings"
)

// Key is the tree as text: equal for equal trees, and readable in a test's failure.
func Key(t Tree) string {
	switch x := t.(type) {
	case nil:
		return "true"
	case *Literal:
		return fmt.Sprintf("%#v", x.Value)
	case *Ref:
		return strings.Join(x.Path, ".")
	case *Call:
		args := make([]string, len(x.Args))
		for i, a := range x.Args {
			args[i] = Key(a)
		}
		return string(x.Op) + "(" + strings.Join(args, ", ") + ")"
	}
	return ""
}
