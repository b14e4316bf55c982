// SPDX-License-Identifier: Apache-2.0

// Package krm writes the files by which kustomize calls Kilter's KRM function: for one
// service (Generate), and as a component for workloads that users have (Component).
package krm

import (
	"github.com/rogpeppe/go-internal/txtar"

	"kilter.dev/kilter/generators/kustomize"
	"kilter.dev/kilter/internal/blueprint"
	"kilter.dev/kilter/internal/krm"
	"kilter.dev/kilter/internal/manifest"
)

// The functionConfig names the function by this annotation. A bare name is looked for on
// PATH, which does not depend on the folder that kustomize runs it in. It gets no
// arguments: kustomize before 5.7 refuses them.
const (
	functionAnnotation = "config.kubernetes.io/function"
	function           = "exec:\n  path: kilter\n"
)

// pending is the value of krm.AppliedAnnotation until the function ran.
const pending = "pending"

// Generate returns a functionConfig that says what w says, and a kustomization that calls
// the function with it. A diag.List is returned for values that kustomize cannot carry.
func Generate(b *blueprint.Blueprint, w blueprint.Workload) (*txtar.Archive, error) {
	objects, err := b.Render(w)
	if err != nil {
		return nil, err
	}
	spec := manifest.NewMap(entry("profile", manifest.NewString(b.Profile.Name)))
	if w.KubeVersion != "" {
		spec.Set("kubernetesVersion", manifest.NewString(w.KubeVersion))
	}
	if w.Written != nil && len(w.Written.Fields) > 0 {
		spec.Set("parameters", w.Written)
	}
	config := functionConfig(spec, entry("name", manifest.NewString(w.Name)), entry("namespace", manifest.NewString(w.Namespace)))
	if err := kustomize.Carries(append(objects, &manifest.Object{Node: config, Kind: "Workload", Name: w.Name})); err != nil {
		return nil, err
	}
	k := kustomization("kustomize.config.k8s.io/v1beta1", "Kustomization")
	call(k)
	return archive(
		"function.yaml", manifest.Print(config),
		"kustomization.yaml", generated(w.Name)+manifest.Print(k),
		kustomize.ReferencesName, kustomize.References,
	), nil
}

func generated(name string) string {
	return "# kustomize build --enable-alpha-plugins --enable-exec .\n" +
		"# Name your own manifests in resources: what " + name + " leaves open in them is filled. Without a\n" +
		"# workload of that name the function makes one.\n"
}

// Component returns a Kustomize component that calls the function for workloads labelled
// kilter.dev/profile with the profile's name. It marks them first, so that a build in which
// kustomize skipped the function can be told: it does so in silence without --enable-exec.
// A profile that is for no workloads that are there has no such component.
func Component(b *blueprint.Blueprint) *txtar.Archive {
	if len(b.Profile.Component.Kinds) == 0 {
		return &txtar.Archive{}
	}
	name := b.Profile.Name
	label := manifest.NewMap(entry(krm.ProfileLabel, manifest.NewString(name)))
	config := functionConfig(manifest.NewMap(
		entry("profile", manifest.NewString(name)),
		entry("selector", manifest.NewMap(entry("labels", label))),
	), entry("name", manifest.NewString(name)))
	patches := manifest.NewList()
	for _, kind := range b.Profile.Component.Kinds {
		patches.Items = append(patches.Items, mark(kind, name))
	}
	k := kustomization("kustomize.config.k8s.io/v1alpha1", "Component")
	k.Set("patches", patches)
	call(k)
	return archive("function.yaml", manifest.Print(config), "kustomization.yaml", manifest.Print(k),
		kustomize.ReferencesName, kustomize.References, "README.md", readme(name))
}

// call lets a kustomization call the function, and find names in what it adds.
func call(k *manifest.Node) {
	k.Set("transformers", manifest.NewList(manifest.NewString("function.yaml")))
	k.Set("configurations", manifest.NewList(manifest.NewString(kustomize.ReferencesName)))
}

// mark is a patch that says of the profile's workloads of a kind that the function is
// still to run.
func mark(kind, profile string) *manifest.Node {
	merge := manifest.NewMap(
		entry("apiVersion", manifest.NewString("any")),
		entry("kind", manifest.NewString(kind)),
		entry("metadata", manifest.NewMap(
			entry("name", manifest.NewString("any")),
			entry("annotations", manifest.NewMap(entry(krm.AppliedAnnotation, manifest.NewString(pending)))),
		)),
	)
	return manifest.NewMap(
		entry("target", manifest.NewMap(
			entry("kind", manifest.NewString(kind)),
			entry("labelSelector", manifest.NewString(krm.ProfileLabel+"="+profile)),
		)),
		entry("patch", manifest.NewString(manifest.Print(merge))),
	)
}

func functionConfig(spec *manifest.Node, identity ...manifest.Field) *manifest.Node {
	annotations := manifest.NewMap(entry(functionAnnotation, manifest.NewString(function)))
	return manifest.NewMap(
		entry("apiVersion", manifest.NewString("kilter.dev/v1alpha1")),
		entry("kind", manifest.NewString("Workload")),
		entry("metadata", manifest.NewMap(append(identity, entry("annotations", annotations))...)),
		entry("spec", spec),
	)
}

func kustomization(version, kind string) *manifest.Node {
	return manifest.NewMap(entry("apiVersion", manifest.NewString(version)), entry("kind", manifest.NewString(kind)))
}

func entry(key string, value *manifest.Node) manifest.Field {
	return manifest.Field{Key: key, Value: value}
}

// archive holds files given as name, text, name, text, ...
func archive(namesAndTexts ...string) *txtar.Archive {
	a := &txtar.Archive{}
	for i := 0; i+1 < len(namesAndTexts); i += 2 {
		a.Files = append(a.Files, txtar.File{Name: namesAndTexts[i], Data: []byte(namesAndTexts[i+1])})
	}
	return a
}

func readme(name string) string {
	return "# " + name + ` by the KRM function

A Kustomize component that applies the Kilter profile ` + "`" + name + "`" + ` to workloads you already have: it
asks them for what they answer (replicas, GPUs, ports, image, ...), fills what they leave open, and adds
what is missing beside them. What they say stays as it is. Label them and list the component:

` + "```yaml" + `
# deployment.yaml
metadata:
  labels:
    ` + krm.ProfileLabel + ": " + name + `

# kustomization.yaml
components:
- path/to/components/` + name + `/krm
` + "```" + `

` + "`kustomize build --enable-alpha-plugins --enable-exec .`" + ` calls ` + "`kilter`" + `, which must be on PATH. Without
--enable-exec kustomize leaves the function out and says nothing; the annotation
` + "`" + krm.AppliedAnnotation + ": " + pending + "`" + ` is then still there. Parameters go into function.yaml, in a copy of
this folder, as ` + "`spec.parameters`" + `; so do ` + "`spec.container`, `spec.mode` and `spec.selector`" + `.
`
}
