// SPDX-License-Identifier: Apache-2.0

// Package policytest tries admission policies on cases that are files beside them: requests,
// and what is expected to become of them. The names of the files are those of kat, the
// Kubernetes Admission Tester; the objects are typed and have their defaults, as in the API
// server.
package policytest

import (
	"cmp"
	"fmt"
	"strings"

	gocmp "github.com/google/go-cmp/cmp"

	"kilter.dev/kilter/internal/admission"
	"kilter.dev/kilter/internal/diag"
	"kilter.dev/kilter/internal/kube"
	"kilter.dev/kilter/internal/source"
)

// Case is a request for a policy, and what is expected of it.
type Case struct {
	Name, File string // File is the one with the object, or the first
	Outcome    string // one of outcomes; "" for a policy that mutates

	policy   *admission.Policy
	bindings []*admission.Binding
	files    map[string]*source.File // by content
}

// Policy is the name of the policy.
func (c *Case) Policy() string { return c.policy.Name }

// Result is what became of a case.
type Result struct {
	*Case
	Failure string // "": it is as expected
}

// Run tries the cases at and below dir on a version of Kubernetes, those that only takes; nil
// takes all. The list holds what cannot be read.
func Run(dir, version string, only func(name string) bool) ([]Result, diag.List) {
	folders, errs := load(dir, version)
	if errs.Err() != nil {
		return nil, errs
	}
	var results []Result
	for _, f := range folders {
		for _, c := range f.cases {
			if only != nil && !only(c.Name) {
				continue
			}
			request, problems := c.request()
			errs.Add(problems)
			if problems.Err() == nil {
				results = append(results, Result{c, c.try(request, version)})
			}
		}
	}
	return results, errs
}

// try returns in what the policy does something else than expected; "" for nothing.
func (c *Case) try(request admission.Request, version string) string {
	if c.policy.Mutates() {
		return c.tryMutation(request, version)
	}
	if c.Outcome == "" {
		return "the name of its files says no outcome: " + strings.Join(outcomes, ", ")
	}
	said := c.validate(request)
	switch {
	case said.err != nil:
		return said.err.Error()
	case c.Outcome == "deny" && said.denied == "" && !said.matches:
		return "it is allowed: the policy, or its binding, is not about it"
	case c.Outcome == "deny" && said.denied == "":
		return "it is allowed"
	case c.Outcome != "deny" && said.denied != "":
		return "it is denied: " + said.denied
	case c.Outcome == "warn" && len(said.warnings) == 0:
		return "there is no warning"
	}
	for content, got := range map[string]string{"message.txt": said.denied, "warnings.txt": strings.Join(said.warnings, "\n")} {
		if f := c.files[content]; f != nil && strings.TrimSpace(f.Text) != got {
			return fmt.Sprintf("it says %q, want %q", got, strings.TrimSpace(f.Text))
		}
	}
	return c.annotated(said.annotations)
}

// annotated compares the annotations of the audit log that the case names.
func (c *Case) annotated(got map[string]string) string {
	f := c.files["annotations.yaml"]
	if f == nil {
		return ""
	}
	want, errs := document(f)
	if err := errs.Err(); err != nil {
		return err.Error()
	}
	for _, w := range want.Fields {
		if got[w.Key] != w.Value.Text() {
			return fmt.Sprintf("the audit annotation %s is %q, want %q", w.Key, got[w.Key], w.Value.Text())
		}
	}
	return ""
}

// said is what a validating policy says in all its bindings.
type said struct {
	matches     bool
	denied      string
	warnings    []string
	annotations map[string]string
	err         error
}

// validate asks the policy in each binding. A policy without one is asked by itself, and what
// it finds is what the case expects of findings.
func (c *Case) validate(request admission.Request) said {
	if len(c.bindings) == 0 {
		v := c.policy.Validate(request)
		out := said{matches: v.Matches, annotations: v.Annotations, err: failure(v)}
		switch {
		case v.Denied && c.Outcome == "warn":
			out.warnings = []string{v.Message}
		case v.Denied && c.Outcome != "audit":
			out.denied = v.Message
		}
		return out
	}
	var out said
	for _, b := range c.bindings {
		v := c.policy.ValidateBound(b, request)
		out.matches = out.matches || v.Matches
		out.err = cmp.Or(out.err, failure(v))
		if v.Annotations != nil {
			out.annotations = v.Annotations
		}
		if v.Denied && b.Does("Deny") && out.denied == "" {
			out.denied = v.Message
		}
		if v.Denied && b.Does("Warn") {
			out.warnings = append(out.warnings, v.Message)
		}
	}
	return out
}

// failure is what keeps a policy from being evaluated, unless that is a refusal.
func failure(v admission.Verdict) error {
	if v.Denied {
		return nil
	}
	return v.Err
}

// tryMutation compares what the policy makes of the object with what it is to be: the golden
// object, or without one the object as it is.
func (c *Case) tryMutation(request admission.Request, version string) string {
	if request.Object == nil {
		return "there is no object to mutate"
	}
	var got map[string]any
	var err error
	if len(c.bindings) == 0 {
		got, err = c.policy.Mutate(request)
	}
	for _, b := range c.bindings {
		if got, err = c.policy.MutateBound(b, request); err != nil {
			break
		}
	}
	if err != nil {
		return err.Error()
	}
	golden := request.Object
	if f := c.files["gold.yaml"]; f != nil {
		var errs diag.List
		if golden, errs = object(f); errs.Err() != nil {
			return errs.Error()
		}
	}
	want, err := kube.Defaulted(nativeOf(golden), version)
	if err != nil {
		return err.Error()
	}
	if got, err = kube.Defaulted(got, version); err != nil {
		return err.Error()
	}
	if diff := gocmp.Diff(want, got); diff != "" {
		return "the object is another one (-want +got):\n" + diff
	}
	return ""
}
