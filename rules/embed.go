// SPDX-License-Identifier: Apache-2.0

// Package rules holds the rules: one YAML file each, what they share in variables.yaml,
// and in testdata the example of each, which is also its test. It is data only.
package rules

import "embed"

// FS is the folder.
//
//go:embed *.yaml testdata/*.txtar
var FS embed.FS
