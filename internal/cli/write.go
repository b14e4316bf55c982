// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"github.com/rogpeppe/go-internal/txtar"

	"kilter.dev/kilter/internal/render"
)

// writeFiles writes files below dir, each whole, by rename. A folder that holds anything
// is refused unless force is set. A new folder appears complete or not at all.
func writeFiles(dir string, files []txtar.File, force bool) error {
	entries, err := os.ReadDir(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return writeNew(dir, files)
	case err != nil && exists(dir):
		return inputError{fmt.Errorf("%s is not a folder", dir), "choose another folder with -o DIR"}
	case err != nil:
		return render.Unreadable(dir, err)
	case len(entries) > 0 && !force:
		return inputError{fmt.Errorf("%s exists and is not empty", dir), "choose another folder with -o DIR, or replace files of the same name with --force"}
	}
	if err := inTheWay(dir, files); err != nil {
		return err
	}
	for _, f := range files {
		if err := writeFile(filepath.Join(dir, filepath.FromSlash(f.Name)), f.Data); err != nil {
			return err
		}
	}
	return nil
}

// generated are the folders whose files Kilter makes and other programs read as a whole.
var generated = []string{"chart/templates", "chart/tests", "chart/ci", "kustomize/base"}

// leftovers returns the files in the generated folders below dir that are none of the given.
func leftovers(dir string, files []txtar.File) []string {
	known := map[string]bool{}
	for _, f := range files {
		known[f.Name] = true
	}
	var left []string
	for _, folder := range generated {
		if entries, err := os.ReadDir(filepath.Join(dir, filepath.FromSlash(folder))); err == nil {
			for _, e := range entries {
				if name := folder + "/" + e.Name(); !e.IsDir() && !known[name] {
					left = append(left, filepath.Join(dir, filepath.FromSlash(name)))
				}
			}
		}
	}
	return left
}

// inTheWay finds, before anything is written, a folder where a file must go, or a file
// where a folder must.
func inTheWay(dir string, files []txtar.File) error {
	for _, f := range files {
		for name, folder := f.Name, false; name != "."; name, folder = path.Dir(name), true {
			full := filepath.Join(dir, filepath.FromSlash(name))
			info, err := os.Stat(full)
			switch {
			case err != nil || info.IsDir() == folder:
			case folder:
				return inputError{fmt.Errorf("%s is in the way: a folder of that name is needed", full), "move it away"}
			default:
				return inputError{fmt.Errorf("the folder %s is in the way of a file of that name", full), "move it away"}
			}
		}
	}
	return nil
}

func writeNew(dir string, files []txtar.File) error {
	parent := filepath.Dir(filepath.Clean(dir))
	if err := os.MkdirAll(parent, 0o755); err != nil {
		return err
	}
	temp, err := os.MkdirTemp(parent, ".kilter-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	for _, f := range files {
		name := filepath.Join(temp, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(name, f.Data, 0o644); err != nil {
			return err
		}
	}
	if err := os.Chmod(temp, 0o755); err != nil {
		return err
	}
	return os.Rename(temp, dir)
}

// writeFile writes a file whole, by rename. One that is there keeps its permissions, and a link
// to it stays one. What is no file, such as /dev/stdout, is written to.
func writeFile(name string, data []byte) error {
	mode := fs.FileMode(0o644)
	switch info, err := os.Stat(name); {
	case err != nil:
	case !info.Mode().IsRegular():
		return os.WriteFile(name, data, mode)
	default:
		mode = info.Mode().Perm()
	}
	name = linked(name)
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	temp, err := os.CreateTemp(filepath.Dir(name), ".kilter-")
	if err != nil {
		return err
	}
	defer os.Remove(temp.Name())
	if _, err := temp.Write(data); err != nil {
		temp.Close()
		return err
	}
	if err := temp.Chmod(mode); err != nil {
		temp.Close()
		return err
	}
	if err := temp.Close(); err != nil {
		return err
	}
	return os.Rename(temp.Name(), name)
}

// linked is what a link leads to, whether it is there or not; the name itself of anything else.
func linked(name string) string {
	const most = 40 // links behind each other, as in Linux
	for range most {
		to, err := os.Readlink(name)
		if err != nil {
			break
		}
		if !filepath.IsAbs(to) {
			to = filepath.Join(filepath.Dir(name), to)
		}
		name = to
	}
	return name
}
