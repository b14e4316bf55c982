// SPDX-License-Identifier: Apache-2.0

package expr

import (
	"slices"

	"github.com/google/cel-go/common/ast"

	"kilter.dev/kilter/internal/diag"
	"kilter.dev/kilter/internal/kube"
)

// atLeast lowers kube.atLeast("1.35").
func (l *lowerer) atLeast(x ast.Expr) Tree {
	c := x.AsCall()
	if c.Target().Kind() != ast.IdentKind || c.Target().AsIdent() != "kube" {
		return l.refuse(x, `write kube.atLeast("1.35")`, "atLeast belongs to kube")
	}
	want := c.Args()[0]
	if want.Kind() != ast.LiteralKind {
		return l.refuse(want, `write kube.atLeast("1.35")`, "the version must be a constant")
	}
	version := want.AsLiteral().Value().(string)
	if !kube.IsVersion(version) {
		return l.refuse(want, `write kube.atLeast("1.35")`, "%q is not a Kubernetes minor version", version)
	}
	return call(AtLeast, Bool, &Literal{version})
}

// file lowers file("name") to the file's text.
func (l *lowerer) file(x ast.Expr) Tree {
	arg := x.AsCall().Args()[0]
	if arg.Kind() != ast.LiteralKind {
		return l.refuse(arg, `write file("start.sh")`, "the name of a file must be a constant")
	}
	name := arg.AsLiteral().Value().(string)
	text, ok := l.env.files[name]
	if !ok {
		var names []string
		for n := range l.env.files {
			names = append(names, n)
		}
		slices.Sort(names)
		return l.refuse(arg, diag.DidYouMean(name, names), "the profile has no file files/%s", name)
	}
	return &Literal{text}
}

func (l *lowerer) json(x ast.Expr, k known) Tree {
	args, ok := l.args(x, k)
	switch {
	case !ok:
		return nil
	case !kindsIn(args, []Kind{List, Map, Any}):
		return l.refuse(x, seeTable, "json takes a list or a map")
	}
	return call(JSON, String, args...)
}

// digest lowers sha256(x) and hash(x); of what is no string they take the JSON.
func (l *lowerer) digest(x ast.Expr, k known) Tree {
	args, ok := l.args(x, k)
	if !ok {
		return nil
	}
	name, op := x.AsCall().FunctionName(), Hash
	if name == "sha256" {
		op = Sha256
	}
	switch {
	case !kindsIn(args, []Kind{String, List, Map, Any}):
		return l.refuse(x, seeTable, "%s takes a string, a list or a map", name)
	case args[0].Type().Kind != String:
		args[0] = call(JSON, String, args[0])
	}
	return call(op, String, args...)
}

func (l *lowerer) textOf(x ast.Expr, k known) Tree {
	args, ok := l.args(x, k)
	switch {
	case !ok:
		return nil
	case !printable(args[0].Type().Kind) || args[0].Type().Optional:
		return l.refuse(x, seeTable, "string() takes an integer, a boolean or a string")
	case args[0].Type().Kind == String:
		return args[0]
	}
	return call(Text, String, args...)
}

// option lowers optional.of(x), optional.none() and o.orValue(x).
func (l *lowerer) option(x ast.Expr, k known) Tree {
	args, ok := l.args(x, k)
	if !ok {
		return nil
	}
	switch x.AsCall().FunctionName() {
	case "optional.none":
		return &Call{Op: None, T: Type{Kind: Nothing, Optional: true}}
	case "optional.of":
		t := args[0].Type()
		t.Optional = true
		return &Call{Op: Some, Args: args, T: t}
	}
	t := args[1].Type()
	if t.Optional || !args[0].Type().Optional {
		return l.refuse(x, "write params.?a.?b.orValue(default)", "orValue takes an optional value and a plain default")
	}
	return &Call{Op: OrValue, Args: args, T: t}
}
