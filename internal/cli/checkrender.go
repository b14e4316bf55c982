// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"cmp"
	"strings"

	"kilter.dev/kilter/internal/blueprint"
	"kilter.dev/kilter/internal/diag"
	"kilter.dev/kilter/internal/manifest"
	"kilter.dev/kilter/internal/render"
	"kilter.dev/kilter/internal/source"
)

// manifests reads a file, or standard input; named says that the command line names it.
func (in *inputs) manifests(path string, named bool) error {
	docs, list := in.take(path)
	u := unit{kube: in.kube}
	asked := named && in.options.kube != ""
	if !asked && len(docs) > 0 && !in.suits(docs[0].Span.File, &u) {
		return nil
	}
	u.raw = in.note(list, u)
	var plain []*manifest.Node
	workloads := false
	for _, n := range docs {
		kind := n.Get("kind").Text()
		switch {
		case !strings.HasPrefix(n.Get("apiVersion").Text(), "kilter.dev/"):
			plain = append(plain, n)
		case kind == workloadKind || kind == stackKind:
			workloads = true
			if err := in.workloads(n); err != nil {
				return err
			}
		case named:
			in.problems.Errorf(n.Get("kind").Span, "kind", "there is nothing to check in a %s of Kilter", kind).Hint =
				diag.DidYouMean(kind, []string{workloadKind, stackKind})
		}
	}
	switch {
	case named && in.options.values.given() && !workloads:
		return in.noValues(path)
	case !named && len(docs) > 0 && !anyObject(plain):
		if !workloads && len(plain) > 0 {
			in.skipped = append(in.skipped, path)
		}
		return nil
	}
	objects, errs := manifest.Objects(plain)
	u.objects, u.raw = objects, append(u.raw, in.note(errs, u)...)
	switch {
	case len(objects)+len(u.raw) == 0:
	case path == render.Stdin:
		in.addUnit(u)
	default:
		in.files = append(in.files, file{name: path, unit: u})
	}
	return nil
}

// kustomizationFile judges the file that makes a folder a kustomization, for what it says of
// the objects that are built. Kustomize reads it without apiVersion and kind.
func (in *inputs) kustomizationFile(path string) {
	if inside, ok := render.KustomizationFile(path); ok {
		path = inside
	}
	docs, _ := render.Files([]string{path}, render.Options{}) // errors are said when it is built
	in.addUnit(unit{kube: in.kube, recipe: true, objects: recipes(docs)})
}

// recipes returns what the documents of a kustomization's file are.
func recipes(docs []*manifest.Node) []*manifest.Object {
	var objects []*manifest.Object
	for _, n := range docs {
		if n.Shape == manifest.Map {
			objects = append(objects, &manifest.Object{
				Node: n, APIVersion: cmp.Or(n.Get("apiVersion").Text(), "kustomize.config.k8s.io/v1beta1"), Kind: cmp.Or(n.Get("kind").Text(), "Kustomization"),
			})
		}
	}
	return objects
}

// anyObject reports whether a document says that it is a Kubernetes object. In a folder
// there may be YAML of other programs, some of which has an apiVersion, such as that of
// Helm's plugins; but metadata beside it is an object's.
func anyObject(docs []*manifest.Node) bool {
	for _, n := range docs {
		if n.Get("kind") != nil || n.Get("apiVersion") != nil && n.Get("metadata") != nil {
			return true
		}
	}
	return false
}

// workloads renders a Workload or Stack. A workload with a selector is for workloads that
// are there already, and makes nothing by itself.
func (in *inputs) workloads(root *manifest.Node) error {
	files, err := readWorkloads(root)
	if err != nil {
		return in.fail(err)
	}
	for _, w := range files {
		if w.Selector != nil {
			continue
		}
		if err := in.workload(w); err != nil {
			if err := in.fail(err); err != nil {
				return err
			}
		}
	}
	return nil
}

func (in *inputs) workload(file *workloadFile) error {
	b, err := in.blueprint(file)
	if err != nil {
		return err
	}
	file.KubeVersion = cmp.Or(in.options.kube, file.KubeVersion, in.kube)
	w, err := file.workload(b, &in.options.values, in.options.streams)
	if err != nil {
		return err
	}
	objects, err := objectsOf(b, w)
	if err != nil {
		return err
	}
	u := unit{kube: file.KubeVersion}
	if file.Span.File != nil {
		u.from = &diag.Related{Span: file.Span, Message: "rendered from this workload"}
		move := mover{origin: file.Span.File.Name, files: map[*source.File]*source.File{}}
		for i, o := range objects {
			moved := *o
			moved.Node = move.node(o.Node.Clone())
			objects[i] = &moved
		}
	}
	u.objects = objects
	in.units = append(in.units, u)
	return nil
}

// blueprint compiles each profile once.
func (in *inputs) blueprint(file *workloadFile) (*blueprint.Blueprint, error) {
	if b := in.blueprints[file.Profile]; b != nil {
		return b, nil
	}
	b, err := file.blueprint(in.options.profiles)
	if err == nil {
		in.blueprints[file.Profile] = b
	}
	return b, err
}

// mover gives nodes of a profile's templates places in copies of these files that say which
// workload file they were rendered from: a profile may not be among the user's files.
type mover struct {
	origin string
	files  map[*source.File]*source.File
}

func (m mover) span(s source.Span) source.Span {
	if s.File == nil || s.File.Name == m.origin {
		return s
	}
	if m.files[s.File] == nil {
		m.files[s.File] = s.File.Copy()
		m.files[s.File].Origin = m.origin
	}
	s.File = m.files[s.File]
	return s
}

func (m mover) node(n *manifest.Node) *manifest.Node {
	n.Span = m.span(n.Span)
	for i := range n.Fields {
		n.Fields[i].KeySpan = m.span(n.Fields[i].KeySpan)
		m.node(n.Fields[i].Value)
	}
	for _, item := range n.Items {
		m.node(item)
	}
	return n
}
