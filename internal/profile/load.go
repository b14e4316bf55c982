// SPDX-License-Identifier: Apache-2.0

package profile

import (
	"cmp"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"

	"kilter.dev/kilter/internal/manifest"
	"kilter.dev/kilter/internal/source"
)

// Code is the diagnostic code of a profile that is not written as it must be.
const Code = "profile"

// APIVersion and Kind are what profile.yaml says it is.
const (
	APIVersion = "kilter.dev/v1alpha1"
	Kind       = "Profile"
)

// List returns the names of the profiles in root, the folders that hold a profile.yaml, sorted.
func List(root fs.FS) ([]string, error) {
	entries, err := fs.ReadDir(root, ".")
	if err != nil {
		return nil, err
	}
	var names []string
	for _, e := range entries {
		if _, err := fs.Stat(root, path.Join(e.Name(), "profile.yaml")); e.IsDir() && err == nil {
			names = append(names, e.Name())
		}
	}
	return names, nil
}

// Load reads the profile whose folder is the root of fsys. name is what positions name
// before the file ("profiles/web"); its last element must be the profile's name. parts
// holds a folder for every part that the profile may name; nil for none. A diag.List is
// returned for what is wrong in the folder, and next to it the profile as far as it could be
// read, so that a caller can look for more; nil without parameters.
func Load(fsys, parts fs.FS, name string) (*Profile, error) {
	if parts == nil {
		parts = embed.FS{}
	}
	own := folder{fs: fsys, name: name}
	l := &loader{Reader: manifest.Reader{Code: Code}, digest: sha256.New(), own: own, parts: parts, p: &Profile{Files: map[string]string{}}}
	text, err := fs.ReadFile(fsys, "profile.yaml")
	if err != nil {
		return nil, err
	}
	l.sum("profile.yaml", string(text))
	err = errors.Join(l.profile(source.New(path.Join(name, "profile.yaml"), string(text))), l.templates(own), l.files(own), l.cases(), l.texts())
	if err != nil {
		return nil, err
	}
	l.include()
	if l.p.Params == nil {
		return nil, l.Errs.Err()
	}
	l.p.Digest = hex.EncodeToString(l.digest.Sum(nil))
	return l.p, l.Errs.Err()
}

type loader struct {
	manifest.Reader
	digest hash.Hash
	own    folder // the profile's
	parts  fs.FS
	p      *Profile
}

// folder is a profile's or a part's.
type folder struct {
	fs   fs.FS
	name string // that positions name before the file
}

// sum adds a file to the digest, under its name in the folder.
func (l *loader) sum(name, text string) {
	fmt.Fprintf(l.digest, "%s %d\n%s", strings.TrimPrefix(name, l.own.name+"/"), len(text), text)
}

