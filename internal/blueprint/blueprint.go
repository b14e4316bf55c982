// SPDX-License-Identifier: Apache-2.0

// Package blueprint turns a profile into a compiled form in which every hole is parsed
// and type-checked (Compile), and that into objects for given values (Render). It
// knows no target.
package blueprint

import (
	"kilter.dev/kilter/internal/expr"
	"kilter.dev/kilter/internal/manifest"
	"kilter.dev/kilter/internal/param"
	"kilter.dev/kilter/internal/profile"
	"kilter.dev/kilter/internal/source"
)

// Blueprint is a compiled profile.
type Blueprint struct {
	Profile     *profile.Profile // names, texts, cases, files
	Params      *param.Schema
	Variables   []Variable
	Constraints []Constraint
	Objects     []*Object      // in the order of the files
	Tests       []*Object      // pods of helm test
	Notes       *expr.Template // nil: none
}

// Variable is a named value; later ones may use it.
type Variable struct {
	Name, Description string
	Value             *expr.Template // string, int or bool
}

// Constraint is a rule over parameters: Rule is false when it is violated.
type Constraint struct {
	Rule    *expr.Template // bool
	At      string         // path of the parameter the message is about; "" for the workload
	Message *expr.Template // string
	OfName  bool           // it leaves room for what the profile adds to the workload's name
}

// Object is one document of a template file.
type Object struct {
	File string // "deployment.yaml", "autoscaling/hpa.yaml"
	Root *Node  // a Map; or Text of kind List: one object per item
}

// Node is a node of a template. Exactly one of Text, Literal, Fields (with Merge) and
// Items is what it holds; Shape says which: String for Text.
type Node struct {
	Span  source.Span
	Guard expr.Tree // bool; nil: always
	Shape manifest.Shape

	Text    *expr.Template // scalar with holes, or a whole hole
	Literal *manifest.Node // constant scalar, or an empty map or list written as {} or []
	Fields  []Field        // Map
	Merge   *expr.Template // Map: the $merge hole, of kind Map; entries lose against Fields that exist
	Items   []*Node        // List; an item whose Text is a whole hole of kind List adds its items

	guards []*expr.Template // Guard, to be evaluated
}

// Field is an entry of a Map. Its key is Name's value where the key is written with a
// hole, otherwise Key.
type Field struct {
	Key   string
	Span  source.Span // of the key
	Value *Node
	Name  *expr.Template // string; nil for a constant key
}

// Presence is the test that decides whether the node exists in the output, nil when it
// always does: its guard, its hole's, and for a map or list that any entry exists.
func (n *Node) Presence() expr.Tree {
	return expr.All(n.Guard, n.content())
}

func (n *Node) content() expr.Tree {
	var tests []expr.Tree
	switch {
	case n.Literal != nil:
		return nil
	case n.Text != nil:
		return textPresence(n.Text)
	case n.Merge != nil:
		tests = append(tests, textPresence(n.Merge))
	}
	for _, f := range n.Fields {
		tests = append(tests, f.Value.Presence())
	}
	for _, item := range n.Items {
		tests = append(tests, item.Presence())
	}
	return expr.Either(tests...)
}

func textPresence(t *expr.Template) expr.Tree {
	presence, value := expr.Split(t.Tree)
	switch value.Type().Kind {
	case expr.List, expr.Map, expr.Any:
		return expr.All(presence, &expr.Call{Op: expr.NonEmpty, Args: []expr.Tree{value}, T: expr.Type{Kind: expr.Bool}})
	}
	return presence
}
