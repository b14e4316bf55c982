// SPDX-License-Identifier: Apache-2.0

package golden_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer/json"
	"k8s.io/client-go/kubernetes/scheme"

	"kilter.dev/kilter/internal/blueprint"
	"kilter.dev/kilter/internal/diag"
	"kilter.dev/kilter/internal/manifest"
	"kilter.dev/kilter/internal/profile"
	"kilter.dev/kilter/internal/source"
)

// kubeVersions are the Kubernetes versions that Kilter supports.
var kubeVersions = []string{"1.32", "1.33", "1.34", "1.35", "1.36", "1.37"}

// foreign are the kinds that profiles emit and Kubernetes does not define.
var foreign = []string{
	"monitoring.coreos.com/v1 PodMonitor",
	"monitoring.coreos.com/v1 PrometheusRule",
	"gateway.networking.k8s.io/v1 HTTPRoute",
	"keda.sh/v1alpha1 ScaledObject",
	"jobset.x-k8s.io/v1alpha2 JobSet",
	"leaderworkerset.x-k8s.io/v1 LeaderWorkerSet",
	"kubeflow.org/v2beta1 MPIJob",
	"sparkoperator.k8s.io/v1beta2 SparkApplication",
	"sparkoperator.k8s.io/v1beta2 ScheduledSparkApplication",
	"kafka.strimzi.io/v1 Kafka",
	"kafka.strimzi.io/v1 KafkaNodePool",
	"kafka.strimzi.io/v1 KafkaRebalance",
	"kafka.strimzi.io/v1 KafkaTopic",
	"kafka.strimzi.io/v1 KafkaUser",
}

// strict decodes what Kubernetes defines and takes an unknown or repeated field for an error.
func strict() runtime.Decoder {
	return json.NewSerializerWithOptions(json.DefaultMetaFactory, scheme.Scheme, scheme.Scheme, json.SerializerOptions{Strict: true})
}

// decode decodes the object into the type that its apiVersion and kind name.
func decode(n *manifest.Node) error {
	if slices.Contains(foreign, n.Get("apiVersion").Text()+" "+n.Get("kind").Text()) {
		return nil
	}
	_, _, err := strict().Decode([]byte(manifest.JSON(n)), nil, nil)
	return err
}

// TestDecode: the API server would take every object of every case, the pods of helm test
// too, on every Kubernetes version: no field is unknown, repeated or of a wrong type.
func TestDecode(t *testing.T) {
	for _, b := range blueprints(t) {
		for _, c := range b.Profile.Cases {
			t.Run(b.Profile.Name+"/"+c.Name, func(t *testing.T) {
				for _, version := range kubeVersions {
					for _, o := range onVersion(t, b, c, version) {
						if err := decode(o.Node); err != nil {
							t.Errorf("on %s: %v\n%s", version, err, manifest.Print(o.Node))
						}
					}
				}
			})
		}
	}
}

// onVersion renders the case and its pods of helm test for a Kubernetes version. There are
// none where the version is lower than the case's own and a constraint says that this is
// the reason; no other failure is one of the version.
func onVersion(t *testing.T, b *blueprint.Blueprint, c profile.Case, version string) []*manifest.Object {
	t.Helper()
	w, err := b.CaseWorkload(c, release, namespace)
	if err != nil {
		t.Fatal(err)
	}
	w.KubeVersion = version
	objects, err := b.Render(w)
	if err != nil {
		if reason := tooLow(err); reason == "" || version >= c.KubeVersion {
			t.Errorf("on %s: %v", version, err)
		}
		return nil
	}
	tests, err := b.RenderTests(w)
	if err != nil {
		t.Fatal(err)
	}
	return slices.Concat(objects, tests)
}

// tooLow returns the message of constraints that are violated for nothing but the
// Kubernetes version, "" for any other error.
func tooLow(err error) string {
	var list diag.List
	if !errors.As(err, &list) {
		return ""
	}
	for _, d := range list {
		if d.Code != blueprint.ConstraintCode || !strings.Contains(d.Message, "Kubernetes 1.") {
			return ""
		}
	}
	return list.Error()
}

// TestDecodeRefuses: what TestDecode relies on finds mistakes.
func TestDecodeRefuses(t *testing.T) {
	for _, c := range []struct{ name, object, want string }{
		{"good", "{apiVersion: apps/v1, kind: Deployment, metadata: {name: a}, spec: {replicas: 1}}", ""},
		{"foreign", "{apiVersion: keda.sh/v1alpha1, kind: ScaledObject, spec: {anything: 1}}", ""},
		{"unknown field", "{apiVersion: apps/v1, kind: Deployment, spec: {podReplacementPolicy: Failed}}", `unknown field "spec.podReplacementPolicy"`},
		{"wrong type", "{apiVersion: v1, kind: Pod, spec: {containers: [{name: a, env: [{name: A, value: 1}]}]}}", "cannot unmarshal number"},
		{"unknown kind", "{apiVersion: example.com/v1, kind: Widget}", `no kind "Widget" is registered`},
		{"unknown version", "{apiVersion: autoscaling/v9, kind: HorizontalPodAutoscaler}", "no kind"},
	} {
		refuses(t, c.name, document(t, c.object), c.want)
	}
	repeated := document(t, "{apiVersion: v1, kind: ConfigMap, data: {a: b}}")
	repeated.Fields = append(repeated.Fields, repeated.Fields[2])
	refuses(t, "repeated field", repeated, `duplicate field "data"`)
}

// document parses the one document of text.
func document(t testing.TB, text string) *manifest.Node {
	t.Helper()
	docs, errs := manifest.Parse(source.New("object.yaml", text))
	if err := errs.Err(); err != nil || len(docs) != 1 {
		t.Fatalf("%d documents: %v", len(docs), err)
	}
	return docs[0]
}

func refuses(t *testing.T, name string, object *manifest.Node, want string) {
	t.Helper()
	err := decode(object)
	switch {
	case want == "" && err != nil:
		t.Errorf("%s: %v", name, err)
	case want != "" && (err == nil || !strings.Contains(err.Error(), want)):
		t.Errorf("%s: got error %v, want %q", name, err, want)
	}
}
