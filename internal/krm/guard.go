// SPDX-License-Identifier: Apache-2.0

package krm

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"

	"kilter.dev/kilter/internal/diag"
	"kilter.dev/kilter/internal/manifest"
)

// guardContainers takes out of the model what containers that are there must not get: what
// they run, and resources that do not go with theirs.
func (a *application) guardContainers() {
	for _, list := range []string{"containers", "initContainers"} {
		own := a.workload.podSpec().Get(list)
		for _, c := range items(a.model.podSpec().Get(list)) {
			there := item(own, "name", c.Get("name").Text())
			if there == nil {
				continue
			}
			for _, key := range given {
				c.Delete(key)
			}
			guardResources(c.Get("resources"), there.Get("resources"))
		}
	}
}

// guardResources takes out of the model's resources what may not stand beside a
// container's: a request above its limit, a limit below its request, a second device.
func guardResources(model, own *manifest.Node) {
	limits, requests := own.Get("limits"), own.Get("requests")
	guard := func(kind string, bad func(name string, amount *manifest.Node) bool) {
		if m := model.Get(kind); m != nil {
			m.Fields = slices.DeleteFunc(m.Fields, func(f manifest.Field) bool { return bad(f.Key, f.Value) })
			if len(m.Fields) == 0 {
				model.Delete(kind)
			}
		}
	}
	device, _ := gpu(manifest.NewMap(manifest.Field{Key: "resources", Value: own}))
	guard("requests", func(name string, amount *manifest.Node) bool {
		limit, stays := limits.Get(name), model.Get("limits", name)
		switch {
		case device != "" && isExtended(name):
			return true
		case requests.Get(name) == nil && limit != nil && stays == nil:
			return more(amount, limit)
		}
		return requests.Get(name) == nil && limit != nil // Kubernetes requests the limit
	})
	guard("limits", func(name string, amount *manifest.Node) bool {
		return device != "" && isExtended(name) || limits.Get(name) == nil && more(requests.Get(name), amount)
	})
}

// more reports whether the quantity a is more than b.
func more(a, b *manifest.Node) bool {
	x, err := resource.ParseQuantity(scalar(a))
	y, err2 := resource.ParseQuantity(scalar(b))
	return err == nil && err2 == nil && x.Cmp(y) > 0
}

// guardVolumes takes mounts out of the model whose path is in use or whose volume is
// another one in the workload, and then the volumes that nothing in it uses.
func (a *application) guardVolumes() {
	spec, own := a.model.podSpec(), a.workload.podSpec()
	for _, list := range []string{"containers", "initContainers"} {
		for _, c := range items(spec.Get(list)) {
			mounts := c.Get("volumeMounts")
			if mounts == nil {
				continue
			}
			there := item(own.Get(list), "name", c.Get("name").Text())
			mounts.Items = slices.DeleteFunc(mounts.Items, func(m *manifest.Node) bool { return !a.mountable(m, there) })
			if len(mounts.Items) == 0 {
				c.Delete("volumeMounts")
			}
		}
	}
	prune(spec)
}

// prune takes the volumes out of a pod's spec that nothing in it uses.
func prune(spec *manifest.Node) {
	used := map[string]bool{}
	for _, list := range []string{"containers", "initContainers"} {
		for _, c := range items(spec.Get(list)) {
			for _, m := range items(c.Get("volumeMounts")) {
				used[m.Get("name").Text()] = true
			}
		}
	}
	volumes := spec.Get("volumes")
	if volumes == nil {
		return
	}
	volumes.Items = slices.DeleteFunc(volumes.Items, func(v *manifest.Node) bool { return !used[v.Get("name").Text()] })
	if len(volumes.Items) == 0 {
		spec.Delete("volumes")
	}
}

