// SPDX-License-Identifier: Apache-2.0

package blueprint

import (
	"kilter.dev/kilter/internal/diag"
	"kilter.dev/kilter/internal/expr"
	"kilter.dev/kilter/internal/param"
	"kilter.dev/kilter/internal/profile"
	"kilter.dev/kilter/internal/source"
)

// The names that the expressions of spec.infer may refer to.
const (
	InferObject     = "object"     // the workload as it is written
	InferPodSpec    = "podSpec"    // its pods'
	InferContainer  = "container"  // its main container
	InferGPU        = "gpu"        // {resourceName, count} of the main container; "" and 0 without one
	InferAutoscaler = "autoscaler" // {min, max} of what scales the workload; {} without one
)

// Inference is the compiled spec.infer of a profile.
type Inference struct {
	Parameters []Inferred
	Ports      []Inferred
	Omit       []Omitted
}

// Omitted is a part of the profile's workload that one which is there does not get, unless it
// answers one of the parameters, or When, if there is one, is false of it.
type Omitted struct {
	Path   string
	Unless []string
	When   *expr.Query
	Reason string // with When: why
}

// Inferred is what a workload is asked for the parameter or port called Name.
type Inferred struct {
	Name  string
	Query *expr.Query
}

// Holds reports whether the condition is true of the workload that the values are of; without
// one it is. One that cannot be told is taken to be: what is left out harms nobody.
func (o Omitted) Holds(values func() map[string]any) bool {
	if o.When == nil {
		return true
	}
	value, present, err := o.When.Eval(values())
	return err != nil || !present || value != false
}

// CompileInfer compiles p's spec.infer, which only those need who change workloads that
// are there already. The error is a diag.List of everything that is wrong in it.
func CompileInfer(p *profile.Profile) (*Inference, error) {
	queries, err := expr.NewQueries(InferObject, InferPodSpec, InferContainer, InferGPU, InferAutoscaler)
	if err != nil {
		return nil, err
	}
	var errs diag.List
	compile := func(list []profile.Inferred, want func(profile.Inferred) []expr.Kind) (out []Inferred) {
		for _, i := range list {
			query, problems := queries.Query(i.Value)
			errs.Add(problems)
			if kinds := want(i); query != nil && kinds != nil && !fits(query.Kind, kinds) {
				errs.Errorf(i.Value.Span, Code, "%s takes %s", i.Name, nouns[kinds[0]])
			}
			out = append(out, Inferred{i.Name, query})
		}
		return out
	}
	var inference Inference
	parameter := func(name string, at source.Span) *param.Schema {
		s := p.Params.Lookup(name)
		if s == nil || s.Group() {
			errs.Errorf(at, Code, "unknown parameter %q", name).Hint = diag.DidYouMean(name, paths(p.Params))
			return nil
		}
		return s
	}
	inference.Parameters = compile(p.Infer.Parameters, func(i profile.Inferred) []expr.Kind {
		if s := parameter(i.Name, i.Span); s != nil {
			return kindsOf(s)
		}
		return nil
	})
	for _, o := range p.Infer.Omit {
		for _, name := range o.Unless {
			parameter(name, o.Span)
		}
		omitted := Omitted{Path: o.Path, Unless: o.Unless, Reason: o.Reason}
		if o.When != nil {
			omitted.When = compile([]profile.Inferred{{Name: "when", Span: o.Span, Value: o.When}}, func(profile.Inferred) []expr.Kind { return []expr.Kind{expr.Bool} })[0].Query
		}
		inference.Omit = append(inference.Omit, omitted)
	}
	inference.Ports = compile(p.Infer.Ports, func(profile.Inferred) []expr.Kind { return []expr.Kind{expr.Int} })
	return &inference, errs.Err()
}

var nouns = map[expr.Kind]string{
	expr.Bool: "true or false", expr.Int: "an integer", expr.String: "text", expr.List: "a list", expr.Map: "a map",
}

func fits(k expr.Kind, kinds []expr.Kind) bool {
	for _, want := range kinds {
		if k == want || k == expr.Any {
			return true
		}
	}
	return false
}

// kindsOf are the kinds of values that a parameter takes; nil for any.
func kindsOf(s *param.Schema) []expr.Kind {
	switch s.Type {
	case param.Integer:
		return []expr.Kind{expr.Int}
	case param.Boolean:
		return []expr.Kind{expr.Bool}
	case param.String:
		return []expr.Kind{expr.String}
	case param.Array:
		return []expr.Kind{expr.List}
	case param.Object:
		return []expr.Kind{expr.Map}
	}
	return nil
}
