// SPDX-License-Identifier: Apache-2.0

// Package profiles embeds the built-in profiles: one folder each, data only.
package profiles

import (
	"embed"
	"io/fs"
)

// FS holds a folder for every built-in profile; all: embeds fragments too, whose names begin
// with _.
//
//go:embed all:*
var FS embed.FS

// Parts holds a folder for every part that profiles share.
func Parts() fs.FS {
	parts, err := fs.Sub(FS, "parts")
	if err != nil {
		panic(err) // never: the name is valid
	}
	return parts
}
