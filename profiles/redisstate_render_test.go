// SPDX-License-Identifier: Apache-2.0

package profiles_test

import (
	"os"
	"os/exec"
	"slices"
	"testing"

	"kilter.dev/kilter/internal/blueprint"
	"kilter.dev/kilter/internal/blueprint/blueprinttest"
	"kilter.dev/kilter/internal/manifest"
	"kilter.dev/kilter/internal/source"
)

// renderRedis returns the objects of profile redis-state under the name redis.
func renderRedis(t *testing.T, params string) map[string]*manifest.Node {
	t.Helper()
	return renderProfile(t, "redis-state", "redis", params)
}

// renderProfile returns the objects of a profile for the parameters, under a name in the
// namespace apps, by "Kind/name".
func renderProfile(t *testing.T, name, workload, params string) map[string]*manifest.Node {
	t.Helper()
	objects, err := tryProfile(t, name, workload, params)
	if err != nil {
		t.Fatal(err)
	}
	return objects
}

// tryProfile is renderProfile where the profile may refuse the parameters.
func tryProfile(t *testing.T, name, workload, params string) (map[string]*manifest.Node, error) {
	t.Helper()
	b := blueprinttest.Builtin(t, name)
	docs, errs := manifest.Parse(source.New("params.yaml", params))
	values, more := b.Params.Check(docs[0])
	if err := append(errs, more...).Err(); err != nil {
		return nil, err
	}
	w := blueprint.Workload{Name: workload, Namespace: "apps", Values: values}
	objects, err := b.Render(w)
	if err != nil {
		return nil, err
	}
	tests, err := b.RenderTests(w)
	if err != nil {
		t.Fatal(err)
	}
	byName := map[string]*manifest.Node{}
	for _, o := range slices.Concat(objects, tests) {
		byName[o.Kind+"/"+o.Name] = o.Node
	}
	return byName, nil
}

// needRedis skips the test where the programs are missing, and fails it in CI.
func needRedis(t *testing.T) {
	t.Helper()
	need(t, "redis-server", "redis-server", "redis-cli", "getent", "timeout")
	if testing.Short() {
		t.Skip("starts servers")
	}
}

// need skips the test where a program of a package is missing, and fails it in CI.
func need(t *testing.T, debian string, programs ...string) {
	t.Helper()
	for _, program := range programs {
		if _, err := exec.LookPath(program); err == nil {
			continue
		}
		if os.Getenv("CI") != "" {
			t.Fatalf("%s is not installed: apt-get install %s", program, debian)
		}
		t.Skipf("%s is not installed: apt-get install %s", program, debian)
	}
}

func items(n *manifest.Node) []*manifest.Node {
	if n == nil {
		return nil
	}
	return n.Items
}
