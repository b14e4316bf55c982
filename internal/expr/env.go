// SPDX-License-Identifier: Apache-2.0

package expr

import (
	"slices"
	"strings"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/ext"
	apicel "k8s.io/apiserver/pkg/cel"
	"k8s.io/apiserver/pkg/cel/library"

	"kilter.dev/kilter/internal/param"
)

// Env is what holes may refer to. That does not change: WithVariable and WithSelf return a
// larger one. It remembers the holes it compiled, for one goroutine at a time.
type Env struct {
	cel       *cel.Env
	planner   *cel.Env // plans evaluations, for which variables do not matter
	schema    *param.Schema
	files     map[string]string
	variables map[string]Type
	invalid   []string // variables that did not compile
	self      *param.Schema
	names     []string             // what may stand first in an expression, for hints
	compiled  map[string]*compiled // holes by their text; those of a larger environment, too
}

// typeName is the CEL type of params. It differs from the variable's name, since CEL would
// read params.image as the type of that name.
const typeName = "Parameters"

// NewEnv returns the environment of a profile with the given parameters and files.
func NewEnv(schema *param.Schema, files map[string]string) (*Env, error) {
	// The libraries come first: they declare types, which a provider of parameters cannot.
	base, err := cel.NewEnv(
		cel.HomogeneousAggregateLiterals(),
		cel.DefaultUTCTimeZone(true),
		cel.OptionalTypes(),
		ext.Strings(ext.StringsVersion(2)),
		library.Lists(),
		library.Quantity(),
	)
	if err != nil {
		return nil, err
	}
	params := declType(schema).MaybeAssignTypeName(typeName)
	options, err := apicel.NewDeclTypeProvider(params).EnvOptions(base.CELTypeProvider())
	if err != nil {
		return nil, err
	}
	options = append(options,
		cel.Variable("params", params.CelType()),
		cel.Variable("workload.name", cel.StringType),
		cel.Variable("workload.namespace", cel.StringType),
		cel.Variable("kube", cel.StringType),
	)
	env, err := base.Extend(append(options, functions(files)...)...)
	if err != nil {
		return nil, err
	}
	return &Env{cel: env, planner: env, schema: schema, files: files, variables: map[string]Type{}, names: rootNames, compiled: map[string]*compiled{}}, nil
}

// WithVariable returns e with variables.name of the given kind. A variable that did not
// compile is not valid: what refers to it is dropped in silence, as its own error is
// already reported.
func (e *Env) WithVariable(name string, kind Kind, valid bool) (*Env, error) {
	env, err := e.cel.Extend(cel.Variable("variables."+name, celType(kind)))
	if err != nil {
		return nil, err
	}
	larger := *e
	larger.cel = env
	if !valid {
		larger.invalid = append(slices.Clip(e.invalid), "variables."+name)
	}
	larger.variables = map[string]Type{name: {Kind: kind}}
	for k, v := range e.variables {
		larger.variables[k] = v
	}
	return &larger, nil
}

// WithSelf returns e with self standing for the parameter p.
func (e *Env) WithSelf(p *param.Schema) (*Env, error) {
	env, err := e.cel.Extend(cel.Variable("self", declType(p).MaybeAssignTypeName(typeName+"."+p.Path).CelType()))
	if err != nil {
		return nil, err
	}
	larger := *e
	larger.cel, larger.self, larger.compiled = env, p, map[string]*compiled{}
	return &larger, nil
}

// declType gives a parameter's type as the API server's CEL library declares types.
// Groups become objects, so that an unknown name is a compile error.
func declType(s *param.Schema) *apicel.DeclType {
	switch s.Type {
	case param.Integer:
		return apicel.IntType
	case param.Boolean:
		return apicel.BoolType
	case param.String:
		return apicel.StringType
	case param.Array:
		return apicel.NewListType(declType(s.Items), -1)
	case param.Object:
		if s.Values != nil {
			return apicel.NewMapType(apicel.StringType, declType(s.Values), -1)
		}
		fields := map[string]*apicel.DeclField{}
		for _, p := range s.Properties {
			t := declType(p)
			fields[p.Name] = apicel.NewDeclField(p.Name, t, !p.Optional(), nil, nil)
		}
		return apicel.NewObjectType("object", fields)
	}
	return apicel.DynType
}

// typeOf gives a parameter's type in the Tree.
func typeOf(s *param.Schema) Type {
	switch s.Type {
	case param.Integer:
		return Type{Kind: Int}
	case param.Boolean:
		return Type{Kind: Bool}
	case param.String:
		return Type{Kind: String}
	case param.Array:
		return Type{Kind: List, Elem: typeOf(s.Items).Kind}
	case param.Object:
		if s.Values != nil {
			return Type{Kind: Map, Elem: typeOf(s.Values).Kind}
		}
		return Type{Kind: Map, Elem: Any}
	}
	if s.AnyMap {
		return Type{Kind: Map, Elem: Any}
	}
	return Type{Kind: Any}
}

func celType(k Kind) *cel.Type {
	switch k {
	case Bool:
		return cel.BoolType
	case Int:
		return cel.IntType
	case String:
		return cel.StringType
	}
	return cel.DynType
}

// param returns the parameter a path of the Tree names.
func (e *Env) param(path []string) *param.Schema {
	return e.schema.Lookup(strings.Join(path[1:], "."))
}
