// SPDX-License-Identifier: Apache-2.0

package krm

import (
	"fmt"
	"slices"
	"strings"

	"kilter.dev/kilter/internal/diag"
	"kilter.dev/kilter/internal/manifest"
	"kilter.dev/kilter/internal/profile"
	"kilter.dev/kilter/internal/workload"
)

// target is an object that runs pods.
type target struct {
	*manifest.Object
	path []string // of the pod template; of several the last, a LeaderWorkerSet's workers
}

func targetOf(o *manifest.Object) (target, bool) {
	paths := workload.Templates(o)
	if len(paths) == 0 {
		return target{}, false
	}
	return target{o, paths[len(paths)-1]}, true
}

func (t target) template() *manifest.Node { return t.Get(t.path...) }
func (t target) podSpec() *manifest.Node  { return t.template().Get("spec") }

// find returns the workloads that r means, in their order. A selector that selects
// nothing, or only what the profile is not for, is an error.
func find(p *profile.Profile, r Request, objects []*manifest.Object) ([]target, error) {
	var errs diag.List
	at := r.Span
	if r.Selector != nil {
		at = r.Selector.Span
	}
	for _, matches := range r.ways(p, objects) {
		var found, others []target
		for _, o := range objects {
			w, ok := targetOf(o)
			switch {
			case !ok || !matches(o):
			case slices.Contains(p.Component.Kinds, w.Kind):
				found = append(found, w)
			default:
				others = append(others, w)
			}
		}
		for _, w := range found {
			if w.podSpec().Get("containers", "0") == nil {
				errs.Errorf(at, Code, "%s %s has no containers", w.Kind, w.Name)
			}
			for i, c := range items(w.podSpec().Get("containers")) {
				if c.Get("name").Text() == "" { // nothing else tells it from the profile's
					d := errs.Errorf(at, Code, "containers[%d] of %s %s has no name", i, w.Kind, w.Name)
					if name := scalar(c.Get("name")); name != "" {
						d.Message += fmt.Sprintf(": %s without quotes is no text", name)
						d.Hint = fmt.Sprintf("write %q", name)
					}
				}
			}
		}
		if len(found) > 0 {
			return found, errs.Err()
		}
		for _, w := range others {
			errs.Errorf(at, Code, "the profile %s is for %s, not for %s %s", p.Name, kinds(p, " and "), w.Kind, w.Name)
		}
		if len(errs) > 0 {
			return nil, errs.Err()
		}
	}
	switch {
	case r.Selector != nil:
		errs.Errorf(at, Code, "no workload matches the selector of %s", r.Name).Hint = listed(p, objects, "or leave the selector out: the profile's own is added then")
	case r.Required && r.Name != "":
		errs.Errorf(at, Code, "there is no %s called %s, and none with the label %s: %s", kinds(p, " or "), r.Name, ProfileLabel, p.Name).Hint = listed(p, objects, elsewhere)
	case r.Required:
		errs.Errorf(at, Code, "which workload is meant? there is no name, and none has the label %s: %s", ProfileLabel, p.Name).Hint = listed(p, objects, elsewhere)
	}
	return nil, errs.Err()
}

// only is the only workload of the profile's kinds; nil where there are several.
func only(p *profile.Profile, objects []*manifest.Object) *manifest.Object {
	var found *manifest.Object
	for _, o := range objects {
		if _, ok := targetOf(o); !ok || !slices.Contains(p.Component.Kinds, o.Kind) {
			continue
		}
		if found != nil {
			return nil
		}
		found = o
	}
	return found
}

// ways are the ways to find a workload: the first that finds any counts.
func (r Request) ways(p *profile.Profile, objects []*manifest.Object) []func(*manifest.Object) bool {
	if r.Selector != nil {
		return []func(*manifest.Object) bool{r.Selector.matches}
	}
	return []func(*manifest.Object) bool{
		func(o *manifest.Object) bool { return o.Get("metadata", "labels", ProfileLabel).Text() == p.Name },
		func(o *manifest.Object) bool { return r.Name == "" && r.Required && only(p, objects) == o },
		func(o *manifest.Object) bool {
			return o.Name == r.Name && (r.Namespace == "" || o.Namespace == "" || o.Namespace == r.Namespace)
		},
	}
}

func (s *Selector) matches(o *manifest.Object) bool {
	if s.Kind != "" && s.Kind != o.Kind || s.Name != "" && s.Name != o.Name || s.Namespace != "" && s.Namespace != o.Namespace {
		return false
	}
	return s.Labels == nil || subset(s.Labels, o.Get("metadata", "labels"))
}

func kinds(p *profile.Profile, conjunction string) string {
	if len(p.Component.Kinds) == 0 {
		return "no workload that is there already"
	}
	return strings.Join(p.Component.Kinds, conjunction)
}

// elsewhere is what to do where a workload must be there and none is.
const elsewhere = "or begin one of the profile with kilter new"

// listed says by a hint which workloads are among objects; where none is, which kinds are
// missing, and what to do: add one, or what otherwise says.
func listed(p *profile.Profile, objects []*manifest.Object, otherwise string) string {
	var names []string
	for _, o := range objects {
		if _, ok := targetOf(o); ok {
			names = append(names, o.Kind+" "+o.Name)
		}
	}
	switch {
	case len(names) > 0:
		return "among the objects are " + strings.Join(names[:min(len(names), 8)], ", ")
	case len(p.Component.Kinds) == 0:
		return "the profile makes all its workloads itself"
	}
	return fmt.Sprintf("the objects hold no %s: add one, %s", strings.Join(p.Component.Kinds, " or "), otherwise)
}
