// SPDX-License-Identifier: Apache-2.0

// Package e2e_test runs the real programs, Helm 3, Helm 4, kustomize, helm-unittest and
// kilter, as users do. It knows nothing of Kilter's packages: what it compares, it reads
// from files and from what the programs print. Run it by make e2e.
package e2e_test

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// The workload that golden files are rendered for.
const (
	release   = "demo"
	namespace = "apps"
)

// defaultKube is the Kubernetes version of a case that names none. Helm built from source
// takes clusters for Kubernetes 1.20, so that every call says the version.
const defaultKube = "1.34"

// run runs a program of ../bin and returns what it printed to standard output.
func run(t *testing.T, program string, args ...string) string {
	t.Helper()
	out, errText, err := try(t, program, args...)
	if err != nil {
		t.Fatalf("%s %s: %v\n%s%s", program, strings.Join(args, " "), err, errText, out)
	}
	return out
}

// try runs a program of ../bin in an environment without the user's settings. The error
// says that the program failed.
func try(t *testing.T, program string, args ...string) (out, errText string, err error) {
	t.Helper()
	return call{program: program, args: args}.try(t)
}

// call is a program of ../bin with what it is given.
type call struct {
	program string
	args    []string
	stdin   string
	env     []string // beside PATH and an empty HOME
	dir     string   // where it runs; "": here
}

func (c call) try(t *testing.T) (out, errText string, err error) {
	t.Helper()
	path, err := filepath.Abs(filepath.Join("..", "bin", c.program))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path); err != nil {
		t.Fatalf("bin/%s is missing: run make tools kilter", c.program)
	}
	var stdout, stderr bytes.Buffer
	command := exec.CommandContext(t.Context(), path, c.args...)
	command.Env = append([]string{"PATH=" + filepath.Dir(path) + ":" + os.Getenv("PATH"), "HOME=" + t.TempDir()}, c.env...)
	command.Dir = c.dir
	command.Stdin, command.Stdout, command.Stderr = strings.NewReader(c.stdin), &stdout, &stderr
	err = command.Run()
	if exit := new(exec.ExitError); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return stdout.String(), stderr.String(), err
}

// profileCase is a file profiles/PROFILE/cases/NAME.yaml.
type profileCase struct {
	profile, name string
	file          string // path of the values
	kube          string // Kubernetes version
}

// profiles returns the names of the built-in profiles.
func profiles(t *testing.T) []string {
	t.Helper()
	var names []string
	for _, file := range glob(t, "../profiles/*/profile.yaml") {
		names = append(names, filepath.Base(filepath.Dir(file)))
	}
	return names
}

// eachCase runs check for every case of every profile, in parallel.
func eachCase(t *testing.T, check func(*testing.T, profileCase)) {
	for _, profile := range profiles(t) {
		for _, file := range glob(t, "../profiles/"+profile+"/cases/*.yaml") {
			c := profileCase{profile, strings.TrimSuffix(filepath.Base(file), ".yaml"), file, kubeOf(t, file)}
			t.Run(c.profile+"/"+c.name, func(t *testing.T) {
				t.Parallel()
				check(t, c)
			})
		}
	}
}

var kubeComment = regexp.MustCompile(`(?m)^# kube: (1\.[0-9]+)$`)

// kubeOf returns the Kubernetes version that a values file asks for.
func kubeOf(t *testing.T, file string) string {
	t.Helper()
	if m := kubeComment.FindStringSubmatch(read(t, file)); m != nil {
		return m[1]
	}
	return defaultKube
}

// scaffold returns the folder of a new service with the values of the case.
func scaffold(t *testing.T, c profileCase) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), release)
	run(t, "kilter", "new", release, "--profile", c.profile, "-f", c.file, "-n", namespace, "--kube-version", c.kube, "--to", "helm,kustomize,krm", "-o", dir)
	return dir
}

// glob returns the files that match, in order; there must be some.
func glob(t *testing.T, pattern string) []string {
	t.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		t.Fatalf("nothing matches %s", pattern)
	}
	return files
}

func read(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		t.Fatalf("%s is missing", file)
	} else if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
