// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"os"
	"path/filepath"
	"testing"
)

// TestWriteFile: whatever is there stays what it is, with its permissions; only its text is
// another one.
func TestWriteFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(os.WriteFile(at("private"), []byte("old"), 0o600))
	must(os.Mkdir(at("folder"), 0o755))
	must(os.Symlink("../private", at("folder/link")))
	must(os.Symlink("folder/link", at("far")))
	must(os.Symlink("folder/later", at("ahead")))
	for name, want := range map[string]struct {
		file string
		mode os.FileMode
	}{
		"private": {"private", 0o600}, "folder/link": {"private", 0o600}, "far": {"private", 0o600},
		"ahead": {"folder/later", 0o644}, "new/file": {"new/file", 0o644},
	} {
		before, _ := os.Readlink(at(name))
		must(writeFile(at(name), []byte(name)))
		if after, _ := os.Readlink(at(name)); after != before {
			t.Errorf("%s was a link to %q, and is one to %q", name, before, after)
		}
		text, err := os.ReadFile(at(want.file))
		must(err)
		info, err := os.Lstat(at(want.file))
		must(err)
		if string(text) != name || info.Mode() != want.mode {
			t.Errorf("%s: %s is %q, %s", name, want.file, text, info.Mode())
		}
	}
	if err := writeFile(at("folder"), nil); err == nil {
		t.Error("a folder is written to")
	}
}
