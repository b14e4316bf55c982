// SPDX-License-Identifier: Apache-2.0

package krm_test

import (
	"io/fs"
	"path"
	"testing"

	"kilter.dev/kilter/internal/blueprint"
	"kilter.dev/kilter/internal/krm"
	"kilter.dev/kilter/internal/manifest"
	"kilter.dev/kilter/profiles"
)

// TestLimits: no built-in profile limits what a workload of the user's uses, in mode fill or
// enforce, by a default: neither container nor run has a limit after that it had none of.
func TestLimits(t *testing.T) {
	t.Parallel()
	for _, b := range builtIn(t) {
		for _, kind := range b.Profile.Component.Kinds {
			for _, mode := range []krm.Mode{krm.Fill, krm.Enforce} {
				w := unlimited[kind]
				docs, _ := apply(t, b, krm.Request{Name: "server", Mode: mode}, parse(t, w.text), map[string]string{})
				for _, limit := range []string{"activeDeadlineSeconds", "backoffLimit", "backoffLimitPerIndex", "template.spec.activeDeadlineSeconds", "template.spec.resources", "template.spec.containers[0].resources"} {
					at := w.spec + "." + limit
					if n := docs[0].Get(manifest.ParsePath(at)...); n != nil {
						t.Errorf("%s on a %s, %s: %s is\n%s", b.Profile.Name, kind, mode, at, manifest.Print(n))
					}
				}
			}
		}
	}
}

// builtIn are the built-in profiles.
func builtIn(t *testing.T) (all []*blueprint.Blueprint) {
	t.Helper()
	files, err := fs.Glob(profiles.FS, "*/profile.yaml")
	if err != nil || len(files) < 5 {
		t.Fatalf("%v, %v", files, err)
	}
	for _, file := range files {
		all = append(all, blueprintOf(t, path.Dir(file)))
	}
	return all
}

const podTemplate = `{metadata: {labels: {app: server}}, spec: {restartPolicy: Never, containers: [{name: main, image: "example.com/main:1"}]}}`

// unlimited are workloads without limits, by kind, and where the spec around their pod template is.
var unlimited = map[string]struct{ text, spec string }{
	"Deployment":  {`{apiVersion: apps/v1, kind: Deployment, metadata: {name: server}, spec: {selector: {matchLabels: {app: server}}, template: ` + podTemplate + `}}`, "spec"},
	"StatefulSet": {`{apiVersion: apps/v1, kind: StatefulSet, metadata: {name: server}, spec: {selector: {matchLabels: {app: server}}, template: ` + podTemplate + `}}`, "spec"},
	"Job":         {`{apiVersion: batch/v1, kind: Job, metadata: {name: server}, spec: {completionMode: Indexed, completions: 2, template: ` + podTemplate + `}}`, "spec"},
	"CronJob":     {`{apiVersion: batch/v1, kind: CronJob, metadata: {name: server}, spec: {schedule: "0 3 * * *", jobTemplate: {spec: {completionMode: Indexed, completions: 2, template: ` + podTemplate + `}}}}`, "spec.jobTemplate.spec"},
	"JobSet":      {`{apiVersion: jobset.x-k8s.io/v1alpha2, kind: JobSet, metadata: {name: server}, spec: {replicatedJobs: [{name: main, template: {spec: {template: ` + podTemplate + `}}}]}}`, "spec.replicatedJobs[0].template.spec"},
}