// each calls f for every regular file directly in dir, by name; a missing dir has none.
func (in folder) each(dir string, f func(name string, file *source.File)) error {
	entries, err := fs.ReadDir(in.fs, dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, e := range entries {
		if !e.Type().IsRegular() || strings.HasPrefix(e.Name(), ".") {
			continue
		}
		name := path.Join(dir, e.Name())
		text, err := fs.ReadFile(in.fs, name)
		if err != nil {
			return err
		}
		f(e.Name(), source.New(path.Join(in.name, name), string(text)))
	}
	return nil
}

func (l *loader) templates(in folder) error {
	dirs := []string{""}
	entries, err := fs.ReadDir(in.fs, "templates")
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, e := range entries {
		if e.IsDir() {
			dirs = append(dirs, e.Name())
		}
	}
	for _, dir := range dirs {
		err := in.each(path.Join("templates", dir), func(name string, file *source.File) {
			if !isYAML(name) {
				l.Errorf(source.Span{File: file}, "templates holds only .yaml files").Hint = "put scripts and other text into files/"
				return
			}
			l.sum(file.Name, file.Text)
			docs, errs := manifest.Parse(file)
			l.Errs.Add(errs)
			name = path.Join(dir, name)
			l.p.Templates = slices.DeleteFunc(l.p.Templates, func(t Template) bool { return t.File == name })
			for _, doc := range docs {
				l.p.Templates = append(l.p.Templates, Template{File: name, Feature: dir, Root: doc})
			}
		})
		if err != nil {
			return err
		}
	}
	slices.SortStableFunc(l.p.Templates, func(a, b Template) int {
		return cmp.Or(cmp.Compare(a.Feature, b.Feature), cmp.Compare(a.File, b.File))
	})
	return nil
}

func (l *loader) files(in folder) error {
	return in.each("files", func(name string, file *source.File) {
		l.sum(file.Name, file.Text)
		l.p.Files[name] = file.Text
	})
}

var kubeComment = regexp.MustCompile(`^# *kube: *(1\.[0-9]+)$`)

func (l *loader) cases() error {
	err := l.own.each("cases", func(name string, file *source.File) {
		if !isYAML(name) {
			return
		}
		c := Case{Name: strings.TrimSuffix(name, path.Ext(name)), Text: file.Text}
		for line := range strings.Lines(file.Text) {
			line = strings.TrimSpace(line)
			if !strings.HasPrefix(line, "#") {
				break
			}
			if m := kubeComment.FindStringSubmatch(line); m != nil {
				c.KubeVersion = m[1]
			} else if c.Description == "" {
				c.Description = strings.TrimSpace(strings.TrimLeft(line, "#"))
			}
		}
		docs, errs := manifest.Parse(file)
		l.Errs.Add(errs)
		if len(docs) > 1 {
			l.Errorf(docs[1].Span, "a case is one document of parameter values")
		}
		if len(docs) > 0 {
			c.Values = docs[0]
		}
		l.p.Cases = append(l.p.Cases, c)
	})
	slices.SortFunc(l.p.Cases, func(a, b Case) int {
		return cmp.Or(-cmp.Compare(rank(a), rank(b)), cmp.Compare(a.Name, b.Name))
	})
	if len(l.p.Cases) == 0 || l.p.Cases[0].Name != "default" {
		l.Errorf(l.p.Span, "cases/default.yaml is missing").Hint = "add it; {} is enough"
	}
	return err
}

func rank(c Case) int {
	if c.Name == "default" {
		return 1
	}
	return 0
}

func (l *loader) texts() error {
	return l.own.each(".", func(name string, file *source.File) {
		switch name {
		case "README.md":
			l.p.Readme = file.Text
		case "notes.txt":
			l.p.Notes = manifest.NewText(file)
		}
	})
}

func isYAML(name string) bool { return path.Ext(name) == ".yaml" || path.Ext(name) == ".yml" }

var dnsLabel = regexp.MustCompile(`^[a-z]([-a-z0-9]*[a-z0-9])?$`)

// profile reads profile.yaml.
func (l *loader) profile(file *source.File) error {
	root := l.document(file, Kind)
	metadata := l.Want(root, "metadata", manifest.Map)
	if l.Keys(metadata, "name") {
		l.p.Name = l.Text(metadata, "name", true)
		l.name(metadata.Get("name"))
	}
	if spec := l.Want(root, "spec", manifest.Map); spec != nil {
		return l.spec(spec)
	}
	return nil
}

// document returns the one document of a file of the given kind; nil when it is none.
func (l *loader) document(file *source.File, kind string) *manifest.Node {
	docs, errs := manifest.Parse(file)
	l.Errs.Add(errs)
	if len(docs) != 1 {
		if len(errs) == 0 {
			l.Errorf(source.Span{File: file}, "%s holds %d documents, not one", path.Base(file.Name), len(docs))
		}
		return nil
	}
	root := docs[0]
	if !l.Keys(root, "apiVersion", "kind", "metadata", "spec") {
		return nil
	}
	l.Constant(root, "apiVersion", APIVersion)
	l.Constant(root, "kind", kind)
	return root
}

func (l *loader) name(n *manifest.Node) {
	if n == nil {
		return
	}
	l.p.Span = n.Span
	if !dnsLabel.MatchString(l.p.Name) || len(l.p.Name) > 40 {
		l.Errorf(n.Span, "name %q is not a DNS label of at most 40 characters", l.p.Name).Hint = "use lower-case letters, digits and -, beginning with a letter"
	} else if base := path.Base(l.own.name); base != l.p.Name {
		l.Errorf(n.Span, "the profile is called %q, its folder %q", l.p.Name, base).Hint = "give both the same name"
	}
}
