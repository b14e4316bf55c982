// SPDX-License-Identifier: Apache-2.0

package manifest

import (
	"strings"

	"kilter.dev/kilter/internal/diag"
)

// Objects returns the Kubernetes objects in docs, in order. Nulls are skipped. A List,
// or a kind called …List with items, stands for its items; items of a DeploymentList
// without apiVersion and kind are Deployments. Whatever is no object is an error at
// its place and left out.
func Objects(docs []*Node) ([]*Object, diag.List) {
	var o objects
	for _, doc := range docs {
		o.add(doc)
	}
	return o.list, o.diags
}

type objects struct {
	list  []*Object
	diags diag.List
}

func (o *objects) add(n *Node) {
	switch n.shape() {
	case Null:
		return
	case Map:
	default:
		d := o.diags.Errorf(n.Span, "not-an-object", "a Kubernetes object is a map, not this %s", n.Shape)
		d.Hint = "write apiVersion, kind and metadata, or remove the document"
		return
	}
	version, kind := n.Get("apiVersion"), n.Get("kind")
	items := n.Get("items")
	if k := kind.Text(); k == "List" || strings.HasSuffix(k, "List") && n.index("items") >= 0 && isListOrNull(items) {
		o.addItems(n, items)
		return
	}
	var missing []string
	for _, f := range []struct {
		key   string
		value *Node
	}{{"apiVersion", version}, {"kind", kind}} {
		switch {
		case f.value.shape() == Null || f.value.shape() == String && f.value.Text() == "":
			missing = append(missing, f.key)
		case f.value.Shape != String:
			o.diags.Errorf(f.value.Span, "not-an-object", "%s must be a string, not this %s", f.key, f.value.Shape)
			return
		}
	}
	if len(missing) > 0 {
		d := o.diags.Errorf(n.Span, "not-an-object", "object has no %s", strings.Join(missing, " and no "))
		d.Hint = "every Kubernetes object says its apiVersion and kind"
		return
	}
	o.list = append(o.list, &Object{
		Node:       n,
		APIVersion: version.Text(),
		Kind:       kind.Text(),
		Namespace:  n.Get("metadata", "namespace").Text(),
		Name:       n.Get("metadata", "name").Text(),
	})
}

func isListOrNull(n *Node) bool { return n.shape() == List || n.shape() == Null }

func (o *objects) addItems(list, items *Node) {
	if !isListOrNull(items) {
		o.diags.Errorf(items.Span, "not-an-object", "items of a %s must be a list, not this %s", list.Get("kind").Text(), items.Shape)
		return
	}
	if items == nil {
		return
	}
	for _, item := range items.Items {
		o.add(typed(item, list))
	}
}

// typed returns an item of a DeploymentList that says it is a Deployment: the API lets
// items of a list of one kind leave that out.
func typed(item, list *Node) *Node {
	kind := strings.TrimSuffix(list.Get("kind").Text(), "List")
	if kind == "" || item.shape() != Map || item.Get("kind").shape() != Null {
		return item
	}
	listKind := list.Fields[list.index("kind")]
	head := []Field{{Key: "kind", KeySpan: listKind.KeySpan, Value: &Node{Shape: String, Value: kind, Span: listKind.Value.Span}}}
	if i := list.index("apiVersion"); i >= 0 && item.Get("apiVersion").shape() == Null {
		head = append([]Field{list.Fields[i]}, head...)
	}
	made := *item
	made.Fields = nil
	seen := make(map[string]int)
	for _, f := range head {
		made.put(f, seen)
	}
	for _, f := range item.Fields {
		if _, ok := seen[f.Key]; !ok {
			made.put(f, seen)
		}
	}
	return &made
}
