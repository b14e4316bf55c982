// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"os"
	"path/filepath"

	"kilter.dev/kilter/internal/manifest"
	"kilter.dev/kilter/internal/source"
)

// readGates reads the feature gates of the version in column i.
func readGates(dir, version string, i int, gates *table) error {
	files, err := filepath.Glob(filepath.Join(dir, "test/*/*/versioned_feature_list.yaml"))
	if err != nil || len(files) != 1 {
		return fmt.Errorf("%s: %d lists of feature gates: %w", dir, len(files), err)
	}
	text, err := os.ReadFile(files[0])
	if err != nil {
		return err
	}
	docs, errs := manifest.Parse(source.New(files[0], string(text)))
	if err := errs.Err(); err != nil {
		return err
	}
	for _, gate := range docs[0].Items {
		name := gate.Get("name").Text()
		state, err := stateOf(gate.Get("versionedSpecs").Items, version)
		if err != nil {
			return fmt.Errorf("%s: %s: %w", files[0], name, err)
		}
		if state != "" {
			gates.set(name, i, state)
		}
	}
	return nil
}

// stateOf is what the last of specs that version has says, "" when it has none.
func stateOf(specs []*manifest.Node, version string) (string, error) {
	stages := map[string]string{"Alpha": "A", "Beta": "B", "GA": "G", "": "G", "Deprecated": "D"}
	state := ""
	for _, spec := range specs {
		var major, minor, atMajor, atMinor int
		if _, err := fmt.Sscanf(spec.Get("version").Text(), "%d.%d", &major, &minor); err != nil {
			return "", err
		}
		if _, err := fmt.Sscanf(version, "%d.%d", &atMajor, &atMinor); err != nil {
			return "", err
		}
		if major > atMajor || major == atMajor && minor > atMinor {
			continue
		}
		stage, ok := stages[spec.Get("preRelease").Text()]
		if !ok {
			return "", fmt.Errorf("unknown stage %s", spec.Get("preRelease").Text())
		}
		on := spec.Get("default").Value == true
		locked := spec.Get("lockToDefault").Value == true
		state = stage + map[[2]bool]string{{true, false}: "+", {false, false}: "-", {true, true}: "T", {false, true}: "F"}[[2]bool{on, locked}]
	}
	return state, nil
}
