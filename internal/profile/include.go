// SPDX-License-Identifier: Apache-2.0

package profile

import (
	"maps"
	"path"
	"slices"
	"strings"

	"kilter.dev/kilter/internal/diag"
	"kilter.dev/kilter/internal/manifest"
)

// includeKey is the key of a map in a template that names a fragment: a template whose name
// begins with _. The map gets the fragment's fields that it does not have itself, in the
// place of the key. A fragment is no template of its own.
const includeKey = "$include"

// include takes the fragments out of the templates and puts them where they are named.
func (l *loader) include() {
	in := inclusion{l: l, fragments: map[string]*manifest.Node{}}
	l.p.Templates = slices.DeleteFunc(l.p.Templates, func(t Template) bool {
		if !strings.HasPrefix(path.Base(t.File), "_") {
			return false
		}
		if in.fragments[t.File] != nil {
			l.Errorf(t.Root.Span, "a fragment is one document")
		}
		in.fragments[t.File] = t.Root
		return true
	})
	for i, t := range l.p.Templates {
		l.p.Templates[i].Root = in.node(t.Root, nil)
	}
}

type inclusion struct {
	l         *loader
	fragments map[string]*manifest.Node
}

// node is n with its fragments; within are those that n is a part of.
func (in inclusion) node(n *manifest.Node, within []string) *manifest.Node {
	if n == nil || len(n.Fields) == 0 && len(n.Items) == 0 {
		return n
	}
	out := *n
	out.Items, out.Fields = slices.Clone(n.Items), slices.Clone(n.Fields)
	for i, item := range out.Items {
		out.Items[i] = in.node(item, within)
	}
	for i, f := range out.Fields {
		out.Fields[i].Value = in.node(f.Value, within)
	}
	name := out.Get(includeKey)
	if name == nil {
		return &out
	}
	at := slices.IndexFunc(out.Fields, func(f manifest.Field) bool { return f.Key == includeKey })
	out.Delete(includeKey)
	fragment := in.fragments[name.Text()]
	switch {
	case fragment == nil:
		in.l.Errorf(name.Span, "there is no fragment %q", name.Text()).Hint = in.hint(name.Text())
	case fragment.Shape != manifest.Map:
		in.l.Errorf(name.Span, "%s holds no map, whose fields could be added to this one", name.Text())
	case slices.Contains(within, name.Text()):
		in.l.Errorf(name.Span, "%s includes itself", name.Text())
	default:
		whole := merged(&out, in.node(fragment, append(slices.Clip(within), name.Text())))
		own := whole.Fields[:len(out.Fields)]
		whole.Fields = slices.Concat(own[:at], whole.Fields[len(own):], own[at:])
		return whole
	}
	return &out
}

func (in inclusion) hint(name string) string {
	names := slices.Sorted(maps.Keys(in.fragments))
	if hint := diag.DidYouMean(name, names); hint != "" || len(names) == 0 {
		return hint
	}
	return "the fragments are " + strings.Join(names, ", ")
}
