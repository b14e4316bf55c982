// SPDX-License-Identifier: Apache-2.0

package kube

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"kilter.dev/kilter/internal/diag"
	"kilter.dev/kilter/internal/source"
)

// served returns the kind of the object, and reports it where the API server does not
// serve it. Kinds in groups of others have no kind here, and are right.
func (w *walker) served() (Kind, bool) {
	o := w.object
	id := o.APIVersion + " " + o.Kind
	if kind, ok := w.release.kinds[id]; ok {
		if isUnstable(o.APIVersion) {
			d := w.warnf(w.span("apiVersion"), RemovedAPI, "%s is off by default on Kubernetes %s", id, w.release.version)
			d.Hint = fmt.Sprintf("the cluster must have --runtime-config=%s=true", o.APIVersion)
			if better, ok := w.release.replacement(o.APIVersion, o.Kind); ok && !isUnstable(better.APIVersion) {
				d.Hint = "use " + better.APIVersion
			}
			d.Path = "apiVersion"
		}
		return kind, true
	}
	if !known().groups[groupOf(o.APIVersion)] {
		return Kind{}, false
	}
	hint := ""
	if better, ok := w.release.replacement(o.APIVersion, o.Kind); ok {
		hint = "use " + better.APIVersion
	}
	since, until := known().servedFrom(id)
	var d *diag.Diagnostic
	switch {
	case until != "" && AtLeast(w.release.version, until):
		d = w.errorf(w.span("apiVersion"), RemovedAPI, "%s is gone since Kubernetes %s", id, until)
	case since != "":
		d = w.errorf(w.span("apiVersion"), RemovedAPI, "%s comes with Kubernetes %s, the target is %s", id, since, w.release.version)
	case hint != "":
		d = w.errorf(w.span("apiVersion"), RemovedAPI, "Kubernetes %s has no %s", w.release.version, id)
	default:
		w.noKind()
		return Kind{}, false
	}
	d.Hint, d.Path = hint, "apiVersion"
	return Kind{}, false
}

// noKind reports a kind that Kubernetes has in no version. In the core group, where
// OpenShift and kubeconfig files have kinds too, only a name that is nearly right is.
func (w *walker) noKind() {
	o := w.object
	var near []string
	for _, k := range w.release.kinds {
		if k.APIVersion == o.APIVersion {
			near = append(near, k.Kind)
		}
	}
	slices.Sort(near)
	hint := diag.DidYouMean(o.Kind, near)
	if groupOf(o.APIVersion) == "" && (hint == "" || o.Kind == "Config") {
		return
	}
	d := w.errorf(w.span("kind"), RemovedAPI, "Kubernetes %s has no kind %s in %s", w.release.version, o.Kind, o.APIVersion)
	d.Hint, d.Path = hint, "kind"
}

func (w *walker) span(key string) source.Span { return w.object.Get(key).Span }

// servedFrom returns the first version that has "APIVERSION KIND", and the first one after
// that which has it no more; "" for none, and for a first version before them all.
func (h *history) servedFrom(id string) (since, until string) {
	if version, ok := h.gone[id]; ok {
		return "", version
	}
	for i, r := range h.releases {
		_, has := r.kinds[id]
		switch {
		case has && since == "" && i > 0:
			since = r.version
		case !has && until == "" && i > 0:
			if _, had := h.releases[i-1].kinds[id]; had {
				until = r.version
			}
		}
	}
	return since, until
}

// replacement returns the kind of that name that is best used: of the same group rather
// than another, and stable rather than not.
func (r *release) replacement(apiVersion, kind string) (Kind, bool) {
	var all []Kind
	for _, k := range r.kinds {
		if k.Kind == kind && k.Resource != "" && k.APIVersion != apiVersion {
			all = append(all, k)
		}
	}
	if len(all) == 0 {
		return Kind{}, false
	}
	same := func(k Kind) int {
		return map[bool]int{true: 1}[groupOf(k.APIVersion) == groupOf(apiVersion)]
	}
	stable := func(k Kind) int { return map[bool]int{true: 1}[!isUnstable(k.APIVersion)] }
	return slices.MaxFunc(all, func(a, b Kind) int {
		return cmp.Or(cmp.Compare(same(a), same(b)), cmp.Compare(stable(a), stable(b)), cmp.Compare(a.APIVersion, b.APIVersion))
	}), true
}

// isUnstable reports an alpha or beta API, which clusters serve only where told to.
func isUnstable(apiVersion string) bool {
	return strings.Contains(apiVersion, "alpha") || strings.Contains(apiVersion, "beta")
}
