// SPDX-License-Identifier: Apache-2.0

package render

import (
	"path/filepath"
	"slices"
	"strconv"

	"kilter.dev/kilter/internal/diag"
	"kilter.dev/kilter/internal/manifest"
)

// steps builds one kustomization call by call.
type steps struct {
	builder
	dir, file string         // the folder, and the kustomization's file in it
	rest      *manifest.Node // what of the kustomization is still to be built
	list      diag.List
}

// bases builds the folders among the resources that call the function.
func (s *steps) bases() {
	for _, key := range []string{"resources", "bases"} {
		for i, entry := range items(s.rest.Get(key)) {
			dir := filepath.Join(s.dir, filepath.FromSlash(entry.Text()))
			if entry.Text() == "" || !s.calls(dir) {
				continue
			}
			docs, list := s.build(dir)
			s.list.Add(list)
			if list.Err() == nil && !s.keepsNames(dir, docs) {
				s.list.Errorf(entry.Span, "kustomize", "%s calls the function and gives objects other names or namespaces: here they are known by these alone", entry.Text()).
					Hint = "call it in the kustomization that is built, or give the output of kustomize build on standard input"
			}
			s.rest.Get(key).Items[i] = s.hold("base-"+strconv.Itoa(i), docs)
		}
	}
}

// keepsNames reports whether what is written for the kustomization in dir is in docs under the
// name and namespace it is written with, by which others refer to it: no longer when docs stand
// for the kustomization. So nothing may be generated, whose name has a hash.
func (s *steps) keepsNames(dir string, docs []*manifest.Node) bool {
	if s.some(dir, map[string]bool{}, func(_ string, kustomization *manifest.Node) bool {
		return kustomization.Get("configMapGenerator") != nil || kustomization.Get("secretGenerator") != nil
	}) {
		return false
	}
	there := map[manifest.ID]bool{}
	built, _ := manifest.Objects(docs)
	for _, o := range built {
		there[o.ID()] = true
	}
	resources, _ := Sources(dir)
	for _, name := range resources {
		written, _ := manifest.Objects(s.parse(name))
		if slices.ContainsFunc(written, func(o *manifest.Object) bool { return !there[o.ID()] }) {
			return false
		}
	}
	return true
}

// generators takes what calls of the function generate for resources.
func (s *steps) generators() {
	var made []*manifest.Node
	s.drop(s.rest, "generators", func(entry *manifest.Node) bool {
		configs := s.configs(s.dir, entry)
		for _, config := range configs {
			made = append(made, s.call(config, nil)...)
		}
		return configs != nil
	})
	if len(made) > 0 {
		s.rest.Set("resources", manifest.NewList(append(items(s.rest.Get("resources")), s.hold("generated", made))...))
	}
}

// beforeComponents are the fields that kustomize heeds before the components.
var beforeComponents = []string{"resources", "bases", "configMapGenerator", "secretGenerator", "generatorOptions", "generators"}

// components calls the function for the components that do: each sees the resources, and what
// the components before it, and itself, make of them.
func (s *steps) components() {
	for {
		all := items(s.rest.Get("components"))
		i := slices.IndexFunc(all, func(entry *manifest.Node) bool { return s.last(s.folder(entry)) != nil })
		if i < 0 || s.list.Err() != nil {
			return
		}
		dir := s.folder(all[i])
		file, _ := KustomizationFile(dir)
		component := s.first(file).Clone()
		configs := s.last(dir)
		s.drop(component, "transformers", func(entry *manifest.Node) bool { return s.configs(dir, entry) != nil })
		first := s.part(append(slices.Clone(beforeComponents), "apiVersion", "kind", "crds", "configurations", "openapi")...)
		first.Set("components", manifest.NewList(all[:i+1]...))
		docs := s.with(file, manifest.Print(component)).built(first)
		for _, config := range configs {
			docs = s.call(config, docs)
		}
		for _, done := range beforeComponents {
			s.rest.Delete(done)
		}
		s.rest.Set("resources", manifest.NewList(s.hold("built", docs)))
		s.rest.Set("components", manifest.NewList(all[i+1:]...))
	}
}

