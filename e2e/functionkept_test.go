// SPDX-License-Identifier: Apache-2.0

package e2e_test

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// ownSchemas: what a kustomization says of types is for itself alone. With several in one
// process each is built as kustomize builds it, a new one for each.
func ownSchemas(t *testing.T) {
	const schema = `{"definitions": {"v1.Fleet": {"properties": {"ships": {"type": "array", "x-kubernetes-patch-merge-key": "name", "x-kubernetes-patch-strategy": "merge",
"items": {"type": "object"}}}, "x-kubernetes-group-version-kind": [{"group": "example.com", "version": "v1", "kind": "Fleet"}]}}}`
	const fleet = "apiVersion: example.com/v1\nkind: Fleet\nmetadata: {name: f}\nships: [{name: a}, {name: b}]\n"
	const kustomization = "resources: [fleet.yaml, chat.yaml]\npatches:\n- patch: '{apiVersion: example.com/v1, kind: Fleet, metadata: {name: f}, ships: [{name: c}]}'\n" +
		"- patch: '{apiVersion: apps/v1, kind: Deployment, metadata: {name: chat}, spec: {template: {spec: {containers: [{name: web, tty: true}]}}}}'\n"
	dir := t.TempDir()
	built := map[string]any{}
	for name, text := range map[string]string{"keyed": kustomization + "openapi: {path: schema.json}\n", "plain": kustomization} {
		writeAll(t, filepath.Join(dir, name), map[string]string{
			"fleet.yaml": fleet, "chat.yaml": around[:strings.Index(around, "---")], "schema.json": schema, "kustomization.yaml": text,
		})
		built[name] = documents(t, run(t, "kustomize", "build", filepath.Join(dir, name)))
	}
	if cmp.Equal(built["keyed"], built["plain"]) {
		t.Error("the schema makes no difference: this test proves nothing")
	}
	var dirs []string
	var want []object
	for _, name := range []string{"keyed", "plain", "keyed", "plain"} {
		dirs, want = append(dirs, filepath.Join(dir, name)), append(want, built[name].([]object)...)
	}
	if diff := cmp.Diff(want, documents(t, run(t, "kilter", append([]string{"render"}, dirs...)...))); diff != "" {
		t.Errorf("(-each +together):\n%s", diff)
	}
}

// withFunction is a component that calls the function, with a profile of the folder that
// adds objects of many kinds.
func withFunction(profiles string) string {
	return fmt.Sprintf(`apiVersion: kustomize.config.k8s.io/v1alpha1
kind: Component
transformers:
- |-
  apiVersion: kilter.dev/v1alpha1
  kind: Workload
  metadata:
    name: chat
    namespace: elsewhere
    annotations:
      config.kubernetes.io/function: "exec: {path: kilter, args: [fn, --profiles, %s]}"
  spec: {profile: web, selector: {kind: Deployment, name: chat}}
`, profiles)
}

// around is what stands beside the workload.
const around = `apiVersion: apps/v1
kind: Deployment
metadata: {name: chat, labels: {team: a}}
spec:
  selector: {matchLabels: {app: chat}}
  template:
    metadata: {labels: {app: chat}}
    spec:
      containers: [{name: web, image: "web:1", envFrom: [{configMapRef: {name: settings}}]}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: reader}
rules: [{apiGroups: [""], resources: [pods], verbs: [get]}]
---
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicy
metadata: {name: sidecars}
spec: {failurePolicy: Fail, reinvocationPolicy: Never}
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: limits}
spec: {failurePolicy: Fail}
---
apiVersion: example.com/v1
kind: Fleet
metadata: {name: f}
spec: {containers: [{name: web, image: "x:1"}, {image: "y:1"}], env: [{name: A}, {name: A}]}
`

// built is a kustomization of the function's component, by kind and name.
func built(t *testing.T, more string) map[string]object {
	t.Helper()
	out, said, err := kustomizeFiles(t, map[string]string{
		"kustomization.yaml": "resources: [in.yaml]\ncomponents: [function]\nconfigMapGenerator:\n- {name: settings, literals: [A=b]}\n" + more,
		"in.yaml":            around, "function/kustomization.yaml": withFunction(testProfiles(t)),
	})
	if err != nil {
		t.Fatal(said)
	}
	return objects(t, out)
}

func field(o any, path ...any) any {
	for _, step := range path {
		switch s := step.(type) {
		case string:
			m, _ := o.(object)
			o = m[s]
		case int:
			if list, _ := o.([]any); s < len(list) {
				o = list[s]
			} else {
				o = nil
			}
		}
	}
	return o
}

func prefixLater(t *testing.T) {
	all := built(t, "namePrefix: prod-\n")
	chat := all["Deployment prod-chat"]
	for _, c := range []struct{ got, want any }{
		{field(all["HorizontalPodAutoscaler prod-chat"], "spec", "scaleTargetRef", "name"), "prod-chat"},
		{field(all["ConfigMap prod-chat-conf"], "data", "a"), "b"},
		{field(chat, "spec", "template", "spec", "volumes", 1, "configMap", "name"), "prod-chat-conf"},
		{field(chat, "spec", "template", "spec", "serviceAccountName"), "prod-chat"},
		{field(chat, "spec", "template", "spec", "terminationGracePeriodSeconds"), 45.0},
	} {
		if diff := cmp.Diff(c.want, c.got); diff != "" {
			t.Errorf("%s\nin %v", diff, all)
		}
	}
}

