// SPDX-License-Identifier: Apache-2.0

package e2e_test

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// components is a folder with both published components of the profile, "patches" and
// "function", and a base with a prefix.
func components(t *testing.T, profile, text string) string {
	t.Helper()
	dir := t.TempDir()
	for form, from := range map[string]string{"patches": ".", "function": "krm"} {
		for _, file := range glob(t, filepath.Join("..", "components", profile, from, "*.yaml")) {
			writeAll(t, dir, map[string]string{form + "/" + filepath.Base(file): read(t, file)})
		}
	}
	writeAll(t, dir, map[string]string{"base/workloads.yaml": text, "base/kustomization.yaml": "resources: [workloads.yaml]\nnamePrefix: own-\n"})
	return dir
}

// prefixOnce: a component in an overlay leaves the names of a base that has a prefix, and what
// it adds gets that of the overlay once, as all else does.
func prefixOnce(t *testing.T) {
	has("namePrefix", "nameSuffix")(t)
	for _, profile := range profiles(t) {
		for _, kind := range kinds(t, profile) {
			text := mine(kind, "labelled", "kilter.dev/profile: "+profile) + "---\n" + mine(kind, "other", "app: other")
			dir := components(t, profile, text)
			for _, form := range []string{"patches", "function"} {
				writeAll(t, dir, map[string]string{"kustomization.yaml": "resources: [base]\ncomponents: [" + form + "]\nnamePrefix: prod-\n"})
				all := objects(t, run(t, "kustomize", append(withFunctions, dir)...))
				names := map[string]bool{}
				for _, o := range all {
					name, _ := field(o, "metadata", "name").(string)
					names[name] = true
					if strings.Count(name, "prod-") != 1 || strings.Count(name, "own-") > 1 {
						t.Errorf("%s of %s: a name is %s", form, profile, name)
					}
				}
				if !names["prod-own-labelled"] || !names["prod-own-other"] {
					t.Errorf("%s of %s: the names are %q", form, profile, slices.Sorted(maps.Keys(names)))
				}
			}
		}
	}
}

// noReplacements: they do not see what a function adds in the same kustomization, and stop at
// that. What depends on a parameter the function makes so, in what there is and in what it
// adds; the replacements of a kustomization around see both.
func noReplacements(t *testing.T) {
	has("replacements")(t)
	const replacements = "replacements:\n- source: {kind: ConfigMap, name: chat-conf, fieldPath: data.a}\n  targets:\n" +
		"  - select: {kind: Deployment, name: chat}\n    fieldPaths: [spec.template.spec.priorityClassName]\n    options: {create: true}\n"
	function := strings.Replace(withFunction(testProfiles(t)), "spec: {profile: web,", "spec: {profile: web, parameters: {grace: 77},", 1)
	files := map[string]string{
		"inner/in.yaml": around, "inner/kustomization.yaml": "resources: [in.yaml]\ncomponents: [function]\n",
		"inner/function/kustomization.yaml": function, "kustomization.yaml": "resources: [inner]\n" + replacements,
	}
	out, said, err := kustomizeFiles(t, files)
	if err != nil {
		t.Fatal(said)
	}
	pod := field(objects(t, out)["Deployment chat"], "spec", "template", "spec")
	for path, want := range map[string]any{"terminationGracePeriodSeconds": 77.0, "priorityClassName": "b"} {
		if got := field(pod, path); got != want {
			t.Errorf("%s is %v, want %v", path, got, want)
		}
	}
	files["inner/function/kustomization.yaml"], files["kustomization.yaml"] = function+replacements, "resources: [inner]\n"
	files["inner/kustomization.yaml"] += replacements
	if out, said, err := kustomizeFiles(t, files); err == nil || !strings.Contains(said, "nothing selected by ConfigMap") {
		t.Errorf("replacements see what a function adds: this test proves nothing: %v\n%s%s", err, said, out)
	}
}

// missingFields: both components make all that the published patch has in a workload that has
// nothing of it, and stop at no field that is missing.
func missingFields(t *testing.T) {
	for _, profile := range profiles(t) {
		for _, kind := range kinds(t, profile) {
			dir := components(t, profile, mine(kind, "labelled", "kilter.dev/profile: "+profile))
			patch := documents(t, read(t, filepath.Join(dir, "patches", "patch-"+strings.ToLower(kind)+".yaml")))[0]["spec"]
			writeAll(t, dir, map[string]string{"kustomization.yaml": "resources: [base]\ncomponents: [patches]\n"})
			after := objects(t, run(t, "kustomize", "build", dir))[kind+" own-labelled"]["spec"]
			if missing := lost(patch, after, ""); len(missing) > 0 || len(lost(patch, objects(t, mine(kind, "x", "a: b"))[kind+" x"]["spec"], "")) == 0 {
				t.Errorf("%s, %s: %q are not made of %v", profile, kind, missing, patch)
			}
			writeAll(t, dir, map[string]string{"kustomization.yaml": "resources: [base]\ncomponents: [function]\n"})
			after = objects(t, run(t, "kustomize", append(withFunctions, dir)...))[kind+" own-labelled"]["spec"]
			missing := slices.DeleteFunc(lost(keysOnly(patch), keysOnly(after), ""), func(path string) bool {
				return holds("persistentVolumeClaimRetentionPolicy", path) // there are no claims, which the patch cannot know
			})
			if len(missing) > 0 {
				t.Errorf("%s, %s: the function makes less than the patch: %q", profile, kind, missing)
			}
		}
	}
}

// keysOnly is n without its lists, and with the same for all scalars.
func keysOnly(n any) any {
	o, ok := n.(object)
	if !ok {
		return true
	}
	keys := object{}
	for key, value := range o {
		if _, list := value.([]any); !list {
			keys[key] = keysOnly(value)
		}
	}
	return keys
}
