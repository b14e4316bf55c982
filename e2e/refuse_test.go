// SPDX-License-Identifier: Apache-2.0

package e2e_test

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

// A refusal is a row of testdata/refuse/PROFILE.yaml: values that must be refused.
type refusal struct {
	Name   string // name of the release, "demo" when absent
	Kube   string // Kubernetes version, the default when absent
	Values map[string]any
	Want   string // part of the message that names the parameter; "at /a/b" where the schema refuses a.b
}

// TestRefusals: values that violate a rule of the profile are refused by the chart and by
// kilter new, with a message that names the parameter; and no rule of the profile goes
// untried.
func TestRefusals(t *testing.T) {
	for _, profile := range profiles(t) {
		t.Run(profile, func(t *testing.T) {
			t.Parallel()
			var rows []refusal
			decode(t, filepath.Join("testdata", "refuse", profile+".yaml"), &rows)
			for _, program := range append(helms, "kilter") {
				var said []string
				for _, row := range rows {
					text, want := refused(t, program, profile, row), row.Want
					if path, ok := strings.CutPrefix(want, "at /"); ok && program == "kilter" {
						want = strings.ReplaceAll(path, "/", ".")
					} else if ok {
						want = "at '/" + path
					}
					if want == "" || !strings.Contains(text, want) {
						t.Errorf("%s %v: want %q, got:\n%s", program, row.Values, want, text)
					}
					said = append(said, text)
				}
				for _, rule := range rules(t, profile) {
					if !rule.MatchString(strings.Join(said, "\n")) {
						t.Errorf("%s: no row of testdata/refuse/%s.yaml gives the message %s", program, profile, rule)
					}
				}
			}
		})
	}
}

// refused returns what helm template or kilter new says about values that it must refuse.
func refused(t *testing.T, program, profile string, r refusal) string {
	t.Helper()
	text, err := yaml.Marshal(r.Values)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "values.yaml")
	write(t, file, string(text), 0o644)
	name, kube := r.Name, r.Kube
	if name == "" {
		name = release
	}
	if kube == "" {
		kube = defaultKube
	}
	args := []string{"template", name, filepath.Join("..", "charts", profile)}
	if program == "kilter" {
		args = []string{"new", name, "--profile", profile, "-o", filepath.Join(t.TempDir(), name)}
	}
	_, said, err := try(t, program, append(args, "-n", namespace, "--kube-version", kube, "-f", file)...)
	if err == nil {
		t.Errorf("%s takes %s", program, text)
	}
	return said
}

// rules returns a pattern of the message of each rule of a profile, behind the parameter
// that it is about.
func rules(t *testing.T, profile string) []*regexp.Regexp {
	t.Helper()
	var p struct {
		Spec struct {
			Parameters  parameter
			Constraints []struct{ At, Message string }
		}
	}
	decode(t, filepath.Join("..", "profiles", profile, "profile.yaml"), &p)
	patterns := p.Spec.Parameters.rules("")
	for _, c := range p.Spec.Constraints {
		patterns = append(patterns, pattern(c.At, c.Message))
	}
	return patterns
}

// A parameter is what a profile says of a parameter, as far as rules are concerned.
type parameter struct {
	Properties map[string]parameter
	Rules      []struct{ Message string } `json:"x-kubernetes-validations"`
}

func (p parameter) rules(path string) []*regexp.Regexp {
	var patterns []*regexp.Regexp
	for _, r := range p.Rules {
		patterns = append(patterns, pattern(path, r.Message))
	}
	for name, sub := range p.Properties {
		patterns = append(patterns, sub.rules(strings.TrimPrefix(path+"."+name, "."))...)
	}
	return patterns
}

// A hole may hold text in quotes, in which a brace ends nothing.
var hole = regexp.MustCompile(`\$\{("[^"]*"|[^}"])*\}`)

// pattern matches a message whose holes hold anything.
func pattern(at, message string) *regexp.Regexp {
	var parts []string
	for _, part := range hole.Split(strings.TrimSpace(message), -1) {
		parts = append(parts, regexp.QuoteMeta(part))
	}
	text := strings.Join(parts, ".*")
	if at != "" {
		text = regexp.QuoteMeta(at+": ") + text
	}
	return regexp.MustCompile(text)
}

// decode reads a YAML file into v.
func decode(t *testing.T, file string, v any) {
	t.Helper()
	if err := yaml.Unmarshal([]byte(read(t, file)), v); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
}
