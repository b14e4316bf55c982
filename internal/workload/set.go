// SPDX-License-Identifier: Apache-2.0

package workload

import (
	"slices"
	"sync"

	"kilter.dev/kilter/internal/manifest"
)

// Set is a number of objects that belong together, and how they relate. It may be used
// by several goroutines at once.
type Set struct {
	version    string
	unset      string // namespace of objects that name none
	entries    []*entry
	byObject   map[*manifest.Object]*entry
	byID       map[manifest.ID]*entry
	namespaces map[string]*namespace
	byName     []string // of the namespaces, in order of appearance
}

// namespace is what is in a namespace.
type namespace struct {
	pods    index
	claims  map[string][]*entry // PersistentVolumeClaims by name without its ordinal
	made    map[reference]bool  // kind and name of what controllers will make of its objects
	quotas  []*entry
	kinds   []string // of everything in it
	unknown []string // kinds of custom resources that may make pods
}

// entry is an object of a set.
type entry struct {
	object    *manifest.Object
	group     string
	namespace string
	workloads []*workload // the pods it makes: a JobSet makes several kinds

	autoscalers []*entry    // of its workloads
	target      *entry      // of an autoscaler
	selector    selector    // of what selects pods
	selects     []*workload // by the selector

	once  sync.Once
	views []View
	err   error
}

// Index relates objects that are applied to one cluster of a version of Kubernetes. An
// object without namespace is in the default one. Of two objects with the same ID the first
// one is meant by references, or one that is no hook. The time is linear in the objects and their relations. Objects
// that cannot be read relate to nothing where they cannot.
func Index(objects []*manifest.Object, version string) *Set { return IndexIn("", objects, version) }

// IndexIn is Index where an object without namespace is in the one given, "" for the default
// one.
func IndexIn(unset string, objects []*manifest.Object, version string) *Set {
	s := &Set{
		version: version, unset: manifest.Namespace(unset), byObject: make(map[*manifest.Object]*entry, len(objects)),
		byID: make(map[manifest.ID]*entry, len(objects)), namespaces: map[string]*namespace{},
	}
	for _, o := range objects {
		s.add(o)
	}
	for _, e := range s.entries {
		if e.isAutoscaler() {
			s.scale(e)
		}
	}
	for _, e := range s.entries { // which pods there are to select, autoscalers say
		if selector, ok := e.selectorOfPods(); ok {
			e.selector = selector
			s.choose(e)
		}
	}
	return s
}

// Views returns the object itself, and the objects that a custom resource embeds: the
// Jobs of a JobSet, and the pod templates of a LeaderWorkerSet or SparkApplication as core
// PodTemplates. The replicas are those in effect: within the bounds of the autoscalers.
// They are computed once for an object of the set. The error says what could not be read
// into the type of its kind.
func (s *Set) Views(o *manifest.Object) ([]View, error) {
	e := s.byObject[o]
	if e == nil {
		return views(o, s.version)
	}
	return s.viewsOf(e)
}

func (s *Set) viewsOf(e *entry) ([]View, error) {
	e.once.Do(func() {
		if e.views, e.err = views(e.object, s.version); e.err == nil {
			e.scaled()
		}
	})
	return e.views, e.err
}

// scaled gives the view of an object with an autoscaler the replicas that the autoscaler
// would leave it, as the API server sees the object.
func (e *entry) scaled() {
	for _, w := range e.workloads {
		scale := w.scale()
		if spec, ok := e.views[0].Value["spec"].(map[string]any); ok && scale.Autoscaled && len(w.part.path) == 0 {
			spec["replicas"] = int64(scale.Replicas)
		}
	}
}

// value is the defaulted object; its name when it cannot be read.
func (s *Set) value(e *entry) map[string]any {
	views, err := s.viewsOf(e)
	if err != nil {
		return unread(e.object, err)
	}
	return withName(views[0].Value)
}

func (s *Set) values(entries []*entry) []any {
	all := make([]any, len(entries))
	for i, e := range entries {
		all[i] = s.value(e)
	}
	return all
}

func (s *Set) find(group, kind, namespace, name string) *entry {
	return s.byID[manifest.ID{Group: group, Kind: kind, Namespace: namespace, Name: name}]
}

func (s *Set) in(name string) *namespace {
	ns := s.namespaces[name]
	if ns == nil {
		ns = &namespace{pods: index{}, claims: map[string][]*entry{}, made: map[reference]bool{}}
		s.namespaces[name] = ns
		s.byName = append(s.byName, name)
	}
	return ns
}

