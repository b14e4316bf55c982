// SPDX-License-Identifier: Apache-2.0

package kustomize

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/txtar"

	"kilter.dev/kilter/internal/manifest"
)

// kustomization starts a kustomization.yaml of the given kind.
func kustomization(kind string, resources, components []string) *manifest.Node {
	version := "kustomize.config.k8s.io/v1beta1"
	if kind == "Component" {
		version = "kustomize.config.k8s.io/v1alpha1"
	}
	k := manifest.NewMap(
		manifest.Field{Key: "apiVersion", Value: manifest.NewString(version)},
		manifest.Field{Key: "kind", Value: manifest.NewString(kind)},
	)
	appendStrings(k, "resources", resources)
	appendStrings(k, "components", components)
	return k
}

func appendStrings(k *manifest.Node, key string, texts []string) {
	if len(texts) == 0 {
		return
	}
	list := k.Get(key)
	if list == nil {
		list = manifest.NewList()
		k.Set(key, list)
	}
	for _, t := range texts {
		list.Items = append(list.Items, manifest.NewString(t))
	}
}

// add writes the folder dir: k, completed with what c adds, changes and removes.
func (g *generator) add(dir string, k *manifest.Node, c change) {
	var names []string
	taken := map[string]bool{"kustomization": true, "references": true}
	var files []txtar.File
	for _, o := range c.added {
		name := g.fileName(o, taken)
		names = append(names, name)
		files = append(files, txtar.File{Name: dir + "/" + name, Data: []byte(manifest.Print(o.Node))})
	}
	slices.Sort(names)
	appendStrings(k, "resources", names)
	if components := k.Get("components"); components != nil && len(names) > 0 {
		k.Delete("components") // after resources
		k.Set("components", components)
	}
	if patches := c.patches(); len(patches) > 0 {
		k.Set("patches", manifest.NewList(patches...))
	}
	if slices.ContainsFunc(c.added, func(o *manifest.Object) bool { return o.Kind == "ScaledObject" }) {
		appendStrings(k, "configurations", []string{ReferencesName})
		files = append(files, txtar.File{Name: dir + "/" + ReferencesName, Data: []byte(References)})
	}
	g.files.Files = append(g.files.Files, txtar.File{Name: dir + "/kustomization.yaml", Data: []byte(manifest.Print(k))})
	g.files.Files = append(g.files.Files, files...)
}

// fileName is the object's kind, and what its name adds to the workload's.
func (g *generator) fileName(o *manifest.Object, taken map[string]bool) string {
	name := strings.ToLower(o.Kind)
	if rest := strings.TrimPrefix(strings.TrimPrefix(o.Name, g.w.Name), "-"); rest != "" {
		name += "-" + rest
	}
	name = strings.Map(plainRune, name)
	unique := name
	for i := 2; taken[unique]; i++ {
		unique = fmt.Sprintf("%s-%d", name, i)
	}
	taken[unique] = true
	return unique + ".yaml"
}

// plainRune keeps what a file name and a URL hold without escapes; extraObjects may be
// called anything.
func plainRune(r rune) rune {
	if r == '-' || r == '.' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' {
		return r
	}
	return '-'
}
