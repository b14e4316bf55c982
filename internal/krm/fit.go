// SPDX-License-Identifier: Apache-2.0

package krm

import (
	"slices"

	"kilter.dev/kilter/internal/diag"
	"kilter.dev/kilter/internal/lint"
	"kilter.dev/kilter/internal/manifest"
	"kilter.dev/kilter/internal/workload"
)

// identity are the fields that identify a workload.
var identity = []string{"apiVersion", "kind", "metadata.name", "metadata.namespace"}

// fixed are the fields beside a pod template, at whatever depth, that no update may change, or
// that are about what only the profile's own workload has.
var fixed = []string{
	"selector", "serviceName", "podManagementPolicy", "volumeClaimTemplates",
	"persistentVolumeClaimRetentionPolicy", // of the profile's own claims, not of those that are there
	"completionMode", "completions",
}

// common are the fields of a spec that workloads of other kinds have too.
var common = []string{"replicas", "minReadySeconds", "revisionHistoryLimit"}

// fit returns what of the model may be merged into the workload, in the workload's names:
// into the object around its pod template, into a Job of a JobSet, and into the template.
func (a *application) fit() (around, job, template *manifest.Node) {
	main, err := mainContainer(a.model.template(), "")
	if err != nil || main == nil {
		return manifest.NewMap(), manifest.NewMap(), manifest.NewMap()
	}
	a.matchPorts(main)
	a.guardProbes(main)
	a.rename(main)
	a.guardJob()
	a.omit(main)
	a.hold()
	prune(a.model.podSpec())
	a.names = workload.References(a.model.podSpec())
	for _, path := range identity {
		unset(a.model.Node, path)
	}
	for _, key := range fixed {
		parent(a.model).Delete(key)
	}
	for depth := range len(a.model.path) + 1 {
		foreign(a.model.Get(a.model.path[:depth]...).Get("metadata"))
	}
	a.unselect(a.model.Node)
	a.guardReplicas()
	a.guardContainers()
	a.guardVolumes()
	a.guardSecurity()
	a.guardAccount()
	a.guardServiceLinks()
	job, template = a.deadline(), a.model.template()
	return a.around(), job, template
}

// guardReplicas takes replicas out of the model, unless the request has them and nothing
// scales the workload. Replicas that are open are 1, or what an autoscaler says that need not
// be among the objects: the profile's default would undo that with each apply.
func (a *application) guardReplicas() {
	asked := a.request.Parameters.Get("replicas")
	if !a.scale.Autoscaled && asked != nil && asked.Shape != manifest.Null {
		return
	}
	spec := a.model.Get("spec")
	if n := number(spec.Get("replicas")); n > 1 && a.scalable() && !a.scale.Autoscaled && !a.scale.Written {
		a.note(diag.Info, "spec.replicas", "spec.replicas is left open: the profile would have %d; say so with parameters.replicas", n)
	}
	spec.Delete("replicas")
}

// rename gives the main container and what names it the name that the workload has.
func (a *application) rename(main *manifest.Node) {
	name := a.main.Get("name").Text()
	annotations := a.model.template().Get("metadata", "annotations")
	if annotations.Get(defaultContainer).Text() == main.Get("name").Text() {
		annotations.Set(defaultContainer, manifest.NewString(name))
	}
	renameInRules(parent(a.model), main.Get("name").Text(), name)
	main.Set("name", manifest.NewString(name))
}

// foreign takes out of metadata what is about the profile's own workload: the labels of its
// identity, and which rules it breaks knowingly.
func foreign(metadata *manifest.Node) {
	if annotations := metadata.Get("annotations"); annotations != nil {
		annotations.Delete(lint.IgnoreAnnotation)
		annotations.Delete(lint.ReasonAnnotation)
		if len(annotations.Fields) == 0 {
			metadata.Delete("annotations")
		}
	}
	labels := metadata.Get("labels")
	if labels == nil {
		return
	}
	labels.Fields = slices.DeleteFunc(labels.Fields, func(f manifest.Field) bool {
		return isIdentity(f.Key)
	})
	if len(labels.Fields) == 0 {
		metadata.Delete("labels")
	}
}

// around is the model without its pod template, as far as the workload's kind has the same.
func (a *application) around() *manifest.Node {
	if a.model.Kind == a.workload.Kind {
		a.detach()
		return a.model.Node
	}
	out := manifest.NewMap()
	if metadata := a.model.Get("metadata"); metadata != nil {
		out.Set("metadata", metadata)
	}
	if a.scalable() {
		for _, key := range common {
			if v := a.model.Get("spec", key); v != nil {
				set(out, "spec."+key, v)
			}
		}
	}
	for _, c := range items(a.model.podSpec().Get("topologySpreadConstraints")) {
		c.Delete("matchLabelKeys") // pod-template-hash is on a Deployment's pods alone
	}
	return out
}

// detach takes the pod template out of the model: with all of a list that it is in, such as
// the Jobs of a JobSet, whose items may be others than the workload's.
func (a *application) detach() {
	at := a.model.Node
	for i, key := range a.model.path {
		next := at.Get(key)
		if i == len(a.model.path)-1 || next.Shape == manifest.List {
			at.Delete(key)
			return
		}
		at = next
	}
}
