// SPDX-License-Identifier: Apache-2.0

package krm

import (
	"cmp"
	"fmt"
	"slices"

	"kilter.dev/kilter/internal/blueprint"
	"kilter.dev/kilter/internal/diag"
	"kilter.dev/kilter/internal/manifest"
	"kilter.dev/kilter/internal/profile"
	"kilter.dev/kilter/internal/workload"
)

// application is a blueprint on its way to one workload.
type application struct {
	b         *blueprint.Blueprint
	request   Request
	placement placement
	inference *blueprint.Inference
	set       *workload.Set      // all that are there
	serving   []*manifest.Object // what of them scales and selects the workload's pods
	scale     workload.Scale
	workload  target
	held      []fill         // what of the profile the workload is not to get
	main      *manifest.Node // the workload's main container
	labels    *manifest.Node // of the workload's pods, by which they are told from others

	written  *manifest.Node       // the parameters that the request gives or the workload answers
	rendered []*manifest.Object   // the profile's objects for this workload
	model    target               // the rendered workload
	ports    []port               // of the model's main container, matched
	names    []workload.Reference // what the profile's pods name, of what the workload may get
	fills    []fill               // what the workload is given
	added    []*manifest.Object
	results  []Result
}

func (a *application) audit() bool { return a.request.Mode == Audit }

// note adds a result about the workload that changes nothing.
func (a *application) note(severity diag.Severity, path, format string, args ...any) {
	a.results = append(a.results, Result{Diagnostic: diag.Diagnostic{
		Span: a.request.Span, Severity: severity, Code: Code, Message: fmt.Sprintf(format, args...), Object: ref(a.workload.Object), Path: path,
	}})
}

func (a *application) run() error {
	var errs diag.List
	var err error
	if a.main, err = mainContainer(a.workload.template(), a.request.Container); err != nil {
		errs.Errorf(cmp.Or(a.request.ContainerSpan, a.request.Span), Code, "%s %s: %v", a.workload.Kind, a.workload.Name, err)
		return errs
	}
	if _, err = a.infer(); err != nil {
		return err
	}
	if err := a.findModel(); err != nil {
		return err
	}
	a.labels = a.podLabels()
	m := merger{enforce: a.request.Mode == Enforce, note: func(path string, current, proposed *manifest.Node) {
		a.results = append(a.results, changed(a.workload.Object, a.audit(), path, current, proposed))
	}}
	around, job, template := a.fit()
	at := manifest.PathText(a.workload.Node, a.workload.path)
	a.fills = append(fills(a.workload.Node, around, fill{}), fills(a.workload.template(), template, fill{text: at, template: true})...)
	m.mapping(a.workload.Node, around, "")
	m.mapping(parent(a.workload), job, manifest.PathText(a.workload.Node, a.workload.path[:max(len(a.workload.path)-1, 0)]))
	m.mapping(a.workload.template(), template, at)
	a.companions()
	m.enforce = true // pending gives way
	m.mapping(a.workload.Node, proof(a.b.Profile, a.request), "")
	return nil
}

// findModel finds the workload among what the profile renders.
func (a *application) findModel() error {
	if o := rendition(a.b.Profile, a.rendered, a.workload.Name); o != nil {
		model, _ := targetOf(o)
		a.model = target{copyOf(o), model.path}
		return nil
	}
	at, errs := a.request.Span, diag.List{}
	if a.request.Parameters != nil {
		at = a.request.Parameters.Span
	}
	errs.Errorf(at, Code, "with these parameters the profile %s has no %s called %s", a.b.Profile.Name, kinds(a.b.Profile, " or "), a.workload.Name)
	return errs
}

// rendition is the workload of this name among what the profile renders, or the only one:
// the name of a Job holds a hash. nil where there is none.
func rendition(p *profile.Profile, rendered []*manifest.Object, name string) *manifest.Object {
	var all []*manifest.Object
	for _, o := range rendered {
		if _, ok := targetOf(o); !ok || !slices.Contains(p.Component.Kinds, o.Kind) {
			continue
		}
		if o.Name == name {
			return o
		}
		all = append(all, o)
	}
	if len(all) != 1 {
		return nil
	}
	return all[0]
}