func (s *Set) add(o *manifest.Object) {
	id := o.ID().In(s.unset)
	e := &entry{object: o, group: id.Group, namespace: id.Namespace}
	s.entries = append(s.entries, e)
	s.byObject[o] = e
	if first := s.byID[id]; first == nil || first.isHook() {
		s.byID[id] = e
	}
	ns := s.in(e.namespace)
	if name := kindName(e.group, o.Kind); !slices.Contains(ns.kinds, name) {
		ns.kinds = append(ns.kinds, name)
	}
	ns.make(e)
	for _, p := range parts(o) {
		if w := newWorkload(e, p); w != nil {
			e.workloads = append(e.workloads, w)
			ns.pods.add(w)
		}
	}
	switch {
	case e.group == "" && o.Kind == "PersistentVolumeClaim":
		base, _ := cutOrdinal(o.Name)
		ns.claims[base] = append(ns.claims[base], e)
	case e.group == "" && o.Kind == "ResourceQuota":
		ns.quotas = append(ns.quotas, e)
	case len(e.workloads) == 0 && mayMakePods(e.group, o.Kind):
		if name := kindName(e.group, o.Kind); !slices.Contains(ns.unknown, name) {
			ns.unknown = append(ns.unknown, name)
		}
	}
}

// kindName is as kubectl writes it: Deployment.apps, and Service for the core group.
func kindName(group, kind string) string {
	if group == "" {
		return kind
	}
	return kind + "." + group
}

// scale finds what an autoscaler targets.
func (s *Set) scale(e *entry) {
	if e.target = s.targetOf(e); e.target != nil {
		e.target.autoscalers = append(e.target.autoscalers, e)
	}
}

// selectorOfPods is the selector of an object that selects pods; false for any other.
func (e *entry) selectorOfPods() (selector, bool) {
	switch {
	case e.isBudget():
		return budgetSelector(e.object), true
	case e.isService():
		return serviceSelector(e.object), true
	case e.group == "networking.k8s.io" && e.object.Kind == "NetworkPolicy":
		return labelSelector(e.object.Get("spec", "podSelector")), true
	case e.group == "monitoring.coreos.com" && e.object.Kind == "PodMonitor":
		return labelSelector(e.object.Get("spec", "selector")), true
	}
	return selector{}, false
}

// choose finds what the object selects.
func (s *Set) choose(e *entry) {
	e.selects = s.in(e.namespace).pods.matching(e.selector)
	if e.isBudget() {
		e.selects = slices.DeleteFunc(e.selects, func(w *workload) bool { return w.entry.isHook() })
	}
	for _, w := range e.selects {
		switch {
		case e.isService():
			w.services = append(w.services, e)
		case e.isBudget():
			w.budgets = append(w.budgets, e)
		default:
			w.others = append(w.others, e)
		}
	}
}

func (e *entry) isBudget() bool {
	return e.group == "policy" && e.object.Kind == "PodDisruptionBudget"
}

// isHook reports whether the pods are those of a hook: they come and go within minutes, so
// that nobody wants a PodDisruptionBudget for them.
func (e *entry) isHook() bool { return IsHook(e.object) }

// IsHook reports whether an object is a hook or test of Helm or Argo CD.
func IsHook(o *manifest.Object) bool {
	annotations := o.Get("metadata", "annotations")
	return annotations.Get("helm.sh/hook") != nil || annotations.Get("argocd.argoproj.io/hook") != nil
}

func (e *entry) isService() bool { return e.group == "" && e.object.Kind == "Service" }

func (e *entry) isScaledObject() bool { return e.group == "keda.sh" && e.object.Kind == "ScaledObject" }

func (e *entry) isAutoscaler() bool {
	return e.isScaledObject() || e.group == "autoscaling" && e.object.Kind == "HorizontalPodAutoscaler"
}

// targetOf is what an autoscaler scales, nil when it is not in the set. Versions of an API
// serve the same objects, so that only the group counts.
func (s *Set) targetOf(e *entry) *entry {
	apiVersion, kind, name := e.targetName()
	return s.find(group(apiVersion), kind, e.namespace, name)
}

// targetName is what an autoscaler says of its target.
func (e *entry) targetName() (apiVersion, kind, name string) {
	ref := e.object.Get("spec", "scaleTargetRef")
	apiVersion, kind, name = ref.Get("apiVersion").Text(), ref.Get("kind").Text(), ref.Get("name").Text()
	if !e.isScaledObject() {
		return apiVersion, kind, name
	}
	// KEDA's defaults.
	if apiVersion == "" {
		apiVersion = "apps/v1"
	}
	if kind == "" {
		kind = "Deployment"
	}
	return apiVersion, kind, name
}
