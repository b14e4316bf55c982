// SPDX-License-Identifier: Apache-2.0

package e2e_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	monitoring "github.com/prometheus-operator/prometheus-operator/pkg/apis/monitoring/v1"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer/json"
	"k8s.io/client-go/kubernetes/scheme"
	gateway "sigs.k8s.io/gateway-api/apis/v1"
	jobset "sigs.k8s.io/jobset/api/jobset/v1alpha2"
	"sigs.k8s.io/yaml"
)

// definitions checks objects against what defines their kinds: Go types where there are
// light ones, else the CustomResourceDefinition in testdata/crd, as published or the part of it that is used.
type definitions struct {
	types   runtime.Decoder
	schemas map[string]*jsonschema.Schema // by apiVersion and kind
}

func newDefinitions(t *testing.T) definitions {
	t.Helper()
	known := runtime.NewScheme()
	if err := errors.Join(scheme.AddToScheme(known), monitoring.AddToScheme(known), jobset.AddToScheme(known), gateway.Install(known)); err != nil {
		t.Fatal(err)
	}
	d := definitions{
		types:   json.NewSerializerWithOptions(json.DefaultMetaFactory, known, known, json.SerializerOptions{Strict: true}),
		schemas: map[string]*jsonschema.Schema{},
	}
	for _, file := range glob(t, "testdata/crd/*.yaml") {
		d.addCRD(t, file)
	}
	return d
}

// addCRD adds the kinds that a CustomResourceDefinition defines.
func (d definitions) addCRD(t *testing.T, file string) {
	t.Helper()
	var crd struct {
		Spec struct {
			Group    string
			Names    struct{ Kind string }
			Versions []struct {
				Name   string
				Schema struct {
					OpenAPIV3Schema map[string]any `json:"openAPIV3Schema"`
				}
			}
		}
	}
	if err := yaml.Unmarshal([]byte(read(t, file)), &crd); err != nil {
		t.Fatal(err)
	}
	for _, v := range crd.Spec.Versions {
		id := crd.Spec.Group + "/" + v.Name + " " + crd.Spec.Names.Kind
		compiler := jsonschema.NewCompiler()
		if err := compiler.AddResource(id, closed(v.Schema.OpenAPIV3Schema)); err != nil {
			t.Fatal(err)
		}
		schema, err := compiler.Compile(id)
		if err != nil {
			t.Fatal(err)
		}
		d.schemas[id] = schema
	}
}

// closed returns the schema with no fields allowed but those it names, as the API server
// validates strictly.
func closed(schema map[string]any) map[string]any {
	properties, _ := schema["properties"].(map[string]any)
	for name, property := range properties {
		properties[name] = closed(property.(map[string]any))
	}
	for _, key := range []string{"items", "additionalProperties"} {
		if sub, ok := schema[key].(map[string]any); ok {
			schema[key] = closed(sub)
		}
	}
	if properties != nil && schema["x-kubernetes-preserve-unknown-fields"] != true {
		schema["additionalProperties"] = false
	}
	return schema
}

// check decodes the object as what its apiVersion and kind say, strictly. A kind that
// nothing defines is an error.
func (d definitions) check(o object) error {
	if schema := d.schemas[fmt.Sprintf("%v %v", o["apiVersion"], o["kind"])]; schema != nil {
		return schema.Validate(map[string]any(o))
	}
	text, err := yaml.Marshal(o)
	if err != nil {
		return err
	}
	text, err = yaml.YAMLToJSON(text)
	if err != nil {
		return err
	}
	_, _, err = d.types.Decode(text, nil, nil)
	return err
}

// TestDefinitions: every golden object is one of a kind that Kubernetes, the Prometheus
// operator, KEDA, JobSet, LeaderWorkerSet, the Gateway API, Strimzi or the Spark operator defines, and has only
// fields of that kind.
func TestDefinitions(t *testing.T) {
	d := newDefinitions(t)
	for _, file := range glob(t, "../golden/*/*.yaml") {
		for id, o := range plain(t, read(t, file)) {
			if err := d.check(o); err != nil {
				t.Errorf("%s: %s: %v", strings.TrimPrefix(file, "../"), id, err)
			}
		}
	}
}

