// SPDX-License-Identifier: Apache-2.0

package krm

import "kilter.dev/kilter/internal/manifest"

// modelLabels are the labels by which the profile selects the workload's pods.
func (a *application) modelLabels() *manifest.Node {
	for _, o := range a.rendered {
		if o.Kind != a.model.Kind || o.Name != a.model.Name {
			continue
		}
		if labels := o.Get("spec", "selector", "matchLabels"); labels != nil {
			return labels
		}
		return o.Get(a.model.path...).Get("metadata", "labels")
	}
	return nil
}

// podLabels are labels of the workload's pods that tell them from others: those of its
// selector, else all.
func (a *application) podLabels() *manifest.Node {
	if labels := a.workload.Get("spec", "selector", "matchLabels"); labels != nil && len(labels.Fields) > 0 {
		return labels
	}
	return a.workload.template().Get("metadata", "labels")
}

// reselect lets every selector below n that selects the model's pods select the workload's.
// It reports whether it could.
func (a *application) reselect(n *manifest.Node) bool {
	from, to := a.modelLabels(), a.podLabels()
	if from == nil || len(from.Fields) == 0 {
		return true
	}
	return reselect(n, from, to)
}

func reselect(n, from, to *manifest.Node) bool {
	ok := true
	for _, f := range n.Fields {
		if (f.Key == "matchLabels" || f.Key == "selector") && f.Value.Shape == manifest.Map && subset(from, f.Value) {
			if to == nil || len(to.Fields) == 0 {
				return false
			}
			exchange(f.Value, from, to)
			continue
		}
		ok = reselect(f.Value, from, to) && ok
	}
	for _, item := range n.Items {
		ok = reselect(item, from, to) && ok
	}
	return ok
}

// exchange replaces the labels from in a selector by the labels to.
func exchange(selector, from, to *manifest.Node) {
	for _, f := range from.Fields {
		selector.Delete(f.Key)
	}
	more := selector.Fields
	selector.Fields = nil
	for _, f := range to.Fields {
		selector.Set(f.Key, f.Value.Clone())
	}
	for _, f := range more {
		selector.Set(f.Key, f.Value)
	}
}
