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

type choice struct{ rule, param, why string }

// chosen are the findings that a value of the user brings, and nothing else: with the
// parameter left out there is none.
var chosen = []choice{
	{"image-not-pinned", "image.tag", "a tag such as 9 is one that exists, and moves"},
	{"image-not-pinned", "metrics.image.tag", "the same"},
	{"pdb-missing", "pdb.enabled", "false is said by nobody who does not mean it"},
}

// passed are values of the parameters that hand Kubernetes values on: what they hold is
// the user's, so that only good ones are of use here.
var passed = map[string]string{
	"affinity":              "{nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchExpressions: [{key: zone, operator: Exists}]}]}}}",
	"extraEnv":              "[{name: TZ, value: Etc/UTC}]",
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
		if free(leaf) {
			values[leaf.Path] = document(t, passed[leaf.Path])
		}
	}
	return rapid.Custom(func(t *rapid.T) *manifest.Node {
		n := drawTyped(t, s)
		for _, leaf := range s.Leaves() {
			if value := values[leaf.Path]; value != nil && rapid.Bool().Draw(t, leaf.Path) {
				place(n, strings.Split(leaf.Path, "."), value)
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
// rule, and so are the chart and the component as they are written.
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
				if found := judged(all, onVersion(t, b, c, version), version); found != nil {
					t.Errorf("%s/%s on %s: %v", b.Profile.Name, c.Name, version, found)
				}
			}
		}
	}
}

// TestRulesOnRandom: so is what random legal values make, but for what the user has chosen.
func TestRulesOnRandom(t *testing.T) {
	all := loadRules(t)
	met := map[string]bool{}
	for _, b := range blueprints(t) {
		draw := drawPassed(t, b.Params)
		for seed, legal := 0, 0; legal < wanted; seed++ {
			if seed > 50*wanted {
				t.Fatalf("%s: only %d of %d random sets of values satisfy the constraints", b.Profile.Name, legal, seed)
			}
			given := draw.Example(seed)
			w := random(t, b, given, seed)
			if violated(t, b, w) != nil {
				continue
			}
			legal++
			found := judged(all, withTests(t, b, w), w.KubeVersion)
			for _, param := range isChosen(t, all, b, w, found) {
				met[param] = true
			}
			if t.Failed() {
				t.Fatalf("%s, seed %d, values:\n%s", b.Profile.Name, seed, manifest.Print(given))
			}
		}
	}
	for _, c := range chosen {
		if !met[c.param] {
			t.Errorf("%s never brings %s: it is not needed among those that may", c.param, c.rule)
		}
	}
}

// isChosen reports the findings that no parameter of chosen brings, and returns those that
// bring the others.
func isChosen(t *testing.T, all *lint.Rules, b *blueprint.Blueprint, w blueprint.Workload, found diag.List) []string {
	t.Helper()
	var params []string
	for _, d := range found {
		i := slices.IndexFunc(chosen, func(c choice) bool {
			return c.rule == d.Code && d.Severity != diag.Error && !finds(t, all, b, without(t, b, w, c.param), d)
		})
		if i < 0 {
			t.Errorf("on %s: %v", w.KubeVersion, diag.List{d})
			continue
		}
		params = append(params, chosen[i].param)
	}
	return params
}

// without is w with the parameter left out.
func without(t *testing.T, b *blueprint.Blueprint, w blueprint.Workload, param string) blueprint.Workload {
	t.Helper()
	given := w.Written.Clone()
	if b.Params.Lookup(param) != nil {
		place(given, strings.Split(param, "."), nil)
	}
	values, errs := b.Params.Check(given)
	if err := errs.Err(); err != nil {
		t.Fatal(err)
	}
	w.Values, w.Written = values, given
	return w
}

// finds reports whether the same is said of what w makes.
func finds(t *testing.T, all *lint.Rules, b *blueprint.Blueprint, w blueprint.Workload, d diag.Diagnostic) bool {
	t.Helper()
	return slices.ContainsFunc(judged(all, withTests(t, b, w), w.KubeVersion), func(other diag.Diagnostic) bool {
		return other.Code == d.Code && other.Object == d.Object && other.Path == d.Path
	})
}
