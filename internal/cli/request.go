// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"slices"
	"strings"

	"kilter.dev/kilter/internal/blueprint"
	"kilter.dev/kilter/internal/diag"
	"kilter.dev/kilter/internal/krm"
	"kilter.dev/kilter/internal/kube"
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
	r := newReader()
	r.Keys(root, "apiVersion", "kind", "metadata", "spec")
	r.Constant(root, "apiVersion", apiVersion)
	metadata, spec := root.Get("metadata"), root.Get("spec")
	r.Keys(metadata, "name", "namespace", "labels", "annotations")
	r.Keys(spec, "kubernetesVersion", "workloads")
	namespace := r.Text(metadata, "namespace", false)
	r.check(metadata.Get("namespace"), namespaceProblem)
	list := spec.Get("workloads")
	if list == nil || list.Shape != manifest.List || len(list.Items) == 0 {
		r.Errorf(root.Span, "spec.workloads must be a list of workloads")
		return nil, r.Errs.Err()
	}
	var workloads []*workloadFile
	for _, n := range list.Items {
		r.Keys(n, stackFields...)
		w := &workloadFile{Namespace: namespace, Span: n.Span}
		w.Name = r.Text(n, "name", true)
		r.check(n.Get("name"), nameProblem)
		r.workloadSpec(w, n)
		if w.KubeVersion == "" {
			w.KubeVersion = spec.Get("kubernetesVersion").Text()
			r.check(spec.Get("kubernetesVersion"), kube.Problem)
		}
		workloads = append(workloads, w)
	}
	return workloads, r.Errs.Err()
}

// selector reads which workloads a profile is to be applied to.
func (r *reader) selector(n *manifest.Node) *krm.Selector {
	if n == nil || n.Shape == manifest.Null {
		return nil
	}
	r.Keys(n, "kind", "name", "namespace", "labels")
	s := &krm.Selector{
		Kind: r.Text(n, "kind", false), Name: r.Text(n, "name", false),
		Namespace: r.Text(n, "namespace", false), Labels: n.Get("labels"), Span: n.Span,
	}
	if s.Labels != nil && s.Labels.Shape != manifest.Map {
		r.Errorf(s.Labels.Span, "labels must be a map")
		s.Labels = nil
	}
	if s.Kind+s.Name+s.Namespace == "" && (s.Labels == nil || len(s.Labels.Fields) == 0) {
		r.Errorf(n.Span, "the selector is empty: it would select every workload").Hint = "give it a kind, a name or labels"
	}
	return s
}

// mode reads who wins.
func (r *reader) mode(n *manifest.Node) krm.Mode {
	mode := krm.Mode(r.Text(n, "mode", false))
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
	r.Errorf(n.Get("mode").Span, "there is no mode %q", mode).Hint = hint
	return krm.Fill
}

// application is a profile, and what it is asked to do.
type application struct {
	blueprint *blueprint.Blueprint
	request   krm.Request
}

// applications finds the profiles of workloads. It reports all that cannot be used at once.
func applications(workloads []*workloadFile, profiles catalogue) ([]application, error) {
	var all []application
	var errs diag.List
	for _, w := range workloads {
		b, err := w.blueprint(profiles)
		if err := errs.Take(err); err != nil {
			return nil, err
		}
		all = append(all, application{b, w.request()})
	}
	return all, errs.Err()
}

// request is what the file asks of the function.
func (w *workloadFile) request() krm.Request {
	return krm.Request{
		Name: w.Name, Namespace: w.Namespace, KubeVersion: kube.Minor(w.KubeVersion), Parameters: w.Parameters,
		Selector: w.Selector, Container: w.Container, ContainerSpan: w.containerSpan, Mode: w.Mode, Span: w.Span,
	}
}
