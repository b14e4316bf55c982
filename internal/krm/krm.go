// SPDX-License-Identifier: Apache-2.0

// Package krm applies a profile to objects that are there already, and speaks the wire
// format of KRM functions.
//
// Apply finds the workloads that a Request means, in the objects given. For each it
//
//  1. infers the parameters that the workload answers itself (infer.go): the request's
//     parameters win over inferred values, those over the profile's defaults;
//  2. renders the profile's objects for the workload's own name and namespace, and fits
//     the rendered workload to the one that is there (fit.go): containers, ports, labels
//     and volumes get its names; what identifies a workload, what cannot be changed on a
//     running one, and the command, arguments and image of its containers are taken out;
//  3. merges the fitted workload into the one that is there (merge.go): maps key by key,
//     lists by the key that Kubernetes merges them by (keys.go). In mode fill only what is
//     open is set, in mode enforce the profile wins, in mode audit nothing is changed. What
//     would break a rule of severity error that the workload keeps stays open (fill.go);
//  4. adds the other objects of the profile where nothing of their kind serves the
//     workload yet (companion.go);
//  5. repairs what of the workload, and of the objects added, breaks a rule of severity
//     error then, as the rule's fix says, in every mode but audit (repair.go). What no fix
//     mends is an error among the results, and in mode audit a warning.
//
// Every change is a Result. Where no workload is found the profile's objects are added, and
// repaired beside those that are there: the function is a generator. Applying twice changes
// nothing more: what was filled is an answer the second time.
package krm

import (
	"cmp"
	"slices"

	"kilter.dev/kilter/internal/blueprint"
	"kilter.dev/kilter/internal/diag"
	"kilter.dev/kilter/internal/kube"
	"kilter.dev/kilter/internal/lint"
	"kilter.dev/kilter/internal/manifest"
	"kilter.dev/kilter/internal/source"
	"kilter.dev/kilter/internal/workload"
)

// Code is the diagnostic code of what cannot be applied.
const Code = "apply"

// ProfileLabel marks the workloads that a profile is to be applied to.
const ProfileLabel = "kilter.dev/profile"

// AppliedAnnotation proves that the function ran on a workload: pending before, a digest
// of the profile and the parameters after.
const AppliedAnnotation = "kilter.dev/applied"

// Mode says who wins where the workload and the profile differ.
type Mode string

// The modes.
const (
	Fill    Mode = "fill"    // the workload: only what it leaves open is set
	Enforce Mode = "enforce" // the profile, but for identity, command, arguments and image
	Audit   Mode = "audit"   // nobody: what fill would do is said and not done
)

// Modes are the modes, the default first.
var Modes = []Mode{Fill, Enforce, Audit}

// Request is a profile's name with parameter values, and the workloads they are for.
type Request struct {
	Name, Namespace string // of the workload; Namespace may be "", and Name where Required
	KubeVersion     string // "1.34"; "" for the default
	Parameters      *manifest.Node
	Selector        *Selector // nil: workloads with the label ProfileLabel, else those called Name
	Container       string    // name of the main container; "": see mainContainer
	ContainerSpan   source.Span
	Mode            Mode                        // "" for Fill
	Required        bool                        // a workload must be there; nothing is generated
	Fixed           func(*manifest.Object) bool // what is no workload to be changed, but there; nil: nothing
	Span            source.Span
}

// Selector says which workloads are meant; what is empty matches all.
type Selector struct {
	Kind, Name, Namespace string
	Labels                *manifest.Node // a map of strings; nil: any
	Span                  source.Span
}

// Result is something that was done, found or refused. Its Span is of the request, the
// profile or, where a rule found it, the object.
type Result struct {
	diag.Diagnostic
	Current, Proposed *manifest.Node // of the field; nil: none
	Audit             bool           // it was not done
}

// Rules returns the rules that a workload must keep.
type Rules func() (*lint.Rules, error)

