// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"kilter.dev/kilter/internal/blueprint"
	"kilter.dev/kilter/internal/diag"
	"kilter.dev/kilter/internal/krm"
	"kilter.dev/kilter/internal/kube"
	"kilter.dev/kilter/internal/manifest"
	"kilter.dev/kilter/internal/source"
)

// The identity of a workload file.
const (
	apiVersion   = "kilter.dev/v1alpha1"
	workloadKind = "Workload"
	workloadName = "kilter.yaml"
)

// workloadFile is what a service's repository keeps: a profile's name and the values of
// its parameters. Where it configures the KRM function, it also says which workload it is
// for; see krm.Request.
type workloadFile struct {
	Name, Namespace, Profile, KubeVersion string
	Parameters                            *manifest.Node // nil: none

	Selector  *krm.Selector // nil: none
	Container string
	Mode      krm.Mode
	Span      source.Span

	profileSpan, containerSpan source.Span
}

// workloadFields are the fields of a workload file's spec.
var workloadFields = []string{"profile", "kubernetesVersion", "parameters", "selector", "container", "mode"}

// parseWorkload reads a workload file.
func parseWorkload(file *source.File) (*workloadFile, error) {
	docs, errs := manifest.Parse(file)
	if err := errs.Err(); err != nil {
		return nil, err
	}
	if len(docs) != 1 {
		return nil, inputError{fmt.Errorf("%s holds %d documents, not one workload", file.Name, len(docs)), ""}
	}
	w, errs := readWorkload(docs[0])
	return w, errs.Err()
}

// holdsWorkload tells a file with a Workload or a Stack in it from other manifests.
func holdsWorkload(docs []*manifest.Node) bool {
	return slices.ContainsFunc(docs, func(n *manifest.Node) bool {
		kind := n.Get("kind").Text()
		return strings.HasPrefix(n.Get("apiVersion").Text(), "kilter.dev/") && (kind == workloadKind || kind == stackKind)
	})
}

// readWorkload reads a workload file's document.
func readWorkload(root *manifest.Node) (*workloadFile, diag.List) {
	w := &workloadFile{Span: root.Span}
	r := newReader()
	r.Keys(root, "apiVersion", "kind", "metadata", "spec")
	r.Constant(root, "apiVersion", apiVersion)
	r.Constant(root, "kind", workloadKind)
	metadata := r.Want(root, "metadata", manifest.Map)
	r.Keys(metadata, "name", "namespace", "labels", "annotations")
	w.Name = r.Text(metadata, "name", true)
	w.Namespace = r.Text(metadata, "namespace", false)
	r.check(metadata.Get("name"), nameProblem)
	r.check(metadata.Get("namespace"), namespaceProblem)
	spec := r.Want(root, "spec", manifest.Map)
	r.Keys(spec, workloadFields...)
	r.workloadSpec(w, spec)
	if n := metadata.Get("name"); n != nil {
		w.Span = n.Span
	}
	return w, r.Errs
}

// workloadSpec reads what a workload file and a Stack say of a workload.
func (r *reader) workloadSpec(w *workloadFile, spec *manifest.Node) {
	w.Profile = r.Text(spec, "profile", true)
	w.KubeVersion = r.Text(spec, "kubernetesVersion", false)
	r.check(spec.Get("kubernetesVersion"), kube.Problem)
	w.Parameters = spec.Get("parameters")
	w.Selector = r.selector(spec.Get("selector"))
	w.Container = r.Text(spec, "container", false)
	w.Mode = r.mode(spec)
	w.profileSpan, w.containerSpan = spec.SpanOf("profile"), spec.SpanOf("container")
}

// reader reads a workload file.
type reader struct{ manifest.Reader }

func newReader() *reader { return &reader{manifest.Reader{Code: "workload"}} }

// check says at n what is wrong with its text.
func (r *reader) check(n *manifest.Node, check func(string) (problem, hint string)) {
	if n.Text() == "" {
		return
	}
	if problem, hint := check(n.Text()); problem != "" {
		r.Errorf(n.Span, "%s", problem).Hint = hint
	}
}

// workload checks the parameters, with the flags' values laid over them.
func (w *workloadFile) workload(b *blueprint.Blueprint, v *valueFlags, s streams) (blueprint.Workload, error) {
	written, err := v.over(w.Parameters, s.in)
	if err != nil {
		return blueprint.Workload{}, err
	}
	values, errs := b.Params.Check(written)
	if err := errs.Err(); err != nil {
		return blueprint.Workload{}, err
	}
	errs.Print(s.err, colour(s.err)) // warnings
	return blueprint.Workload{
		Name: w.Name, Namespace: manifest.Namespace(w.Namespace), KubeVersion: kube.Minor(w.KubeVersion),
		Values: values, Written: written,
	}, nil
}

// objectsOf renders w. A hole that cannot be computed is the profile's mistake.
func objectsOf(b *blueprint.Blueprint, w blueprint.Workload) ([]*manifest.Object, error) {
	objects, err := b.Render(w)
	if _, ok := err.(diag.List); ok || err == nil {
		return objects, err
	}
	return nil, inputError{err, ""}
}

// blueprint finds and compiles the workload's profile.
func (w *workloadFile) blueprint(c catalogue) (*blueprint.Blueprint, error) {
	f, err := c.find(w.Profile)
	var input inputError
	if errors.As(err, &input) && w.profileSpan.File != nil {
		var errs diag.List
		errs.Errorf(w.profileSpan, "workload", "%v", input.error).Hint = input.hint
		return nil, errs
	}
	if err != nil {
		return nil, err
	}
	return f.blueprint()
}