// mountable reports whether a container that is there, or nil, may get a mount.
func (a *application) mountable(mount, there *manifest.Node) bool {
	at := path.Clean(mount.Get("mountPath").Text())
	for _, m := range items(there.Get("volumeMounts")) {
		if path.Clean(m.Get("mountPath").Text()) == at {
			return false
		}
	}
	name := mount.Get("name").Text()
	model := item(a.model.podSpec().Get("volumes"), "name", name)
	own := item(a.workload.podSpec().Get("volumes"), "name", name)
	claim := slices.ContainsFunc(items(a.workload.Get("spec", "volumeClaimTemplates")), func(c *manifest.Node) bool {
		return c.Get("metadata", "name").Text() == name
	})
	switch {
	case model == nil:
		return false // a claim of the profile's StatefulSet
	case claim || own != nil && !manifest.Equal(own, model):
		a.note(diag.Warning, "", "%s is not mounted: the workload has another volume called %s", at, name)
		return false
	}
	return true
}

// guardSecurity takes settings out of the model that the API server or a node would refuse
// beside the workload's own.
func (a *application) guardSecurity() {
	spec := a.workload.podSpec()
	root := spec.Get("securityContext")
	asRoot := isRoot(root)
	for _, c := range items(spec.Get("containers")) {
		asRoot = asRoot || isRoot(c.Get("securityContext"))
	}
	if asRoot && a.request.Mode != Enforce {
		a.model.podSpec().Get("securityContext").Delete("runAsNonRoot")
	}
	for _, c := range items(a.model.podSpec().Get("containers")) {
		own := item(spec.Get("containers"), "name", c.Get("name").Text()).Get("securityContext")
		if isRoot(own) && a.request.Mode != Enforce {
			c.Get("securityContext").Delete("runAsNonRoot")
		}
		if v := own.Get("privileged"); v != nil && v.Value == true || adds(own, "SYS_ADMIN", "CAP_SYS_ADMIN", "ALL") {
			c.Get("securityContext").Delete("allowPrivilegeEscalation")
		}
	}
}

// guardAccount leaves the token of an account of the workload's own: who gives pods one means
// them to call the API server.
func (a *application) guardAccount() {
	name := a.workload.podSpec().Get("serviceAccountName").Text()
	made := slices.ContainsFunc(a.rendered, func(o *manifest.Object) bool {
		return o.Kind == "ServiceAccount" && o.Name == name && a.set.Named(o) == nil
	})
	if name != "" && name != "default" && !made && a.request.Mode != Enforce {
		a.model.podSpec().Delete("automountServiceAccountToken")
	}
}

// serviceLink matches a use of a variable that is set for a Service where service links are on.
var serviceLink = regexp.MustCompile(`[A-Z0-9]_SERVICE_(HOST|PORT)|[A-Z0-9]_PORT_[0-9]+_(TCP|UDP|SCTP)`)

// guardServiceLinks leaves the variables for Services to a workload that uses them, as the
// rule service-links does.
func (a *application) guardServiceLinks() {
	spec := a.workload.podSpec()
	for _, c := range append(items(spec.Get("containers")), items(spec.Get("initContainers"))...) {
		texts := slices.Concat(items(c.Get("command")), items(c.Get("args")))
		for _, e := range items(c.Get("env")) {
			texts = append(texts, e.Get("value"))
		}
		for _, n := range texts {
			if serviceLink.MatchString(strings.ReplaceAll(n.Text(), "KUBERNETES_", "")) {
				a.model.podSpec().Delete("enableServiceLinks")
			}
		}
	}
}

func isRoot(securityContext *manifest.Node) bool {
	user, nonRoot := securityContext.Get("runAsUser"), securityContext.Get("runAsNonRoot")
	return user != nil && number(user) == 0 || nonRoot != nil && nonRoot.Value == false
}

func adds(securityContext *manifest.Node, capabilities ...string) bool {
	return slices.ContainsFunc(items(securityContext.Get("capabilities", "add")), func(n *manifest.Node) bool {
		return slices.Contains(capabilities, n.Text())
	})
}
