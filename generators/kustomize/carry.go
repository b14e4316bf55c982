// SPDX-License-Identifier: Apache-2.0

package kustomize

import (
	"fmt"
	"slices"

	"kilter.dev/kilter/internal/diag"
	"kilter.dev/kilter/internal/manifest"
)

// Code is the diagnostic code of values that kustomize cannot carry.
const Code = "kustomize"

// Carries returns an error for every key and string of the objects that kustomize would
// spoil, seen in 5.8.2: it writes a quoted key such as "1e3" without its quotes and then
// reads a number, and it patches by way of JSON, in which DEL stands as it is. What
// several of the objects have, such as base and overlay, is said once.
func Carries(objects []*manifest.Object) error {
	var errs diag.List
	for _, o := range objects {
		c := carrier{object: o, errs: &errs}
		c.check(o.Node)
	}
	return errs.Err()
}

type carrier struct {
	object *manifest.Object
	errs   *diag.List
}

func (c carrier) check(n *manifest.Node) {
	if !manifest.SurvivesJSON(n.Text()) {
		c.refuse(n, "kustomize cannot carry the text %q of %s %s", n.Text())
	}
	for _, f := range n.Fields {
		if !manifest.IsTextUnquoted(f.Key) || !manifest.SurvivesJSON(f.Key) {
			c.refuse(f.Value, "kustomize does not read the key %q of %s %s as that text", f.Key)
		}
		c.check(f.Value)
	}
	for _, item := range n.Items {
		c.check(item)
	}
}

func (c carrier) refuse(n *manifest.Node, format, text string) {
	message := fmt.Sprintf(format, text, c.object.Kind, c.object.Name)
	if slices.ContainsFunc(*c.errs, func(d diag.Diagnostic) bool { return d.Message == message }) {
		return
	}
	d := c.errs.Errorf(n.Span, Code, "%s", message)
	d.Hint = "choose another one, or leave the target out: --to helm"
}
