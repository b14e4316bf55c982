// SPDX-License-Identifier: Apache-2.0

package render

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"kilter.dev/kilter/internal/diag"
	"kilter.dev/kilter/internal/manifest"
	"kilter.dev/kilter/internal/source"
)

// Function is what Kilter does as a KRM function: config is its functionConfig, docs what it
// is called with, none for a generator. They may be changed; the result holds all there are then.
type Function func(config *manifest.Node, docs []*manifest.Node) ([]*manifest.Node, diag.List)

// builder builds kustomizations whose functions are Kilter's own. kustomize can call functions
// only as programs, of whatever name a kustomization says, so it is left to build what comes
// before a call and what comes after it, and between them function is called here. The result
// is that of kustomize with functions enabled, but that what generators of a base make is final
// after a call: the hash in its name, too, so that nothing comes between, and it cannot be merged.
type builder struct {
	function Function          // nil: functions are refused
	texts    map[string]string // as those of Options
}

// build builds the kustomization in dir.
func (b builder) build(dir string) ([]*manifest.Node, diag.List) {
	file, ok := KustomizationFile(dir)
	if b.function == nil || !ok || !b.calls(dir, map[string]bool{}) {
		return kustomization(dir, b.texts)
	}
	s := &steps{builder: b, dir: dir, file: file, rest: b.first(file).Clone()}
	for _, step := range []func(){s.bases, s.generators, s.components, s.transformers} {
		if step(); s.list.Err() != nil {
			return nil, s.list
		}
	}
	docs := s.built(s.rest)
	return docs, s.list
}

// calls reports whether the kustomization in dir calls the function, or one that it builds on.
func (b builder) calls(dir string, seen map[string]bool) bool {
	file, ok := KustomizationFile(dir)
	if !ok || seen[file] {
		return false
	}
	seen[file] = true
	root := b.first(file)
	for _, key := range []string{"generators", "transformers"} {
		if slices.ContainsFunc(items(root.Get(key)), func(entry *manifest.Node) bool { return b.configs(dir, entry) != nil }) {
			return true
		}
	}
	for _, key := range builtOn {
		for _, entry := range items(root.Get(key)) {
			if entry.Text() != "" && b.calls(filepath.Join(dir, filepath.FromSlash(entry.Text())), seen) {
				return true
			}
		}
	}
	return false
}

// parse returns the documents of a file of a kustomization, nil when it cannot be read.
func (b builder) parse(name string) []*manifest.Node {
	text, known := b.texts[name]
	if !known {
		if !isFile(name) { // a pipe is read once, where its text is needed
			return nil
		}
		data, err := os.ReadFile(name)
		if err != nil {
			return nil
		}
		text = string(data)
	}
	docs, list := manifest.Parse(source.New(name, text))
	if list.Err() != nil {
		return nil
	}
	return docs
}

// first returns the first of them, nil when there is none.
func (b builder) first(name string) *manifest.Node {
	if docs := b.parse(name); len(docs) > 0 {
		return docs[0]
	}
	return nil
}

// functionAnnotation says of an object that it is the functionConfig of a function, and of which.
const functionAnnotation = "config.kubernetes.io/function"

// configs returns the functionConfigs of Kilter that an entry of a kustomization in dir names
// or holds; nil when there is something else, too.
func (b builder) configs(dir string, entry *manifest.Node) []*manifest.Node {
	var docs []*manifest.Node
	switch {
	case inPlace(entry):
		docs, _ = manifest.Parse(source.New("", entry.Text()))
	case filepath.IsLocal(entry.Text()):
		docs = b.parse(filepath.Join(dir, filepath.FromSlash(entry.Text())))
	}
	for _, n := range docs {
		if n.Span.File.Name == "" {
			n.Place(nil, entry.Span)
		}
		if !strings.HasPrefix(n.Get("apiVersion").Text(), "kilter.dev/") || n.Get("metadata", "annotations", functionAnnotation).Text() == "" {
			return nil
		}
	}
	return docs
}

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
			if entry.Text() == "" || !s.calls(dir, map[string]bool{}) {
				continue
			}
			docs, list := s.build(dir)
			s.list.Add(list)
			s.rest.Get(key).Items[i] = s.hold("base-"+strconv.Itoa(i), docs)
		}
	}
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
