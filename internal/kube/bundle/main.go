// SPDX-License-Identifier: Apache-2.0

// Command bundle writes what package kube knows of the Kubernetes versions, from the
// modules that Kubernetes publishes:
//
//	go run ./internal/kube/bundle internal/kube/bundle.txt.gz           # or go generate ./internal/kube
//	go run ./internal/kube/bundle -check internal/kube/bundle.txt.gz    # exit 1 when it would differ
//
// It needs the Go module proxy, or a module cache that has the modules already (130 MB).
// The text is one line for each thing, its words parted by one blank:
//
//	versions VERSION...                            the columns of what follows
//	type MASK NAME FIELD=TYPE...                   a type that has these fields on the versions of MASK
//	kind MASK APIVERSION KIND RESOURCE SCOPE NAME  a kind; RESOURCE is "-" where it cannot be stored
//	gone APIVERSION KIND VERSION                   an API that VERSION, before all of these, removed
//	gate NAME STATES                               a feature gate, two characters for each version
//
// MASK is a hexadecimal bit set of versions, the first the lowest bit. NAME is the name in
// OpenAPI without "io.k8s." in front. A type that may hold anything is "type MASK NAME *".
// TYPE is a letter (s string, i int32, l int64, n number, b boolean, q quantity, x integer
// or string, y base64, t time, * anything), @NAME, {}TYPE for a map, or [KEY,KEY]TYPE for a
// list, with the keys by which it is a map. STATES is "..", or a stage (A alpha, B beta, G
// GA, D deprecated) and + or - for the default, T or F where it is locked.
package main

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
)

// releases are the newest patch releases with a module of each version.
var releases = []string{"v1.32.13", "v1.33.13", "v1.34.4", "v1.35.4", "v1.36.3", "v1.37.2"}

func main() {
	check := flag.Bool("check", false, "compare with the file instead of writing it")
	flag.Parse()
	if flag.NArg() != 1 {
		fmt.Fprintln(os.Stderr, "usage: bundle [-check] FILE")
		os.Exit(2)
	}
	if err := run(flag.Arg(0), *check); err != nil {
		fmt.Fprintln(os.Stderr, "bundle:", err)
		os.Exit(1)
	}
}

func run(file string, check bool) error {
	text, err := generate()
	if err != nil {
		return err
	}
	if check {
		return compare(file, text)
	}
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return err
	}
	if _, err := io.WriteString(w, text); err != nil {
		return err
	}
	if err := w.Close(); err != nil {
		return err
	}
	return os.WriteFile(file, b.Bytes(), 0o644)
}

// compare looks at the text, as compressors of different Go releases may differ.
func compare(file, text string) error {
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	defer f.Close()
	r, err := gzip.NewReader(f)
	if err != nil {
		return err
	}
	old, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	if string(old) != text {
		return fmt.Errorf("%s is out of date: run go generate ./internal/kube", file)
	}
	return nil
}

// generate returns the text of the bundle.
func generate() (string, error) {
	lines := []string{"versions"}
	var types, kinds, gates table
	for i, release := range releases {
		lines[0] += " " + minor(release)
		dir, err := module("k8s.io/kubernetes@" + release)
		if err != nil {
			return "", err
		}
		if err := readTypes(dir, i, &types, &kinds); err != nil {
			return "", err
		}
		if err := readGates(dir, minor(release), i, &gates); err != nil {
			return "", err
		}
	}
	gone, err := readGone(&kinds)
	if err != nil {
		return "", err
	}
	lines = append(lines, types.masked("type")...)
	lines = append(lines, kinds.masked("kind")...)
	lines = append(lines, gone...)
	lines = append(lines, gates.columns("gate")...)
	return strings.Join(lines, "\n") + "\n", nil
}

// minor is the version of a release: "1.34" of "v1.34.4".
func minor(release string) string {
	return release[1:strings.LastIndexByte(release, '.')]
}

// module returns the folder of a module, which it downloads where needed.
func module(name string) (string, error) {
	cmd := exec.Command("go", "mod", "download", "-json", name)
	cmd.Dir = os.TempDir() // outside every module, whose go.mod would count
	out, err := cmd.Output()
	var result struct{ Dir, Error string }
	if jsonErr := json.Unmarshal(out, &result); jsonErr == nil && result.Error != "" {
		return "", fmt.Errorf("%s: %s", name, result.Error)
	}
	if err != nil {
		return "", fmt.Errorf("go mod download %s: %w", name, err)
	}
	return result.Dir, nil
}

// table holds a text for some names on each version.
type table struct{ rows map[string]*row }

// row has a column for each of releases.
type row [6]string

func (t *table) set(name string, version int, text string) {
	if t.rows == nil {
		t.rows = map[string]*row{}
	}
	if t.rows[name] == nil {
		t.rows[name] = &row{}
	}
	t.rows[name][version] = text
}

func (t *table) names() []string {
	names := make([]string, 0, len(t.rows))
	for name := range t.rows {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// masked returns a line for each name and each different text it has.
func (t *table) masked(word string) []string {
	var lines []string
	for _, name := range t.names() {
		row := t.rows[name]
		for i, text := range row {
			if text == "" || slices.Contains(row[:i], text) {
				continue
			}
			mask := 0
			for j := range row {
				if row[j] == text {
					mask |= 1 << j
				}
			}
			lines = append(lines, fmt.Sprintf("%s %x %s %s", word, mask, name, text))
		}
	}
	return lines
}

// columns returns a line for each name, with ".." where it has no text.
func (t *table) columns(word string) []string {
	var lines []string
	for _, name := range t.names() {
		line := word + " " + name + " "
		for _, text := range t.rows[name] {
			line += cmp.Or(text, "..")
		}
		lines = append(lines, line)
	}
	return lines
}
