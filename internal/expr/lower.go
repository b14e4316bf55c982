// SPDX-License-Identifier: Apache-2.0

package expr

import (
	"strings"

	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"

	"kilter.dev/kilter/internal/diag"
	"kilter.dev/kilter/internal/param"
	"kilter.dev/kilter/internal/source"
)

// lowerer turns one checked CEL expression into a Tree and reports what no target can
// express. Its methods return nil after a report, and take nil arguments in silence.
type lowerer struct {
	env  *Env
	ast  *ast.AST
	text string
	errs *diag.List
	at   func(from, to int) source.Span
}

// known holds the paths of optional parameters that a presence test has shown to be there.
type known map[string]bool

func (l *lowerer) refuse(x ast.Expr, hint, format string, args ...any) Tree {
	from, to := 0, len(l.text)
	if r, ok := l.ast.SourceInfo().GetOffsetRange(x.ID()); ok {
		from, to = anchor(l.text, runeOffset(l.text, int(r.Start)))
	}
	l.errs.Errorf(l.at(from, to), Code, format, args...).Hint = hint
	return nil
}

const seeTable = "docs/expressions.md lists what every target can express"

func (l *lowerer) lower(x ast.Expr, k known) Tree {
	switch x.Kind() {
	case ast.LiteralKind:
		return l.literal(x)
	case ast.IdentKind, ast.SelectKind:
		return l.reference(x, k)
	case ast.CallKind:
		return l.call(x, k)
	case ast.ListKind:
		return l.refuse(x, seeTable, "a list literal stands only in [a, b].max(), [a, b].min() and x in [a, b]")
	case ast.MapKind, ast.StructKind:
		return l.refuse(x, "write the map as YAML in the template", "a map literal cannot be expressed in a Helm chart")
	}
	return l.refuse(x, seeTable, "macros such as map, filter, all and exists cannot be expressed in every target")
}

func (l *lowerer) literal(x ast.Expr) Tree {
	switch v := x.AsLiteral().Value().(type) {
	case string, int64, bool:
		return &Literal{v}
	}
	return l.refuse(x, seeTable, "only strings, integers and booleans can be literals")
}

// path returns the dotted names of a chain of plain selections, nil if x is none.
func path(x ast.Expr) []string {
	switch x.Kind() {
	case ast.IdentKind:
		return strings.Split(x.AsIdent(), ".")
	case ast.SelectKind:
		if base := path(x.AsSelect().Operand()); base != nil {
			return append(base, x.AsSelect().FieldName())
		}
	case ast.CallKind:
		c := x.AsCall()
		if c.FunctionName() == operators.OptSelect {
			if base := path(c.Args()[0]); base != nil {
				return append(base, c.Args()[1].AsLiteral().Value().(string))
			}
		}
	}
	return nil
}

// reference lowers a parameter, variable or workload field, and has().
func (l *lowerer) reference(x ast.Expr, k known) Tree {
	p := path(x)
	if p == nil {
		return l.refuse(x, seeTable, "only fields of params, variables and workload can be selected")
	}
	switch p[0] {
	case "workload":
		return &Ref{Path: p, T: Type{Kind: String}}
	case "variables":
		return &Ref{Path: p, T: l.env.variables[p[1]]}
	case "self":
		p = append([]string{"params"}, append(strings.Split(l.env.self.Path, "."), p[1:]...)...)
		k = k.with(strings.Join(p, "."))
	case "params":
	default:
		return l.refuse(x, seeTable, "%q is not a value", strings.Join(p, "."))
	}
	schema := l.env.param(p)
	if schema == nil {
		return l.refuse(x, "give the field a schema, or pass the whole value through", "%s has no declared fields", strings.Join(p[:len(p)-1], "."))
	}
	ref := &Ref{Path: p, Format: schema.Format, T: typeOf(schema)}
	if x.Kind() == ast.SelectKind && x.AsSelect().IsTestOnly() {
		if !schema.Optional() {
			return &Literal{true}
		}
		return call(Has, Bool, ref)
	}
	if schema.Optional() && !k[strings.Join(p, ".")] {
		name := strings.Join(p[1:], ".")
		return l.refuse(x, "write params.?"+strings.Join(p[1:], ".?")+", or test has(params."+name+") first", "%s may be absent", name)
	}
	if schema.Type == param.Object && schema.Values == nil {
		return l.refuse(x, "use its fields", "%s is a group of parameters, not a value", strings.Join(p[1:], "."))
	}
	return ref
}

// optional lowers params.?a.?b.
func (l *lowerer) optional(x ast.Expr) Tree {
	p := path(x)
	if p == nil || p[0] != "params" {
		return l.refuse(x, seeTable, ".? selects only parameters")
	}
	schema := l.env.param(p)
	if schema == nil {
		return l.refuse(x, diag.DidYouMean(p[len(p)-1], l.env.fieldNames()), "unknown parameter %q", strings.Join(p[1:], "."))
	}
	ref := &Ref{Path: p, Format: schema.Format, T: typeOf(schema)}
	t := ref.T
	t.Optional = true
	if !schema.Optional() {
		return &Call{Op: Some, Args: []Tree{ref}, T: t}
	}
	return &Call{Op: Opt, Args: []Tree{ref}, T: t}
}

// with returns k plus the given paths.
func (k known) with(paths ...string) known {
	larger := known{}
	for p := range k {
		larger[p] = true
	}
	for _, p := range paths {
		larger[p] = true
	}
	return larger
}

// assuming returns k plus what must be present when t has the given outcome.
func (k known) assuming(t Tree, outcome bool) known {
	c, ok := t.(*Call)
	if !ok {
		return k
	}
	switch {
	case c.Op == Has && outcome:
		return k.with(strings.Join(c.Args[0].(*Ref).Path, "."))
	case c.Op == Not:
		return k.assuming(c.Args[0], !outcome)
	case c.Op == And && outcome, c.Op == Or && !outcome:
		for _, a := range c.Args {
			k = k.assuming(a, outcome)
		}
	}
	return k
}

// call makes a Call whose result is of the given kind.
func call(op Op, kind Kind, args ...Tree) Tree {
	return &Call{Op: op, Args: args, T: Type{Kind: kind}}
}

func runeOffset(text string, runes int) int {
	for i := range text {
		if runes == 0 {
			return i
		}
		runes--
	}
	return len(text)
}
