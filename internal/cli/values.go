// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"io"
	"os"

	"github.com/spf13/pflag"

	"kilter.dev/kilter/internal/diag"
	"kilter.dev/kilter/internal/manifest"
	"kilter.dev/kilter/internal/render"
	"kilter.dev/kilter/internal/source"
)

// valueFlags are Helm's flags for values, which are also those for parameters.
type valueFlags struct{ files, set, setString, setJSON []string }

func (v *valueFlags) register(flags *pflag.FlagSet) {
	flags.StringArrayVarP(&v.files, "values", "f", nil, "YAML file with values; - reads standard input (repeatable, later files win)")
	flags.StringArrayVar(&v.set, "set", nil, "value as a.b=c (repeatable)")
	flags.StringArrayVar(&v.setString, "set-string", nil, "value as a.b=c, always a string (repeatable)")
	flags.StringArrayVar(&v.setJSON, "set-json", nil, "value as a.b=JSON (repeatable)")
}

// helm returns the values as Helm would read them.
func (v *valueFlags) helm(stdin io.Reader) (map[string]any, error) {
	values, errs := render.Values(render.ValueFlags{
		Files: v.files, Set: v.set, SetString: v.setString, SetJSON: v.setJSON, Stdin: stdin,
	})
	return values, errs.Err()
}

// over returns the values laid over base, which may be nil. Values from files keep their
// positions; errors about the others have none.
func (v *valueFlags) over(base *manifest.Node, stdin io.Reader) (*manifest.Node, error) {
	var errs diag.List
	for _, name := range v.files {
		text, err := readInput(name, stdin)
		if err != nil {
			return nil, err
		}
		docs, problems := manifest.Parse(source.New(displayName(name), text))
		errs.Add(problems)
		switch {
		case len(docs) > 1:
			errs.Errorf(docs[1].Span, "values", "a values file is one document")
		case len(docs) == 1 && docs[0].Shape != manifest.Map && docs[0].Shape != manifest.Null:
			errs.Errorf(docs[0].Span, "values", "values must be a map of parameters")
		case len(docs) == 1:
			base = overlay(base, docs[0])
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

// overlay lays over upon under, map by map, as Helm merges values files.
func overlay(under, over *manifest.Node) *manifest.Node {
	if under == nil || under.Shape != manifest.Map || over.Shape != manifest.Map {
		return over
	}
	out := under.Clone()
	for _, f := range over.Fields {
		if old := under.Get(f.Key); old != nil {
			out.Set(f.Key, overlay(old, f.Value))
		} else {
			out.Fields = append(out.Fields, f)
		}
	}
	return out
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

func readInput(name string, stdin io.Reader) (string, error) {
	if name == render.Stdin {
		text, err := io.ReadAll(stdin)
		return string(text), err
	}
	text, err := os.ReadFile(name)
	return string(text), err
}

func displayName(name string) string {
	if name == render.Stdin {
		return "<stdin>"
	}
	return name
}
