// SPDX-License-Identifier: Apache-2.0

package policytest

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"kilter.dev/kilter/internal/admission"
	"kilter.dev/kilter/internal/diag"
	"kilter.dev/kilter/internal/manifest"
	"kilter.dev/kilter/internal/source"
)

// Code is the diagnostic code of a policy or a case that cannot be read.
const Code = "policy-test"

// folder is a folder with policies and, in tests/, their cases.
type folder struct {
	policies []*admission.Policy
	bindings []*admission.Binding
	cases    []*Case
}

// outcomes are what a request for a validating policy can be expected to meet.
var outcomes = []string{"allow", "deny", "warn", "audit"}

// contents are what a file of a case can hold, by the end of its name.
var contents = []string{
	"object.yaml", "oldObject.yaml", "request.yaml", "params.yaml", "namespaceObject.yaml", "annotations.yaml", "gold.yaml",
	"message.txt", "warnings.txt",
}

// load reads the folders at and below dir that have a folder tests.
func load(dir, version string) (folders []*folder, errs diag.List) {
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err == nil && e.IsDir() && e.Name() == "tests" {
			folders = append(folders, loadFolder(filepath.Dir(path), version, &errs))
		}
		return err
	})
	if err != nil {
		errs.Errorf(source.Span{}, Code, "%v", err)
	}
	return folders, errs
}

func loadFolder(dir, version string, errs *diag.List) *folder {
	f := &folder{}
	for _, name := range namesIn(dir, errs) {
		if ext := filepath.Ext(name); ext != ".yaml" && ext != ".yml" {
			continue
		}
		file := read(filepath.Join(dir, name), errs)
		if file == nil {
			continue
		}
		docs, _ := manifest.Parse(file)
		objects, _ := manifest.Objects(docs)
		for _, o := range objects {
			f.add(o, version, errs)
		}
	}
	f.loadCases(filepath.Join(dir, "tests"), errs)
	return f
}

// add adds what is a policy or a binding. Other objects may stand beside them.
func (f *folder) add(o *manifest.Object, version string, errs *diag.List) {
	fail := func(err error) {
		if err != nil {
			errs.Errorf(o.Get("metadata", "name").Span, Code, "%v", err)
		}
	}
	switch o.Kind {
	case "ValidatingAdmissionPolicy", "MutatingAdmissionPolicy":
		p, err := admission.Compile(o, version)
		var list diag.List
		switch {
		case errors.As(err, &list):
			errs.Add(list)
		case err != nil:
			fail(err)
		default:
			f.policies = append(f.policies, p)
		}
	case "ValidatingAdmissionPolicyBinding", "MutatingAdmissionPolicyBinding":
		b, err := admission.ReadBinding(o)
		if fail(err); err == nil {
			f.bindings = append(f.bindings, b)
		}
	}
}

// loadCases groups the files in tests/ to cases: what their names begin with is the same.
func (f *folder) loadCases(dir string, errs *diag.List) {
	byName := map[string]*Case{}
	for _, name := range namesIn(dir, errs) {
		rest, content := cutContent(name)
		path := filepath.Join(dir, name)
		switch {
		case strings.HasSuffix(name, ".authorizer.yaml"):
			errs.Errorf(source.Span{File: source.New(path, "")}, Code, "what an authorizer would say cannot be given").Hint = "here it has no opinion on anybody"
			continue
		case content == "":
			errs.Errorf(source.Span{File: source.New(path, "")}, Code, "the name does not say what the file holds").Hint =
				"call it POLICY.CASE.OUTCOME." + strings.Join(contents, ", .") + "; outcomes are " + strings.Join(outcomes, ", ") + ", and none for policies that mutate"
			continue
		}
		c := byName[rest]
		if c == nil {
			c = f.newCase(rest, path, errs)
			byName[rest] = c
			f.cases = append(f.cases, c)
		}
		if file := read(path, errs); file != nil {
			c.files[content] = file
		}
		if content == "object.yaml" || content == "request.yaml" || content == "oldObject.yaml" && c.files["object.yaml"] == nil {
			c.File = path
		}
	}
}

// newCase is the case of files whose names begin so.
func (f *folder) newCase(name, path string, errs *diag.List) *Case {
	c := &Case{Name: name, File: path, files: map[string]*source.File{}}
	if i := strings.LastIndexByte(name, '.'); i >= 0 && slices.Contains(outcomes, name[i+1:]) {
		c.Outcome = name[i+1:]
	}
	for _, p := range f.policies {
		if (name == p.Name || strings.HasPrefix(name, p.Name+".")) && (c.policy == nil || len(p.Name) > len(c.policy.Name)) {
			c.policy = p
		}
	}
	if c.policy == nil && len(f.policies) == 1 {
		c.policy = f.policies[0]
	}
	if c.policy == nil {
		errs.Errorf(source.Span{File: source.New(path, "")}, Code, "the name begins with that of no policy in %s", filepath.Dir(filepath.Dir(path)))
		return c
	}
	for _, b := range f.bindings {
		if b.Policy == c.policy.Name {
			c.bindings = append(c.bindings, b)
		}
	}
	return c
}

// cutContent cuts the end that says what a file holds off its name.
func cutContent(name string) (rest, content string) {
	for _, content := range contents {
		if rest, ok := strings.CutSuffix(name, "."+content); ok {
			return rest, content
		}
	}
	return name, ""
}

func namesIn(dir string, errs *diag.List) []string {
	entries, err := os.ReadDir(dir)
	if err != nil {
		errs.Errorf(source.Span{}, Code, "%v", err)
	}
	var names []string
	for _, e := range entries {
		if !e.IsDir() && !strings.HasPrefix(e.Name(), ".") {
			names = append(names, e.Name())
		}
	}
	return names
}

func read(path string, errs *diag.List) *source.File {
	text, err := os.ReadFile(path)
	if err != nil {
		errs.Errorf(source.Span{}, Code, "%v", err)
		return nil
	}
	return source.New(path, string(text))
}
