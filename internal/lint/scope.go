// SPDX-License-Identifier: Apache-2.0

package lint

import (
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/interpreter"
	apicel "k8s.io/apiserver/pkg/cel"
	"k8s.io/apiserver/pkg/cel/lazy"
)

// variable is a value that rules share: an entry of variables.yaml, which is also a
// variable of the admission policies made from them.
type variable struct {
	Name, Description string
	value             *expression
}

// scope is what an expression is evaluated in: one object and, in an each, one item.
type scope struct {
	object    any
	variables ref.Val
	related   func() any
	name      string // of the each
	item      any
}

var variablesType = apicel.NewObjectType("kubernetes.variables", map[string]*apicel.DeclField{})

// scope returns that of an object. Variables are computed when first asked for, and once.
func (r *Rules) scope(object map[string]any, related func() any) *scope {
	s := &scope{object: ordered{}.NativeToValue(object), related: related}
	variables := lazy.NewMapValue(variablesType)
	for _, v := range r.variables {
		variables.Append(v.Name, func(*lazy.MapValue) ref.Val {
			value, err := v.value.eval(s)
			if err != nil {
				return types.NewErr("variable %s: %v", v.Name, err)
			}
			return value
		})
	}
	s.variables = variables
	return s
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
