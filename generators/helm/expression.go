// SPDX-License-Identifier: Apache-2.0

package helm

import (
	"strconv"
	"strings"

	"kilter.dev/kilter/internal/expr"
	"kilter.dev/kilter/internal/param"
)

// printer prints Trees as pipelines of Go templates, to stand where the dot is the root.
//
// Both majors of Helm give an integer of a values file as float64 and one of --set as
// int64, and evaluate both branches of ternary. So integers pass through int64, and
// whatever may be nil is given a default where a function wants a string, bool or map.
// Groups of parameters need no test: values.yaml holds them all, and the schema does
// not let a user remove one.
type printer struct {
	chart  string // prefix of the chart's named templates
	params *param.Schema
}

// simple are the operations whose arguments follow the function's name.
var simple = map[expr.Op]string{
	expr.Add: "add", expr.Sub: "sub", expr.Mul: "mul", expr.Div: "div", expr.Mod: "mod",
	expr.Max: "max", expr.Min: "min", expr.Neg: "sub 0",
	expr.Eq: "eq", expr.Ne: "ne", expr.Lt: "lt", expr.Le: "le", expr.Gt: "gt", expr.Ge: "ge",
	expr.InList: "has", expr.Text: "toString",
}

// pipeline prints t, which holds no optional operation but Has.
func (p printer) pipeline(t expr.Tree) string {
	switch x := t.(type) {
	case *expr.Literal:
		return literal(x.Value)
	case *expr.Ref:
		return p.ref(x)
	case *expr.Call:
		return p.call(x)
	case raw:
		return string(x)
	}
	return `""`
}

// raw is a pipeline that gives a string, for what only charts have.
type raw string

func (raw) Type() expr.Type { return expr.Type{Kind: expr.String} }

func literal(v any) string {
	switch v := v.(type) {
	case bool:
		return strconv.FormatBool(v)
	case int64:
		return strconv.FormatInt(v, 10)
	case string:
		return strconv.Quote(v)
	}
	return `""`
}

// ref prints a reference as a value of its kind.
func (p printer) ref(r *expr.Ref) string {
	switch r.Path[0] {
	case "workload":
		if r.Path[1] == "namespace" {
			return ".Release.Namespace"
		}
		return p.include("workload.name", ".")
	case "variables":
		text := p.include(r.Path[1], ".")
		switch r.T.Kind {
		case expr.Int:
			return text + " | int64"
		case expr.Bool:
			return "eq (" + text + `) "true"`
		}
		return text
	}
	switch {
	case r.Format != "":
		return p.include("value.text", access(r))
	case r.T.Kind == expr.Int:
		return "int64 " + access(r)
	}
	return access(r)
}

// access prints a parameter as the values hold it: of whatever type, or nil.
func access(r *expr.Ref) string { return ".Values." + strings.Join(r.Path[1:], ".") }

func (p printer) include(name, argument string) string {
	return "include " + strconv.Quote(p.chart+"."+name) + " " + argument
}

// operand prints t for a place among other arguments.
func (p printer) operand(t expr.Tree) string {
	text := p.pipeline(t)
	if _, ok := t.(*expr.Literal); ok {
		return text
	}
	return inParens(text)
}

func inParens(text string) string {
	if strings.Contains(text, " ") {
		return "(" + text + ")"
	}
	return text
}

// typed prints t for a parameter of a Go function that takes no nil.
func (p printer) typed(t expr.Tree) string {
	if t.Type().Kind == expr.Bool {
		return p.boolean(t)
	}
	if !p.mayBeNil(t) {
		return p.operand(t)
	}
	zero := map[expr.Kind]string{expr.String: `""`, expr.List: "list", expr.Map: "dict"}[t.Type().Kind]
	return "(default " + zero + " " + p.operand(t) + ")"
}

// boolean prints t as a bool and nothing that is merely true.
func (p printer) boolean(t expr.Tree) string {
	if p.mayBeNil(t) {
		return "(default false " + p.operand(t) + ")"
	}
	return p.operand(t)
}

func (p printer) mayBeNil(t expr.Tree) bool {
	switch x := t.(type) {
	case *expr.Ref:
		if x.Path[0] != "params" || x.Format != "" || x.T.Kind == expr.Int {
			return false
		}
		s := p.params.Lookup(strings.Join(x.Path[1:], "."))
		return s == nil || s.Optional()
	case *expr.Call:
		return x.Op == expr.Cond && (p.mayBeNil(x.Args[1]) || p.mayBeNil(x.Args[2]))
	}
	return false
}

