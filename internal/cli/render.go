// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"kilter.dev/kilter/internal/diag"
	"kilter.dev/kilter/internal/kube"
	"kilter.dev/kilter/internal/manifest"
	"kilter.dev/kilter/internal/render"
	"kilter.dev/kilter/internal/source"
)

type renderOptions struct {
	streams
	profiles  catalogue
	paths     []string
	values    valueFlags
	release   string
	namespace string
	kube      string
	apis      []string
	crds      bool
	skipHooks bool
	skipTests bool
	output    string
	schemas   render.Schemas
}

func newRender(s streams, profiles func() catalogue) *cobra.Command {
	o := &renderOptions{streams: s}
	c := &cobra.Command{
		Use:   "render PATH...",
		Short: "Print the objects of a workload file, chart, kustomization or manifests",
		Long: `Print the Kubernetes objects that PATH stands for: a workload file (kilter.yaml) or the
folder that holds it, a Helm chart (a folder or .tgz), a kustomization, a manifest file, a
folder of any of these, or - for standard input. Everything happens in this process,
without the network, and the same input gives the same bytes.`,
		Example: `  kilter render llama
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
	o.register(f)
	f.BoolVar(&o.skipTests, "skip-tests", false, "leave out a chart's tests")
	outputFlag(c, &o.output, "yaml", "json")
	return c
}

// register adds the flags that say what to render.
func (o *renderOptions) register(f *pflag.FlagSet) {
	o.values.register(f)
	f.StringVar(&o.release, "name", "", "`NAME` of the workload, or of the chart's release (default: the file's, or release-name)")
	f.StringVarP(&o.namespace, "namespace", "n", "", "`NAMESPACE` (default: the file's, or default)")
	f.StringVar(&o.kube, "kube-version", "", "Kubernetes `VERSION` to render for (default 1.34)")
	f.StringArrayVarP(&o.apis, "api-versions", "a", nil, "API that charts may find, as `GROUP/VERSION` (repeatable)")
	f.BoolVar(&o.crds, "include-crds", false, "print a chart's crds/ too")
	f.BoolVar(&o.skipHooks, "no-hooks", false, "leave out a chart's hooks")
}

// check refuses flags that cannot be meant.
func (o *renderOptions) check() error {
	if o.output != "yaml" && o.output != "json" {
		return usagef("--output is yaml or json, not %q", o.output)
	}
	return cmp.Or(
		checkFlag("--kube-version", o.kube, kube.Problem),
		checkFlag("--namespace", o.namespace, namespaceProblem),
		o.values.readsOnce(o.paths...),
	)
}

func (o *renderOptions) run() error {
	if err := o.check(); err != nil {
		return err
	}
	var docs []*manifest.Node
	var errs diag.List
	for _, rendered := range o.all() {
		list := listOf(rendered.err, "")
		if rendered.err != nil && list == nil {
			return rendered.err
		}
		errs.Add(list)
		docs = append(docs, rendered.nodes...)
	}
	errs.Add(strangers(docs))
	errs = once(errs) // the values of all are the same
	if err := errs.Err(); err != nil {
		return err
	}
	errs.Print(o.err, colour(o.err))
	if o.output == "json" {
		_, err := fmt.Fprintln(o.out, manifest.JSON(manifest.NewList(docs...)))
		return err
	}
	_, err := io.WriteString(o.out, manifest.Print(docs...))
	return err
}

// rendered is what became of a path.
type rendered struct {
	nodes []*manifest.Node
	err   error
}

// all renders the paths, several at once: while Helm, of which there is one for the process,
// renders one chart, another one is read.
func (o *renderOptions) all() []rendered {
	all := make([]rendered, len(o.paths))
	atOnce(len(o.paths), func(i int) { all[i].nodes, all[i].err = o.path(o.paths[i]) })
	return all
}

// strangers reports documents that are no Kubernetes objects, and Kilter's own that nothing
// can be rendered from.
func strangers(docs []*manifest.Node) diag.List {
	_, errs := manifest.Objects(docs)
	for _, n := range docs {
		if kind := n.Get("kind"); strings.HasPrefix(n.Get("apiVersion").Text(), "kilter.dev/") {
			errs.Errorf(kind.Span, "kind", "there is nothing to render in a %s of %s", kind.Text(), n.Get("apiVersion").Text()).Hint = diag.DidYouMean(kind.Text(), []string{workloadKind})
		}
	}
	return errs
}

// path renders one argument.
func (o *renderOptions) path(path string) ([]*manifest.Node, error) {
	in, err := o.open(path)
	if err != nil {
		return nil, err
	}
	if o.release+o.namespace+o.kube != "" && !in.workload && !in.takesValues() {
		return nil, usageError{fmt.Errorf("%s is neither a workload file nor a chart: its names, namespaces and version are what they are", in.name()), "leave out --name, --namespace and --kube-version"}
	}
	return o.input(in)
}

func (o *renderOptions) input(in input) ([]*manifest.Node, error) {
	switch {
	case in.workload:
		return o.workload(in.file)
	case o.values.given() && !in.takesValues():
		return nil, usageError{fmt.Errorf("%s is neither a workload file nor a chart, so it takes no values", in.name()), "leave out -f and --set"}
	}
	docs, errs := in.docs, in.errs
	if in.file == nil {
		values, err := o.values.helm(o.in)
		if err != nil {
			return nil, err
		}
		docs, errs = render.Path(in.path, render.Options{
			ReleaseName: o.release, Namespace: o.namespace, KubeVersion: o.kube, APIVersions: o.apis,
			Values: values, IncludeCRDs: o.crds, SkipHooks: o.skipHooks, SkipTests: o.skipTests, Schemas: &o.schemas, Function: called(o.profiles, sync.OnceValues(loadRules)),
		})
	}
	switch {
	case len(errs) > 0:
		return docs, errs
	case len(docs) == 0 && in.kind == render.KindManifests:
		return nil, inputError{fmt.Errorf("%s holds no objects", in.name()), ""}
	}
	return docs, nil
}

// input is what a PATH stands for.
type input struct {
	path string
	kind render.Kind

	// A file of manifests and standard input are read at once; file is nil for all else.
	file     *source.File
	docs     []*manifest.Node
	errs     diag.List
	workload bool // there is a Workload or a Stack in it
}

func (in input) name() string { return displayName(in.path) }

// takesValues is true of a folder of manifests too, since there may be charts in it.
func (in input) takesValues() bool {
	return in.kind == render.KindChart || in.kind == render.KindManifests && in.file == nil
}

// open looks what path holds. The folder of a service stands for its workload file; one with a
// kustomization or a chart for that, which may call Kilter with such a file.
func (o *renderOptions) open(path string) (input, error) {
	in := input{path: path, kind: render.KindManifests}
	file := path == render.Stdin
	if !file {
		info, err := os.Stat(path)
		if err != nil {
			return in, render.Unreadable(path, err)
		}
		file = !info.IsDir()
		if in.kind, err = render.Detect(path); err != nil {
			return in, render.Unreadable(path, err)
		}
		if inside := filepath.Join(path, workloadName); !file && in.kind == render.KindManifests && exists(inside) {
			in.path, file = inside, true
		}
	}
	if in.kind == render.KindManifests && file {
		var errs diag.List
		if in.file, errs = render.ReadFile(in.path, o.in); in.file == nil {
			return in, errs
		}
		in.docs, in.errs = manifest.Parse(in.file)
		in.workload = holdsWorkload(in.docs)
	}
	return in, nil
}

func exists(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}

func (o *renderOptions) workload(text *source.File) ([]*manifest.Node, error) {
	file, err := parseWorkload(text)
	if err != nil {
		return nil, err
	}
	b, err := file.blueprint(o.profiles)
	if err != nil {
		return nil, err
	}
	file.Name = cmp.Or(o.release, file.Name)
	file.Namespace = cmp.Or(o.namespace, file.Namespace)
	file.KubeVersion = cmp.Or(o.kube, file.KubeVersion)
	w, err := file.workload(b, &o.values, o.streams)
	if err != nil {
		return nil, err
	}
	objects, err := objectsOf(b, w)
	if err != nil {
		return nil, err
	}
	docs := make([]*manifest.Node, len(objects))
	for i, object := range objects {
		docs[i] = object.Node
	}
	return docs, nil
}
