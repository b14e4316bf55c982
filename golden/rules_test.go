// SPDX-License-Identifier: Apache-2.0

package golden_test

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"kilter.dev/kilter/internal/blueprint"
	"kilter.dev/kilter/internal/diag"
	"kilter.dev/kilter/internal/lint"
	"kilter.dev/kilter/internal/manifest"
	"kilter.dev/kilter/internal/param"
	"kilter.dev/kilter/internal/source"
	"kilter.dev/kilter/rules"
)

// choice is a finding that a user's values may bring: with others instead there is none.
type choice struct{ rule, instead, why string }

// chosen are all that may be found: nobody is hindered to choose.
var chosen = []choice{
	{"image-not-pinned", "{image: {tag: v1.2.3}}", "a tag such as 9 is one that exists, and moves"},
	{"image-not-pinned", "{monitoring: {image: {tag: v1.2.3}}}", "the same"},
	{"pdb-missing", "{pdb: {enabled: true}}", "false is said by nobody who does not mean it"},
	{"drain-missing", "{shutdown: {preStopSeconds: 15}}", "0 is said where something else drains"},
	{"cronjob-deadline", "{startingDeadlineSeconds: 10}", "a run that is late is better than none where the next one is like it"},
	{"rollout-outage", "{replicas: 2}", "one server needs one GPU; that is the default"},
	{"rollout-outage", "{autoscaling: {min: 2, max: 9, fallbackReplicas: 2}}", "the same"},
}

// passed are values of the parameters that hand Kubernetes values on: what they hold is
// the user's, so that only good ones are of use here.
var passed = map[string]string{
	"affinity":              "{nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchExpressions: [{key: zone, operator: Exists}]}]}}}",
	"extraEnv":              "[{name: TZ, value: Etc/UTC}]",
	"extraEnvFrom":          "[{secretRef: {name: tokens}}]",
	"extraObjects":          "[{apiVersion: v1, kind: ConfigMap, metadata: {name: extra}, data: {note: text}}]",
	"extraVolumeMounts":     "[{name: scratch, mountPath: /scratch}]",
	"extraVolumes":          "[{name: scratch, emptyDir: {sizeLimit: 1Gi}}]",
	"imagePullSecrets":      "[{name: registry}]",
	"networkPolicy.clients": "[{ipBlock: {cidr: 10.20.0.0/16}}]",
	"tolerations":           "[{key: reserved, operator: Equal, value: inference, effect: NoSchedule}]",
}

// drawPassed returns what draws legal values, those of passed too.
func drawPassed(t *testing.T, s *param.Schema) *rapid.Generator[*manifest.Node] {
	t.Helper()
	values := map[string]*manifest.Node{}
	for _, leaf := range s.Leaves() {
		if text := passed[leaf.Path]; text != "" || free(leaf) {
			values[leaf.Path] = document(t, text)
		}
	}
	return rapid.Custom(func(t *rapid.T) *manifest.Node {
		n := drawTyped(t, s)
		for _, leaf := range s.Leaves() {
			if value := values[leaf.Path]; value == nil {
				continue
			} else if rapid.Bool().Draw(t, leaf.Path) {
				place(n, strings.Split(leaf.Path, "."), value)
			} else {
				n.Delete(leaf.Path)
			}
		}
		return n
	})
}

func loadRules(t *testing.T) *lint.Rules {
	t.Helper()
	all, err := lint.Load(rules.FS)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// judged returns the findings that count.
func judged(all *lint.Rules, objects []*manifest.Object, version string) diag.List {
	found := all.Run(objects, lint.Options{KubeVersion: version})
	(&lint.Suppressor{Rules: all}).Apply(objects, found)
	var list diag.List
	for _, f := range found {
		if f.Suppressed == nil {
			list = append(list, f.Diagnostic)
		}
	}
	return list
}

// TestRulesOnCases: what every case makes on every Kubernetes version is clean by every
// rule, but for what the user has chosen, and so is the chart as it is written.
func TestRulesOnCases(t *testing.T) {
	all := loadRules(t)
	for _, b := range blueprints(t) {
		var files []*source.File
		for _, f := range chart(t, b).Files {
			files = append(files, source.New(f.Name, string(f.Data)))
		}
		for _, f := range all.Chart(files, lint.Options{}) {
			t.Errorf("chart %s: %v", b.Profile.Name, diag.List{f.Diagnostic})
		}
		for _, c := range b.Profile.Cases {
			for _, version := range kubeVersions {
				w, err := b.CaseWorkload(c, release, namespace)
				if err != nil {
					t.Fatal(err)
				}
				w.KubeVersion, w.Written = version, c.Values
				onlyChosen(t, all, b, w, judged(all, onVersion(t, b, c, version), version))
			}
		}
	}
}

// TestRulesOnRandom: so is what random legal values make.
func TestRulesOnRandom(t *testing.T) {
	all := loadRules(t)
	met := map[choice]bool{}
	for _, b := range blueprints(t) {
		draw := drawPassed(t, b.Params)
		for seed, legal := 0, 0; legal < max(*draws, 120); seed++ {
			if seed > 50**draws {
				t.Fatalf("%s: only %d of %d random sets of values satisfy the constraints", b.Profile.Name, legal, seed)
			}
			given := draw.Example(seed)
			w := random(t, b, given, seed)
			if violated(t, b, w) != nil {
				continue
			}
			legal++
			for _, c := range onlyChosen(t, all, b, w, judged(all, withTests(t, b, w), w.KubeVersion)) {
				met[c] = true
			}
			if t.Failed() {
				t.Fatalf("%s, seed %d, values:\n%s", b.Profile.Name, seed, manifest.Print(given))
			}
		}
	}
	for _, c := range chosen {
		if !met[c] {
			t.Errorf("%s is never found for want of %s", c.rule, c.instead)
		}
	}
}

// onlyChosen reports the findings in what w makes that are nobody's choice, and returns
// the choices that bring the others.
func onlyChosen(t *testing.T, all *lint.Rules, b *blueprint.Blueprint, w blueprint.Workload, found diag.List) []choice {
	t.Helper()
	var choices []choice
	for _, d := range found {
		i := slices.IndexFunc(chosen, func(c choice) bool {
			return c.rule == d.Code && d.Severity != diag.Error && cures(t, all, b, w, c, d)
		})
		if i < 0 {
			t.Errorf("%s on %s: %v", b.Profile.Name, w.KubeVersion, diag.List{d})
			continue
		}
		choices = append(choices, chosen[i])
	}
	return choices
}

// cures reports whether w with other values is legal, and d not said of what it makes.
func cures(t *testing.T, all *lint.Rules, b *blueprint.Blueprint, w blueprint.Workload, c choice, d diag.Diagnostic) bool {
	t.Helper()
	given := manifest.NewMap()
	if w.Written != nil {
		given = w.Written.Clone()
	}
	replace(given, document(t, c.instead))
	values, errs := b.Params.Check(given)
	if errs.Err() != nil {
		return false // the profile has no such parameter
	}
	w.Values, w.Written = values, given
	return violated(t, b, w) == nil && !slices.ContainsFunc(judged(all, withTests(t, b, w), w.KubeVersion), func(other diag.Diagnostic) bool {
		return other.Code == d.Code && other.Object == d.Object && other.Path == d.Path
	})
}

// replace sets the values of n in given, one by one.
func replace(given, n *manifest.Node) {
	for _, f := range n.Fields {
		if into := given.Get(f.Key); f.Value.Shape == manifest.Map && into != nil {
			replace(into, f.Value)
		} else {
			given.Set(f.Key, f.Value)
		}
	}
}
