// SPDX-License-Identifier: Apache-2.0

package krm

import (
	"slices"
	"strings"

	"kilter.dev/kilter/internal/diag"
	"kilter.dev/kilter/internal/manifest"
	"kilter.dev/kilter/internal/workload"
)

// companions adds the profile's other objects where nothing of their kind serves the
// workload yet, and where the workload needs them. What has their name stays: a warning says
// so where it does something else, and where there is no telling what is there.
func (a *application) companions() {
	var left []string
	uses := slices.DeleteFunc(workload.References(a.workload.podSpec()), func(r workload.Reference) bool {
		return !slices.Contains(a.names, r) // the workload's own, which another may have made
	})
	for _, o := range a.rendered { // a Job that fills a volume of the workload
		if o.Kind == "Job" && sharesClaim(o, uses) {
			uses = append(uses, workload.References(o.Get("spec", "template", "spec"))...)
		}
	}
	for _, o := range a.rendered {
		if o.Kind == a.model.Kind && o.Name == a.model.Name || serves(a.serving, o) || !needed(o, uses) {
			continue
		}
		c := a.companion(o)
		if c == nil || slices.ContainsFunc(a.added, func(p *manifest.Object) bool { return p.ID() == c.ID() }) {
			continue
		}
		if there := a.set.Named(c); there != nil {
			a.results = append(a.results, taken(c, there, a.serving, a.workload.Kind+" "+a.workload.Name)...)
			continue
		}
		if a.placement.unclear(a.workload.Object) && (!named(c.Kind) || a.somewhere(c)) {
			left = append(left, c.Kind+" "+c.Name)
			continue
		}
		a.added = append(a.added, c)
		a.results = append(a.results, added(c, a.audit()))
	}
	if len(left) > 0 {
		a.note(diag.Warning, "metadata.namespace", "no %s is added: the workload names no namespace, and other objects are in %s, where such may be already", strings.Join(left, ", "), strings.Join(a.placement.named, " and "))
		a.results[len(a.results)-1].Hint = "say in metadata.namespace where the workload is"
	}
}

// companion is an object of the profile with the workload's namespace, labels and ports;
// nil when that cannot be.
func (a *application) companion(o *manifest.Object) *manifest.Object {
	n := o.Node.Clone()
	metadata := n.Get("metadata")
	if metadata.Delete("namespace"); a.workload.Namespace != "" { // else whoever places the workload places it
		metadata.Set("namespace", manifest.NewString(a.workload.Namespace))
	}
	switch {
	case (isScaler(o.Kind) || o.Kind == "PodDisruptionBudget") && !a.scalable():
		return nil
	case isScaler(o.Kind):
		target := n.Get("spec", "scaleTargetRef")
		target.Set("apiVersion", manifest.NewString(a.workload.APIVersion))
		target.Set("kind", manifest.NewString(a.workload.Kind))
	case o.Kind == "Service" && headless(o) && a.workload.Get("spec", "serviceName").Text() != "":
		metadata.Set("name", a.workload.Get("spec", "serviceName").Clone())
	}
	if !a.reselect(n) {
		a.note(diag.Warning, "", "no %s is added: the workload's pods have no lasting label to select them by", o.Kind)
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
			if known = a.movePort(p, "targetPort") && known; p.Get("appProtocol").Text() == "http" && !a.speaksHTTP(p.Get("targetPort")) {
				p.Delete("appProtocol")
			}
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

// scalable reports whether the workload can be scaled: only then an autoscaler does, and a
// PodDisruptionBudget ever allows an eviction.
func (a *application) scalable() bool {
	return a.workload.Kind == "Deployment" || a.workload.Kind == "StatefulSet"
}

// serves reports whether one of the objects that serve a workload does what o is for.
func serves(serving []*manifest.Object, o *manifest.Object) bool {
	return slices.ContainsFunc(serving, func(p *manifest.Object) bool {
		switch {
		case isScaler(o.Kind):
			return isScaler(p.Kind)
		case o.Kind == "Service" && p.Kind == o.Kind:
			return headless(o) == headless(p)
		}
		return o.Kind == p.Kind
	})
}

func headless(service *manifest.Object) bool {
	return service.Get("spec", "clusterIP").Text() == "None"
}

// single reports whether pods can have one object of the kind alone: two undo or refuse what
// the other one does.
func single(kind string) bool { return isScaler(kind) || kind == "PodDisruptionBudget" }

func isScaler(kind string) bool {
	return kind == "HorizontalPodAutoscaler" || kind == "ScaledObject"
}

// needed reports whether o is of use: what pods name is, when they name it.
func needed(o *manifest.Object, uses []workload.Reference) bool {
	switch {
	case o.Kind == "Job":
		return sharesClaim(o, uses)
	case named(o.Kind):
		return slices.Contains(uses, workload.Reference{Kind: o.Kind, Name: o.Name})
	}
	return true
}

// named reports whether pods need objects of the kind by their name, or what fills one.
func named(kind string) bool {
	return slices.Contains([]string{"ConfigMap", "Secret", "ServiceAccount", "PersistentVolumeClaim", "Job"}, kind)
}

// somewhere reports whether the object is there in a namespace that may be the workload's.
func (a *application) somewhere(o *manifest.Object) bool {
	return slices.ContainsFunc(a.placement.named, func(namespace string) bool {
		there := *o
		there.Namespace = namespace
		return a.set.Named(&there) != nil
	})
}

func sharesClaim(job *manifest.Object, uses []workload.Reference) bool {
	return slices.ContainsFunc(workload.References(job.Get("spec", "template", "spec")), func(r workload.Reference) bool {
		return r.Kind == "PersistentVolumeClaim" && slices.Contains(uses, r)
	})
}
