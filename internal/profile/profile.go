// SPDX-License-Identifier: Apache-2.0

// Package profile reads a profile folder as it is written. It checks the form of
// profile.yaml and nothing of what stands in holes.
package profile

import (
	"kilter.dev/kilter/internal/manifest"
	"kilter.dev/kilter/internal/param"
	"kilter.dev/kilter/internal/source"
)

// Profile is a folder profiles/NAME.
type Profile struct {
	Name, Title, Description string
	AppVersion               string // of the program it runs: Chart.yaml's appVersion; may be ""
	Keywords                 []string
	Params                   *param.Schema
	Variables                []Variable
	Constraints              []Constraint
	Features                 []Feature
	Fixed                    []Fixed        // in the order written
	Templates                []Template     // by file name; documents in order
	Dev                      *manifest.Node // parameter values of overlays/dev; nil: none
	Component                Component
	Infer                    Infer
	Cases                    []Case            // default first, then by name
	Files                    map[string]string // files/NAME by NAME
	Notes                    *manifest.Node    // notes.txt as a string; nil: none
	Readme                   string            // README.md; may be ""
	Span                     source.Span       // of metadata.name
	Digest                   string            // of profile.yaml, templates/ and files/: SHA-256 in hex
}

// Variable is a named string, integer or boolean.
type Variable struct {
	Name, Description string
	Value             *manifest.Node
	Span              source.Span // of the name
}

// Constraint is a rule over several parameters; it is violated when Rule is false.
type Constraint struct {
	Rule    *manifest.Node // CEL, without ${ and }
	At      string         // path of the parameter the message is about; "" for none
	AtSpan  source.Span
	Message *manifest.Node // text with holes
}

// Feature is an optional part of a profile, switched by params.NAME.enabled.
type Feature struct {
	Name, Description string
	Span              source.Span
}

// Fixed is a parameter that cannot change on a running workload: an immutable field of a
// Kubernetes object depends on it.
type Fixed struct {
	Path string // of the parameter
	Span source.Span
}

// Template is a document of a file below templates/.
type Template struct {
	File    string // "deployment.yaml", "autoscaling/hpa.yaml", "tests/health.yaml"
	Feature string // the folder's name; "" for none; Tests for pods of helm test
	Root    *manifest.Node
}

// Tests is the folder of templates that only charts have.
const Tests = "tests"

// Component says what a static Kustomize component carries over to a workload that a
// user already has.
type Component struct {
	Kinds  []string // workload kinds: Deployment, StatefulSet, ...
	Fields []string // dotted field paths of those objects
}

// Case is a named set of parameter values.
type Case struct {
	Name        string
	Description string         // the first comment line of the file
	KubeVersion string         // from the comment line "# kube: 1.35"; "" for the default
	Values      *manifest.Node // nil: {}
	Text        string         // the file as written
}
