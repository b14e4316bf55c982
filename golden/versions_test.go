// SPDX-License-Identifier: Apache-2.0

package golden_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"kilter.dev/kilter/internal/blueprint"
	"kilter.dev/kilter/internal/manifest"
	"kilter.dev/kilter/internal/param/paramtest"
)

// never is the version since which a field is on that no supported version has on.
const never = ""

// field is a field that is off by default on some supported versions, where the API
// server drops or refuses it.
type field struct {
	kind  string // "Pod" stands for the pod of every kind; "" for every kind
	path  string // from the object's root, for "Pod" from the pod's spec; [] is each item of a list
	value string // the value that needs the version; "" for any
	since string // first minor version that has it on by default, in all its patch releases
}

// fields is what docs call the version table. A field that is not in it is on in all
// versions from 1.32 to 1.37.
var fields = []field{
	{"StatefulSet", "spec.updateStrategy.rollingUpdate.maxUnavailable", "", "1.37"},
	{"StatefulSet", "spec.updateStrategy.type", "Recreate", never},
	{"Deployment", "spec.podReplacementPolicy", "", never},
	{"Job", "spec.scheduling", "", never},
	{"CronJob", "spec.jobTemplate.spec.scheduling", "", never},
	{"HorizontalPodAutoscaler", "spec.minReplicas", "0", "1.37"},
	{"HorizontalPodAutoscaler", "spec.behavior.scaleUp.tolerance", "", "1.35"},
	{"HorizontalPodAutoscaler", "spec.behavior.scaleDown.tolerance", "", "1.35"},

	{"Pod", "resources", "", "1.34"},
	{"Pod", "hostUsers", "false", "1.33"},
	{"Pod", "resourceClaims", "", "1.34"},
	{"Pod", "schedulingGroup", "", never},
	{"Pod", "workloadRef", "", never},
	{"Pod", "evictionResponders", "", never},
	{"Pod", "volumes[].image", "", "1.35"},
	{"Pod", "tolerations[].operator", "Lt", never},
	{"Pod", "tolerations[].operator", "Gt", never},
	{"Pod", "containers[].resources.claims", "", "1.34"},
	{"Pod", "initContainers[].resources.claims", "", "1.34"},
	{"Pod", "containers[].resizePolicy", "", "1.33"},
	{"Pod", "initContainers[].resizePolicy", "", "1.33"},
	{"Pod", "containers[].restartPolicy", "", "1.35"},
	{"Pod", "containers[].restartPolicyRules", "", "1.35"},
	{"Pod", "initContainers[].restartPolicyRules", "", "1.35"},
	{"Pod", "containers[].restartPolicyRules[].action", "RestartAllContainers", "1.36"},
	{"Pod", "initContainers[].restartPolicyRules[].action", "RestartAllContainers", "1.36"},
	{"Pod", "volumes[].ephemeral.volumeClaimTemplate.spec.volumeAttributesClassName", "", "1.34"},

	{"PersistentVolumeClaim", "spec.volumeAttributesClassName", "", "1.34"},
	{"StatefulSet", "spec.volumeClaimTemplates[].spec.volumeAttributesClassName", "", "1.34"},
	{"VolumeAttributesClass", "apiVersion", "storage.k8s.io/v1", "1.34"},
	{"VolumeAttributesClass", "apiVersion", "storage.k8s.io/v1beta1", never},
	{"", "apiVersion", "resource.k8s.io/v1", "1.34"},
	{"", "apiVersion", "resource.k8s.io/v1beta1", never},
	{"", "apiVersion", "resource.k8s.io/v1beta2", never},
	{"", "apiVersion", "scheduling.k8s.io/v1alpha1", never},
	{"", "apiVersion", "scheduling.k8s.io/v1alpha2", never},
	{"", "apiVersion", "scheduling.k8s.io/v1beta1", never},
	{"DeviceClass", "spec.extendedResourceName", "", "1.36"},
}

// podPaths is where kinds keep the spec of their pods.
var podPaths = map[string]string{
	"Pod": "spec", "Deployment": "spec.template.spec", "StatefulSet": "spec.template.spec", "DaemonSet": "spec.template.spec",
	"ReplicaSet": "spec.template.spec", "Job": "spec.template.spec", "CronJob": "spec.jobTemplate.spec.template.spec",
}

// tooNew returns the fields of object that are off by default on the version.
func tooNew(object *manifest.Node, version string) []field {
	kind := object.Get("kind").Text()
	var found []field
	for _, f := range fields {
		if f.since != never && version >= f.since {
			continue
		}
		path := f.path
		switch {
		case f.kind == "Pod" && podPaths[kind] != "":
			path = podPaths[kind] + "." + path
		case f.kind != "" && f.kind != kind:
			continue
		}
		if has(object, strings.Split(path, "."), f.value) {
			found = append(found, f)
		}
	}
	return found
}

