// SPDX-License-Identifier: Apache-2.0

// Package generators lists the targets: the back ends that turn a blueprint and the
// values of a workload into the files of a service.
package generators

import (
	"github.com/rogpeppe/go-internal/txtar"

	"kilter.dev/kilter/generators/helm"
	"kilter.dev/kilter/generators/krm"
	"kilter.dev/kilter/generators/kustomize"
	"kilter.dev/kilter/internal/blueprint"
)

// Generator is a target. Generate returns the files of one service, named relative to
// its folder, in a stable order.
type Generator struct {
	Name, Doc string
	OnRequest bool // a new service has its files only when they are asked for
	Generate  func(*blueprint.Blueprint, blueprint.Workload) (*txtar.Archive, error)
}

// ChartVersion is the version of a newly generated chart.
const ChartVersion = "0.1.0"

// All are the targets, by name.
var All = []Generator{
	{Name: "helm", Doc: "a Helm chart in chart/", Generate: func(b *blueprint.Blueprint, w blueprint.Workload) (*txtar.Archive, error) {
		files, err := helm.Generate(b, helm.Chart{Name: w.Name, Version: ChartVersion, AppVersion: b.Profile.AppVersion, Values: w.Values})
		return under("chart/", files), err
	}},
	{Name: "kustomize", Doc: "a base, components and overlays in kustomize/", Generate: func(b *blueprint.Blueprint, w blueprint.Workload) (*txtar.Archive, error) {
		files, err := kustomize.Generate(b, w)
		return under("kustomize/", files), err
	}},
	{Name: "krm", Doc: "a call of the KRM function in krm/", OnRequest: true, Generate: func(b *blueprint.Blueprint, w blueprint.Workload) (*txtar.Archive, error) {
		files, err := krm.Generate(b, w)
		return under("krm/", files), err
	}},
}

func under(folder string, a *txtar.Archive) *txtar.Archive {
	if a != nil {
		for i := range a.Files {
			a.Files[i].Name = folder + a.Files[i].Name
		}
	}
	return a
}
