// SPDX-License-Identifier: Apache-2.0

package kubernetes_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	podutil "k8s.io/kubernetes/pkg/api/pod"
	_ "k8s.io/kubernetes/pkg/apis/admissionregistration/install"
	_ "k8s.io/kubernetes/pkg/apis/certificates/install"
	_ "k8s.io/kubernetes/pkg/apis/coordination/install"
	"k8s.io/kubernetes/pkg/apis/core"
	_ "k8s.io/kubernetes/pkg/apis/discovery/install"
	_ "k8s.io/kubernetes/pkg/apis/flowcontrol/install"
	_ "k8s.io/kubernetes/pkg/apis/networking/install"
	_ "k8s.io/kubernetes/pkg/apis/node/install"
	_ "k8s.io/kubernetes/pkg/apis/rbac/install"
	_ "k8s.io/kubernetes/pkg/apis/resource/install"
	_ "k8s.io/kubernetes/pkg/apis/scheduling/install"
	_ "k8s.io/kubernetes/pkg/apis/storage/install"

	"kilter.dev/kilter/internal/kube"
	"kilter.dev/kilter/internal/manifest"
	"kilter.dev/kilter/internal/source"
)

// version is that of k8s.io/kubernetes in go.mod: the one whose defaults are compared.
const version = "1.37"

// undefaulted are the kinds that Kilter leaves as they are written, because they are no
// part of a workload: they come with a cluster, a driver or a policy engine.
var undefaulted = []string{
	"CSIDriver", "DeviceTaintRule", "FlowSchema", "MutatingAdmissionPolicy", "MutatingAdmissionPolicyBinding", "MutatingWebhookConfiguration",
	"Node", "PodCertificateRequest", "PriorityLevelConfiguration", "ResourceSlice", "ValidatingAdmissionPolicy",
	"ValidatingAdmissionPolicyBinding", "ValidatingWebhookConfiguration", "VolumeAttachment",
}

// annotated are the kinds to which the API server adds annotations of its own, which keep
// what a version has no field for: the template's generation of DaemonSets, and metrics.
var annotated = []string{"apps/v1 DaemonSet", "autoscaling/v1 HorizontalPodAutoscaler"}

// TestDefaults: Defaulted is what validating admission sees, for objects that are drawn.
func TestDefaults(t *testing.T) {
	compared := 0
	for _, kind := range stableKinds() {
		known, err := scheme.Scheme.New(kind)
		if err != nil {
			t.Fatal(err)
		}
		f, differ := filler{rand.New(rand.NewPCG(20260101, 1))}, 0
		for range 150 {
			object := f.object(kind, reflect.TypeOf(known).Elem())
			if diff := differs(native(t, object)); diff != "" {
				differ++
				if !slices.Contains(undefaulted, kind.Kind) && differ == 1 {
					t.Errorf("%s (-Kubernetes +Kilter):\n%s\n%s", kind, diff, object)
				}
			}
			compared++
		}
		if slices.Contains(undefaulted, kind.Kind) && differ == 0 {
			t.Errorf("%s is defaulted", kind.Kind)
		}
	}
	t.Logf("%d objects compared", compared)
	if compared < 5000 {
		t.Error("too few to mean anything")
	}
}

// corpus are rendered public charts; without them the test is skipped.
func corpus(t *testing.T) (all []*source.File) {
	t.Helper()
	names, _ := filepath.Glob("../../../shared/corpus/*.yaml")
	if len(names) == 0 {
		t.Skip("no files in ../shared/corpus beside the repository")
	}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, source.New(filepath.Base(name), string(text)))
	}
	return all
}

// TestDefaultsOfCorpus is TestDefaults of what people write.
func TestDefaultsOfCorpus(t *testing.T) {
	files := corpus(t)
	kinds, compared := stableKinds(), 0
	for _, file := range files {
		docs, _ := manifest.Parse(file)
		objects, _ := manifest.Objects(docs)
		for _, o := range objects {
			if kind := schema.FromAPIVersionAndKind(o.APIVersion, o.Kind); !slices.Contains(kinds, kind) || slices.Contains(undefaulted, kind.Kind) {
				continue
			}
			if diff := differs(manifest.Native(o.Node).(map[string]any)); diff != "" {
				t.Errorf("%s: %s %s (-Kubernetes +Kilter):\n%s", file.Name, o.Kind, o.Name, diff)
			}
			compared++
		}
	}
	t.Logf("%d objects compared", compared)
	if compared < 1000 {
		t.Error("too few to mean anything")
	}
}

// refusedLater matches the errors for what the API server reads and then refuses: TestIntOrString
// holds them against its validation.
var refusedLater = regexp.MustCompile(`is no percentage$|is negative$|cannot be more than 100%$`)

// differs compares what Kubernetes and Kilter make of an object.
func differs(object map[string]any) string {
	want, err := admitted(object)
	got, gotErr := kube.Defaulted(object, version)
	if err == nil && gotErr != nil && refusedLater.MatchString(gotErr.Error()) {
		return ""
	}
	if (err == nil) != (gotErr == nil) {
		return fmt.Sprintf("Kubernetes: %v\nKilter: %v\n", err, gotErr)
	}
	if err == nil && slices.Contains(annotated, object["apiVersion"].(string)+" "+object["kind"].(string)) {
		for _, o := range []map[string]any{want, got} {
			delete(o["metadata"].(map[string]any), "annotations")
		}
	}
	return cmp.Diff(withoutNulls(want), any(got))
}

// withoutNulls removes the lists of a type that are there though they are null: Defaulted
// leaves them out.
func withoutNulls(v any) any {
	switch x := v.(type) {
	case map[string]any:
		for key, item := range x {
			if x[key] = withoutNulls(item); item == nil {
				delete(x, key)
			}
		}
	case []any:
		for i, item := range x {
			x[i] = withoutNulls(item)
		}
	}
	return v
}

// admitted is an object as validating admission sees it: read with the defaults into the
// internal version, which completes the resources of pods, and back.
func admitted(object map[string]any) (map[string]any, error) {
	data, err := json.Marshal(object)
	if err != nil {
		return nil, err
	}
	o, kind, err := legacyscheme.Codecs.UniversalDecoder().Decode(data, nil, nil)
	if err != nil {
		return nil, err
	}
	if pod, ok := o.(*core.Pod); ok {
		podutil.DefaultPodLevelResources(pod)
	}
	if o, err = legacyscheme.Scheme.ConvertToVersion(o, kind.GroupVersion()); err != nil {
		return nil, err
	}
	return runtime.DefaultUnstructuredConverter.ToUnstructured(o)
}

// stableKinds returns the kinds with metadata of versions that are neither alpha nor beta.
func stableKinds() []schema.GroupVersionKind {
	var all []schema.GroupVersionKind
	for kind, t := range scheme.Scheme.AllKnownTypes() {
		f, ok := t.FieldByName("ObjectMeta")
		if ok && f.Anonymous && legacyscheme.Scheme.Recognizes(kind) && !strings.Contains(kind.Version, "alpha") && !strings.Contains(kind.Version, "beta") {
			all = append(all, kind)
		}
	}
	slices.SortFunc(all, func(a, b schema.GroupVersionKind) int { return strings.Compare(a.String(), b.String()) })
	return all
}

// native is the value as it is read from a file.
func native(t *testing.T, object map[string]any) map[string]any {
	t.Helper()
	node, err := manifest.FromNative(object)
	if err != nil {
		t.Fatal(err)
	}
	return manifest.Native(node).(map[string]any)
}
