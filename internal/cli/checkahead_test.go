// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"kilter.dev/kilter/internal/render"
)

// TestReadAhead: each file is read before it is asked for, whatever is wrong with others, and
// who asks again gets documents of their own.
func TestReadAhead(t *testing.T) {
	dir, paths := t.TempDir(), []string{}
	write := func(i int, text string) {
		if err := os.WriteFile(paths[i], []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 20 {
		paths = append(paths, filepath.Join(dir, fmt.Sprintf("%02d.yaml", i)))
		write(i, fmt.Sprintf("a: %d\n", i))
	}
	write(7, "a: [\n")
	in := &inputs{options: &judgeOptions{}, ahead: map[string]parsed{}}
	in.readAhead(append([]string{dir, render.Stdin, filepath.Join(dir, "none")}, paths...))
	if len(in.ahead) != len(paths) {
		t.Errorf("%d of %d files were read ahead", len(in.ahead), len(paths))
	}
	for i, path := range paths {
		write(i, "a: changed\n")
		docs, list := in.take(path)
		switch {
		case i == 7:
			if len(docs) != 0 || list.Err() == nil {
				t.Errorf("%s is read as %v", path, docs)
			}
		case len(docs) != 1 || list.Err() != nil || fmt.Sprint(docs[0].Get("a").Value) != fmt.Sprint(i):
			t.Errorf("%s was not read ahead: %v, %v", path, docs, list)
		}
		if again, _ := in.take(path); len(again) != 1 || again[0].Get("a").Text() != "changed" {
			t.Errorf("%s is not read again", path)
		}
	}
}
