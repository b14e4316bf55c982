// SPDX-License-Identifier: Apache-2.0

package internal_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "kilter.dev/kilter"

// layers says which packages of this module a package may import outside its tests. A
// package that is not listed may not exist: add it here, below everything it needs.
var layers = map[string][]string{
	"internal/source":   {},
	"internal/hole":     {},
	"internal/diag":     {"internal/source"},
	"internal/manifest": {"internal/source", "internal/diag"},
	"internal/kube":     {"internal/source", "internal/diag", "internal/manifest"},
	"internal/workload": {"internal/source", "internal/diag", "internal/manifest", "internal/kube"},

	"internal/kube/bundle": {"internal/source", "internal/manifest"},

	"internal/param":           {"internal/source", "internal/diag", "internal/manifest"},
	"internal/param/paramtest": {"internal/manifest", "internal/param"},
	"internal/expr":            {"internal/hole", "internal/source", "internal/diag", "internal/manifest", "internal/kube", "internal/param"},
	"internal/profile":         {"internal/source", "internal/diag", "internal/manifest", "internal/param"},
	"internal/blueprint":       {"internal/source", "internal/diag", "internal/manifest", "internal/kube", "internal/param", "internal/expr", "internal/profile"},

	"internal/blueprint/blueprinttest": {"internal/blueprint", "internal/profile", "profiles"},

	"internal/lint":        {"internal/hole", "internal/source", "internal/diag", "internal/manifest", "internal/kube", "internal/workload"},
	"internal/admission":   {"internal/source", "internal/diag", "internal/manifest", "internal/kube"},
	"internal/policytest":  {"internal/source", "internal/diag", "internal/manifest", "internal/kube", "internal/admission"},
	"internal/fix":         {"internal/source", "internal/manifest", "internal/lint"},
	"internal/fix/fixtest": {"internal/source", "internal/diag", "internal/manifest", "internal/kube", "internal/lint", "internal/fix"},
	"internal/krm":         {"internal/source", "internal/diag", "internal/manifest", "internal/kube", "internal/workload", "internal/profile", "internal/blueprint", "internal/lint", "internal/fix"},
	"internal/rollout":     {"internal/source", "internal/diag", "internal/manifest", "internal/kube", "internal/workload"},
	"internal/render":      {"internal/source", "internal/diag", "internal/manifest", "internal/kube"},

	"generators":           {"generators/helm", "generators/kustomize", "generators/krm", "generators/policy", "internal/blueprint", "internal/diag"},
	"generators/helm":      generator,
	"generators/kustomize": generator,
	"generators/krm":       append([]string{"generators/kustomize", "internal/krm"}, generator...),
	"generators/engines":   {"generators/policy", "internal/lint", "internal/manifest"},
	"generators/policy":    {"internal/diag", "internal/manifest", "internal/kube", "internal/workload", "internal/lint"},

	"profiles": {},
	"rules":    {},

	"internal/cli": {"*"},
	"cmd/kilter":   {"internal/cli"},
}

var generator = []string{
	"internal/source", "internal/diag", "internal/manifest", "internal/param", "internal/expr", "internal/profile", "internal/blueprint",
}

// owners says which packages alone may import a library, by the start of its path.
var owners = []struct {
	library  string
	packages []string
}{
	{"github.com/spf13/cobra", []string{"internal/cli"}},
	{"github.com/google/cel-go", []string{"internal/expr", "internal/lint", "internal/admission"}},
	{"k8s.io/apiserver", []string{"internal/expr", "internal/lint", "internal/admission"}},
	{"helm.sh/helm", []string{"internal/render"}},
	{"sigs.k8s.io/kustomize/api", []string{"internal/render"}},
	{"sigs.k8s.io/kustomize/kyaml/yaml", nil},
	{"sigs.k8s.io/yaml", []string{"internal/manifest"}},
	{"go.yaml.in/yaml", []string{"internal/manifest"}},
	{"gopkg.in/yaml", []string{"internal/manifest"}},
}

// TestLayers holds imports to one direction and heavy libraries to one place.
func TestLayers(t *testing.T) {
	seen := 0
	for file, imports := range goFiles(t) {
		pkg := path.Dir(file)
		allowed, known := layers[pkg]
		if !known {
			t.Errorf("%s: package %s has no layer; add it to layers", file, pkg)
			continue
		}
		seen++
		for _, imported := range imports {
			if own, ok := strings.CutPrefix(imported, module+"/"); ok {
				if !slices.Contains(allowed, own) && !slices.Contains(allowed, "*") {
					t.Errorf("%s: %s may not import %s", file, pkg, own)
				}
				continue
			}
			for _, o := range owners {
				if strings.HasPrefix(imported, o.library) && !slices.Contains(o.packages, pkg) {
					t.Errorf("%s: only %v may import %s", file, o.packages, o.library)
				}
			}
		}
	}
	if seen < 5 {
		t.Fatalf("looked at %d files only", seen)
	}
}

// TestLayersPointDown holds the table itself to one direction.
func TestLayersPointDown(t *testing.T) {
	var visit func(pkg string, above []string)
	visit = func(pkg string, above []string) {
		if slices.Contains(above, pkg) {
			t.Fatalf("layers are circular: %s", strings.Join(append(above, pkg), " → "))
		}
		for _, below := range layers[pkg] {
			visit(below, append(slices.Clone(above), pkg))
		}
	}
	for pkg := range layers {
		visit(pkg, nil)
	}
}

// goFiles returns the imports of every Go file of this module outside its tests, by
// the file's path in the module.
func goFiles(t *testing.T) map[string][]string {
	t.Helper()
	files := map[string][]string{}
	err := filepath.WalkDir("..", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			if name != ".." && skipped(name) {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel("..", name)
		var imports []string
		for _, spec := range parsed.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			imports = append(imports, imported)
		}
		files[filepath.ToSlash(rel)] = imports
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// skipped are folders that hold no packages of this module.
func skipped(dir string) bool {
	base := filepath.Base(dir)
	if strings.HasPrefix(base, ".") || base == "testdata" || base == "bin" {
		return true
	}
	_, err := os.Stat(filepath.Join(dir, "go.mod"))
	return err == nil
}
