// SPDX-License-Identifier: Apache-2.0

package krm

import "kilter.dev/kilter/internal/manifest"

// guardJob takes out of a Job's spec, which holds the pod template, what the API server
// refuses beside what the workload says, or what is enforced upon it.
func (a *application) guardJob() {
	own, model := parent(a.workload), parent(a.model)
	if a.model.Kind != a.workload.Kind || model == nil {
		return
	}
	policy := own.Get("template", "spec", "restartPolicy").Text()
	if wanted := model.Get("template", "spec", "restartPolicy"); wanted != nil && a.request.Mode == Enforce {
		policy = wanted.Text()
	}
	once := policy == "" || policy == "Never"
	indexed := own.Get("completionMode").Text() == "Indexed"
	for key, takes := range map[string]bool{
		"podFailurePolicy": once, "backoffLimitPerIndex": once && indexed, "maxFailedIndexes": once && indexed, "successPolicy": indexed,
	} {
		if !takes {
			model.Delete(key)
		}
	}
}

// deadline is what of the model's Job a Job of a JobSet gets: how often the run is tried, and
// by how many pods, is the JobSet's own.
func (a *application) deadline() *manifest.Node {
	n := manifest.NewMap()
	if v := parent(a.model).Get("activeDeadlineSeconds"); v != nil && a.workload.Kind == "JobSet" {
		n.Set("activeDeadlineSeconds", v)
	}
	return n
}

// parent is the map that holds the pod template.
func parent(t target) *manifest.Node { return t.Get(t.path[:max(len(t.path)-1, 0)]...) }

// renameInRules gives the container of this name another one in rules about exit codes.
func renameInRules(spec *manifest.Node, name, to string) {
	for _, r := range items(spec.Get("podFailurePolicy", "rules")) {
		if codes := r.Get("onExitCodes"); codes.Get("containerName").Text() == name {
			codes.Set("containerName", manifest.NewString(to))
		}
	}
}