// Apply changes the objects among docs that r means and returns docs with the objects
// that are added. Errors of the request or the profile are a diag.List.
func Apply(b *blueprint.Blueprint, r Request, rules Rules, docs []*manifest.Node) ([]*manifest.Node, []Result, error) {
	objects, _ := manifest.Objects(docs)
	workloads, err := find(b.Profile, r, open(r, objects))
	if err != nil {
		return nil, nil, err
	}
	all, err := rules()
	if err != nil {
		return nil, nil, err
	}
	c := &changer{request: r, objects: objects}
	var left []lint.Finding
	if len(workloads) > 0 {
		left, err = c.settle(b, all, workloads)
	} else if err = c.generate(b); err == nil {
		_, left = c.repair(all)
	}
	if err != nil {
		return nil, nil, err
	}
	c.leave(left)
	if r.Mode != Audit {
		docs = append(docs, nodes(c.added)...)
	}
	return docs, c.results, nil
}

// open are the objects that are not fixed.
func open(r Request, objects []*manifest.Object) []*manifest.Object {
	if r.Fixed == nil {
		return objects
	}
	return slices.DeleteFunc(slices.Clone(objects), r.Fixed)
}

// rounds are how often a profile is applied at most, where a rule takes time and again what
// the profile gives.
const rounds = 3

// settle applies the profile to workloads that are there, and repairs them, until that changes
// nothing: beside what was repaired the profile may have more to say. It returns what is left.
func (c *changer) settle(b *blueprint.Blueprint, rules *lint.Rules, workloads []target) ([]lint.Finding, error) {
	inference, err := blueprint.CompileInfer(b.Profile)
	if err != nil {
		return nil, err
	}
	for i, w := range workloads {
		workloads[i] = c.own(w)
	}
	for round := 1; ; round++ {
		before, said := manifest.Print(nodes(c.changed)...), len(c.results)
		if err := c.transform(b, inference, rules, workloads); err != nil {
			return nil, err
		}
		made, left := c.repair(rules)
		if made == 0 || round == rounds {
			return left, nil
		}
		if round > 1 && before == manifest.Print(nodes(c.changed)...) {
			c.results = c.results[:said]
			return left, nil
		}
	}
}

// transform applies the profile to workloads that are there.
func (c *changer) transform(b *blueprint.Blueprint, inference *blueprint.Inference, rules *lint.Rules, workloads []target) error {
	c.placement = placed(c.request, c.objects)
	set := c.index()
	for _, w := range workloads {
		a, err := c.fill(rules, w, func(parameters *manifest.Node, held []fill) *application {
			request := c.request
			request.Parameters = parameters
			return &application{
				b: b, request: request, placement: c.placement, inference: inference, workload: w, held: held,
				set: set, serving: set.Serving(w.Object), scale: set.Scale(w.Object),
			}
		})
		if err != nil {
			return err
		}
		c.add(a.added)
		for _, r := range a.results {
			if !c.said(r) {
				c.results = append(c.results, r)
			}
		}
		set = c.index()
	}
	return nil
}

// index relates the objects that there are now.
func (c *changer) index() *workload.Set {
	return workload.IndexIn(c.placement.namespace, c.objects, cmp.Or(c.request.KubeVersion, kube.Default))
}

// copyOf is an object with a node of its own.
func copyOf(o *manifest.Object) *manifest.Object {
	c := *o
	c.Node = o.Node.Clone()
	return &c
}

func nodes(objects []*manifest.Object) []*manifest.Node {
	var out []*manifest.Node
	for _, o := range objects {
		out = append(out, o.Node)
	}
	return out
}

func added(o *manifest.Object, audit bool) Result {
	verb := "add "
	if audit {
		verb = "would add "
	}
	return Result{Audit: audit, Diagnostic: diag.Diagnostic{Severity: diag.Info, Code: Code, Message: verb + o.Kind + " " + o.Name, Object: ref(o)}}
}

func ref(o *manifest.Object) diag.Ref {
	return diag.Ref{APIVersion: o.APIVersion, Kind: o.Kind, Namespace: o.Namespace, Name: o.Name}
}
