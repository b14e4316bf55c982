// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/spf13/cobra"

	"kilter.dev/kilter/generators"
	"kilter.dev/kilter/internal/blueprint"
	"kilter.dev/kilter/internal/diag"
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
README. All of them stand for the same objects.`,
		Example: `  kilter new llama --profile vllm-inference --set model.id=meta-llama/Llama-3.1-8B-Instruct
  kilter new sessions --profile redis-state -f params.yaml --to helm -o services/sessions`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usagef("give one NAME: kilter new NAME --profile PROFILE")
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
	f.StringVarP(&o.profile, "profile", "p", "", "profile to start from (see kilter profile list)")
	f.StringVarP(&o.namespace, "namespace", "n", "default", "namespace of the workload")
	f.StringVar(&o.kube, "kube-version", "", "Kubernetes version of the cluster (default 1.34)")
	f.StringSliceVar(&o.targets, "to", targetNames(), "targets to generate")
	f.StringVarP(&o.dir, "output-dir", "o", "", "folder to write (default NAME)")
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

func (o *newOptions) run() error {
	if o.profile == "" {
		return usagef("--profile is missing; profiles are %s", strings.Join(profileNames(o.profiles), ", "))
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
	dir := orDefault(o.dir, o.name)
	if err := writeFiles(dir, files, o.force); err != nil {
		return err
	}
	return o.summary(dir, b, targets)
}

// generators returns the targets of --to, in the order of generators.All.
func (o *newOptions) generators() ([]generators.Generator, error) {
	for _, name := range o.targets {
		if !slices.Contains(targetNames(), name) {
			return nil, usagef("--to %s: the targets are %s %s", name, strings.Join(targetNames(), ", "), diag.DidYouMean(name, targetNames()))
		}
	}
	var out []generators.Generator
	for _, g := range generators.All {
		if slices.Contains(o.targets, g.Name) {
			out = append(out, g)
		}
	}
	return out, nil
}

// scaffold returns every file of a new service.
func scaffold(b *blueprint.Blueprint, w blueprint.Workload, targets []generators.Generator) ([]txtar.File, error) {
	if _, err := b.Render(w); err != nil {
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

func serviceReadme(b *blueprint.Blueprint, w blueprint.Workload, targets []generators.Generator) string {
	var s strings.Builder
	fmt.Fprintf(&s, "# %s\n\nA workload of the Kilter profile `%s`: %s\n\n", w.Name, b.Profile.Name, strings.TrimSpace(b.Profile.Description))
	s.WriteString("`kilter.yaml` holds its parameters. Everything else is generated and stands for the same objects:\n\n```\n")
	fmt.Fprintf(&s, "kilter render kilter.yaml | kubectl apply -f -\n")
	for _, g := range targets {
		s.WriteString(useOf[g.Name](w))
	}
	s.WriteString("```\n\n`kilter profile show " + b.Profile.Name + "` lists the parameters.\n")
	return s.String()
}

// useOf is how the files of a target are applied.
var useOf = map[string]func(blueprint.Workload) string{
	"helm": func(w blueprint.Workload) string {
		return fmt.Sprintf("helm upgrade --install %s ./chart --namespace %s\n", w.Name, w.Namespace)
	},
	"kustomize": func(blueprint.Workload) string {
		return "kubectl apply -k kustomize/overlays/prod    # what kilter.yaml says\n" +
			"kubectl apply -k kustomize/overlays/dev     # a small variant\n"
	},
}

func (o *newOptions) summary(dir string, b *blueprint.Blueprint, targets []generators.Generator) error {
	shown := filepath.ToSlash(dir)
	fmt.Fprintf(o.out, "%s/ is a workload of profile %s. Look at its objects, by any of:\n\n  kilter render %s\n", shown, b.Profile.Name, path.Join(shown, workloadName))
	for _, g := range targets {
		switch g.Name {
		case "helm":
			fmt.Fprintf(o.out, "  helm template %s %s --namespace %s\n", o.name, path.Join(shown, "chart"), o.namespace)
		case "kustomize":
			fmt.Fprintf(o.out, "  kustomize build %s\n", path.Join(shown, "kustomize/overlays/prod"))
		}
	}
	return nil
}
