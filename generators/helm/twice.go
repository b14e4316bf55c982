// SPDX-License-Identifier: Apache-2.0

package helm

import (
	"strconv"
	"strings"

	"kilter.dev/kilter/internal/blueprint"
	"kilter.dev/kilter/internal/expr"
	"kilter.dev/kilter/internal/manifest"
	"kilter.dev/kilter/internal/param"
)

// itemsTwice reports the items of lists whose key others have.
func (p printer) itemsTwice(s *param.Schema) string {
	var b strings.Builder
	for _, leaf := range s.Leaves() {
		if leaf.Key == "" {
			continue
		}
		b.WriteString("{{- $keys := list }}\n{{- range .Values." + leaf.Path + " }}\n")
		b.WriteString("{{- $keys = append $keys (get . " + strconv.Quote(leaf.Key) + " | toString) }}\n{{- end }}\n")
		b.WriteString(p.again("$keys", strconv.Quote(leaf.TwiceMessage()+" %q")+" ."))
	}
	return b.String()
}

// again adds an error for each of a list that is in it before. The message is of the dot.
func (p printer) again(list, message string) string {
	return "{{- range " + p.include("value.twice", list) + " | fromJsonArray }}\n" +
		"{{- $errors = append $errors (printf " + message + ") }}\n{{- end }}\n"
}

// extraObjects appends the objects of values, which may be Lists, to $objects.
const extraObjects = `{{- range VALUES }}
{{- range $object := and (hasSuffix "List" (toString .kind)) (hasKey . "items") | ternary .items (list .) }}
{{- with .metadata }}
{{- if .name }}
{{- $group := toString $object.apiVersion | splitList "/" | initial | join "/" }}
{{- $objects = append $objects (list $group $object.kind (default $.Release.Namespace .namespace) .name) }}
{{- end }}
{{- end }}
{{- end }}
{{- end }}
`

// objectsTwice reports objects that a cluster takes for the same one as another: those that
// values hold may repeat what the chart makes. "" where values hold none.
func (p printer) objectsTwice(objects []*blueprint.Object) string {
	var own, extra strings.Builder
	for _, o := range objects {
		if o.Root.Text != nil {
			_, values := expr.Split(o.Root.Text.Tree)
			extra.WriteString(strings.Replace(extraObjects, "VALUES", p.typed(values), 1))
			continue
		}
		line := "{{- $objects = append $objects (list " + p.identity(o.Root) + ") }}\n"
		if test := o.Root.Presence(); test != nil {
			line = "{{- if " + p.test(test) + " }}\n" + line + "{{- end }}\n"
		}
		own.WriteString(line)
	}
	if extra.Len() == 0 {
		return ""
	}
	return "{{- $objects := list }}\n" + own.String() + extra.String() +
		p.again("$objects", strconv.Quote(manifest.TwiceMessage)+" (index . 1) (index . 3)")
}

// identity prints by what a cluster tells an object from others: group, kind, namespace
// and name.
func (p printer) identity(root *blueprint.Node) string {
	group, _, found := strings.Cut(constantText(tree(root, "apiVersion")), "/")
	if !found {
		group = ""
	}
	return strconv.Quote(group) + " " + p.operand(tree(root, "kind")) + " .Release.Namespace " + p.operand(tree(root, "metadata", "name"))
}

// tree is the scalar at path below n.
func tree(n *blueprint.Node, path ...string) expr.Tree {
	for _, key := range path {
		for _, f := range n.Fields {
			if f.Key == key {
				n = f.Value
				break
			}
		}
	}
	switch {
	case n.Literal != nil:
		return &expr.Literal{Value: n.Literal.Text()}
	case n.Text != nil:
		_, t := expr.Split(n.Text.Tree)
		return t
	}
	return &expr.Literal{Value: ""}
}
