// SPDX-License-Identifier: Apache-2.0

package krm

import (
	"slices"

	"kilter.dev/kilter/internal/blueprint"
	"kilter.dev/kilter/internal/diag"
	"kilter.dev/kilter/internal/manifest"
	"kilter.dev/kilter/internal/source"
	"kilter.dev/kilter/internal/workload"
)

// generate adds the profile's objects for a workload that is not there, but those of which
// there can be one, and is. What neither pods nor selectors name, such as a Kafka, is not to
// be another's: the new Kafka's node pools would become that one's.
func (c *changer) generate(b *blueprint.Blueprint) error {
	r := c.request
	c.placement = placement{namespace: r.Namespace}
	values, errs := b.Params.Check(r.Parameters)
	if err := errs.Err(); err != nil {
		return err
	}
	objects, err := render(b, blueprint.Workload{
		Name: r.Name, Namespace: manifest.Namespace(r.Namespace), KubeVersion: r.KubeVersion, Values: values, Written: r.Parameters,
	})
	if err != nil {
		return err
	}
	set := c.index()
	with := changer{request: r, placement: c.placement, objects: slices.Concat(c.objects, objects)}
	serving := serve(objects, with.index())
	if own := rendition(b.Profile, objects, r.Name); own != nil {
		merger{note: func(string, *manifest.Node, *manifest.Node) {}}.mapping(own.Node, proof(b.Profile, r), "")
	}
	if err := refuse(objects, set, serving); err != nil {
		return err
	}
	for _, o := range objects {
		if other := set.Named(o); other != nil {
			c.results = append(c.results, taken(o, other, serving, "the new "+r.Name)...)
			continue
		}
		if single(o.Kind) && serves(without(serving, objects), o) {
			continue
		}
		c.results = append(c.results, added(o, r.Mode == Audit))
		c.add([]*manifest.Object{o})
	}
	return nil
}

// refuse returns an error for each object that is there already as another's.
func refuse(objects []*manifest.Object, set *workload.Set, serving []*manifest.Object) error {
	var errs diag.List
	for _, o := range objects {
		there := set.Named(o)
		if there == nil || slices.Contains(serving, there) || same(o, there) {
			continue
		}
		if does, _ := instead(o, there, ""); does == another {
			errs.Errorf(there.Get("metadata", "name").Span, Code, "%s %q is there already, and is another one", there.Kind, there.Name).Hint =
				"give what is to be added another metadata.name, or take that one out"
		}
	}
	return errs.Err()
}

// render returns the objects of the profile, to be changed. Places in its templates are left
// out: they are not its users' files.
func render(b *blueprint.Blueprint, w blueprint.Workload) ([]*manifest.Object, error) {
	objects, err := b.Render(w)
	for i, o := range objects {
		objects[i] = copyOf(o)
		displace(objects[i].Node, w.Written)
	}
	return objects, err
}

// displace takes the places out of n that are in another file than what is written.
func displace(n, written *manifest.Node) {
	elsewhere := func(s source.Span) bool { return written == nil || s.File != written.Span.File }
	if elsewhere(n.Span) {
		n.Span = source.Span{}
	}
	for i, f := range n.Fields {
		if elsewhere(f.KeySpan) {
			n.Fields[i].KeySpan = source.Span{}
		}
		displace(f.Value, written)
	}
	for _, item := range n.Items {
		displace(item, written)
	}
}

// serve is what of a set serves the workloads among objects.
func serve(objects []*manifest.Object, set *workload.Set) []*manifest.Object {
	var all []*manifest.Object
	for _, o := range objects {
		all = append(all, set.Serving(o)...)
	}
	return all
}
