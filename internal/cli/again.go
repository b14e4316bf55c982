// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"

	"kilter.dev/kilter/internal/blueprint"
	"kilter.dev/kilter/internal/source"
)

// earlier returns the workload file that is in dir already, nil for none that can be read.
// One of another profile is refused: its files would stay between the new ones.
func earlier(dir, profile string) (*workloadFile, error) {
	name := filepath.Join(dir, workloadName)
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, nil
	}
	w, err := parseWorkload(source.New(name, string(text)))
	if w != nil && w.Profile != "" && w.Profile != profile {
		return nil, inputError{fmt.Errorf("%s is a workload of the profile %s", dir, w.Profile), "choose another folder with -o DIR"}
	}
	if err != nil {
		return nil, nil
	}
	return w, nil
}

// fixedChanges returns the fixed parameters whose values differ between the earlier
// workload file, which may be nil, and w.
func fixedChanges(b *blueprint.Blueprint, earlier *workloadFile, w blueprint.Workload) []string {
	if earlier == nil {
		return nil
	}
	old, errs := b.Params.Check(earlier.Parameters)
	if errs.Err() != nil {
		return nil
	}
	var changed []string
	for _, f := range b.Profile.Fixed {
		before, _ := old.At(f.Path)
		if after, _ := w.Values.At(f.Path); !reflect.DeepEqual(before, after) {
			changed = append(changed, f.Path)
		}
	}
	return changed
}
