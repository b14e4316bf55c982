// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"kilter.dev/kilter/internal/diag"
	"kilter.dev/kilter/internal/manifest"
	"kilter.dev/kilter/internal/render"
)

type renderOptions struct {
	streams
	profiles   catalogue
	paths      []string
	values     valueFlags
	release    string
	namespace  string
	kube       string
	apis       []string
	crds       bool
	skipHooks  bool
	skipTests  bool
	outputJSON string
}

func newRender(s streams, profiles func() catalogue) *cobra.Command {
	o := &renderOptions{streams: s}
	c := &cobra.Command{
		Use:   "render PATH...",
		Short: "Print the objects of a workload file, chart, kustomization or manifests",
		Long: `Print the Kubernetes objects that PATH stands for: a workload file (kilter.yaml), a Helm
chart (a folder or .tgz), a kustomization, a manifest file, a folder of any of these, or -
for standard input. Everything happens in this process, without the network, and the
same input gives the same bytes.`,
		Example: `  kilter render llama/kilter.yaml
  kilter render llama/kilter.yaml --set replicas=3
  kilter render ./chart -f values.yaml --namespace prod --kube-version 1.36
  kilter render kustomize/overlays/prod
  cat manifests.yaml | kilter render -`,
		Args: needPaths,
		RunE: func(_ *cobra.Command, args []string) error {
			o.profiles, o.paths = profiles(), args
			return o.run()
		},
	}
	f := c.Flags()
	o.values.register(f)
	f.StringVar(&o.release, "name", "", "name of the workload, or of the chart's release (default: the file's, or release-name)")
	f.StringVarP(&o.namespace, "namespace", "n", "", "namespace (default: the file's, or default)")
	f.StringVar(&o.kube, "kube-version", "", "Kubernetes version to render for (default 1.34)")
	f.StringArrayVarP(&o.apis, "api-versions", "a", nil, "API version that charts may find, as group/version (repeatable)")
	f.BoolVar(&o.crds, "include-crds", false, "print a chart's crds/ too")
	f.BoolVar(&o.skipHooks, "no-hooks", false, "leave out a chart's hooks")
	f.BoolVar(&o.skipTests, "skip-tests", false, "leave out a chart's tests")
	f.StringVarP(&o.outputJSON, "output", "o", "yaml", "yaml or json")
	return c
}

// needPaths asks for at least one path, and says how to read standard input.
func needPaths(_ *cobra.Command, args []string) error {
	if len(args) == 0 {
		return usagef("no PATH given; - reads standard input")
	}
	return nil
}

func (o *renderOptions) run() error {
	if o.outputJSON != "yaml" && o.outputJSON != "json" {
		return usagef("--output is yaml or json, not %q", o.outputJSON)
	}
	var docs []*manifest.Node
	var errs diag.List
	for _, path := range o.paths {
		nodes, err := o.path(path)
		if list, ok := err.(diag.List); ok {
			errs.Add(list)
		} else if err != nil {
			return err
		}
		docs = append(docs, nodes...)
	}
	if err := errs.Err(); err != nil {
		return err
	}
	errs.Print(o.err, colour(o.err))
	if o.outputJSON == "json" {
		_, err := fmt.Fprintln(o.out, manifest.JSON(manifest.NewList(docs...)))
		return err
	}
	_, err := io.WriteString(o.out, manifest.Print(docs...))
	return err
}

// path renders one argument.
func (o *renderOptions) path(path string) ([]*manifest.Node, error) {
	kind, err := render.Detect(path)
	if err != nil {
		return nil, err
	}
	if kind == render.KindWorkload {
		return o.workload(path)
	}
	values, err := o.values.helm(o.in)
	if err != nil {
		return nil, err
	}
	docs, errs := render.Path(path, render.Options{
		ReleaseName: o.release, Namespace: o.namespace, KubeVersion: o.kube, APIVersions: o.apis,
		Values: values, IncludeCRDs: o.crds, SkipHooks: o.skipHooks, SkipTests: o.skipTests, Stdin: o.in,
	})
	if len(errs) == 0 {
		return docs, nil
	}
	return docs, errs
}

func (o *renderOptions) workload(path string) ([]*manifest.Node, error) {
	text, err := readInput(path, o.in)
	if err != nil {
		return nil, err
	}
	file, err := parseWorkload(path, text)
	if err != nil {
		return nil, err
	}
	b, err := file.blueprint(o.profiles)
	if err != nil {
		return nil, err
	}
	w, err := file.workload(b, &o.values, o.streams)
	if err != nil {
		return nil, err
	}
	w.Name = orDefault(o.release, w.Name)
	w.Namespace = orDefault(o.namespace, w.Namespace)
	w.KubeVersion = orDefault(o.kube, w.KubeVersion)
	objects, err := b.Render(w)
	if err != nil {
		return nil, err
	}
	docs := make([]*manifest.Node, len(objects))
	for i, object := range objects {
		docs[i] = object.Node
	}
	return docs, nil
}
