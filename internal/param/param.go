// SPDX-License-Identifier: Apache-2.0

// Package param declares the parameters of a profile and checks values against the
// declaration. One Schema feeds the check, values.yaml, values.schema.json and the docs.
// It knows nothing of templates and CEL.
package param

import (
	"strings"

	"kilter.dev/kilter/internal/manifest"
	"kilter.dev/kilter/internal/source"
)

// Type is the type of a parameter.
type Type string

// The types. Any passes through whatever Kubernetes value the user gives.
const (
	String  Type = "string"
	Integer Type = "integer"
	Boolean Type = "boolean"
	Array   Type = "array"
	Object  Type = "object"
	Any     Type = "any"
)

// Formats of strings that also accept a number, read as its text.
const (
	Quantity = "quantity" // a Kubernetes quantity: 500m, 1.5Gi
	Decimal  = "decimal"  // 0.9
)

// MaxInteger is the largest integer, and its negation the smallest, that Helm reads
// without loss. No parameter leaves the range.
const MaxInteger = 1<<53 - 1

// Schema declares one parameter: a leaf, a list, a map or a group of parameters.
//
// What stands in a list or in a map with free names differs from a parameter that has
// a path: it has no default, null is not "absent" there, and a number is not taken for
// a quantity or decimal, because Helm hands such values on as they are.
type Schema struct {
	Name        string // "" for the root, for items and for values of a map
	Path        string // "image.tag"; "" for the root; "hosts[]" for items, "labels.*" for values
	Type        Type
	Format      string
	Description string
	Default     *manifest.Node // checked, a number of Quantity or Decimal as text; nil: none
	AnyMap      bool           // of Any: only a map fits

	NotMessage                                                 string // why NotPattern is refused, after "must not be "; "": none
	Enum                                                       []string
	Pattern, NotPattern                                        string
	Minimum, Maximum, MinLength, MaxLength, MinItems, MaxItems *int64

	Items      *Schema   // of Array
	Key        string    // of Array: the field that tells its maps apart; "": none
	Values     *Schema   // of Object: the type of the values of a map with free names
	Properties []*Schema // of Object: in the order written
	Required   []string  // of Object in a list or map: the properties that must be there

	Rules []Rule      // x-kubernetes-validations
	Span  source.Span // of the name
}

// Rule is one x-kubernetes-validations entry: CEL over self, false when violated.
type Rule struct {
	Rule    *manifest.Node // a parsed string scalar, so that errors in it have a place
	Message string
}

// Values are checked parameter values: complete with defaults, without nulls, integers
// as int64, decimals and quantities as strings, lists as []any, maps as map[string]any.
// An optional parameter without a value has no entry; a group always has one. Below a
// parameter of type Any there may be nulls and float64, as in Helm.
type Values map[string]any

// Native is v as the plain map that template engines and encoders expect.
func (v Values) Native() map[string]any { return v }

// Group says whether s is a set of named parameters rather than a value.
func (s *Schema) Group() bool { return s.Type == Object && s.Values == nil }

// Optional says whether the parameter is absent until the user sets it.
func (s *Schema) Optional() bool { return s.Default == nil && !s.Group() }

// Lookup returns the parameter or group at a dotted path, "" for s itself, nil when
// there is none. It does not look into lists and maps.
func (s *Schema) Lookup(path string) *Schema {
	if path == "" {
		return s
	}
	for name := range strings.SplitSeq(path, ".") {
		if s = s.property(name); s == nil {
			return nil
		}
	}
	return s
}

func (s *Schema) property(name string) *Schema {
	for _, p := range s.Properties {
		if p.Name == name {
			return p
		}
	}
	return nil
}

// Leaves returns the parameters that are not groups, in the order written.
func (s *Schema) Leaves() []*Schema {
	if !s.Group() {
		return []*Schema{s}
	}
	var leaves []*Schema
	for _, p := range s.Properties {
		leaves = append(leaves, p.Leaves()...)
	}
	return leaves
}

// At returns the value of the parameter at a dotted path; false when it is absent.
func (v Values) At(path string) (any, bool) {
	var value any = map[string]any(v)
	for key := range strings.SplitSeq(path, ".") {
		group, ok := value.(map[string]any)
		if !ok {
			return nil, false
		}
		if value, ok = group[key]; !ok {
			return nil, false
		}
	}
	return value, true
}
