// SPDX-License-Identifier: Apache-2.0

package profiles_test

import (
	"io/fs"
	"os"
	"os/exec"
	"slices"
	"testing"

	"kilter.dev/kilter/internal/blueprint"
	"kilter.dev/kilter/internal/manifest"
	"kilter.dev/kilter/internal/profile"
	"kilter.dev/kilter/internal/source"
	"kilter.dev/kilter/profiles"
)

// renderRedis returns the objects of profile redis-state for the parameters, under the name
// redis in the namespace apps, by "Kind/name".
func renderRedis(t *testing.T, params string) map[string]*manifest.Node {
	t.Helper()
	sub, err := fs.Sub(profiles.FS, "redis-state")
	if err != nil {
		t.Fatal(err)
	}
	p, err := profile.Load(sub, profiles.Parts(), "profiles/redis-state")
	if err != nil {
		t.Fatal(err)
	}
	b, err := blueprint.Compile(p)
	if err != nil {
		t.Fatal(err)
	}
	docs, errs := manifest.Parse(source.New("params.yaml", params))
	values, more := b.Params.Check(docs[0])
	if err := append(errs, more...).Err(); err != nil {
		t.Fatal(err)
	}
	w := blueprint.Workload{Name: "redis", Namespace: "apps", Values: values}
	objects, err := b.Render(w)
	if err != nil {
		t.Fatal(err)
	}
	tests, err := b.RenderTests(w)
	if err != nil {
		t.Fatal(err)
	}
	byName := map[string]*manifest.Node{}
	for _, o := range slices.Concat(objects, tests) {
		byName[o.Kind+"/"+o.Name] = o.Node
	}
	return byName
}

// needRedis skips the test where the programs are missing, and fails it in CI.
func needRedis(t *testing.T) {
	t.Helper()
	for _, program := range []string{"redis-server", "redis-cli", "getent", "timeout"} {
		if _, err := exec.LookPath(program); err != nil {
			if os.Getenv("CI") != "" {
				t.Fatalf("%s is not installed: apt-get install redis-server", program)
			}
			t.Skipf("%s is not installed: apt-get install redis-server", program)
		}
	}
	if testing.Short() {
		t.Skip("starts servers")
	}
}

func items(n *manifest.Node) []*manifest.Node {
	if n == nil {
		return nil
	}
	return n.Items
}
