// SPDX-License-Identifier: Apache-2.0

package krm

import (
	"cmp"
	"fmt"
	"slices"

	"kilter.dev/kilter/internal/blueprint"
	"kilter.dev/kilter/internal/diag"
	"kilter.dev/kilter/internal/manifest"
	"kilter.dev/kilter/internal/workload"
)

// application is a blueprint on its way to one workload.
type application struct {
	b         *blueprint.Blueprint
	request   Request
	inference *blueprint.Inference
	set       *workload.Set      // all that are there
	serving   []*manifest.Object // what of them scales and selects the workload's pods
	scale     workload.Scale
	workload  target
	main      *manifest.Node // the workload's main container

	rendered []*manifest.Object // the profile's objects for this workload
	model    target             // the rendered workload
	ports    []port             // of the model's main container, matched
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
	m := merger{enforce: a.request.Mode == Enforce, note: func(path string, current, proposed *manifest.Node) {
		a.results = append(a.results, changed(a.workload.Object, a.audit(), path, current, proposed))
	}}
	m.mapping(a.workload.Node, a.fit(), "")
	a.companions()
	m.enforce = true // pending gives way
	m.mapping(a.workload.Node, proof(a.b.Profile, a.request), "")
	return nil
}

// findModel finds the workload among what the profile renders.
func (a *application) findModel() error {
	for _, o := range a.rendered {
		w, ok := targetOf(o)
		if ok && o.Name == a.workload.Name && slices.Contains(a.b.Profile.Component.Kinds, o.Kind) {
			a.model = target{copyOf(o), w.path}
			return nil
		}
	}
	at, errs := a.request.Span, diag.List{}
	if a.request.Parameters != nil {
		at = a.request.Parameters.Span
	}
	errs.Errorf(at, Code, "with these parameters the profile %s has no %s called %s", a.b.Profile.Name, kinds(a.b.Profile), a.workload.Name)
	return errs
}
