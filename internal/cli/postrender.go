// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"errors"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"kilter.dev/kilter/internal/diag"
	"kilter.dev/kilter/internal/krm"
	"kilter.dev/kilter/internal/kube"
	"kilter.dev/kilter/internal/manifest"
	"kilter.dev/kilter/internal/render"
	"kilter.dev/kilter/internal/source"
)

// hookAnnotation marks a Helm hook. Helm 4 gives a post-renderer hooks and templates in one
// stream, Helm 3 no hooks.
const hookAnnotation = "helm.sh/hook"

type postRenderOptions struct {
	streams
	profiles catalogue
	config   string
	hooks    string
	workload workloadFile
	values   valueFlags
}

func newPostRender(s streams, profiles func() catalogue) *cobra.Command {
	o := &postRenderOptions{streams: s}
	c := &cobra.Command{
		Use:   "post-render (--profile PROFILE | --config FILE)",
		Short: "Apply a profile to the workloads of a Helm release, as its post-renderer",
		Long: `Read the manifests of a Helm release from standard input and write them to standard
output, with a profile applied to the workloads that --name, the label kilter.dev/profile or
a selector in FILE finds; without any of these there must be a single one. Comments, order,
duplicates and the annotations that Helm puts on documents stay. See kilter fn for what a
profile changes.

Helm 3 runs any program as a post-renderer, and gives it no hooks: what they run is never
changed. Helm 4 runs plugins (install helm-plugin/) and gives them hooks, too, which are
changed with --hooks include only. It shows nothing of what a plugin says: when it reports
that the plugin failed, give the output of helm template to this command.`,
		Example: `  helm upgrade llm ./chart --post-renderer kilter --post-renderer-args post-render --post-renderer-args --profile=vllm-inference
  helm upgrade llm ./chart --post-renderer kilter --post-renderer-args --profile=vllm-inference   # Helm 4
  helm template llm ./chart | kilter post-render --profile vllm-inference`,
		Args: noArguments,
		RunE: func(*cobra.Command, []string) error {
			o.profiles = profiles()
			return o.run()
		},
	}
	f := c.Flags()
	f.StringVarP(&o.workload.Profile, "profile", "p", "", "`PROFILE` to apply")
	f.StringVar(&o.config, "config", "", "`FILE` with a Workload or a Stack, instead of --profile")
	f.StringVar(&o.workload.Name, "name", "", "`NAME` of the workload")
	f.StringVar(&o.workload.Container, "container", "", "`NAME` of the workload's main container")
	f.StringVar(&o.workload.KubeVersion, "kube-version", "", "Kubernetes `VERSION` of the cluster (default 1.34)")
	f.StringVar(&o.hooks, "hooks", "skip", "hooks that run workloads: skip or include (`HOOKS`)")
	o.values.register(f)
	return c
}

// check refuses flags that cannot be meant.
func (o *postRenderOptions) check() error {
	switch {
	case (o.workload.Profile == "") == (o.config == ""):
		return usagef("give either --profile or --config")
	case o.config != "" && (o.workload.Name+o.workload.Container+o.workload.KubeVersion != "" || o.values.given()):
		return usagef("--config says all: leave out --name, --container, --kube-version and values")
	case o.hooks != "skip" && o.hooks != "include":
		return usagef("--hooks is skip or include, not %q", o.hooks)
	case slices.Contains(o.values.files, "-") || o.config == "-":
		return usagef("standard input holds the manifests: give a file")
	}
	return checkFlag("--kube-version", o.workload.KubeVersion, kube.Problem)
}

func (o *postRenderOptions) run() error {
	if err := o.check(); err != nil {
		return err
	}
	workloads, err := o.workloads()
	if err != nil {
		return err
	}
	all, err := applications(workloads, o.profiles)
	if err != nil {
		return err
	}
	text, err := io.ReadAll(o.in)
	if err != nil {
		return err
	}
	file := source.New("<stdin>", string(text))
	docs, errs := manifest.Parse(file)
	if err := errs.Err(); err != nil {
		return err
	}
	if len(docs) == 0 {
		say(o.streams, diag.Warning, "there are no manifests to change", "")
		if strings.TrimSpace(string(text)) == "" {
			text = []byte("# no manifests\n") // Helm 4 takes empty output for a failure
		}
		_, err := o.out.Write(text)
		return err
	}
	out, err := o.apply(all, file, docs)
	if err != nil {
		return err
	}
	_, err = io.WriteString(o.out, out)
	return err
}

// workloads are what --config holds, or the flags say.
func (o *postRenderOptions) workloads() ([]*workloadFile, error) {
	if o.config == "" {
		parameters, err := o.values.over(nil, o.in)
		o.workload.Parameters = parameters
		return []*workloadFile{&o.workload}, err
	}
	file, errs := render.ReadFile(o.config, nil)
	if err := errs.Err(); err != nil {
		return nil, err
	}
	docs, errs := manifest.Parse(file)
	if err := errs.Err(); err != nil {
		return nil, err
	}
	if len(docs) != 1 {
		return nil, inputError{errors.New(o.config + " is not one Workload or Stack"), ""}
	}
	return readWorkloads(docs[0])
}

// apply returns the text of file with profiles applied to docs.
func (o *postRenderOptions) apply(all []application, file *source.File, docs []*manifest.Node) (string, error) {
	changes := make([]manifest.Change, len(docs))
	after := make([]*manifest.Node, len(docs))
	for i, doc := range docs {
		after[i] = doc.Clone()
		changes[i] = manifest.Change{Before: doc, After: after[i]}
	}
	var said diag.List
	rules := ahead(loadRules)
	for _, a := range all {
		a.request.Required, a.request.Fixed = true, o.fixed
		out, results, err := krm.Apply(a.blueprint, a.request, rules, after)
		if err != nil {
			return "", err
		}
		after = out
		said = append(said, loud(results)...)
	}
	said.Print(o.err, colour(o.err))
	if said.Err() != nil {
		return "", errResults
	}
	return rewrite(file, changes, after[len(docs):])
}

// fixed reports whether an object is a hook that is to stay as it is.
func (o *postRenderOptions) fixed(object *manifest.Object) bool {
	return o.hooks == "skip" && object.Get("metadata", "annotations", hookAnnotation) != nil
}

// rewrite makes the changes in the text. A document that cannot be edited is printed anew.
func rewrite(file *source.File, changes []manifest.Change, added []*manifest.Node) (string, error) {
	changes = slices.DeleteFunc(changes, func(c manifest.Change) bool { return manifest.Equal(c.Before, c.After) })
	edits, err := manifest.EditFile(file, changes, added...)
	if err == nil {
		return source.Apply(file, edits)
	}
	edits = nil
	for _, c := range changes {
		edits = append(edits, source.Edit{Span: c.Before.Span, New: strings.TrimSuffix(manifest.Print(c.After), "\n")})
	}
	text, err := source.Apply(file, edits)
	for _, n := range added {
		text = strings.TrimSuffix(text, "\n") + "\n---\n" + manifest.Print(n)
	}
	return text, err
}
