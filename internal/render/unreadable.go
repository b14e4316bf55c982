// SPDX-License-Identifier: Apache-2.0

package render

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"kilter.dev/kilter/internal/diag"
	"kilter.dev/kilter/internal/source"
)

// Unreadable says why the file or folder at path cannot be read, and what to do.
func Unreadable(path string, err error) diag.List {
	var list diag.List
	say := func(format string, args ...any) *diag.Diagnostic {
		return list.Errorf(source.Span{}, "unreadable", format, args...)
	}
	target, noLink := os.Readlink(path)
	info, noInfo := os.Stat(path)
	var detail *fs.PathError
	switch {
	case !errors.Is(err, fs.ErrNotExist):
		if errors.As(err, &detail) {
			err = detail.Err // the path is named already
		}
		d := say("cannot read %q: %v", path, err)
		switch {
		case noInfo == nil && info.IsDir() && !errors.Is(err, fs.ErrPermission):
			d.Hint = "it is a folder: give a file"
		case errors.Is(err, fs.ErrPermission):
			d.Hint = "make it readable for the user who runs kilter"
		}
	case path == "":
		say("a path is empty").Hint = "is a variable not set?"
	case noLink == nil:
		list.Errorf(source.Span{File: source.New(path, "")}, "unreadable", "this is a link to %q, which is not there", target)
	default:
		say("there is no file or folder %q", path).Hint = diag.DidYouMean(filepath.Base(path), siblings(path))
	}
	return list
}

// siblings are the names in the folder of path.
func siblings(path string) []string {
	entries, _ := os.ReadDir(filepath.Dir(path))
	names := make([]string, 0, len(entries))
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}
