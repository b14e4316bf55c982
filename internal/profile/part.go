// SPDX-License-Identifier: Apache-2.0

package profile

import (
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"

	"kilter.dev/kilter/internal/diag"
	"kilter.dev/kilter/internal/manifest"
	"kilter.dev/kilter/internal/source"
)

// PartKind is the kind of part.yaml. A part is a folder laid out as a profile is, that
// several profiles name in spec.parts. It is as if it were written in each of them, and
// gives way to what the profile writes itself: a parameter's keyword, a variable, a
// template or a file of the same name.
const PartKind = "Part"

// partsFolder is what positions in parts name before the part's folder.
const partsFolder = "profiles/parts"

// shared are the fields of spec that profiles and parts have in common.
var shared = []string{"description", "parameters", "variables", "constraints", "features", "fixed", "infer"}

// part reads the part that item names: its templates and files into the profile, and
// returns the spec of its part.yaml; nil where that is in error.
func (l *loader) part(item *manifest.Node) (*manifest.Node, error) {
	name := item.Text()
	if !fs.ValidPath(name) {
		l.noPart(item)
		return nil, nil
	}
	sub, err := fs.Sub(l.parts, name)
	if err != nil {
		return nil, err
	}
	text, err := fs.ReadFile(sub, "part.yaml")
	if errors.Is(err, fs.ErrNotExist) {
		l.noPart(item)
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	in := folder{fs: sub, name: path.Join(partsFolder, name)}
	file := source.New(path.Join(in.name, "part.yaml"), string(text))
	l.sum(file.Name, file.Text)
	root := l.document(file, PartKind)
	l.Constant(l.Want(root, "metadata", manifest.Map), "name", name)
	spec := l.Want(root, "spec", manifest.Map)
	l.Keys(spec, shared...)
	return spec, errors.Join(l.templates(in), l.files(in))
}

func (l *loader) noPart(item *manifest.Node) {
	var names []string
	matches, _ := fs.Glob(l.parts, "*/part.yaml")
	for _, m := range matches {
		names = append(names, path.Dir(m))
	}
	hint := diag.DidYouMean(item.Text(), names)
	if hint == "" && len(names) > 0 {
		hint = "the parts are " + strings.Join(names, ", ")
	}
	l.Errorf(item.Span, "there is no part %q", item.Text()).Hint = hint
}

// merged returns n with what only part has added to it, at every depth; of the fields of
// both, n's come first and n's scalars and lists stand.
func merged(n, part *manifest.Node) *manifest.Node {
	if n == nil {
		return part
	}
	if n.Shape != manifest.Map || part == nil || part.Shape != manifest.Map {
		return n
	}
	out := *n
	out.Fields = slices.Clone(n.Fields)
	for i, f := range out.Fields {
		out.Fields[i].Value = merged(f.Value, part.Get(f.Key))
	}
	for _, f := range part.Fields {
		if n.Get(f.Key) == nil {
			out.Fields = append(out.Fields, f)
		}
	}
	return &out
}
