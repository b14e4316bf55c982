// SPDX-License-Identifier: Apache-2.0

// Package kustomize turns a blueprint and the values of a workload into a Kustomize
// base, a component for each feature, and overlays. Kustomize has no parameters, so
// every object is resolved; what a feature changes is the difference it makes.
package kustomize

import (
	"errors"
	"maps"
	"slices"

	"github.com/rogpeppe/go-internal/txtar"

	"kilter.dev/kilter/internal/blueprint"
	"kilter.dev/kilter/internal/diag"
	"kilter.dev/kilter/internal/manifest"
	"kilter.dev/kilter/internal/param"
)

// Generate returns base/, components/FEATURE/, overlays/prod/ (exactly what w says) and
// overlays/dev/ (w with the profile's dev values). A component is left out when its
// feature changes nothing, or when the values do not allow it, and so is overlays/dev. A
// diag.List is returned for values that kustomize cannot carry.
func Generate(b *blueprint.Blueprint, w blueprint.Workload) (*txtar.Archive, error) {
	g := &generator{b: b, w: w, files: &txtar.Archive{}}
	off := map[string]bool{}
	for _, f := range b.Profile.Features {
		off[f.Name] = false
	}
	base, err := b.RenderUnchecked(g.with(off))
	if err != nil {
		return nil, err
	}
	prod, err := b.Render(w)
	if err != nil {
		return nil, err
	}
	if err := Carries(append(slices.Clip(base), prod...)); err != nil {
		return nil, err
	}
	g.base = base
	g.add("base", kustomization("Kustomization", nil, nil), change{added: base})
	for _, f := range b.Profile.Features {
		if err := g.feature(f.Name, off); err != nil {
			return nil, err
		}
	}
	g.overlay("prod", w, prod)
	return g.files, g.dev()
}

type generator struct {
	b        *blueprint.Blueprint
	w        blueprint.Workload
	base     []*manifest.Object
	features []feature // those that have a component
	files    *txtar.Archive
}

// feature is what one feature alone changes in the base.
type feature struct {
	name string
	change
}

// with returns the workload with features switched on or off.
func (g *generator) with(features map[string]bool) blueprint.Workload {
	w := g.w
	w.Values = maps.Clone(g.w.Values)
	for name, on := range features {
		group, _ := w.Values[name].(map[string]any)
		group = maps.Clone(group)
		group["enabled"] = on
		w.Values[name] = group
	}
	return w
}

// feature writes the component of one feature, unless it changes nothing alone or its
// constraints do not hold.
func (g *generator) feature(name string, off map[string]bool) error {
	on := maps.Clone(off)
	on[name] = true
	objects, err := g.b.Render(g.with(on))
	if refused(err) {
		return nil
	}
	if err != nil {
		return err
	}
	if c := differ(g.base, objects); !c.empty() {
		g.features = append(g.features, feature{name, c})
		g.add("components/"+name, kustomization("Component", nil, nil), c)
	}
	return nil
}

// refused reports whether the error is about the values.
func refused(err error) bool {
	var list diag.List
	return errors.As(err, &list)
}

// overlay writes overlays/name: the base, the components of the features that w has on
// as far as they fit together, and what the objects still differ by.
func (g *generator) overlay(name string, w blueprint.Workload, objects []*manifest.Object) {
	composed := g.base
	var components []string
	for _, f := range g.features {
		if !enabled(w.Values, f.name) || !f.within(objects) {
			continue
		}
		if next, fits := f.apply(composed); fits {
			components = append(components, "../../components/"+f.name)
			composed = next
		}
	}
	g.add("overlays/"+name, kustomization("Kustomization", []string{"../../base"}, components), differ(composed, objects))
}

func enabled(v param.Values, feature string) bool {
	on, _ := v.At(feature + ".enabled")
	return on == true
}

// dev writes overlays/dev, unless the dev values and those of the workload exclude each other.
func (g *generator) dev() error {
	w := g.w
	if g.b.Profile.Dev != nil {
		merged, err := manifest.FromNative(merge(w.Values, manifest.Native(g.b.Profile.Dev)))
		if err != nil {
			return err
		}
		values, errs := g.b.Params.Check(merged)
		if err := errs.Err(); err != nil {
			return err
		}
		w.Values = values
	}
	objects, err := g.b.Render(w)
	if refused(err) {
		return nil
	}
	if err != nil {
		return err
	}
	g.overlay("dev", w, objects)
	return nil
}

// merge lays over upon under, map by map.
func merge(under, over any) any {
	u, isMap := asMap(under)
	o, ok := asMap(over)
	if !isMap || !ok {
		return over
	}
	out := maps.Clone(u)
	for _, key := range slices.Sorted(maps.Keys(o)) {
		out[key] = o[key]
		if old, ok := u[key]; ok {
			out[key] = merge(old, o[key])
		}
	}
	return out
}

func asMap(v any) (map[string]any, bool) {
	if values, ok := v.(param.Values); ok {
		return values, true
	}
	m, ok := v.(map[string]any)
	return m, ok
}
