// SPDX-License-Identifier: Apache-2.0

package workload

import (
	"strconv"
	"strings"
)

// reference is one object naming another in its namespace.
type reference struct {
	kind, name, path string
	optional         bool
}

// named says which fields of a pod spec name an object; "*" is every item. What is under
// the field "optional" beside the name decides whether the pod does without.
var named = []struct{ kind, path string }{
	{"ServiceAccount", "serviceAccountName"},
	{"Secret", "imagePullSecrets.*.name"},
	{"ConfigMap", "volumes.*.configMap.name"},
	{"Secret", "volumes.*.secret.secretName"},
	{"PersistentVolumeClaim", "volumes.*.persistentVolumeClaim.claimName"},
	{"ConfigMap", "volumes.*.projected.sources.*.configMap.name"},
	{"Secret", "volumes.*.projected.sources.*.secret.name"},
	{"ConfigMap", "initContainers.*.envFrom.*.configMapRef.name"},
	{"Secret", "initContainers.*.envFrom.*.secretRef.name"},
	{"ConfigMap", "initContainers.*.env.*.valueFrom.configMapKeyRef.name"},
	{"Secret", "initContainers.*.env.*.valueFrom.secretKeyRef.name"},
	{"ConfigMap", "containers.*.envFrom.*.configMapRef.name"},
	{"Secret", "containers.*.envFrom.*.secretRef.name"},
	{"ConfigMap", "containers.*.env.*.valueFrom.configMapKeyRef.name"},
	{"Secret", "containers.*.env.*.valueFrom.secretKeyRef.name"},
}

// ingress is named for an Ingress.
var ingress = []struct{ kind, path string }{
	{"Service", "spec.defaultBackend.service.name"},
	{"Service", "spec.rules.*.http.paths.*.backend.service.name"},
}

// references are the objects that a view names.
func (s *Set) references(e *entry, v View) []any {
	var all []any
	add := func(prefix []string, table []struct{ kind, path string }) {
		root := e.object.Get(append(v.Path[:len(v.Path):len(v.Path)], prefix...)...)
		for _, t := range table {
			for _, path := range expand(root, prefix, strings.Split(t.path, ".")) {
				n := root.Get(path[len(prefix):]...)
				if name := n.Text(); name != "" {
					optional := root.Get(path[len(prefix) : len(path)-1]...).Get("optional")
					all = append(all, s.reference(e, reference{t.kind, name, text(path), truth(optional)}))
				}
			}
		}
	}
	if path, ok := v.Root(podSpecRoot); ok {
		add(path, named)
	}
	switch e.object.Kind {
	case "StatefulSet":
		add(nil, []struct{ kind, path string }{{"Service", "spec.serviceName"}})
	case "Ingress":
		add(nil, ingress)
	}
	if all == nil {
		return []any{}
	}
	return all
}

func (s *Set) reference(e *entry, r reference) map[string]any {
	found := s.find("", r.kind, e.namespace, r.name)
	value := map[string]any{"kind": r.kind, "name": r.name, "path": r.path, "optional": r.optional, "found": found != nil || everywhere(r) || s.in(e.namespace).makes(r)}
	if found != nil {
		value["object"], value["later"] = s.value(found), later(e.object, found.object)
	}
	return value
}

// everywhere reports whether every namespace of every cluster has the object.
func everywhere(r reference) bool {
	return r.kind == "ServiceAccount" && r.name == "default" || r.kind == "ConfigMap" && r.name == "kube-root-ca.crt"
}

// text writes a path as users do.
func text(path []string) string {
	var b strings.Builder
	for _, step := range path {
		switch _, err := strconv.Atoi(step); {
		case err == nil:
			b.WriteString("[" + step + "]")
		case b.Len() > 0:
			b.WriteString("." + step)
		default:
			b.WriteString(step)
		}
	}
	return b.String()
}
