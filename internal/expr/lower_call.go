// SPDX-License-Identifier: Apache-2.0

package expr

import (
	"regexp"

	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
)

// sameKind are the calls that keep their shape: each argument is lowered, and the
// result is of the given kind.
var sameKind = map[string]struct {
	op     Op
	result Kind
}{
	operators.Subtract:      {Sub, Int},
	operators.Multiply:      {Mul, Int},
	operators.Negate:        {Neg, Int},
	operators.Less:          {Lt, Bool},
	operators.LessEquals:    {Le, Bool},
	operators.Greater:       {Gt, Bool},
	operators.GreaterEquals: {Ge, Bool},
	operators.LogicalNot:    {Not, Bool},
	"startsWith":            {StartsWith, Bool},
	"endsWith":              {EndsWith, Bool},
	"contains":              {Contains, Bool},
	"size":                  {Size, Int},
	wholeUnitsFunction:      {QuantityInt, Int},
}

func (l *lowerer) call(x ast.Expr, k known) Tree {
	c := x.AsCall()
	switch name := c.FunctionName(); name {
	case operators.OptSelect:
		return l.optional(x)
	case operators.Conditional:
		return l.cond(x, k)
	case operators.LogicalAnd, operators.LogicalOr:
		return l.logic(x, k)
	case operators.Equals, operators.NotEquals:
		return l.equality(x, k)
	case operators.Add:
		return l.plus(x, k)
	case operators.Divide, operators.Modulo:
		return l.divide(x, k)
	case operators.In, operators.OldIn:
		return l.in(x, k)
	case "max", "min":
		return l.extremum(x, k)
	case "matches":
		return l.matches(x, k)
	case "atLeast":
		return l.atLeast(x)
	case "file":
		return l.file(x)
	case "string":
		return l.textOf(x, k)
	case "json":
		return l.json(x, k)
	case "sha256", "hash":
		return l.digest(x, k)
	case "optional.of", "optional.none", "orValue":
		return l.option(x, k)
	default:
		same, ok := sameKind[name]
		if !ok {
			return l.refuse(x, seeTable, "function or operator %s cannot be expressed in every target", plainOperator(name))
		}
		args, ok := l.args(x, k)
		if !ok {
			return nil
		}
		if want := operandKind(same.op); want != nil && !kindsIn(args, want) {
			return l.refuse(x, seeTable, "%s of these types cannot be expressed in every target", plainOperator(name))
		}
		return call(same.op, same.result, args...)
	}
}

// operandKind lists the kinds an operation takes; nil when CEL's own check is enough.
func operandKind(op Op) []Kind {
	switch op {
	case Sub, Mul, Neg, Lt, Le, Gt, Ge:
		return []Kind{Int}
	case Size:
		return []Kind{String, List, Map}
	case Not:
		return []Kind{Bool}
	}
	return []Kind{String}
}

func kindsIn(args []Tree, want []Kind) bool {
	for _, a := range args {
		ok := false
		for _, k := range want {
			ok = ok || a.Type().Kind == k
		}
		if !ok || a.Type().Optional {
			return false
		}
	}
	return true
}

// args lowers the target, if any, and the arguments.
func (l *lowerer) args(x ast.Expr, k known) ([]Tree, bool) {
	c := x.AsCall()
	exprs := c.Args()
	if c.IsMemberFunction() {
		exprs = append([]ast.Expr{c.Target()}, exprs...)
	}
	args := make([]Tree, len(exprs))
	ok := true
	for i, e := range exprs {
		args[i] = l.lower(e, k)
		ok = ok && args[i] != nil
	}
	return args, ok
}

func (l *lowerer) cond(x ast.Expr, k known) Tree {
	args := x.AsCall().Args()
	test := l.lower(args[0], k)
	if test == nil {
		return nil
	}
	a, b := l.lower(args[1], k.assuming(test, true)), l.lower(args[2], k.assuming(test, false))
	if a == nil || b == nil {
		return nil
	}
	t := a.Type()
	if t.Kind == Nothing {
		t = b.Type()
	}
	t.Optional = a.Type().Optional || b.Type().Optional
	return &Call{Op: Cond, Args: []Tree{test, a, b}, T: t}
}

// logic also knows what has() on the left says for the right.
func (l *lowerer) logic(x ast.Expr, k known) Tree {
	c := x.AsCall()
	op, outcome := And, true
	if c.FunctionName() == operators.LogicalOr {
		op, outcome = Or, false
	}
	left := l.lower(c.Args()[0], k)
	if left == nil {
		return nil
	}
	right := l.lower(c.Args()[1], k.assuming(left, outcome))
	if right == nil {
		return nil
	}
	return call(op, Bool, left, right)
}

