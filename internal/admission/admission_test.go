// SPDX-License-Identifier: Apache-2.0

package admission_test

import (
	"strings"
	"testing"

	"kilter.dev/kilter/internal/admission"
	"kilter.dev/kilter/internal/manifest"
	"kilter.dev/kilter/internal/source"
)

func object(t *testing.T, text string) *manifest.Object {
	t.Helper()
	docs, errs := manifest.Parse(source.New("object.yaml", text))
	objects, more := manifest.Objects(docs)
	errs.Add(more)
	if err := errs.Err(); err != nil || len(objects) != 1 {
		t.Fatalf("%d objects, %v", len(objects), err)
	}
	return objects[0]
}

// policy is one about Deployments with the rest of its spec.
func policy(kind, rest string) string {
	return "{apiVersion: admissionregistration.k8s.io/v1, kind: " + kind + ", metadata: {name: p}, spec: {matchConstraints: {resourceRules: [" +
		"{apiGroups: [apps], apiVersions: [v1], operations: [CREATE], resources: [deployments]}]}, " + rest + "}}"
}

const (
	one = `{apiVersion: apps/v1, kind: Deployment, metadata: {name: web, labels: {team: a}}, spec: {selector: {matchLabels: {app: web}},
		template: {metadata: {labels: {app: web}}, spec: {containers: [{name: web, image: "web:1"}]}}}}`
	service = "{apiVersion: v1, kind: Service, metadata: {name: web}}"
)

// TestValidate: what a policy says, in the cases that the API server tells apart.
func TestValidate(t *testing.T) {
	for _, tt := range []struct{ rest, object, want string }{
		{`validations: [{expression: "object.spec.replicas > 1", message: too few}]`, one, "denied: too few"},
		{`validations: [{expression: "object.spec.replicas == 1", message: too few}]`, one, "passes"}, // the default
		{`validations: [{expression: "object.spec.replicas > 1"}]`, one, "denied: failed expression: object.spec.replicas > 1"},
		{`validations: [{expression: "false", message: m, messageExpression: "'has ' + string(object.spec.replicas)"}]`, one, "denied: has 1"},
		{`validations: [{expression: "false", message: m, messageExpression: "'a\\nb'"}]`, one, "denied: m"}, // not in one line
		{`validations: [{expression: "false", message: m, messageExpression: "string(object.nothing)"}]`, one, "denied: m"},
		{`validations: [{expression: "true"}, {expression: "false", message: second}, {expression: "false", message: third}]`, one, "denied: second"},
		{`variables: [{name: count, expression: object.spec.replicas}], validations: [{expression: "variables.count == 2", message: m}]`, one, "denied: m"},
		{`validations: [{expression: "false"}]`, service, "is not about it"},
		{`matchConditions: [{name: b, expression: "object.metadata.labels.team == 'b'"}], validations: [{expression: "false"}]`, one, "is not about it"},
		{`validations: [{expression: "object.metadata.labels.nothing == ''"}]`, one, "denied: expression 'object.metadata.labels.nothing == ''' resulted in error: no such key: nothing"},
		{`failurePolicy: Ignore, validations: [{expression: "object.metadata.labels.nothing == ''"}]`, one, "fails: expression 'object.metadata.labels.nothing == ''' resulted in error: no such key: nothing"},
		{`matchConditions: [{name: b, expression: "object.metadata.labels.b == 'b'"}], validations: [{expression: "true"}]`, one, "denied: expression 'object.metadata.labels.b == 'b'' resulted in error: no such key: b"},
	} {
		p, err := admission.Compile(object(t, policy("ValidatingAdmissionPolicy", tt.rest)), "1.34")
		if err != nil {
			t.Errorf("%s: %v", tt.rest, err)
			continue
		}
		if got := said(p.Validate(admission.Request{Object: object(t, tt.object)})); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.rest, got, tt.want)
		}
	}
}

func said(v admission.Verdict) string {
	switch {
	case v.Denied:
		return "denied: " + v.Message
	case v.Err != nil:
		return "fails: " + v.Err.Error()
	case !v.Matches:
		return "is not about it"
	}
	return "passes"
}

// TestUpdate: a policy for CREATE is not about a change.
func TestUpdate(t *testing.T) {
	p, err := admission.Compile(object(t, policy("ValidatingAdmissionPolicy", `validations: [{expression: "false"}]`)), "1.34")
	if err != nil {
		t.Fatal(err)
	}
	if got := said(p.Validate(admission.Request{Object: object(t, one), Old: object(t, one)})); got != "is not about it" {
		t.Error(got)
	}
}

