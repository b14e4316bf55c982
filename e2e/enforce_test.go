// SPDX-License-Identifier: Apache-2.0

package e2e_test

import (
	"regexp"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// program matches the paths of what a container runs, and of names that others use.
var program = regexp.MustCompile(`^metadata\.name|^spec\.selector|ontainers\[\d+\]\.(name|image|command|args)\b`)

// TestEnforced: a workload upon which the profile is enforced is accepted strictly, still runs
// the user's program under its names, and stays the same when that is done again.
func TestEnforced(t *testing.T) {
	for _, c := range functionCases(t) {
		t.Run(c.kind+" "+c.name, func(t *testing.T) {
			t.Parallel()
			c.mode = "enforce"
			plain, said, err := kustomizeFiles(t, map[string]string{"in.yaml": c.text, "kustomization.yaml": "resources: [in.yaml]\n" + c.generators})
			if err != nil {
				t.Fatal(said)
			}
			out, said := c.applied(t)
			before, after := objects(t, plain), objects(t, out)
			c.leavesOthers(t, before, after)
			id := c.kind + " " + c.name
			for _, path := range lost(before[id], after[id], "") {
				if program.MatchString(path) {
					t.Errorf("%s has lost %s\n%s", id, path, said)
				}
			}
			c.staysSame(t, out)
		})
	}
}

// TestAudited: in an audit nothing changes, and standard error says what would.
func TestAudited(t *testing.T) {
	for _, c := range functionCases(t) {
		t.Run(c.kind+" "+c.name, func(t *testing.T) {
			t.Parallel()
			c.mode = "audit"
			plain, said, err := kustomizeFiles(t, map[string]string{"in.yaml": c.text, "kustomization.yaml": "resources: [in.yaml]\n" + c.generators})
			if err != nil {
				t.Fatal(said)
			}
			out, said, err := c.build(t, c.text, "")
			if diff := cmp.Diff(objects(t, plain), objects(t, out)); diff != "" || err != nil {
				t.Errorf("%v (-before +after):\n%s%s", err, diff, said)
			}
			if !regexp.MustCompile(`(?m)^info: would set .*\n\tin ` + c.kind + " " + c.name + ": spec").MatchString(said) {
				t.Errorf("nothing is said of what would be done:\n%s", said)
			}
		})
	}
}
