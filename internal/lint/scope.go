// SPDX-License-Identifier: Apache-2.0

package lint

import (
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/interpreter"
)

// Variable is a value that rules share: an entry of variables.yaml, which is also a
// variable of the admission policies made from them.
type Variable struct {
	Name, Description string
	Value             *Expression
}

// scope is what an expression is evaluated in: one object and, in an each, one item.
type scope struct {
	object    any
	variables *values
	related   func() any
	name      string // of the each
	item      any
}

// scope returns that of an object.
func (r *Rules) scope(object map[string]any, related func() any) *scope {
	s := &scope{object: orderedMap(object), related: related}
	s.variables = &values{rules: r, scope: s, known: map[string]ref.Val{}}
	return s
}

// values are the variables of an object, each computed when first asked for, and once.
type values struct {
	orderedMap // empty: nothing asks for all of them
	rules      *Rules
	scope      *scope
	known      map[string]ref.Val
}

// Find implements traits.Mapper.
func (v *values) Find(key ref.Val) (ref.Val, bool) {
	name, _ := key.(types.String)
	if value, ok := v.known[string(name)]; ok {
		return value, true
	}
	variable := v.rules.named[string(name)]
	if variable == nil {
		return nil, false
	}
	value, err := variable.Value.eval(v.scope)
	if err != nil {
		value = types.NewErr("variable %s: %w", name, err)
	}
	v.known[string(name)] = value
	return value, true
}

// with returns the scope in which name is item.
func (s *scope) with(name string, item any) *scope {
	inner := *s
	inner.name, inner.item = name, ordered{}.NativeToValue(item)
	return &inner
}

// ResolveName makes a scope an activation of CEL.
func (s *scope) ResolveName(name string) (any, bool) {
	switch name {
	case objectName:
		return s.object, true
	case variablesName:
		return s.variables, true
	case relatedName:
		return ordered{}.NativeToValue(s.related()), true
	case s.name:
		return s.item, name != ""
	}
	return nil, false
}

// Parent is nil: there is no outer activation.
func (*scope) Parent() interpreter.Activation { return nil }
