// SPDX-License-Identifier: Apache-2.0

package krm

import (
	"fmt"
	"slices"
	"strings"

	"kilter.dev/kilter/internal/diag"
	"kilter.dev/kilter/internal/manifest"
	"kilter.dev/kilter/internal/workload"
)

// taken is the warning that an object of the profile is not added since another one has its
// name; none where that one does what the profile's is for. serving is what scales or selects
// the pods of the workload, which is called name.
func taken(o, there *manifest.Object, serving []*manifest.Object, name string) []Result {
	if slices.Contains(serving, there) || same(o, there) {
		return nil
	}
	does, hint := instead(o, there, name)
	if does == "" {
		return nil
	}
	return []Result{{Diagnostic: diag.Diagnostic{
		Span: there.Get("metadata", "name").Span, Severity: diag.Warning, Code: Code, Object: ref(there), Path: "metadata.name",
		Message: fmt.Sprintf("%s %q is there already but %s: no %s was added", there.Kind, there.Name, does, there.Kind),
		Hint:    "rename it" + hint,
	}}}
}

// another is what an object is said to be that nothing shows to be of the profile.
const another = "is another one"

// instead says what an object does that is not what o is for, and how else than by another
// name it could be; "" where nothing tells them apart.
func instead(o, there *manifest.Object, name string) (does, hint string) {
	switch {
	case isScaler(o.Kind):
		ref := there.Get("spec", "scaleTargetRef")
		return strings.TrimSpace("scales " + ref.Get("kind").Text() + " " + ref.Get("name").Text()), ", or let it scale " + name
	case selectorOf(o) != nil:
		does = "selects other pods"
		if selectorOf(there) == nil {
			does = "selects no pods"
		}
		return does, ", or let it select the pods of " + name
	case o.Kind == "ConfigMap" || o.Kind == "Secret":
		if missing := without(data(o), data(there)); len(missing) > 0 {
			return "has no key " + strings.Join(missing, ", "), ", or add what is missing"
		}
		return "", ""
	case o.Kind == "Job" && sharesClaim(there, workload.References(o.Get("spec", "template", "spec"))):
		return "", ""
	case o.Kind == "ServiceAccount" || o.Kind == "PersistentVolumeClaim": // the pods name it
		return "", ""
	}
	if labels := o.Get("metadata", "labels"); labels != nil && subset(labels, there.Get("metadata", "labels")) {
		return "", "" // it was added before, and changed
	}
	return another, ""
}

// selectorOf is the selector of pods of a companion; nil for none.
func selectorOf(o *manifest.Object) *manifest.Node {
	for _, key := range []string{"selector", "podSelector"} {
		if s := o.Get("spec", key); s != nil && s.Shape == manifest.Map {
			return s
		}
	}
	return nil
}

// same reports whether two objects differ in their metadata at most.
func same(a, b *manifest.Object) bool {
	a, b = copyOf(a), copyOf(b)
	a.Delete("metadata")
	b.Delete("metadata")
	return manifest.Equal(a.Node, b.Node)
}

// data are the keys that a ConfigMap or Secret holds.
func data(o *manifest.Object) []string {
	var keys []string
	for _, field := range []string{"data", "binaryData", "stringData"} {
		if n := o.Get(field); n != nil {
			for _, f := range n.Fields {
				keys = append(keys, f.Key)
			}
		}
	}
	return keys
}

// without are those of all that are not among others.
func without[T comparable](all, others []T) []T {
	return slices.DeleteFunc(slices.Clone(all), func(t T) bool { return slices.Contains(others, t) })
}
