// SPDX-License-Identifier: Apache-2.0

package profile_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kilter.dev/kilter/internal/manifest"
)

const including = web + `
-- templates/k.yaml --
kind: Job
spec:
  template:
    $include: _pod.yaml
    spec: {restartPolicy: Never, containers: [{$include: _main.yaml, image: mine}]}
-- templates/_main.yaml --
name: main
image: theirs
-- parts/base/templates/_pod.yaml --
metadata: {labels: {app: web}}
spec: {restartPolicy: Always, containers: [], subdomain: web}
`

// TestInclude: a fragment, of a part too, adds its fields where it is named, and makes no
// object itself.
func TestInclude(t *testing.T) {
	p, err := load(t, including)
	if err != nil {
		t.Fatal(err)
	}
	var got string
	for _, template := range p.Templates {
		if strings.HasPrefix(template.File, "_") {
			t.Errorf("%s is a template", template.File)
		}
		if template.File == "k.yaml" {
			got = manifest.Print(template.Root)
		}
	}
	want := `kind: Job
spec:
  template:
    metadata:
      labels:
        app: web
    spec:
      restartPolicy: Never
      containers:
      - name: main
        image: mine
      subdomain: web
`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestIncludeErrors(t *testing.T) {
	for _, c := range []struct{ old, new, want string }{
		{"$include: _pod.yaml", "$include: _pods.yaml", `web/templates/k.yaml:4:15: error: there is no fragment "_pods.yaml"`},
		{"$include: _pod.yaml", "$include: k.yaml", "the fragments are _main.yaml, _pod.yaml"},
		{"name: main\n", "name: main\nsub: {$include: _main.yaml}\n", "error: _main.yaml includes itself"},
		{"name: main\nimage: theirs\n", "- main\n", "error: _main.yaml holds no map"},
		{"name: main\n", "name: main\n---\nname: other\n", "error: a fragment is one document"},
	} {
		if _, err := load(t, strings.Replace(including, c.old, c.new, 1)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: want %s, got %v", c.new, c.want, err)
		}
	}
}
