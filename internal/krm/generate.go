// SPDX-License-Identifier: Apache-2.0

package krm

import (
	"cmp"
	"slices"
	"sync"

	"kilter.dev/kilter/internal/blueprint"
	"kilter.dev/kilter/internal/kube"
	"kilter.dev/kilter/internal/manifest"
	"kilter.dev/kilter/internal/workload"
)

// generate adds the profile's objects for a workload that is not there.
func generate(b *blueprint.Blueprint, r Request, there []*manifest.Object, docs []*manifest.Node) ([]*manifest.Node, []Result, error) {
	values, errs := b.Params.Check(r.Parameters)
	if err := errs.Err(); err != nil {
		return nil, nil, err
	}
	objects, err := b.Render(blueprint.Workload{
		Name: r.Name, Namespace: manifest.Namespace(r.Namespace), KubeVersion: r.KubeVersion, Values: values, Written: r.Parameters,
	})
	if err != nil {
		return nil, nil, err
	}
	version := cmp.Or(r.KubeVersion, kube.Default)
	set := workload.Index(there, version)
	serving := sync.OnceValue(func() []*manifest.Object {
		return serve(objects, workload.Index(slices.Concat(there, objects), version))
	})
	own := rendition(b.Profile, objects, r.Name)
	var results []Result
	for _, o := range objects {
		if other := set.Named(o); other != nil {
			results = append(results, taken(o, other, serving(), "the new "+r.Name)...)
			continue
		}
		results = append(results, added(o, r.Mode == Audit))
		if o == own {
			o.Node = o.Node.Clone()
			merger{note: func(string, *manifest.Node, *manifest.Node) {}}.mapping(o.Node, proof(b.Profile, r), "")
		}
		if r.Mode != Audit {
			docs = append(docs, o.Node)
		}
	}
	return docs, results, nil
}

// serve is what of a set serves the workloads among objects.
func serve(objects []*manifest.Object, set *workload.Set) []*manifest.Object {
	var all []*manifest.Object
	for _, o := range objects {
		all = append(all, set.Serving(o)...)
	}
	return all
}