func (p printer) call(c *expr.Call) string {
	if name, ok := simple[c.Op]; ok {
		return name + p.list(flat(c), p.operand)
	}
	switch c.Op {
	case expr.And:
		return "and" + p.list(flat(c), p.boolean)
	case expr.Or:
		return "or" + p.list(flat(c), p.boolean)
	case expr.Not:
		return p.not(c.Args[0])
	case expr.Cond:
		return p.cond(c)
	case expr.Has:
		return "not (" + p.not(c) + ")"
	case expr.NonEmpty:
		return "not (" + p.not(c) + ")"
	case expr.OneOf:
		if len(c.Args) == 1 {
			return "false"
		}
		return "eq" + p.list(c.Args, p.operand)
	case expr.Concat:
		return p.concat(c.Args)
	case expr.Size:
		return p.size(c.Args[0])
	}
	return p.text(c)
}

// flat returns the arguments of c, and for an operation that takes any number of them
// also those of its arguments that are the same operation.
func flat(c *expr.Call) []expr.Tree {
	switch c.Op {
	case expr.And, expr.Or, expr.Add, expr.Mul, expr.Max, expr.Min:
	default:
		return c.Args
	}
	var args []expr.Tree
	for _, a := range c.Args {
		if inner, ok := a.(*expr.Call); ok && inner.Op == c.Op {
			args = append(args, flat(inner)...)
		} else {
			args = append(args, a)
		}
	}
	return args
}

// cond asks the shorter one of two opposite questions.
func (p printer) cond(c *expr.Call) string {
	print := p.operand
	if c.T.Kind == expr.Bool {
		print = p.boolean
	}
	test, a, b := c.Args[0], c.Args[1], c.Args[2]
	if t, ok := test.(*expr.Call); ok && t.Op == expr.Has {
		return "ternary " + print(b) + " " + print(a) + " " + inParens(p.not(t))
	} else if ok && t.Op == expr.Not {
		return "ternary " + print(b) + " " + print(a) + " " + p.boolean(t.Args[0])
	}
	return "ternary " + print(a) + " " + print(b) + " " + p.boolean(test)
}

func (p printer) list(args []expr.Tree, print func(expr.Tree) string) string {
	var b strings.Builder
	for _, a := range args {
		b.WriteByte(' ')
		b.WriteString(print(a))
	}
	return b.String()
}

var opposites = map[expr.Op]string{expr.Eq: "ne", expr.Ne: "eq", expr.Lt: "ge", expr.Le: "gt", expr.Gt: "le", expr.Ge: "lt"}

// not prints the complement of t.
func (p printer) not(t expr.Tree) string {
	if c, ok := t.(*expr.Call); ok {
		switch c.Op {
		case expr.Has:
			return `kindIs "invalid" ` + access(c.Args[0].(*expr.Ref))
		case expr.NonEmpty:
			if p.mayBeScalar(c.Args[0]) {
				return "has (toJson " + p.operand(c.Args[0]) + `) (list "null" "{}" "[]")`
			}
			return "empty " + p.operand(c.Args[0])
		}
		if opposite, ok := opposites[c.Op]; ok {
			return opposite + p.list(c.Args, p.operand)
		}
	}
	if r, ok := t.(*expr.Ref); ok && r.Path[0] == "variables" {
		return "ne (" + p.include(r.Path[1], ".") + `) "true"`
	}
	return "not " + p.operand(t)
}

// test prints t for {{ if }}, where a list or map that is not empty counts as true.
func (p printer) test(t expr.Tree) string {
	c, ok := t.(*expr.Call)
	if !ok {
		return p.pipeline(t)
	}
	operand := func(t expr.Tree) string { return inParens(p.test(t)) }
	switch c.Op {
	case expr.And:
		return "and" + p.list(flat(c), operand)
	case expr.Or:
		return "or" + p.list(flat(c), operand)
	case expr.NonEmpty:
		if !p.mayBeScalar(c.Args[0]) {
			return p.pipeline(c.Args[0])
		}
	}
	return p.pipeline(t)
}

// mayBeScalar reports whether t is not only a list, a map or nothing: then 0, false and
// "" are values, which a template takes for untrue.
func (p printer) mayBeScalar(t expr.Tree) bool {
	if t.Type().Kind != expr.Any {
		return false
	}
	if r, ok := t.(*expr.Ref); ok {
		s := p.params.Lookup(strings.Join(r.Path[1:], "."))
		return s == nil || !s.AnyMap
	}
	return true
}
