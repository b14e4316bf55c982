// SPDX-License-Identifier: Apache-2.0

package krm

import (
	"fmt"
	"strings"

	"kilter.dev/kilter/internal/manifest"
)

// defaultContainer is Kubernetes' annotation of pods that names the main container.
const defaultContainer = "kubectl.kubernetes.io/default-container"

// mainContainer returns the container of a pod template that does the pods' work: the one
// called want, else the one that the default-container annotation names, else the first
// with a GPU, else the first.
func mainContainer(template *manifest.Node, want string) (*manifest.Node, error) {
	containers := template.Get("spec", "containers")
	if want != "" {
		if c := item(containers, "name", want); c != nil {
			return c, nil
		}
		return nil, fmt.Errorf("there is no container %q; the containers are %s", want, strings.Join(names(containers), ", "))
	}
	if c := item(containers, "name", template.Get("metadata", "annotations", defaultContainer).Text()); c != nil {
		return c, nil
	}
	for _, c := range items(containers) {
		if _, count := gpu(c); count != "" {
			return c, nil
		}
	}
	return containers.Get("0"), nil
}

// gpu returns the first extended resource of a container, one with a domain other than
// Kubernetes' own, and how many of it; "" for none.
func gpu(container *manifest.Node) (resource, count string) {
	for _, kind := range []string{"limits", "requests"} {
		list := container.Get("resources", kind)
		if list == nil {
			continue
		}
		for _, f := range list.Fields {
			if isExtended(f.Key) && scalar(f.Value) != "0" {
				return f.Key, scalar(f.Value)
			}
		}
	}
	return "", ""
}

func isExtended(resource string) bool {
	domain, _, found := strings.Cut(resource, "/")
	return found && domain != "kubernetes.io" && !strings.HasSuffix(domain, ".kubernetes.io")
}

// items are the items of a list; none of nil.
func items(list *manifest.Node) []*manifest.Node {
	if list == nil || list.Shape != manifest.List {
		return nil
	}
	return list.Items
}

// item returns the first item of a list whose key is value, which is not "".
func item(list *manifest.Node, key, value string) *manifest.Node {
	for _, i := range items(list) {
		if v := scalar(i.Get(key)); v == value && v != "" {
			return i
		}
	}
	return nil
}

func names(list *manifest.Node) []string {
	var out []string
	for _, i := range items(list) {
		out = append(out, i.Get("name").Text())
	}
	return out
}

// scalar is a string, number or boolean as text, "" for anything else.
func scalar(n *manifest.Node) string {
	if n == nil || n.Value == nil {
		return ""
	}
	return fmt.Sprint(n.Value)
}
