// SPDX-License-Identifier: Apache-2.0

package profiles_test

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"kilter.dev/kilter/internal/manifest"
)

// What tests that run the commands of rendered containers have in common.

// write writes a file that may be run, in a folder that need not be there.
func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
}

// environment is that of a container, as kubelet makes it: a variable sees those above it,
// and field is what the downward API says of the pod.
func environment(container *manifest.Node, field func(path string) string) (env []string, vars map[string]string) {
	vars = map[string]string{}
	for _, e := range container.Get("env").Items {
		name, value := e.Get("name").Text(), expand(e.Get("value").Text(), vars)
		if from := e.Get("valueFrom", "fieldRef", "fieldPath"); from != nil {
			value = field(from.Text())
		}
		vars[name] = value
		env = append(env, name+"="+value)
	}
	return env, vars
}

// words are the command and arguments of a container.
func words(container *manifest.Node, vars map[string]string) (all []string) {
	for _, w := range append(items(container.Get("command")), items(container.Get("args"))...) {
		all = append(all, expand(w.Text(), vars))
	}
	return all
}

var reference = regexp.MustCompile(`\$\([A-Za-z_][A-Za-z0-9_]*\)`)

// expand puts the variables in for their references; a reference to no variable stays.
func expand(text string, vars map[string]string) string {
	return reference.ReplaceAllStringFunc(text, func(r string) string {
		if value, ok := vars[r[2:len(r)-1]]; ok {
			return value
		}
		return r
	})
}

// code waits for the end of the container and returns its exit code, -1 for a signal.
func (p *process) code() int {
	<-p.done
	return p.cmd.ProcessState.ExitCode()
}
