// SPDX-License-Identifier: Apache-2.0

package helm

import (
	"strconv"
	"strings"

	"kilter.dev/kilter/internal/expr"
)

// text prints the operations on strings.
func (p printer) text(c *expr.Call) string {
	arg := func(i int) string { return " " + p.typed(c.Args[i]) }
	switch c.Op {
	case expr.InMap:
		return "hasKey" + arg(1) + arg(0)
	case expr.StartsWith:
		return "hasPrefix" + arg(1) + arg(0)
	case expr.EndsWith:
		return "hasSuffix" + arg(1) + arg(0)
	case expr.Contains:
		return "contains" + arg(1) + arg(0)
	case expr.Matches:
		return "regexMatch" + arg(1) + arg(0)
	case expr.QuantityInt:
		return p.include("value.whole", p.typed(c.Args[0])) + " | int64"
	case expr.Sha256:
		return "sha256sum" + arg(0)
	case expr.Hash:
		return "sha256sum" + arg(0) + " | trunc 8"
	case expr.JSON:
		return "toJson" + arg(0)
	case expr.AtLeast:
		version, _ := c.Args[0].(*expr.Literal).Value.(string)
		return "semverCompare " + strconv.Quote(">="+version+"-0") + " .Capabilities.KubeVersion.Version"
	}
	return `""`
}

// size counts characters of a string, as CEL does; len counts bytes.
func (p printer) size(t expr.Tree) string {
	if t.Type().Kind == expr.String {
		return `len (regexFindAll "(?s)." ` + p.typed(t) + " -1)"
	}
	return "len " + p.typed(t)
}

func (p printer) concat(args []expr.Tree) string {
	var format strings.Builder
	var rest []expr.Tree
	for _, a := range args {
		if l, ok := a.(*expr.Literal); ok {
			if s, ok := l.Value.(string); ok {
				format.WriteString(strings.ReplaceAll(s, "%", "%%"))
				continue
			}
		}
		if c, ok := a.(*expr.Call); ok && c.Op == expr.Text {
			a = c.Args[0]
		}
		switch a.Type().Kind {
		case expr.Int:
			format.WriteString("%d")
		case expr.Bool:
			format.WriteString("%t")
		default:
			format.WriteString("%s")
		}
		rest = append(rest, a)
	}
	return "printf " + strconv.Quote(format.String()) + p.list(rest, p.typed)
}
