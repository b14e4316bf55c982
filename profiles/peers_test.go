// SPDX-License-Identifier: Apache-2.0

package profiles_test

import (
	"strings"
	"testing"

	"kilter.dev/kilter/internal/manifest"
)

// A mistake is one of public charts, examples and operators: what a field of ours is, that
// theirs is not.
type mistake struct {
	params string
	object string // "Job"; "ConfigMap/demo-conf" where there are several of the kind
	path   string // as at takes it; "" where there must be no such object
	want   string // "" where the field must be absent
	why    string // who makes the mistake, or what comes of it
}

// checkMistakes renders a profile as demo, and says which of the mistakes it makes.
func checkMistakes(t *testing.T, profile string, mistakes []mistake) {
	t.Helper()
	rendered := map[string]map[string]*manifest.Node{}
	for _, m := range mistakes {
		objects := rendered[m.params]
		if objects == nil {
			objects = renderProfile(t, profile, "demo", m.params)
			rendered[m.params] = objects
		}
		var found []*manifest.Node
		for id, o := range objects {
			if id == m.object || strings.HasPrefix(id, m.object+"/") {
				found = append(found, o)
			}
		}
		switch {
		case m.path == "" && len(found) > 0:
			t.Errorf("%s: there is a %s: %s", m.params, m.object, m.why)
		case m.path != "" && len(found) != 1:
			t.Errorf("%s: %d objects are %s", m.params, len(found), m.object)
		case m.path != "" && at(found[0], m.path) != m.want:
			t.Errorf("%s: %s of %s is %q, not %q: %s", m.params, m.path, m.object, at(found[0], m.path), m.want, m.why)
		}
	}
}

// at is the text of the scalar at a path, "" where there is none. An item of a list goes by
// its index or its name; a name with dots is the path's end.
func at(n *manifest.Node, path string) string {
	for path != "" && n != nil {
		if end := n.Get(path); end != nil {
			return strings.Trim(manifest.JSON(end), `"`)
		}
		first, rest, _ := strings.Cut(path, ".")
		next := n.Get(first)
		for _, item := range n.Items {
			if name := item.Get("name"); name != nil && name.Text() == first {
				next = item
			}
		}
		n, path = next, rest
	}
	return ""
}

// A refusal is a parameter that others take, to the harm of the workload.
type refusal struct {
	params string
	want   string // a part of the message: the parameter
	why    string
}

// checkRefused says which of the parameters a profile takes.
func checkRefused(t *testing.T, profile string, rows []refusal) {
	t.Helper()
	for _, r := range rows {
		if _, err := tryProfile(t, profile, "demo", r.params); err == nil || !strings.Contains(err.Error(), r.want) {
			t.Errorf("%s: got %v, not a refusal of %s: %s", r.params, err, r.want, r.why)
		}
	}
}

// longestName is the longest name of a workload that a profile takes.
func longestName(t *testing.T, profile, params string) string {
	t.Helper()
	for n := 63; n > 0; n-- {
		if _, err := tryProfile(t, profile, strings.Repeat("a", n), params); err == nil {
			return strings.Repeat("a", n)
		}
	}
	t.Fatalf("%s: no name is short enough", params)
	return ""
}
