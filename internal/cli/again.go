// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"

	"kilter.dev/kilter/internal/blueprint"
	"kilter.dev/kilter/internal/diag"
)

func (o *newOptions) warn(message, hint string) {
	diag.List{{Severity: diag.Warning, Message: message, Hint: hint}}.Print(o.err, colour(o.err))
}

// fixedChanges returns the fixed parameters whose values differ between the workload file
// in dir, if there is one of the same profile, and w.
func fixedChanges(b *blueprint.Blueprint, dir string, w blueprint.Workload) []string {
	name := filepath.Join(dir, workloadName)
	text, err := os.ReadFile(name)
	if err != nil {
		return nil
	}
	file, err := parseWorkload(name, string(text))
	if err != nil || file.Profile != b.Profile.Name {
		return nil
	}
	old, errs := b.Params.Check(file.Parameters)
	if errs.Err() != nil {
		return nil
	}
	var changed []string
	for _, f := range b.Profile.Fixed {
		if !reflect.DeepEqual(valueAt(old, f.Path), valueAt(w.Values, f.Path)) {
			changed = append(changed, f.Path)
		}
	}
	return changed
}

// valueAt is the value of the parameter at a dotted path, nil for none.
func valueAt(values map[string]any, path string) any {
	var v any = values
	for key := range strings.SplitSeq(path, ".") {
		m, _ := v.(map[string]any)
		v = m[key]
	}
	return v
}