func (l *lowerer) equality(x ast.Expr, k known) Tree {
	args, ok := l.args(x, k)
	if !ok {
		return nil
	}
	if !kindsIn(args, []Kind{args[0].Type().Kind}) || !printable(args[0].Type().Kind) {
		return l.refuse(x, "compare strings, integers or booleans; test a list with size()", "lists, maps and optional values cannot be compared in every target")
	}
	op := Eq
	if x.AsCall().FunctionName() == operators.NotEquals {
		op = Ne
	}
	return call(op, Bool, args...)
}

func (l *lowerer) plus(x ast.Expr, k known) Tree {
	args, ok := l.args(x, k)
	switch {
	case !ok:
		return nil
	case kindsIn(args, []Kind{Int}):
		return call(Add, Int, args...)
	case kindsIn(args, []Kind{String}):
		return concat(flatten(args))
	}
	return l.refuse(x, "add a second item to the list in the template", "only integers and strings can be added in every target")
}

func flatten(args []Tree) []Tree {
	var flat []Tree
	for _, a := range args {
		if c, ok := a.(*Call); ok && c.Op == Concat {
			flat = append(flat, c.Args...)
		} else {
			flat = append(flat, a)
		}
	}
	return flat
}

func (l *lowerer) divide(x ast.Expr, k known) Tree {
	args, ok := l.args(x, k)
	if !ok {
		return nil
	}
	op := Div
	if x.AsCall().FunctionName() == operators.Modulo {
		op = Mod
	}
	by, isLiteral := args[1].(*Literal)
	if n, isInt := valueOf(by).(int64); !isLiteral || !isInt || n == 0 {
		return l.refuse(x, "a target must not fail half-way: multiply, or make the number a constant", "only a constant other than 0 can divide")
	}
	return call(op, Int, args...)
}

func valueOf(l *Literal) any {
	if l == nil {
		return nil
	}
	return l.Value
}

func (l *lowerer) in(x ast.Expr, k known) Tree {
	args := x.AsCall().Args()
	needle := l.lower(args[0], k)
	if needle == nil {
		return nil
	}
	if args[1].Kind() == ast.ListKind {
		out := []Tree{needle}
		for _, item := range args[1].AsList().Elements() {
			t := l.lower(item, k)
			if t == nil {
				return nil
			}
			out = append(out, t)
		}
		if !kindsIn(out, []Kind{needle.Type().Kind}) || !printable(needle.Type().Kind) {
			return l.refuse(x, seeTable, "in takes strings, integers or booleans")
		}
		return call(OneOf, Bool, out...)
	}
	heap := l.lower(args[1], k)
	switch {
	case heap == nil:
		return nil
	case needle.Type().Kind == String && heap.Type().Kind == Map:
		return call(InMap, Bool, needle, heap)
	case needle.Type().Kind == String && heap.Type().Kind == List && heap.Type().Elem == String:
		return call(InList, Bool, needle, heap)
	}
	return l.refuse(x, seeTable, "in takes a string and a list of strings, or a map")
}

func (l *lowerer) extremum(x ast.Expr, k known) Tree {
	c := x.AsCall()
	if !c.IsMemberFunction() || c.Target().Kind() != ast.ListKind || c.Target().AsList().Size() == 0 {
		return l.refuse(x, "write [a, b].max()", "%s takes a list literal", c.FunctionName())
	}
	var args []Tree
	for _, item := range c.Target().AsList().Elements() {
		t := l.lower(item, k)
		if t == nil {
			return nil
		}
		args = append(args, t)
	}
	if !kindsIn(args, []Kind{Int}) {
		return l.refuse(x, seeTable, "%s takes integers", c.FunctionName())
	}
	op := Max
	if c.FunctionName() == "min" {
		op = Min
	}
	return call(op, Int, args...)
}

func (l *lowerer) matches(x ast.Expr, k known) Tree {
	args, ok := l.args(x, k)
	if !ok {
		return nil
	}
	pattern, isLiteral := args[1].(*Literal)
	if !isLiteral {
		return l.refuse(x, "write the pattern as a string literal", "a pattern must be a constant")
	}
	if _, err := regexp.Compile(pattern.Value.(string)); err != nil {
		return l.refuse(x, "", "%v", err)
	}
	return call(Matches, Bool, args...)
}
