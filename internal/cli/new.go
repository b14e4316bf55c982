// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/spf13/cobra"

	"kilter.dev/kilter/generators"
	"kilter.dev/kilter/internal/blueprint"
	"kilter.dev/kilter/internal/diag"
	"kilter.dev/kilter/internal/kube"
	"kilter.dev/kilter/internal/manifest"
)

type newOptions struct {
	streams
	profiles  catalogue
	name      string
	profile   string
	namespace string
	kube      string
	targets   []string
	dir       string
	force     bool
	values    valueFlags
}

func newNew(s streams, profiles func() catalogue) *cobra.Command {
	o := &newOptions{streams: s}
	c := &cobra.Command{
		Use:   "new NAME --profile PROFILE",
		Short: "Scaffold a service: kilter.yaml, a Helm chart, a Kustomize base with overlays",
		Long: `Scaffold a service from a profile. NAME becomes the folder and the name of the workload.
The folder holds kilter.yaml (the profile's name and your parameters), chart/ (a Helm
chart), kustomize/ (a base, a component for each feature, overlays dev and prod) and a
README. On request it has krm/, too (kustomize calls kilter when it builds). All of them
stand for the same objects.`,
		Example: `  kilter new llama --profile vllm-inference --set model.id=meta-llama/Llama-3.1-8B-Instruct
  kilter new llama -p vllm-inference -f params.yaml --to helm -o services/llama
  kilter new llama -p vllm-inference -f params.yaml --to krm`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usageError{fmt.Errorf("one NAME is needed, not %d", len(args)), "write kilter new NAME --profile PROFILE"}
			}
			return nil
		},
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(_ *cobra.Command, args []string) error {
			o.profiles, o.name = profiles(), args[0]
			return o.run()
		},
	}
	f := c.Flags()
	o.values.register(f)
	f.StringVarP(&o.profile, "profile", "p", "", "`PROFILE` to start from (see kilter profile list)")
	f.StringVarP(&o.namespace, "namespace", "n", manifest.DefaultNamespace, "`NAMESPACE` of the workload")
	f.StringVar(&o.kube, "kube-version", "", "Kubernetes `VERSION` of the cluster (default 1.34)")
	f.StringSliceVar(&o.targets, "to", defaultTargets(), "`TARGETS` to generate, of "+strings.Join(targetNames(), ", "))
	f.StringVarP(&o.dir, "output-dir", "o", "", "`DIR` to write (default NAME)")
	f.BoolVar(&o.force, "force", false, "write into a folder that holds files already, replacing those of the same name")
	_ = c.RegisterFlagCompletionFunc("profile", func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return profileNames(profiles()), cobra.ShellCompDirectiveNoFileComp
	})
	_ = c.RegisterFlagCompletionFunc("to", cobra.FixedCompletions(targetNames(), cobra.ShellCompDirectiveNoFileComp))
	return c
}

func targetNames() []string {
	names := make([]string, len(generators.All))
	for i, g := range generators.All {
		names[i] = g.Name
	}
	return names
}

// defaultTargets are those of a service whose user asks for none.
func defaultTargets() []string {
	var names []string
	for _, g := range generators.All {
		if !g.OnRequest {
			names = append(names, g.Name)
		}
	}
	return names
}

// check refuses flags and arguments that cannot be meant.
func (o *newOptions) check() error {
	if problem, hint := nameProblem(o.name); problem != "" {
		return usageError{errors.New(problem), hint}
	}
	if o.profile == "" {
		return usagef("--profile is missing; profiles are %s", strings.Join(profileNames(o.profiles), ", "))
	}
	return cmp.Or(
		checkFlag("--namespace", o.namespace, namespaceProblem),
		checkFlag("--kube-version", o.kube, kube.Problem),
		o.values.readsOnce(),
	)
}

func (o *newOptions) run() error {
	if err := o.check(); err != nil {
		return err
	}
	targets, err := o.generators()
	if err != nil {
		return err
	}
	f, err := o.profiles.find(o.profile)
	if err != nil {
		return err
	}
	b, err := f.blueprint()
	if err != nil {
		return err
	}
	file := &workloadFile{Name: o.name, Namespace: o.namespace, Profile: o.profile, KubeVersion: o.kube}
	w, err := file.workload(b, &o.values, o.streams)
	if err != nil {
		return err
	}
	files, err := scaffold(b, w, targets)
	if err != nil {
		return err
	}
	dir := cmp.Or(o.dir, o.name)
	old, err := earlier(dir, o.profile)
	if err != nil {
		return err
	}
	if err := writeFiles(dir, files, o.force); err != nil {
		return err
	}
	for _, path := range fixedChanges(b, old, w) {
		say(o.streams, diag.Warning, path+" is fixed: a running workload cannot change it", "delete the StatefulSet with --cascade=orphan first, or start a new workload")
	}
	for _, name := range leftovers(dir, files) {
		say(o.streams, diag.Warning, name+" is not generated; it may be of an earlier generation", "delete it unless it is yours: helm and kustomize read it")
	}
	_, err = io.WriteString(o.out, summary(dir, len(files), b, w, targets, o.profiles.again(f)))
	return err
}

// generators returns the targets of --to, in the order of generators.All.
func (o *newOptions) generators() ([]generators.Generator, error) {
	for _, name := range o.targets {
		if !slices.Contains(targetNames(), name) {
			hint := cmp.Or(diag.DidYouMean(name, targetNames()), "the targets are "+strings.Join(targetNames(), ", "))
			return nil, usageError{fmt.Errorf("--to: there is no target %q", name), hint}
		}
	}
	var out []generators.Generator
	for _, g := range generators.All {
		if slices.Contains(o.targets, g.Name) {
			out = append(out, g)
		}
	}
	if len(out) == 0 {
		return nil, usageError{errors.New("--to names no target"), "the targets are " + strings.Join(targetNames(), ", ")}
	}
	return out, nil
}

// scaffold returns every file of a new service.
func scaffold(b *blueprint.Blueprint, w blueprint.Workload, targets []generators.Generator) ([]txtar.File, error) {
	if _, err := objectsOf(b, w); err != nil {
		return nil, err // the user's values, before any target's own trouble
	}
	files := []txtar.File{
		{Name: workloadName, Data: []byte(kilterYAML(b, w))},
		{Name: "README.md", Data: []byte(serviceReadme(b, w, targets))},
	}
	for _, g := range targets {
		archive, err := g.Generate(b, w)
		if err != nil {
			return nil, err
		}
		files = append(files, archive.Files...)
	}
	return files, nil
}

// kilterYAML is the workload file: the parameters as the user gave them.
func kilterYAML(b *blueprint.Blueprint, w blueprint.Workload) string {
	spec := manifest.NewMap(manifest.Field{Key: "profile", Value: manifest.NewString(b.Profile.Name)})
	if w.KubeVersion != "" {
		spec.Set("kubernetesVersion", manifest.NewString(w.KubeVersion))
	}
	if w.Written != nil && w.Written.Shape == manifest.Map && len(w.Written.Fields) > 0 {
		spec.Set("parameters", w.Written)
	}
	return manifest.Print(manifest.NewMap(
		manifest.Field{Key: "apiVersion", Value: manifest.NewString(apiVersion)},
		manifest.Field{Key: "kind", Value: manifest.NewString(workloadKind)},
		manifest.Field{Key: "metadata", Value: manifest.NewMap(
			manifest.Field{Key: "name", Value: manifest.NewString(w.Name)},
			manifest.Field{Key: "namespace", Value: manifest.NewString(w.Namespace)},
		)},
		manifest.Field{Key: "spec", Value: spec},
	))
}
