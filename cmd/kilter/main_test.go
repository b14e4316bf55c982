// SPDX-License-Identifier: Apache-2.0

package main

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

var update = flag.Bool("update", false, "rewrite expected output in scripts, README.md and docs/")

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"kilter": main})
}

// TestScripts drives the real command line. Each script finds the profile that
// docs/write-a-profile.md builds in profiles/web, and its own files.
func TestScripts(t *testing.T) {
	guide := readDocument(t, filepath.Join("..", "..", "docs", "write-a-profile.md"))
	testscript.Run(t, testscript.Params{
		Dir:                 filepath.Join("testdata", "script"),
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup:               func(env *testscript.Env) error { return guide.extract(env.WorkDir) },
		Cmds:                map[string]func(*testscript.TestScript, bool, []string){"exits": exits, "tree": tree},
	})
}

// exits CODE COMMAND... runs a command that must end with the given exit code.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE COMMAND...")
	}
	err := ts.Exec(args[1], args[2:]...)
	if got := exitCode(err); got != args[0] {
		ts.Fatalf("%v: exit code %s, want %s", args[1:], got, args[0])
	}
}

// tree DIR FILE writes the names of the files below DIR to FILE.
func tree(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: tree DIR FILE")
	}
	names := ""
	root := ts.MkAbs(args[0])
	err := filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name, err := filepath.Rel(root, path)
		names += filepath.ToSlash(name) + "\n"
		return err
	})
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), []byte(names), 0o644))
}