// TestDefinitionsRefuse: what TestDefinitions relies on finds mistakes.
func TestDefinitionsRefuse(t *testing.T) {
	d := newDefinitions(t)
	for text, want := range map[string]string{
		"{apiVersion: monitoring.coreos.com/v1, kind: PodMonitor, spec: {selector: {}, podMetricsEndpoints: [{port: http}]}}":                                                                           "",
		"{apiVersion: monitoring.coreos.com/v1, kind: PodMonitor, spec: {selector: {}, podMetricsEndpoints: [{prot: http}]}}":                                                                           `unknown field "spec.podMetricsEndpoints[0].prot"`,
		"{apiVersion: monitoring.coreos.com/v1, kind: PrometheusRule, spec: {groups: [{name: a, rules: [{alert: A, expr: up, form: 1m}]}]}}":                                                            `unknown field "spec.groups[0].rules[0].form"`,
		"{apiVersion: keda.sh/v1alpha1, kind: ScaledObject, spec: {scaleTargetRef: {name: a}, triggers: [{type: cpu, metadata: {value: '1'}}]}}":                                                        "",
		"{apiVersion: keda.sh/v1alpha1, kind: ScaledObject, spec: {scaleTargetRef: {name: a}, triggers: [{type: cpu, metadata: {value: 1}}]}}":                                                          "/spec/triggers/0/metadata/value': got number, want string",
		"{apiVersion: keda.sh/v1alpha1, kind: ScaledObject, spec: {scaleTargetRef: {name: a}, triggers: [], maxReplicas: 1}}":                                                                           "additional properties 'maxReplicas' not allowed",
		"{apiVersion: keda.sh/v1alpha1, kind: ScaledObject, spec: {triggers: []}}":                                                                                                                      "missing property 'scaleTargetRef'",
		"{apiVersion: jobset.x-k8s.io/v1alpha2, kind: JobSet, spec: {replicatedJobs: [{name: a, template: {}}]}}":                                                                                       "",
		"{apiVersion: jobset.x-k8s.io/v1alpha2, kind: JobSet, spec: {replicatedJobs: [{name: a, jobTemplate: {}}]}}":                                                                                    `unknown field "spec.replicatedJobs[0].jobTemplate"`,
		"{apiVersion: sparkoperator.k8s.io/v1beta2, kind: SparkApplication, metadata: {}, spec: {type: R, sparkVersion: 4.0.1, mainApplicationFile: a.R, driver: {}, executor: {}, sparkConf: {a: 1}}}": "/spec/sparkConf/a': got number, want string",
		"{apiVersion: leaderworkerset.x-k8s.io/v1, kind: LeaderWorkerSet, spec: {leaderWorkerTemplate: {workerTemplate: {}, restartPolicy: Always}}}":                                                   "/spec/leaderWorkerTemplate/restartPolicy': value must be one of",
		"{apiVersion: gateway.networking.k8s.io/v1, kind: HTTPRoute, spec: {rules: [{backendRefs: [{name: a, port: 80}]}]}}":                                                                            "",
		"{apiVersion: gateway.networking.k8s.io/v1, kind: HTTPRoute, spec: {rules: [{backends: [{name: a, port: 80}]}]}}":                                                                               `unknown field "spec.rules[0].backends"`,
		"{apiVersion: kafka.strimzi.io/v1, kind: KafkaTopic, metadata: {}, spec: {partitions: 3, replicas: 3}}":                                                                                         "",
		"{apiVersion: kafka.strimzi.io/v1, kind: KafkaTopic, metadata: {}, spec: {partitions: 0}}":                                                                                                      "/spec/partitions': minimum",
		"{apiVersion: kafka.strimzi.io/v1, kind: Kafka, metadata: {}, spec: {kafka: {listeners: [{name: tls, port: 9093, type: internal, tls: true}], replicas: 3}}}":                                   "additional properties 'replicas' not allowed",
		"{apiVersion: kafka.strimzi.io/v1, kind: KafkaNodePool, metadata: {}, spec: {replicas: 3, roles: [zookeeper], storage: {type: jbod}}}":                                                          "/spec/roles/0': value must be one of",
		"{apiVersion: kafka.strimzi.io/v1beta2, kind: KafkaTopic, metadata: {}, spec: {partitions: 3}}":                                                                                                 `no kind "KafkaTopic" is registered`,
		"{apiVersion: apps/v1, kind: Deployment, spec: {replica: 1}}":                                                                                                                                   `unknown field "spec.replica"`,
		"{apiVersion: example.com/v1, kind: Widget}":   `no kind "Widget" is registered`,
		"{apiVersion: keda.sh/v1, kind: ScaledObject}": `no kind "ScaledObject" is registered`,
	} {
		err := d.check(documents(t, text)[0])
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got error %v, want %q", text, err, want)
		}
	}
}
