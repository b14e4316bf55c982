// SPDX-License-Identifier: Apache-2.0

package rules_test

import (
	"io/fs"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"kilter.dev/kilter/internal/lint"
	"kilter.dev/kilter/internal/manifest"
	"kilter.dev/kilter/internal/source"
	"kilter.dev/kilter/rules"
)

// catalogue are the rules about objects that there must be, so that one that is lost is
// missed. What came later need not be here.
const catalogue = `
gpu-rollout-needs-spare rollout-outage startup-budget-missing progress-deadline-too-short min-ready-without-readiness
liveness-equals-readiness exec-probe-timeout probe-port-undeclared grace-too-short drain-missing rwo-volume-surge
surge-cannot-schedule spread-blocks-rollout spread-skews-after-rollout revision-history-zero selector-not-stable
selector-mismatch shared-claim-on-replicas

pdb-blocks-drain pdb-overlap pdb-matches-nothing pdb-on-job-percent pdb-missing pdb-unhealthy-policy pdb-both-fields
replicas-beside-autoscaler hpa-target-missing hpa-without-request hpa-scale-to-zero scaledobject-null-values

statefulset-broken-revision-trap statefulset-partition-left statefulset-max-unavailable statefulset-service-missing
claim-template-read-only-many claim-template-version-label claim-template-untyped claim-retention-deletes-data
claim-node-local-class training-in-statefulset name-too-long

job-without-deadline job-never-cleaned job-disruption-burns-retries job-double-allocation job-gang-not-indexed
job-restart-policy job-sidecar-never-ends cronjob-deadline cronjob-gpu-overlap cronjob-timezone schedule-invalid

gpu-request-mismatch shm-too-small memory-below-shm memory-request-missing image-not-pinned service-links pod-hardening
host-namespaces duplicate-list-keys

krm-function-not-run hook-needs-later-object dangling-reference argo-health-check promql-job-label
`

// TestSilent: the fixture of every rule about objects has one of the kinds it looks at in
// which it must find nothing: what it could be wrong about.
func TestSilent(t *testing.T) {
	all := load(t)
	names := strings.Fields(catalogue)
	for _, rule := range all.All {
		if rule.Scope() != lint.Raw {
			names = append(names, rule.Name)
		}
	}
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		rule := all.Find(name)
		if rule == nil {
			t.Errorf("there is no rule %s", name)
			continue
		}
		fixture, err := fs.ReadFile(rules.FS, "testdata/"+name+".txtar")
		if err != nil {
			t.Fatal(err)
		}
		if !hasSilent(t, rule, txtar.Parse(fixture)) {
			t.Errorf("%s: no object of the kinds %v without a want comment", name, rule.Kinds)
		}
	}
}

// hasSilent reports whether an input has an object that the rule looks at, and no want
// comment from its first line to its last.
func hasSilent(t *testing.T, rule *lint.Rule, fixture *txtar.Archive) bool {
	t.Helper()
	for _, f := range fixture.Files {
		if !strings.HasSuffix(f.Name, ".in.yaml") {
			continue
		}
		for _, o := range objectsOf(t, source.New(f.Name, string(f.Data))) {
			span := o.Node.Span
			rest, _, _ := strings.Cut(span.File.Text[span.End:], "\n") // a comment behind the last value
			if looksAt(rule, o) && !strings.Contains(span.Text()+rest, "# want") {
				return true
			}
		}
	}
	return false
}

func looksAt(rule *lint.Rule, o *manifest.Object) bool {
	group, _, grouped := strings.Cut(o.APIVersion, "/")
	if !grouped {
		group = ""
	}
	return len(rule.Kinds) == 0 || slices.Contains(rule.Kinds, lint.Kind{Group: group, Kind: o.Kind})
}
