// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"fmt"
	"io"
	"regexp"
	"strings"

	"github.com/spf13/cobra"

	"kilter.dev/kilter/internal/diag"
	"kilter.dev/kilter/internal/kube"
	"kilter.dev/kilter/internal/manifest"
	"kilter.dev/kilter/internal/policytest"
)

type policyTestOptions struct {
	streams
	kube, pattern, output string
	verbose               bool
}

func newPolicyTest(s streams) *cobra.Command {
	o := &policyTestOptions{streams: s}
	c := &cobra.Command{
		Use:   "test DIR...",
		Short: "Try admission policies, of Kilter or your own, on cases beside them",
		Long: `Try ValidatingAdmissionPolicies and MutatingAdmissionPolicies on cases, without a cluster: in
the API server's own evaluator, within its limits, on objects of its types with its defaults.

Below DIR each folder that has a folder tests is looked at: it holds policies and, if there
are any, their bindings. In tests the names of files say what they are, as for kat, the
Kubernetes Admission Tester:

  POLICY.CASE.OUTCOME.object.yaml     OUTCOME is allow, deny, warn or audit
  POLICY.CASE.object.yaml             for a policy that mutates

Further files of a case have another end: oldObject.yaml for an update or, alone, a deletion;
params.yaml; namespaceObject.yaml; request.yaml with all of these and userInfo. What is said
is compared with message.txt, warnings.txt and annotations.yaml, what is made of the object
with gold.yaml; without that it must not change. Who asks is kubernetes-admin unless a
request.yaml says otherwise; an authorizer has no opinion on anybody. A policy without a binding is taken to do
what the case expects about what it finds.

The exit code is 1 when a case fails.`,
		Example: `  kilter policy test policies/
  kilter policy test policies/owner --run missing-label -v`,
		Args: needPaths,
		RunE: func(_ *cobra.Command, args []string) error { return o.run(args) },
	}
	f := c.Flags()
	f.StringVar(&o.kube, "kube-version", "", "Kubernetes `VERSION` of the cluster (default 1.34)")
	f.StringVar(&o.pattern, "run", "", "only cases whose names match the `REGEXP`")
	f.BoolVarP(&o.verbose, "verbose", "v", false, "name the cases that pass, too")
	outputFlag(c, &o.output, "text", "json")
	return c
}

func (o *policyTestOptions) run(dirs []string) error {
	if o.output != "text" && o.output != "json" {
		return usagef("--output is text or json, not %q", o.output)
	}
	if err := checkFlag("--kube-version", o.kube, kube.Problem); err != nil {
		return err
	}
	pattern, err := regexp.Compile(o.pattern)
	if err != nil {
		return usagef("--run: %v", err)
	}
	version := kube.Minor(o.kube)
	if version == "" {
		version = kube.Default
	}
	var results []policytest.Result
	var errs diag.List
	for _, dir := range dirs {
		some, list := policytest.Run(dir, version, pattern.MatchString)
		results = append(results, some...)
		errs.Add(list)
	}
	if err := errs.Err(); err != nil {
		return err
	}
	if len(results) == 0 {
		return inputError{fmt.Errorf("there are no cases in %s", strings.Join(dirs, ", ")), "put them into a folder tests beside the policy; see kilter policy test --help"}
	}
	if o.output == "json" {
		_, err = fmt.Fprintln(o.out, manifest.JSON(resultsJSON(results)))
	} else {
		err = o.print(results)
	}
	if failed(results) > 0 && err == nil {
		return errResults
	}
	return err
}

func failed(results []policytest.Result) (n int) {
	for _, r := range results {
		if r.Failure != "" {
			n++
		}
	}
	return n
}

func (o *policyTestOptions) print(results []policytest.Result) error {
	var text strings.Builder
	for _, r := range results {
		switch {
		case r.Failure != "":
			fmt.Fprintf(&text, "FAIL  %s\n%s", r.File, indented(r.Failure))
		case o.verbose:
			fmt.Fprintf(&text, "ok    %s\n", r.File)
		}
	}
	fmt.Fprintf(&text, "%s, %d failed\n", diag.Plural(len(results), "case"), failed(results))
	_, err := io.WriteString(o.out, text.String())
	return err
}

func resultsJSON(results []policytest.Result) *manifest.Node {
	list := manifest.NewList()
	for _, r := range results {
		item := manifest.NewMap(
			manifest.Field{Key: "case", Value: manifest.NewString(r.Name)},
			manifest.Field{Key: "policy", Value: manifest.NewString(r.Policy())},
			manifest.Field{Key: "file", Value: manifest.NewString(r.File)},
			manifest.Field{Key: "passed", Value: manifest.NewBool(r.Failure == "")},
		)
		if r.Failure != "" {
			item.Set("failure", manifest.NewString(r.Failure))
		}
		list.Items = append(list.Items, item)
	}
	return list
}
