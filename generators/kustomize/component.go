// SPDX-License-Identifier: Apache-2.0

package kustomize

import (
	"errors"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/txtar"

	"kilter.dev/kilter/internal/blueprint"
	"kilter.dev/kilter/internal/manifest"
)

// ProfileLabel marks the workloads of a base that a component is meant for.
const ProfileLabel = "kilter.dev/profile"

// Component returns a Kustomize component that carries the practices of a profile over to
// workloads a user already has: those labelled kilter.dev/profile with the profile's name.
// It sets the fields of spec.component that do not depend on what the workload runs, to
// their values in the first case that has a workload of the kind. Plain kustomize applies
// it; applying it twice changes nothing. A profile that is for no workloads that are there
// has no such component.
func Component(b *blueprint.Blueprint) (*txtar.Archive, error) {
	if len(b.Profile.Component.Kinds) == 0 {
		return &txtar.Archive{}, nil
	}
	k := kustomization("Component", nil, nil)
	patches := manifest.NewList()
	files := &txtar.Archive{}
	for _, kind := range b.Profile.Component.Kinds {
		object, err := example(b, kind)
		if err != nil {
			return nil, err
		}
		patch := practice(object, b.Profile.Component.Fields)
		name := "patch-" + strings.ToLower(kind) + ".yaml"
		patches.Items = append(patches.Items, manifest.NewMap(
			manifest.Field{Key: "target", Value: manifest.NewMap(
				manifest.Field{Key: "kind", Value: manifest.NewString(kind)},
				manifest.Field{Key: "labelSelector", Value: manifest.NewString(ProfileLabel + "=" + b.Profile.Name)},
			)},
			manifest.Field{Key: "path", Value: manifest.NewString(name)},
		))
		files.Files = append(files.Files, txtar.File{Name: name, Data: []byte(manifest.Print(patch))})
	}
	k.Set("patches", patches)
	files.Files = append(files.Files,
		txtar.File{Name: "kustomization.yaml", Data: []byte(manifest.Print(k))},
		txtar.File{Name: "README.md", Data: []byte(componentReadme(b))})
	slices.SortFunc(files.Files, func(a, b txtar.File) int { return strings.Compare(a.Name, b.Name) })
	return files, nil
}

// example returns the first object of the kind that a case of the profile renders.
func example(b *blueprint.Blueprint, kind string) (*manifest.Object, error) {
	for _, c := range b.Profile.Cases {
		objects, err := b.RenderCase(c, "example", "default")
		if err != nil {
			return nil, err
		}
		for _, o := range objects {
			if o.Kind == kind {
				return o, nil
			}
		}
	}
	return nil, errors.New("no case of profile " + b.Profile.Name + " has a " + kind + ", which spec.component names")
}

// practice is a strategic merge patch with the given fields of o, as far as it has them.
func practice(o *manifest.Object, fields []string) *manifest.Node {
	patch := manifest.NewMap(
		manifest.Field{Key: "apiVersion", Value: manifest.NewString(o.APIVersion)},
		manifest.Field{Key: "kind", Value: manifest.NewString(o.Kind)},
		manifest.Field{Key: "metadata", Value: manifest.NewMap(manifest.Field{Key: "name", Value: manifest.NewString("any")})},
	)
	for _, field := range fields {
		keys := strings.Split(field, ".")
		value := o.Get(keys...)
		if value == nil {
			continue
		}
		at := patch
		for _, key := range keys[:len(keys)-1] {
			if at.Get(key) == nil {
				at.Set(key, manifest.NewMap())
			}
			at = at.Get(key)
		}
		at.Set(keys[len(keys)-1], value)
	}
	return patch
}

func componentReadme(b *blueprint.Blueprint) string {
	name := b.Profile.Name
	return "# " + name + `

A Kustomize component that carries the practices of the Kilter profile ` + "`" + name + "`" + ` over to workloads
you already have. Label them and list the component:

` + "```yaml" + `
# deployment.yaml
metadata:
  labels:
    ` + ProfileLabel + ": " + name + `

# kustomization.yaml
components:
- path/to/components/` + name + `
` + "```" + `

It sets, on ` + strings.Join(b.Profile.Component.Kinds, " and ") + ` objects:

- ` + "`" + strings.Join(b.Profile.Component.Fields, "`\n- `") + "`" + `

These are the values of a workload with the profile's defaults, and need nothing but kustomize. The
component in krm/ computes them for each workload and fills more, but has kustomize call Kilter. Use
one of the two.
`
}