// has says whether there is such a value at path; "" is any.
func has(n *manifest.Node, path []string, value string) bool {
	if n == nil {
		return false
	}
	if len(path) == 0 {
		return value == "" || strings.Trim(manifest.JSON(n), `"`) == value
	}
	name, list := strings.CutSuffix(path[0], "[]")
	next := n.Get(name)
	if !list {
		return has(next, path[1:], value)
	}
	return next != nil && slices.ContainsFunc(next.Items, func(item *manifest.Node) bool { return has(item, path[1:], value) })
}

// TestVersions: no case and no random values bring a field that is off by default on the
// Kubernetes version, whichever it is.
func TestVersions(t *testing.T) {
	for _, b := range blueprints(t) {
		for _, c := range b.Profile.Cases {
			for _, version := range kubeVersions {
				for _, o := range onVersion(t, b, c, version) {
					checkVersion(t, b.Profile.Name+"/"+c.Name, o, version)
				}
			}
		}
		draw := rapid.Custom(func(t *rapid.T) *manifest.Node { return paramtest.Draw(t, b.Params) })
		for seed, legal := 0, 0; legal < *draws; seed++ {
			if seed > 100**draws {
				t.Fatalf("%s: only %d of %d random sets of values are legal", b.Profile.Name, legal, seed)
			}
			w := random(t, b, draw.Example(seed), seed)
			rendered := false
			for _, w.KubeVersion = range kubeVersions {
				if violated(t, b, w) != nil {
					continue
				}
				rendered = true
				for _, o := range withTests(t, b, w) {
					checkVersion(t, b.Profile.Name+", seed "+strconv.Itoa(seed), o, w.KubeVersion)
				}
			}
			if rendered {
				legal++
			}
		}
	}
}

// withTests renders the objects of w and its pods of helm test.
func withTests(t testing.TB, b *blueprint.Blueprint, w blueprint.Workload) []*manifest.Object {
	t.Helper()
	objects, err := b.Render(w)
	if err != nil {
		t.Fatal(err)
	}
	tests, err := b.RenderTests(w)
	if err != nil {
		t.Fatal(err)
	}
	return slices.Concat(objects, tests)
}

func checkVersion(t *testing.T, what string, o *manifest.Object, version string) {
	t.Helper()
	for _, f := range tooNew(o.Node, version) {
		since := "on in no version"
		if f.since != never {
			since = "on since " + f.since
		}
		t.Errorf("%s on %s: %s %s has %s %s, %s", what, version, o.Kind, o.Name, f.path, f.value, since)
	}
}

// TestVersionsRefuses: every line of the table finds an object that has its field, in the
// versions before it is on and in no others, in all kinds that have pods too.
func TestVersionsRefuses(t *testing.T) {
	for _, f := range fields {
		kinds := []string{f.kind}
		switch f.kind {
		case "":
			kinds = []string{"ResourceClaim", "Workload"}
		case "Pod":
			kinds = nil
			for kind := range podPaths {
				kinds = append(kinds, kind)
			}
		}
		for _, kind := range kinds {
			object := made(f, kind)
			for _, version := range kubeVersions {
				want := f.since == never || version < f.since
				if got := slices.Contains(tooNew(object, version), f); got != want {
					t.Errorf("%s on %s: found is %v:\n%s", f.path, version, got, manifest.Print(object))
				}
			}
		}
		if f.value != "" && f.path != "apiVersion" {
			other := f
			other.value = "other"
			if object := made(other, kinds[0]); slices.Contains(tooNew(object, "1.32"), f) {
				t.Errorf("%s is found without the value %s", f.path, f.value)
			}
		}
	}
	if found := tooNew(document(t, "{apiVersion: apps/v1, kind: Deployment, spec: {template: {spec: {hostUsers: true}}}}"), "1.32"); found != nil {
		t.Errorf("found %v", found)
	}
}

// made is an object of the kind that has the field.
func made(f field, kind string) *manifest.Node {
	path := f.path
	if f.kind == "Pod" {
		path = podPaths[kind] + "." + path
	}
	value := manifest.NewString(f.value)
	if f.value == "0" {
		value = manifest.NewInt(0)
	}
	steps := strings.Split(path, ".")
	for _, step := range slices.Backward(steps) {
		name, list := strings.CutSuffix(step, "[]")
		if list {
			value = manifest.NewList(manifest.NewMap(), value)
		}
		value = manifest.NewMap(manifest.Field{Key: name, Value: value})
	}
	value.Set("kind", manifest.NewString(kind))
	return value
}
