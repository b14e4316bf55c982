// SPDX-License-Identifier: Apache-2.0

package rules_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"kilter.dev/kilter/internal/lint"
	"kilter.dev/kilter/internal/source"
)

// TestLongLists: no rule compares each item of a list with each of the others, which would take
// minutes here.
func TestLongLists(t *testing.T) {
	const n = 5_000
	var b strings.Builder
	b.WriteString("apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec:\n  containers:\n  - name: a\n    image: nginx\n")
	each := func(head, item string) {
		b.WriteString(head)
		for i := range n {
			fmt.Fprintf(&b, item, i, i)
		}
	}
	each("    env:\n", "    - {name: a-%d, value: x%d}\n")
	each("    ports:\n", "    - {name: p-%d, containerPort: %d}\n")
	each("    volumeMounts:\n", "    - {name: v-%d, mountPath: /%d}\n")
	each("  volumes:\n", "  - {name: v-%d, emptyDir: {sizeLimit: %dMi}}\n")
	b.WriteString("  - {name: v-1, emptyDir: {}}\n")
	objects := objectsOf(t, source.New("long.yaml", b.String()))
	start := time.Now()
	found := load(t).Run(objects, lint.Options{})
	if took := time.Since(start); took > 30*time.Second {
		t.Errorf("it takes %s", took)
	}
	for _, f := range found {
		if f.Code == "duplicate-list-keys" && strings.Contains(f.Message, "v-1") {
			return
		}
	}
	t.Error("the volume that is there twice is not found")
}