func customLists(t *testing.T) {
	want := objects(t, around)["Fleet f"]
	if diff := cmp.Diff(want, built(t, "")["Fleet f"]); diff != "" {
		t.Error(diff)
	}
	for name, text := range emitted(t) {
		if !strings.HasPrefix(name, "../components") || !strings.HasSuffix(name, "kustomization.yaml") {
			continue
		}
		for _, p := range documents(t, text)[0]["patches"].([]any) {
			patch, _ := field(p, "patch").(string)
			if path, ok := field(p, "path").(string); ok {
				patch = read(t, filepath.Join(filepath.Dir(name), path))
			}
			if o := documents(t, patch)[0]; hasList(o) {
				t.Errorf("%s patches a list of a %v", name, o["kind"])
			}
		}
	}
}

// hasList reports whether there is a list anywhere in n.
func hasList(n any) bool {
	if _, ok := n.([]any); ok {
		return true
	}
	o, _ := n.(object)
	return slices.ContainsFunc(slices.Collect(maps.Values(o)), hasList)
}

// keepsSelectors: what the function adds selects what the user's selector does. Labels of the
// kustomization reach it as all else, and its selectors where the user asks for that.
func keepsSelectors(t *testing.T) {
	for more, labels := range map[string]object{"": {"app": "chat"}, ", includeSelectors: true": {"app": "chat", "stage": "prod"}} {
		all := built(t, "labels: [{pairs: {stage: prod}"+more+"}]\n")
		for id, path := range map[string][]any{
			"Deployment chat":          {"spec", "selector", "matchLabels"},
			"PodDisruptionBudget chat": {"spec", "selector", "matchLabels"},
			"Service chat":             {"spec", "selector"},
			"NetworkPolicy chat":       {"spec", "podSelector", "matchLabels"},
		} {
			if diff := cmp.Diff(any(labels), field(all[id], path...)); diff != "" {
				t.Errorf("%s%s: %s", id, more, diff)
			}
			if field(all[id], "metadata", "labels", "stage") != "prod" {
				t.Errorf("%s%s has no label of the kustomization", id, more)
			}
		}
	}
	has("commonLabels")(t)
	for name, text := range emitted(t) {
		if strings.Contains(text, "includeSelectors: true") {
			t.Errorf("%s changes selectors", name)
		}
	}
}

// hashedNames: the annotations by which kustomize finds what to give a hash stay.
func hashedNames(t *testing.T) {
	all := built(t, "")
	name, _ := field(all["Deployment chat"], "spec", "template", "spec", "containers", 0, "envFrom", 0, "configMapRef", "name").(string)
	if !strings.HasPrefix(name, "settings-") || all["ConfigMap "+name] == nil {
		t.Errorf("the ConfigMap is %q, of %v", name, all)
	}
	if annotations := field(all["ConfigMap "+name], "metadata", "annotations"); annotations != nil {
		t.Errorf("annotations are left: %v", annotations)
	}
}

// customNames: a prefix reaches what a custom resource names, in a base of ours and in what
// the function adds.
func customNames(t *testing.T) {
	dir := filepath.Join(t.TempDir(), release)
	run(t, "kilter", "new", release, "--profile", "vllm-inference", "--set", "autoscaling.enabled=true", "--to", "kustomize,krm", "-o", dir)
	for _, base := range []string{"kustomize/overlays/prod", "krm"} {
		write(t, filepath.Join(dir, "kustomization.yaml"), "namePrefix: prod-\nresources: ["+base+"]\n", 0o644)
		all := objects(t, run(t, "kustomize", append(withFunctions, dir)...))
		if name := field(all["ScaledObject prod-"+release], "spec", "scaleTargetRef", "name"); name != "prod-"+release || all["Deployment prod-"+release] == nil {
			t.Errorf("%s: what is scaled is called %v", base, name)
		}
	}
}

// clusterWide: the namespace of the functionConfig is no object's, and that of the
// kustomization all get that have one. kustomize knows of MutatingAdmissionPolicy not yet.
func clusterWide(t *testing.T) {
	for id, o := range built(t, "") {
		if namespace := field(o, "metadata", "namespace"); namespace != nil {
			t.Errorf("%s has the namespace %v", id, namespace)
		}
	}
	for id, o := range built(t, "namespace: prod\n") {
		kind, _, _ := strings.Cut(id, " ")
		wide := kind == "ClusterRole" || kind == "ValidatingAdmissionPolicy"
		if namespace := field(o, "metadata", "namespace"); (namespace == nil) != wide || namespace != nil && namespace != "prod" {
			t.Errorf("%s has the namespace %v", id, namespace)
		}
	}
	for name, text := range emitted(t) {
		if strings.HasPrefix(name, "../components") && strings.Contains(text, "\nnamespace:") {
			t.Errorf("%s sets a namespace", name)
		}
	}
}
