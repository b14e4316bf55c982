// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"errors"
	"io"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/pflag"

	"kilter.dev/kilter/internal/diag"
	"kilter.dev/kilter/internal/manifest"
	"kilter.dev/kilter/internal/render"
	"kilter.dev/kilter/internal/source"
)

// valueFlags are Helm's flags for values, which are also those for parameters.
type valueFlags struct {
	files, set, setString, setJSON []string

	once sync.Once
	read []*source.File // the files
	errs diag.List      // why some of them cannot be read
}

func (v *valueFlags) register(flags *pflag.FlagSet) {
	flags.StringArrayVarP(&v.files, "values", "f", nil, "YAML `FILE` with values, or a kilter.yaml; - is standard input (repeatable, later files win)")
	flags.StringArrayVar(&v.set, "set", nil, "value as `PATH=VALUE`: a.b=c (repeatable)")
	flags.StringArrayVar(&v.setString, "set-string", nil, "value as `PATH=TEXT`, always a string (repeatable)")
	flags.StringArrayVar(&v.setJSON, "set-json", nil, "value as `PATH=JSON` (repeatable)")
}

// given says whether any of the flags is used.
func (v *valueFlags) given() bool {
	return len(v.files)+len(v.set)+len(v.setString)+len(v.setJSON) > 0
}

// readsOnce refuses a command line that reads standard input more than once.
func (v *valueFlags) readsOnce(paths ...string) error {
	reads := 0
	for _, name := range slices.Concat(v.files, paths) {
		if name == render.Stdin {
			reads++
		}
	}
	if reads > 1 {
		return usageError{errors.New("standard input can be read only once"), "give - once, and files for the rest"}
	}
	return nil
}

// sources returns the files, each of which is read once, for all that takes values: it may be
// a pipe.
func (v *valueFlags) sources(stdin io.Reader) ([]*source.File, diag.List) {
	v.once.Do(func() {
		for _, name := range v.files {
			if strings.TrimSpace(name) == render.Stdin {
				name = render.Stdin
			}
			file, errs := render.ReadFile(name, stdin)
			if v.errs.Add(errs); file != nil {
				v.read = append(v.read, file)
			}
		}
	})
	return v.read, slices.Clone(v.errs)
}

// helm returns the values as Helm would read them.
func (v *valueFlags) helm(stdin io.Reader) (map[string]any, error) {
	files, errs := v.sources(stdin)
	values, problems := render.Values(render.ValueFlags{Files: files, Set: v.set, SetString: v.setString, SetJSON: v.setJSON})
	errs.Add(problems)
	return values, errs.Err()
}

// over returns the values laid over base, which may be nil. Values from files keep their
// positions; errors about the others have none.
func (v *valueFlags) over(base *manifest.Node, stdin io.Reader) (*manifest.Node, error) {
	files, errs := v.sources(stdin)
	for _, file := range files {
		docs, problems := manifest.Parse(file)
		errs.Add(problems)
		if len(docs) == 1 && isWorkload(docs[0]) {
			docs = parametersOf(docs[0])
		}
		switch {
		case len(docs) > 1:
			errs.Errorf(docs[1].Span, "values", "a values file is one document")
		case len(docs) == 1 && docs[0].Shape != manifest.Map && docs[0].Shape != manifest.Null:
			errs.Errorf(docs[0].Span, "values", "values must be a map of parameters")
		case len(docs) == 1:
			base = manifest.Overlay(base, docs[0], manifest.NullOver)
		}
	}
	if err := errs.Err(); err != nil {
		return nil, err
	}
	if len(v.set)+len(v.setString)+len(v.setJSON) == 0 {
		return base, nil
	}
	under, _ := manifest.Native(base).(map[string]any)
	values, errs := render.Values(render.ValueFlags{Base: under, Set: v.set, SetString: v.setString, SetJSON: v.setJSON})
	if err := errs.Err(); err != nil {
		return nil, err
	}
	n, err := manifest.FromNative(values)
	if err != nil {
		return nil, err
	}
	graft(n, base)
	return n, nil
}

// isWorkload tells a workload file from a values file.
func isWorkload(doc *manifest.Node) bool {
	return doc.Get("apiVersion").Text() == apiVersion && doc.Get("kind").Text() == workloadKind
}

// parametersOf lets a workload file stand for its parameters.
func parametersOf(doc *manifest.Node) []*manifest.Node {
	if parameters := doc.Get("spec", "parameters"); parameters != nil {
		return []*manifest.Node{parameters}
	}
	return nil
}

// graft gives n the positions of what it still has from old.
func graft(n, old *manifest.Node) {
	if old == nil || n.Shape != old.Shape {
		return
	}
	if n.Shape == manifest.Map {
		for i := range n.Fields {
			f := &n.Fields[i]
			for _, o := range old.Fields {
				if o.Key == f.Key {
					f.KeySpan = o.KeySpan
					graft(f.Value, o.Value)
				}
			}
		}
		n.Span = old.Span
		return
	}
	if manifest.Equal(n, old) {
		*n = *old
	}
}

func displayName(name string) string {
	if name == render.Stdin {
		return "<stdin>"
	}
	return name
}