func (s *steps) folder(entry *manifest.Node) string {
	return filepath.Join(s.dir, filepath.FromSlash(entry.Text()))
}

// last returns the functionConfigs of the component in dir, when the calls are the last that
// it does; else nil, so that kustomize refuses it.
func (s *steps) last(dir string) []*manifest.Node {
	file, ok := KustomizationFile(dir)
	if !ok {
		return nil
	}
	var configs []*manifest.Node
	for _, entry := range items(s.first(file).Get("transformers")) {
		called := s.configs(dir, entry)
		if called == nil && configs != nil {
			return nil
		}
		configs = append(configs, called...)
	}
	return configs
}

// transformers calls the function where its turn comes among the transformers: kustomize runs
// those that stand in place before those of files.
func (s *steps) transformers() {
	slices.SortStableFunc(items(s.rest.Get("transformers")), func(a, b *manifest.Node) int {
		switch {
		case inPlace(a) == inPlace(b):
			return 0
		case inPlace(a):
			return -1
		}
		return 1
	})
	for s.list.Err() == nil {
		all := items(s.rest.Get("transformers"))
		i := slices.IndexFunc(all, func(entry *manifest.Node) bool { return s.configs(s.dir, entry) != nil })
		if i < 0 {
			return
		}
		configs := s.configs(s.dir, all[i])
		after := s.part("apiVersion", "kind", "validators", "sortOptions", "openapi")
		s.rest.Set("transformers", manifest.NewList(all[:i]...))
		s.rest.Delete("validators")
		docs := s.built(s.rest)
		for _, config := range configs {
			docs = s.call(config, docs)
		}
		after.Set("resources", manifest.NewList(s.hold("built", docs)))
		after.Set("transformers", manifest.NewList(all[i+1:]...))
		s.rest = after
	}
}

// part is a kustomization with these fields of the rest.
func (s *steps) part(keys ...string) *manifest.Node {
	part := manifest.NewMap()
	for _, key := range keys {
		if v := s.rest.Get(key); v != nil {
			part.Set(key, v)
		}
	}
	return part
}

// drop removes those entries from a list of a kustomization that done says yes to.
func (s *steps) drop(kustomization *manifest.Node, key string, done func(*manifest.Node) bool) {
	if list := kustomization.Get(key); list != nil {
		list.Items = slices.DeleteFunc(list.Items, done)
	}
}

// call calls the function, unless something went wrong before.
func (s *steps) call(config *manifest.Node, docs []*manifest.Node) []*manifest.Node {
	if s.list.Err() != nil {
		return nil
	}
	out, list := s.function(config, docs)
	s.list.Add(list)
	return out
}

// hold keeps docs as a file of the kustomization, which is nowhere else, and returns its name.
func (s *steps) hold(name string, docs []*manifest.Node) *manifest.Node {
	name = ".kilter-" + name + ".yaml"
	s.builder = s.with(filepath.Join(s.dir, name), manifest.Print(docs...)).builder
	return manifest.NewString(name)
}

// with returns the steps with another text of a file.
func (s *steps) with(name, text string) *steps {
	c := *s
	c.texts = map[string]string{name: text}
	for other, text := range s.texts {
		if other != name {
			c.texts[other] = text
		}
	}
	return &c
}

// built builds the folder with k for its kustomization.
func (s *steps) built(k *manifest.Node) []*manifest.Node {
	docs, list := kustomization(s.dir, s.with(s.file, manifest.Print(k)).texts)
	for i := range list {
		if list[i].Severity == diag.Error && list[i].Hint == "" {
			list[i].Hint = "a call of the function divides the build: where this is its doing, give the output of kustomize build on standard input"
		}
	}
	s.list.Add(list)
	return docs
}
