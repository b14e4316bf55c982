// SPDX-License-Identifier: Apache-2.0

package workload

import (
	"slices"

	"kilter.dev/kilter/internal/manifest"
)

// Related returns what rules see as `related` beside an object, as plain maps, lists,
// int64, string and bool. Objects in it are typed and defaulted, and in the order of the
// input; they must not be changed. Each has a name, which may be "". Of one that cannot be
// read the fields are Unread, and the rest is its name. It is computed anew at each call.
//
// For every object:
//
//	references     what it names: [{kind, name, path, optional, found, object}], see below
//	unknownKinds   kinds of custom resources in its namespace that may make pods which
//	               nobody here knows: ["Cluster.postgresql.cnpg.io"]
//	kinds          kinds of all objects in its namespace: ["Service", "Deployment.apps"];
//	               an input without any Service does not show that one is missing
//	written        the object as it is written, without defaults and types
//
// For every object but those further down:
//
//	hpas           HorizontalPodAutoscalers that target the object
//	scaledObjects  KEDA ScaledObjects that target the object
//
// For whatever makes pods, each Job of a JobSet and each template of a LeaderWorkerSet or
// SparkApplication by itself:
//
//	pdbs           PodDisruptionBudgets that select the pods, or some of them
//	services       Services that select the pods, or some of them
//	claims         PersistentVolumeClaims in the input that the pods mount, those of a
//	               StatefulSet's claim templates among them
//	quotas         ResourceQuotas in its namespace
//	alike          other objects, no hooks, with pods that the object's own selector selects
//	governing      of a StatefulSet: the Service that serviceName names; 0 or 1
//	scale          {replicas, min, max, autoscaled, written}, see below
//
// For a PodDisruptionBudget:
//
//	workloads      what it selects, but for hooks and tests of Helm and Argo CD; see below
//	budget         {known, expected, desired, allowed, allowedAtMinimum, syncFails, reason}
//	overlaps       other PodDisruptionBudgets that select some of the same pods
//	selectorError  why the API server does not take its selector; ""
//	elsewhere      namespaces in which the selector would select something, when it
//	               selects nothing in its own
//
// For a HorizontalPodAutoscaler or ScaledObject:
//
//	target         the object that it targets; 0 or 1
//	targetInInput  whether there is one
//	targetName     {kind, name} that it targets, with defaults
//	workloads      the pods that the target makes
//
// For a Service:
//
//	workloads      what it selects
//	pdbs           PodDisruptionBudgets that select some of the same pods
//
// An item of workloads is the pods of one template:
//
//	object         the object that makes them
//	group, kind    of the object
//	name           of the object
//	podTemplate    their template, defaulted
//	scalable       whether the object has a scale subresource: a Job, a DaemonSet and a
//	               bare Pod have none
//	bare           whether it is a bare Pod
//	known          whether the number of pods is known: that of a DaemonSet is not
//	replicas, min, max, autoscaled, written   as in scale
//
// scale, in pods, for all Jobs of a replicated Job and all groups of a LeaderWorkerSet:
//
//	replicas       how many there are: what the object asks for, 1 where it does not say,
//	               within the bounds of its autoscaler
//	min, max       the autoscaler's bounds; replicas without one
//	autoscaled     whether an HorizontalPodAutoscaler or ScaledObject targets it
//	written        whether the object itself sets spec.replicas
//
// budget is the status that Kubernetes computes once all pods are healthy:
//
//	known             whether the number of pods is known; all below is 0 otherwise. It is
//	                  not for a DaemonSet, and for some pods of a LeaderWorkerSet's groups
//	expected          status.expectedPods
//	desired           status.desiredHealthy
//	allowed           status.disruptionsAllowed at scale.replicas
//	allowedAtMinimum  the same when every autoscaler is at its minimum, at least 1
//	syncFails         whether it cannot be computed, so that no eviction is ever allowed:
//	                  maxUnavailable or a percentage over pods whose owner has no scale
//	reason            why not; ""
//
// references are the ConfigMaps, Secrets, PersistentVolumeClaims and ServiceAccounts of
// the pods, and the Services of a StatefulSet and of an Ingress:
//
//	kind, name     of what is named
//	path           the field that names it, in the view: spec.template.spec.volumes[0].…
//	optional       whether the object does without
//	found          whether it is in the input, made of what is, or in every cluster
//	object         the object, only when it is in the input
//	later          the phase of an installation ("pre-install") in which Helm runs this
//	               object as a hook before that one is there; "" for none; with object
func (s *Set) Related(v View) map[string]any {
	e := s.byObject[v.Object]
	if e == nil {
		return map[string]any{}
	}
	ns := s.in(e.namespace)
	related := map[string]any{
		"references": s.references(e, v), "unknownKinds": anys(ns.unknown), "kinds": anys(ns.kinds), "written": fields(v.Object.Node),
	}
	switch {
	case e.isBudget():
		s.ofBudget(e, related)
	case e.isAutoscaler():
		s.ofAutoscaler(e, related)
	case e.isService():
		related["workloads"] = s.workloads(e.selects)
		related["pdbs"] = s.values(others(e, e.selects))
	default:
		s.ofTarget(e, related)
		if w := e.workload(v.Path, v.part.template); w != nil {
			s.ofWorkload(w, related)
		} else if v.part.hasPods { // a PodTemplate that nothing makes pods of
			for _, key := range []string{"pdbs", "services", "claims", "quotas", "alike"} {
				related[key] = []any{}
			}
			related["scale"] = Scale{}.values()
		}
	}
	return related
}

