// SPDX-License-Identifier: Apache-2.0

package lint_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"kilter.dev/kilter/internal/lint"
)

// TestUnread: what depends on an object that cannot be read is not judged, and what the
// others decide is. That it is there, and its name, is known.
func TestUnread(t *testing.T) {
	const text = `
apiVersion: apps/v1
kind: Deployment
metadata: {name: d}
spec: {selector: {matchLabels: {app: a}}, template: {metadata: {labels: {app: a}}, spec: {containers: []}}}
---
apiVersion: v1
kind: Service
metadata: {name: bad, labels: [x]}
spec: {selector: {app: a}, ports: 80}
---
apiVersion: v1
kind: Service
metadata: {generateName: good-}
spec: {selector: {app: a}, ports: [{port: 80}]}
`
	const bad, found = "in.yaml:9:31: error: labels must be a map, not a list at metadata.labels\nin.yaml:10:35: error: ports must be a list, not the integer 80 at spec.ports\n", "in.yaml:4:18: error: m at metadata.name\n"
	for check, want := range map[string]string{
		"related.services.all(s, s.spec.ports.size() == 1)":                     "",
		"related.services.exists(s, s.spec.ports.size() == 1)":                  "",
		"related.services.exists(s, s.metadata.?labels.hasValue())":             "",
		"!related.services.exists(s, s.spec.ports.size() == 1)":                 found,
		"related.services.map(s, s.metadata.name) != ['bad', '']":               found,
		"related.services.all(s, has(s.spec.ports) && s.spec.ports[0] == null)": found,
	} {
		rules := mustLoad(t, "\n  - when: object.kind == 'Deployment'\n    check: \""+check+"\"\n    message: m\n    at: metadata.name\n")
		if diff := cmp.Diff(want+bad, report(rules.Run(objects(t, text), lint.Options{}))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", check, diff)
		}
	}
}
