// SPDX-License-Identifier: Apache-2.0

// Package profiles embeds the built-in profiles: one folder each, data only.
package profiles

import "embed"

// FS holds a folder for every built-in profile.
//
//go:embed *
var FS embed.FS
