// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// rows are the budgets, each with its peer.
func rows(root, scratch string) ([]row, error) {
	bin := func(name string) string { return filepath.Join(root, "bin", name) }
	chart := filepath.Join(root, "charts", "vllm-inference")
	corpus, err := corpusFiles(root, scratch)
	if err != nil {
		return nil, err
	}
	all := []row{
		{"version", "≤ 0.5", []program{
			{name: "helm version", args: []string{bin("helm3"), "version"}},
			{name: "kilter version", args: []string{bin("kilter"), "version"}},
		}},
		{"render", "≤ 1.0", []program{
			{name: "helm template", args: []string{bin("helm3"), "template", chart, "--kube-version", "1.34"}},
			{name: "kilter render", args: []string{bin("kilter"), "render", chart}},
		}},
		{"render-1000", "≤ 0.1 for each", []program{
			{name: "helm template", args: []string{bin("helm3"), "template", chart, "--kube-version", "1.34"}},
			{name: "kilter render, 1000 charts", args: append([]string{bin("kilter"), "render"}, slices.Repeat([]string{chart}, 1000)...), per: 1000},
		}},
		{"check", "≤ 0.33, ≤ 150 MB", []program{
			{name: "kube-score", args: append([]string{bin("kube-score"), "score"}, corpus...), exits: []int{1}},
			{name: "kilter check", args: append([]string{bin("kilter"), "check"}, corpus...), exits: []int{1, 3}},
		}},
	}
	function, err := functionRow(bin, scratch)
	if err != nil {
		return nil, err
	}
	growth, err := growthRow(bin("kilter"), scratch)
	return append(all, function, growth), err
}

// corpusFiles are manifests of public charts where they are beside the project, and
// otherwise Kilter's own golden objects.
func corpusFiles(root, scratch string) ([]string, error) {
	if files, _ := filepath.Glob(filepath.Join(root, "..", "shared", "corpus", "*.yaml")); len(files) > 0 {
		return files, nil
	}
	return filepath.Glob(filepath.Join(root, "golden", "*", "*.yaml"))
}

const kustomization = `resources: [deployment.yaml]
transformers:
- |-
  apiVersion: kilter.dev/v1alpha1
  kind: Workload
  metadata:
    name: llama
    annotations:
      config.kubernetes.io/function: "exec: {path: %s}"
  spec: {profile: vllm-inference}
`

const deployment = `apiVersion: apps/v1
kind: Deployment
metadata: {name: llama, labels: {kilter.dev/profile: vllm-inference}}
spec:
  selector: {matchLabels: {app: llama}}
  template:
    metadata: {labels: {app: llama}}
    spec:
      containers:
      - name: server
        image: vllm/vllm-openai:v0.20.0
        args: [Qwen/Qwen3-8B]
        resources: {limits: {nvidia.com/gpu: 1, memory: 64Gi}}
`

// functionRow is `kustomize build` with Kilter as an exec function, beside cat, which
// changes nothing.
func functionRow(bin func(string) string, scratch string) (row, error) {
	r := row{name: "function", budget: "≤ 1.6"}
	for _, f := range []struct{ name, path string }{{"cat", "/bin/cat"}, {"kilter", bin("kilter")}} {
		dir := filepath.Join(scratch, f.name)
		if err := writeFiles(dir, map[string]string{
			"kustomization.yaml": fmt.Sprintf(kustomization, f.path), "deployment.yaml": deployment,
		}); err != nil {
			return r, err
		}
		r.programs = append(r.programs, program{
			name: "kustomize build with " + f.name, args: []string{bin("kustomize"), "build", "--enable-alpha-plugins", "--enable-exec", dir},
		})
	}
	return r, nil
}

// growthRow checks the same objects under 100, 1,000 and 10,000 names.
func growthRow(kilter, scratch string) (row, error) {
	r := row{name: "growth", budget: "≤ 11 for 10 times the objects, ≤ 121 for 100"}
	for _, n := range []int{50, 500, 5000} {
		var b strings.Builder
		for i := range n {
			name := fmt.Sprintf("llama-%d", i)
			b.WriteString(strings.ReplaceAll(deployment, "llama", name))
			fmt.Fprintf(&b, "---\napiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: {name: %[1]s}\nspec: {maxUnavailable: 1, selector: {matchLabels: {app: %[1]s}}}\n---\n", name)
		}
		dir := filepath.Join(scratch, fmt.Sprint(n))
		if err := writeFiles(dir, map[string]string{"all.yaml": b.String()}); err != nil {
			return r, err
		}
		r.programs = append(r.programs, program{
			name: fmt.Sprintf("kilter check, %d objects", 2*n), args: []string{kilter, "check", dir}, exits: []int{1},
		})
	}
	return r, nil
}

func writeFiles(dir string, files map[string]string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}