// TestMutate: patches are made one after the other, each on what the one before left, with the
// API server's defaults between them.
func TestMutate(t *testing.T) {
	p, err := admission.Compile(object(t, policy("MutatingAdmissionPolicy", `reinvocationPolicy: Never, mutations: [
		{patchType: JSONPatch, jsonPatch: {expression: "[JSONPatch{op: 'replace', path: '/spec/strategy', value: {'type': 'RollingUpdate'}}]"}},
		{patchType: JSONPatch, jsonPatch: {expression: "has(object.spec.strategy.rollingUpdate) ? [JSONPatch{op: 'add', path: '/spec/replicas', value: 5}] : []"}}]`)), "1.36")
	if err != nil {
		t.Fatal(err)
	}
	if !p.Mutates() {
		t.Error("the policy mutates")
	}
	out, err := p.Mutate(admission.Request{Object: object(t, one)})
	if err != nil {
		t.Fatal(err)
	}
	if got := out["spec"].(map[string]any)["replicas"]; got != int64(5) {
		t.Errorf("replicas %v, want 5", got)
	}
}

// TestApplyConfiguration: such a mutation is merged by the types, and refused where it would
// change what is atomic.
func TestApplyConfiguration(t *testing.T) {
	for expression, want := range map[string]string{
		"Object{spec: Object.spec{replicas: 4}}": "",
		"Object{spec: Object.spec{template: Object.spec.template{spec: Object.spec.template.spec{tolerations: [Object.spec.template.spec.tolerations{key: 'a'}]}}}}": "may not mutate atomic arrays, maps or structs",
	} {
		p, err := admission.Compile(object(t, policy("MutatingAdmissionPolicy", `reinvocationPolicy: Never, mutations: [
			{patchType: ApplyConfiguration, applyConfiguration: {expression: "`+expression+`"}}]`)), "1.36")
		if err != nil {
			t.Error(err)
			continue
		}
		out, err := p.Mutate(admission.Request{Object: object(t, one)})
		switch {
		case want != "" && (err == nil || !strings.Contains(err.Error(), want)):
			t.Errorf("%s: %v, want %q", expression, err, want)
		case want == "" && err != nil:
			t.Error(err)
		case want == "" && out["spec"].(map[string]any)["replicas"] != int64(4):
			t.Errorf("%s: %v", expression, out["spec"])
		}
	}
}

// TestAllErrors: everything that is wrong with a policy is said at once, where it stands.
func TestAllErrors(t *testing.T) {
	_, err := admission.Compile(object(t, policy("ValidatingAdmissionPolicy",
		`variables: [{name: a, expression: a.}], validations: [{expression: "1"}, {expression: "true", messageExpression: "2"}], auditAnnotations: [{key: a, valueExpression: b.}]`)), "1.34")
	for _, want := range []string{"spec.variables[0].expression", "spec.validations[0].expression", "spec.validations[1].messageExpression", "spec.auditAnnotations[0].valueExpression"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

// TestCompileRefuses: what an API server of the version refuses.
func TestCompileRefuses(t *testing.T) {
	for _, tt := range []struct{ kind, rest, version, want string }{
		{"ValidatingAdmissionPolicy", `validations: [{expression: "object.spec."}]`, "1.34", "object.yaml:1:260: error: spec.validations[0].expression: compilation failed: 1:13: Syntax error"},
		{"ValidatingAdmissionPolicy", `validations: [{expression: "1"}]`, "1.34", "must evaluate to bool"},
		{"ValidatingAdmissionPolicy", `variables: [{name: a, expression: variables.b}], validations: [{expression: "true"}]`, "1.34", "spec.variables[0].expression: "},
		{"ValidatingAdmissionPolicy", `validations: [{expression: "[[1]].flatten() == [1]"}]`, "1.32", "flatten"}, // newer
		{"MutatingAdmissionPolicy", `mutations: [{patchType: JSONPatch}]`, "1.36", "spec.mutations[0]: neither jsonPatch nor"},
		{"MutatingAdmissionPolicy", `mutations: [{patchType: JSONPatch, jsonPatch: {expression: "1"}}]`, "1.36", "spec.mutations[0].jsonPatch.expression: must evaluate to"},
		{"ValidatingAdmissionPolicy", `validations: 3`, "1.34", "cannot unmarshal number"},
	} {
		_, err := admission.Compile(object(t, policy(tt.kind, tt.rest)), tt.version)
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", tt.rest, err, tt.want)
		}
	}
}
