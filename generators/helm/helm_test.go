// SPDX-License-Identifier: Apache-2.0

package helm_test

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"
)

var update = flag.Bool("update", false, "rewrite golden files")

// TestKitchenChart compares the whole chart with testdata/kitchen.txtar, where a
// reviewer can read it.
func TestKitchenChart(t *testing.T) {
	_, a := compile(t, kitchen)
	golden(t, "testdata/kitchen.txtar", string(txtar.Format(a)))
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	name = filepath.FromSlash(name)
	if *update {
		if err := os.WriteFile(name, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if diff := gocmp.Diff(string(want), got); diff != "" {
		t.Fatalf("the chart (+) is not the golden one (-); see it with -update:\n%s", diff)
	}
}
