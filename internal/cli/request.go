// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"slices"
	"strings"

	"kilter.dev/kilter/internal/diag"
	"kilter.dev/kilter/internal/krm"
	"kilter.dev/kilter/internal/manifest"
)

const stackKind = "Stack"

// stackFields are the fields of a workload in a Stack: those of a workload file's spec, and
// its name.
var stackFields = append([]string{"name"}, workloadFields...)

// readWorkloads reads a Workload, or a Stack as the workloads it holds.
func readWorkloads(root *manifest.Node) ([]*workloadFile, error) {
	if root.Get("kind").Text() != stackKind {
		w, errs := readWorkload(root)
		return []*workloadFile{w}, errs.Err()
	}
	var errs diag.List
	r := reader{errs: &errs}
	r.known(root, "apiVersion", "kind", "metadata", "spec")
	r.constant(root, "apiVersion", apiVersion)
	metadata, spec := root.Get("metadata"), root.Get("spec")
	r.known(metadata, "name", "namespace", "labels", "annotations")
	r.known(spec, "kubernetesVersion", "workloads")
	namespace := r.text(metadata, root, "metadata.namespace", "namespace", false)
	r.check(metadata.Get("namespace"), namespaceProblem)
	list := spec.Get("workloads")
	if list == nil || list.Shape != manifest.List || len(list.Items) == 0 {
		errs.Errorf(root.Span, "workload", "spec.workloads must be a list of workloads")
		return nil, errs.Err()
	}
	var workloads []*workloadFile
	for _, n := range list.Items {
		r.known(n, stackFields...)
		w := &workloadFile{Namespace: namespace, Span: n.Span}
		w.Name = r.text(n, n, "name", "name", true)
		r.check(n.Get("name"), nameProblem)
		r.workloadSpec(w, n, n, "")
		if w.KubeVersion == "" {
			w.KubeVersion = spec.Get("kubernetesVersion").Text()
			r.check(spec.Get("kubernetesVersion"), kubeProblem)
		}
		workloads = append(workloads, w)
	}
	return workloads, errs.Err()
}

// selector reads which workloads a profile is to be applied to.
func (r reader) selector(n *manifest.Node) *krm.Selector {
	if n == nil || n.Shape == manifest.Null {
		return nil
	}
	r.known(n, "kind", "name", "namespace", "labels")
	s := &krm.Selector{
		Kind: r.text(n, n, "kind", "kind", false), Name: r.text(n, n, "name", "name", false),
		Namespace: r.text(n, n, "namespace", "namespace", false), Labels: n.Get("labels"), Span: n.Span,
	}
	if s.Labels != nil && s.Labels.Shape != manifest.Map {
		r.errs.Errorf(s.Labels.Span, "workload", "labels must be a map")
		s.Labels = nil
	}
	if s.Kind+s.Name+s.Namespace == "" && (s.Labels == nil || len(s.Labels.Fields) == 0) {
		r.errs.Errorf(n.Span, "workload", "the selector is empty: it would select every workload").Hint = "give it a kind, a name or labels"
	}
	return s
}

// mode reads who wins.
func (r reader) mode(n, root *manifest.Node) krm.Mode {
	mode := krm.Mode(r.text(n, root, "mode", "mode", false))
	if mode == "" || slices.Contains(krm.Modes, mode) {
		return mode
	}
	var known []string
	for _, m := range krm.Modes {
		known = append(known, string(m))
	}
	hint := diag.DidYouMean(string(mode), known)
	if hint == "" {
		hint = "the modes are " + strings.Join(known, ", ")
	}
	r.errs.Errorf(n.Get("mode").Span, "workload", "there is no mode %q", mode).Hint = hint
	return krm.Fill
}

// request is what the file asks of the function.
func (w *workloadFile) request() krm.Request {
	return krm.Request{
		Name: w.Name, Namespace: w.Namespace, KubeVersion: kubeMinor(w.KubeVersion), Parameters: w.Parameters,
		Selector: w.Selector, Container: w.Container, Mode: w.Mode, Span: w.Span,
	}
}
