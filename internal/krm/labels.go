// SPDX-License-Identifier: Apache-2.0

package krm

import (
	"slices"
	"strings"

	"kilter.dev/kilter/internal/manifest"
)

// subset reports whether labels has every entry of want.
func subset(want, labels *manifest.Node) bool {
	for _, f := range want.Fields {
		if v := labels.Get(f.Key); v == nil || !manifest.Equal(f.Value, v) {
			return false
		}
	}
	return true
}

// modelLabels are the labels by which the profile selects the workload's pods.
func (a *application) modelLabels() *manifest.Node {
	for _, o := range a.rendered {
		if o.Kind != a.model.Kind || o.Name != a.model.Name {
			continue
		}
		if labels := o.Get("spec", "selector", "matchLabels"); labels != nil {
			return labels
		}
		// A Job selects its pods itself: companions tell them by the labels that name the workload.
		labels := o.Get(a.model.path...).Get("metadata", "labels").Clone()
		if labels != nil {
			labels.Fields = slices.DeleteFunc(labels.Fields, func(f manifest.Field) bool { return !isIdentity(f.Key) })
		}
		return labels
	}
	return nil
}

// isIdentity reports whether a label says which workload of which profile an object is of.
func isIdentity(label string) bool {
	return strings.HasPrefix(label, "app.kubernetes.io/") || strings.HasPrefix(label, "helm.sh/")
}

// podLabels are labels of the workload's pods that tell them from others: those of its
// selector, else all that stay from release to release, but for what the profile gives to
// pods of every workload.
func (a *application) podLabels() *manifest.Node {
	if labels := a.workload.Get("spec", "selector", "matchLabels"); labels != nil && len(labels.Fields) > 0 {
		return labels.Clone()
	}
	labels, given := a.workload.template().Get("metadata", "labels").Clone(), a.model.template().Get("metadata", "labels")
	if labels != nil {
		labels.Fields = slices.DeleteFunc(labels.Fields, func(f manifest.Field) bool {
			return isOfRelease(f.Key) || !isIdentity(f.Key) && given != nil && manifest.Equal(f.Value, given.Get(f.Key))
		})
	}
	return labels
}

// isOfRelease reports whether a label says which chart, version or build an object is from:
// the next has another, and what selects by it no longer selects the pods that are there.
func isOfRelease(label string) bool {
	label = strings.ToLower(label)
	return slices.ContainsFunc([]string{"chart", "version", "revision", "commit", "image-tag"}, func(word string) bool {
		return strings.Contains(label, word)
	})
}

// reselect lets every selector below n that selects the model's pods select the workload's.
// It reports whether it could.
func (a *application) reselect(n *manifest.Node) bool {
	r := a.reselection()
	return r.from == nil || len(r.from.Fields) == 0 || r.node(n)
}

// unselect reselects below n, and takes the items of lists out whose selector would select
// nothing: a spread over no pods, an affinity for none.
func (a *application) unselect(n *manifest.Node) {
	if r := a.reselection(); r.from != nil && len(r.from.Fields) > 0 {
		r.prune(n)
	}
}

func (a *application) reselection() reselection {
	return reselection{from: a.modelLabels(), to: a.labels, expressions: a.workload.Get("spec", "selector", "matchExpressions")}
}

// reselection exchanges the labels from in selectors for the labels to, and, where a
// selector can hold them, expressions.
type reselection struct{ from, to, expressions *manifest.Node }

func (r reselection) node(n *manifest.Node) bool {
	ok := true
	for _, f := range n.Fields {
		if (f.Key == "matchLabels" || f.Key == "selector") && f.Value.Shape == manifest.Map && subset(r.from, f.Value) {
			if r.to == nil || len(r.to.Fields) == 0 {
				return false
			}
			exchange(f.Value, r.from, r.to)
			if f.Key == "matchLabels" && len(items(r.expressions)) > 0 && n.Get("matchExpressions") == nil {
				n.Set("matchExpressions", r.expressions.Clone())
			}
			continue
		}
		ok = r.node(f.Value) && ok
	}
	for _, item := range n.Items {
		ok = r.node(item) && ok
	}
	return ok
}

// prune does what node does, and takes the innermost items of lists out that it could not do
// it to, and the fields that nothing is left of then.
func (r reselection) prune(n *manifest.Node) {
	n.Fields = slices.DeleteFunc(n.Fields, func(f manifest.Field) bool {
		if empty(f.Value) {
			return false
		}
		r.prune(f.Value)
		return empty(f.Value)
	})
	n.Items = slices.DeleteFunc(n.Items, func(item *manifest.Node) bool {
		r.prune(item)
		return !r.node(item)
	})
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
