// SPDX-License-Identifier: Apache-2.0

package krm

import (
	"slices"

	"kilter.dev/kilter/internal/diag"
	"kilter.dev/kilter/internal/manifest"
)

// companions adds the profile's other objects where nothing of their kind serves the
// workload yet, and where the workload needs them.
func (a *application) companions() {
	uses := references(a.workload.podSpec())
	for _, o := range a.rendered { // a Job that fills a volume of the workload
		if o.Kind == "Job" && sharesClaim(o, uses) {
			uses = append(uses, references(o.Get("spec", "template", "spec"))...)
		}
	}
	for _, o := range a.rendered {
		if o.Kind == a.model.Kind && o.Name == a.model.Name || a.serves(o) || !needed(o, uses) {
			continue
		}
		c := a.companion(o)
		if c == nil || a.exists(c) {
			continue
		}
		a.added = append(a.added, c)
		a.results = append(a.results, added(c, a.audit()))
	}
}

// companion is an object of the profile with the workload's namespace, labels and ports;
// nil when that cannot be.
func (a *application) companion(o *manifest.Object) *manifest.Object {
	n := o.Node.Clone()
	metadata := n.Get("metadata")
	if metadata.Delete("namespace"); a.namespace() != "" {
		metadata.Set("namespace", manifest.NewString(a.namespace()))
	}
	switch {
	case scalers[o.Kind] && !a.scalable(n.Get("spec", "scaleTargetRef")):
		return nil
	case o.Kind == "Service" && headless(o) && a.workload.Get("spec", "serviceName").Text() != "":
		metadata.Set("name", a.workload.Get("spec", "serviceName").Clone())
	}
	if !a.reselect(n) {
		a.note(diag.Warning, "", "no %s is added: the workload's pods have no labels to select", o.Kind)
		return nil
	}
	if !a.movePortsOf(n, o.Kind) {
		return nil
	}
	objects, _ := manifest.Objects([]*manifest.Node{n})
	if len(objects) != 1 {
		return nil
	}
	return objects[0]
}

// movePortsOf lets a companion name the workload's ports; false when one is not known.
func (a *application) movePortsOf(n *manifest.Node, kind string) bool {
	known := true
	switch kind {
	case "Service":
		for _, p := range items(n.Get("spec", "ports")) {
			known = a.movePort(p, "targetPort") && known
		}
	case "NetworkPolicy":
		for _, rules := range []string{"ingress", "egress"} {
			for _, r := range items(n.Get("spec", rules)) {
				for _, p := range items(r.Get("ports")) {
					known = a.movePort(p, "port") && known
				}
			}
		}
	case "PodMonitor":
		for _, p := range items(n.Get("spec", "podMetricsEndpoints")) {
			known = a.movePort(p, "port") && known
		}
	}
	return known
}

// scalable lets an autoscaler's target be the workload, where its kind can be scaled.
func (a *application) scalable(target *manifest.Node) bool {
	target.Set("apiVersion", manifest.NewString(a.workload.APIVersion))
	target.Set("kind", manifest.NewString(a.workload.Kind))
	return a.workload.Kind == "Deployment" || a.workload.Kind == "StatefulSet"
}

// exists reports whether an object of that identity is there.
func (a *application) exists(o *manifest.Object) bool {
	return slices.ContainsFunc(slices.Concat(a.objects, a.added), func(p *manifest.Object) bool {
		return p.ID().Group == o.ID().Group && p.Kind == o.Kind && p.Name == o.Name && a.near(p)
	})
}

// near reports whether o is in the workload's namespace.
func (a *application) near(o *manifest.Object) bool {
	return orDefault(o.Namespace) == orDefault(a.workload.Namespace) || a.workload.Namespace == "" && o.Namespace == a.request.Namespace
}

// serves reports whether the workload has what o is for, from another object.
func (a *application) serves(o *manifest.Object) bool {
	labels := a.workload.template().Get("metadata", "labels")
	return slices.ContainsFunc(a.objects, func(p *manifest.Object) bool {
		if !a.near(p) {
			return false
		}
		switch {
		case scalers[o.Kind]:
			return a.scales(p)
		case o.Kind != p.Kind:
			return false
		}
		switch o.Kind {
		case "PodDisruptionBudget", "PodMonitor":
			return selects(p.Get("spec", "selector"), labels)
		case "NetworkPolicy":
			return selects(p.Get("spec", "podSelector"), labels)
		case "Service":
			selector := p.Get("spec", "selector")
			return selector != nil && len(selector.Fields) > 0 && subset(selector, labels) && headless(o) == headless(p)
		}
		return false
	})
}

func headless(service *manifest.Object) bool {
	return service.Get("spec", "clusterIP").Text() == "None"
}

var scalers = map[string]bool{"HorizontalPodAutoscaler": true, "ScaledObject": true, "VerticalPodAutoscaler": false}

// scales reports whether o scales the workload.
func (a *application) scales(o *manifest.Object) bool {
	if !scalers[o.Kind] || !a.near(o) {
		return false
	}
	target := o.Get("spec", "scaleTargetRef")
	kind := target.Get("kind").Text()
	return target.Get("name").Text() == a.workload.Name && (kind == a.workload.Kind || kind == "" && a.workload.Kind == "Deployment")
}

// reference is an object that pods name.
type reference struct{ kind, name string }

// references are the objects that the pods of a spec name.
func references(spec *manifest.Node) []reference {
	var out []reference
	add := func(kind string, name *manifest.Node) {
		if name.Text() != "" {
			out = append(out, reference{kind, name.Text()})
		}
	}
	add("ServiceAccount", spec.Get("serviceAccountName"))
	for _, v := range items(spec.Get("volumes")) {
		add("ConfigMap", v.Get("configMap", "name"))
		add("Secret", v.Get("secret", "secretName"))
		add("PersistentVolumeClaim", v.Get("persistentVolumeClaim", "claimName"))
		for _, s := range items(v.Get("projected", "sources")) {
			add("ConfigMap", s.Get("configMap", "name"))
			add("Secret", s.Get("secret", "name"))
		}
	}
	for _, list := range []string{"containers", "initContainers"} {
		for _, c := range items(spec.Get(list)) {
			for _, e := range items(c.Get("env")) {
				add("ConfigMap", e.Get("valueFrom", "configMapKeyRef", "name"))
				add("Secret", e.Get("valueFrom", "secretKeyRef", "name"))
			}
			for _, e := range items(c.Get("envFrom")) {
				add("ConfigMap", e.Get("configMapRef", "name"))
				add("Secret", e.Get("secretRef", "name"))
			}
		}
	}
	return out
}

// needed reports whether o is of use: what pods name is, when they name it.
func needed(o *manifest.Object, uses []reference) bool {
	switch o.Kind {
	case "ConfigMap", "Secret", "ServiceAccount", "PersistentVolumeClaim":
		return slices.Contains(uses, reference{o.Kind, o.Name})
	case "Job":
		return sharesClaim(o, uses)
	}
	return true
}

func sharesClaim(job *manifest.Object, uses []reference) bool {
	return slices.ContainsFunc(references(job.Get("spec", "template", "spec")), func(r reference) bool {
		return r.kind == "PersistentVolumeClaim" && slices.Contains(uses, r)
	})
}