func (e *entry) workload(path, template []string) *workload {
	for _, w := range e.workloads {
		if slices.Equal(w.part.path, path) && slices.Equal(w.part.template, template) {
			return w
		}
	}
	return nil
}

func (s *Set) ofTarget(e *entry, related map[string]any) {
	var hpas, scaled []*entry
	for _, a := range e.autoscalers {
		if a.isScaledObject() {
			scaled = append(scaled, a)
		} else {
			hpas = append(hpas, a)
		}
	}
	related["hpas"] = s.values(hpas)
	related["scaledObjects"] = s.values(scaled)
}

func (s *Set) ofWorkload(w *workload, related map[string]any) {
	e := w.entry
	related["pdbs"] = s.values(w.budgets)
	related["services"] = s.values(w.services)
	related["claims"] = s.values(s.claims(w))
	related["quotas"] = s.values(s.in(e.namespace).quotas)
	related["scale"] = w.scale().values()
	related["alike"] = s.values(s.alike(e))
	if e.group == "apps" && e.object.Kind == "StatefulSet" {
		related["governing"] = s.values(present(s.find("", "Service", e.namespace, e.object.Get("spec", "serviceName").Text())))
	}
}

// alike are the other objects with pods that the selector of an object selects, too.
func (s *Set) alike(e *entry) []*entry {
	var all []*entry
	for _, w := range s.in(e.namespace).pods.matching(labelSelector(e.object.Get("spec", "selector"))) {
		if w.entry != e && !w.entry.isHook() && !slices.Contains(all, w.entry) {
			all = append(all, w.entry)
		}
	}
	return all
}

func (s Scale) values() map[string]any {
	return map[string]any{
		"replicas": int64(s.Replicas), "min": int64(s.Min), "max": int64(s.Max), "autoscaled": s.Autoscaled, "written": s.Written,
	}
}

// claims are the PersistentVolumeClaims of the pods, in their order in the pod spec.
func (s *Set) claims(w *workload) []*entry {
	var all []*entry
	add := func(e *entry) {
		if e != nil && !slices.Contains(all, e) {
			all = append(all, e)
		}
	}
	if volumes := w.spec().Get("volumes"); volumes != nil {
		for _, volume := range volumes.Items {
			if name := volume.Get("persistentVolumeClaim", "claimName").Text(); name != "" {
				add(s.find("", "PersistentVolumeClaim", w.entry.namespace, name))
			}
		}
	}
	templates := w.entry.object.Get("spec", "volumeClaimTemplates")
	if w.part.kind != "StatefulSet" || templates == nil {
		return all
	}
	for _, template := range templates.Items {
		base := template.Get("metadata", "name").Text() + "-" + w.entry.object.Name
		for _, e := range s.in(w.entry.namespace).claims[base] {
			if _, ordinal := cutOrdinal(e.object.Name); ordinal != "" {
				add(e)
			}
		}
	}
	return all
}

// spec is that of the pods.
func (w *workload) spec() *manifest.Node { return w.template.Get("spec") }

func (s *Set) ofAutoscaler(e *entry, related map[string]any) {
	_, kind, name := e.targetName()
	related["target"] = s.values(present(e.target))
	related["targetInInput"] = e.target != nil
	related["targetName"] = map[string]any{"kind": kind, "name": name}
	var pods []*workload
	if e.target != nil {
		pods = e.target.workloads
	}
	related["workloads"] = s.workloads(pods)
}

func (s *Set) workloads(list []*workload) []any {
	all := make([]any, len(list))
	for i, w := range list {
		item := w.scale().values()
		o := w.entry.object
		item["object"], item["group"], item["kind"], item["name"] = s.value(w.entry), w.entry.group, o.Kind, o.Name
		item["podTemplate"] = s.podTemplate(w)
		item["scalable"], item["bare"], item["known"] = w.count.control == Scaled, w.count.control == Bare, w.count.known
		all[i] = item
	}
	return all
}

// podTemplate is the defaulted template of pods; Unread when it cannot be read.
func (s *Set) podTemplate(w *workload) any {
	views, err := s.viewsOf(w.entry)
	if err != nil {
		return Unread{err}
	}
	var value any
	for _, v := range views {
		if v.part.hasPods && slices.Equal(v.Path, w.part.path) && slices.Equal(v.part.template, w.part.template) {
			value = v.Value
			for _, step := range w.part.template {
				m, _ := value.(map[string]any)
				value = m[step]
			}
		}
	}
	return value
}

// present is the list of an entry, empty when it is nil.
func present(e *entry) []*entry {
	if e == nil {
		return nil
	}
	return []*entry{e}
}

func anys(texts []string) []any {
	all := make([]any, len(texts))
	for i, t := range texts {
		all[i] = t
	}
	return all
}
