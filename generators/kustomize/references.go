// SPDX-License-Identifier: Apache-2.0

package kustomize

// The file, listed under configurations, by which kustomize finds the names that custom
// resources have of others, and gives them the prefix or suffix that it gives to those
// (https://github.com/kubernetes-sigs/kustomize/issues/4674). Kubernetes' own it knows.
const (
	ReferencesName = "references.yaml"
	References     = `nameReference:
- kind: Deployment
  fieldSpecs:
  - kind: ScaledObject
    path: spec/scaleTargetRef/name
- kind: StatefulSet
  fieldSpecs:
  - kind: ScaledObject
    path: spec/scaleTargetRef/name
`
)
