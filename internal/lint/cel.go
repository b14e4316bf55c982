// SPDX-License-Identifier: Apache-2.0

package lint

import (
	"fmt"
	"slices"
	"sync"

	"github.com/google/cel-go/cel"
	celast "github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"

	"kilter.dev/kilter/internal/manifest"
)

// The variables of CEL in rules, besides the name of an each.
const (
	objectName    = "object"    // the typed, defaulted object
	variablesName = "variables" // those of variables.yaml
	relatedName   = "related"   // what selects, targets or is named by the object
)

// compiler compiles expressions when they are first needed: most rules never look at
// most inputs, and a message is only wanted for a finding.
type compiler struct {
	once sync.Once
	env  *cel.Env
	err  error
	each []string // names of all eaches
}

func (e *compiler) get() (*cel.Env, error) {
	e.once.Do(func() {
		e.env, e.err = Language(e.names()...)
	})
	return e.env, e.err
}

// names are what expressions may refer to.
func (e *compiler) names() []string {
	return append([]string{objectName, variablesName, relatedName}, e.each...)
}

// Expression is CEL in a rule file.
type Expression struct {
	node       *manifest.Node // where it stands
	start, end int            // which bytes of the node's text
	in         *compiler

	once    sync.Once
	ast     *cel.Ast
	program cel.Program
	err     error
}

func (r *Rules) expression(n *manifest.Node, start, end int) *Expression {
	return &Expression{node: n, start: start, end: end, in: &r.compiler}
}

func (x *Expression) Text() string { return x.node.Text()[x.start:x.end] }

// compile parses without checking types: an object is of any type, so that the check would
// find little, and costs most of the time. Check does it for the rules' own tests.
func (x *Expression) compile() error {
	x.once.Do(func() {
		env, err := x.in.get()
		if err != nil {
			x.err = err
			return
		}
		ast, issues := env.Parse(x.Text())
		if x.err = issues.Err(); x.err != nil {
			return
		}
		x.ast = ast
		x.in.resolve(ast.NativeRep())
		x.program, x.err = env.Program(ast)
	})
	return x.err
}

// resolve says which names in ast are variables, as a check would. Otherwise each evaluation
// of a.b.c has to find out that there is no variable called "a.b.c", nor "a.b".
func (e *compiler) resolve(ast *celast.AST) {
	names := e.names()
	celast.PreOrderVisit(ast.Expr(), celast.NewExprVisitor(func(x celast.Expr) {
		if x.Kind() == celast.IdentKind && slices.Contains(names, x.AsIdent()) {
			ast.SetReference(x.ID(), celast.NewIdentReference(x.AsIdent(), nil))
		}
	}))
}

// eval returns the value of the expression.
func (x *Expression) eval(scope *scope) (ref.Val, error) {
	if err := x.compile(); err != nil {
		return nil, err
	}
	value, _, err := x.program.Eval(scope)
	return value, err
}

// test is eval of a condition.
func (x *Expression) test(scope *scope) (bool, error) {
	value, err := x.eval(scope)
	if err != nil {
		return false, err
	}
	truth, ok := value.(types.Bool)
	if !ok {
		return false, fmt.Errorf("%s is %s, not true or false", x.Text(), value.Type().TypeName())
	}
	return bool(truth), nil
}

// mentions reports whether the expression refers to the variable.
func (x *Expression) mentions(name string) bool {
	found := false
	x.visit(func(e celast.Expr) { found = found || e.Kind() == celast.IdentKind && e.AsIdent() == name })
	return found
}

// keys are those of the maps that the expression makes, as they are written: the maps
// themselves have no order.
func (x *Expression) keys() []string {
	var all []string
	x.visit(func(e celast.Expr) {
		if e.Kind() != celast.MapKind {
			return
		}
		for _, entry := range e.AsMap().Entries() {
			if key := entry.AsMapEntry().Key(); key.Kind() == celast.LiteralKind {
				all = append(all, fmt.Sprint(key.AsLiteral().Value()))
			}
		}
	})
	return all
}

// IsMap reports whether the value of the expression is always a map.
func (x *Expression) IsMap() bool {
	env, err := x.in.get()
	if err != nil {
		return false
	}
	ast, issues := env.Compile(x.Text())
	return issues.Err() == nil && ast.OutputType().Kind() == types.MapKind
}

// uses are the names of the variables that the expression refers to.
func (x *Expression) uses() []string {
	var names []string
	x.visit(func(e celast.Expr) {
		if e.Kind() != celast.SelectKind {
			return
		}
		if s := e.AsSelect(); s.Operand().Kind() == celast.IdentKind && s.Operand().AsIdent() == variablesName {
			names = append(names, s.FieldName())
		}
	})
	return names
}

// visit calls f for every part of the expression; for none when it does not parse.
func (x *Expression) visit(f func(celast.Expr)) {
	if x.compile() == nil {
		celast.PreOrderVisit(x.ast.NativeRep().Expr(), celast.NewExprVisitor(f))
	}
}
