// SPDX-License-Identifier: Apache-2.0

package expr

import (
	"fmt"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
	"github.com/google/cel-go/ext"
	"k8s.io/apiserver/pkg/cel/library"

	"kilter.dev/kilter/internal/diag"
	"kilter.dev/kilter/internal/manifest"
)

// Queries is what a Query may refer to: names of values that have no schema.
type Queries struct{ env *Env }

// Query is CEL over objects that are there. No target has to express it, so it may use all
// of the language: macros, optional values, and Kubernetes' libraries of lists, regular
// expressions and quantities.
type Query struct {
	Kind Kind // of its value; Any where only the value tells

	node    *manifest.Node
	program cel.Program
	value   any // of a constant
}

// NewQueries returns the environment of queries about the given names.
func NewQueries(names ...string) (*Queries, error) {
	options := []cel.EnvOption{
		cel.HomogeneousAggregateLiterals(),
		cel.DefaultUTCTimeZone(true),
		cel.OptionalTypes(),
		ext.Strings(ext.StringsVersion(2)),
		library.Lists(),
		library.Regex(),
		library.Quantity(),
	}
	for _, name := range names {
		options = append(options, cel.Variable(name, cel.DynType))
	}
	env, err := cel.NewEnv(options...)
	if err != nil {
		return nil, err
	}
	return &Queries{&Env{cel: env, names: names}}, nil
}

// Query compiles a scalar that is CEL as a whole; a number or boolean is itself.
func (q *Queries) Query(n *manifest.Node) (*Query, diag.List) {
	var errs diag.List
	if n.Shape != manifest.String {
		return &Query{Kind: kindOf(n.Shape), node: n, value: n.Value}, nil
	}
	ast, issues := q.env.cel.Compile(n.Text())
	if issues != nil && issues.Err() != nil {
		for _, err := range issues.Errors() {
			q.env.report(n, 0, n.Text(), err, &errs)
		}
		return nil, errs
	}
	program, err := q.env.cel.Program(ast)
	if err != nil {
		errs.Errorf(n.Span, Code, "%v", err)
		return nil, errs
	}
	return &Query{Kind: kindOfType(ast.OutputType()), node: n, program: program}, nil
}

// Eval returns the query's value as Template.Eval does.
func (q *Query) Eval(values map[string]any) (value any, present bool, err error) {
	if q.program == nil {
		return q.value, true, nil
	}
	out, _, err := q.program.Eval(values)
	if err != nil {
		return nil, false, fmt.Errorf("%s: %w", q.node.Span, err)
	}
	value, present = plain(out)
	return value, present, nil
}

// plain is native for lists and maps that the query makes too. A value that is nothing is
// left out of them.
func plain(v ref.Val) (any, bool) {
	switch x := v.(type) {
	case types.Null:
		return nil, false
	case *types.Optional:
		if !x.HasValue() {
			return nil, false
		}
		return plain(x.GetValue())
	case traits.Lister:
		list := []any{}
		for it := x.Iterator(); it.HasNext() == types.True; {
			if item, ok := plain(it.Next()); ok {
				list = append(list, item)
			}
		}
		return list, true
	case traits.Mapper:
		m := map[string]any{}
		for it := x.Iterator(); it.HasNext() == types.True; {
			key := it.Next()
			if value, ok := plain(x.Get(key)); ok {
				m[fmt.Sprint(key.Value())] = value
			}
		}
		return m, true
	}
	return native(v)
}

func kindOf(s manifest.Shape) Kind {
	switch s {
	case manifest.Bool:
		return Bool
	case manifest.Int:
		return Int
	}
	return Any
}

func kindOfType(t *cel.Type) Kind {
	if t.Kind() == types.OpaqueKind && t.TypeName() == "optional_type" {
		t = t.Parameters()[0]
	}
	switch t.Kind() {
	case cel.BoolKind:
		return Bool
	case cel.IntKind:
		return Int
	case cel.StringKind:
		return String
	case cel.ListKind:
		return List
	case cel.MapKind:
		return Map
	}
	return Any
}
