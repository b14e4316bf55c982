// SPDX-License-Identifier: Apache-2.0

package fixtest

import (
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"strings"

	"github.com/rogpeppe/go-internal/txtar"

	"kilter.dev/kilter/internal/lint"
	"kilter.dev/kilter/internal/source"
)

// Input is a section NAME.in.yaml of a rule's fixture.
type Input struct {
	Rule    string
	File    *source.File // called RULE/NAME.in.yaml
	Options lint.Options // that the fixture asks for
}

// Inputs returns the inputs of the fixtures in testdata of the folder of rules.
func Inputs(folder fs.FS) ([]Input, error) {
	names, err := fs.Glob(folder, "testdata/*.txtar")
	if err != nil {
		return nil, err
	}
	var all []Input
	for _, name := range names {
		data, err := fs.ReadFile(folder, name)
		if err != nil {
			return nil, err
		}
		fixture := txtar.Parse(data)
		o, err := Options(string(fixture.Comment))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		all = append(all, InputsOf(strings.TrimSuffix(path.Base(name), ".txtar"), fixture, o)...)
	}
	return all, nil
}

var own = regexp.MustCompile(`^# (kube|closed): (.+)\n`)

// InputsOf returns the inputs of a rule's fixture, whose head asks for the options. The
// first line of a section may ask for a Kubernetes version of its own, or to be closed or not.
func InputsOf(rule string, fixture *txtar.Archive, o lint.Options) []Input {
	var all []Input
	for _, f := range fixture.Files {
		if !strings.HasSuffix(f.Name, ".in.yaml") {
			continue
		}
		in := Input{Rule: rule, File: source.New(rule+"/"+f.Name, string(f.Data)), Options: o}
		if m := own.FindStringSubmatch(in.File.Text); m != nil {
			set(&in.Options, m[1], m[2])
		}
		all = append(all, in)
	}
	return all
}

// Options are those that the head of a fixture asks for.
func Options(head string) (lint.Options, error) {
	var o lint.Options
	for line := range strings.Lines(head) {
		key, value, found := strings.Cut(strings.TrimSpace(line), ": ")
		if found && !set(&o, key, value) {
			return o, fmt.Errorf("unknown option %q", key)
		}
	}
	return o, nil
}

// set sets an option, and reports whether there is one of that name.
func set(o *lint.Options, key, value string) bool {
	switch key {
	case "kube":
		o.KubeVersion = value
	case "closed":
		o.Closed = value == "true"
	default:
		return false
	}
	return true
}
