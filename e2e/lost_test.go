// SPDX-License-Identifier: Apache-2.0

package e2e_test

import (
	"maps"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// lost returns the paths of values that before has and after has not. Items of lists stay
// at their place: what is added comes behind them.
func lost(before, after any, path string) []string {
	var paths []string
	switch b := before.(type) {
	case nil:
	case object:
		a, _ := after.(object)
		for _, key := range slices.Sorted(maps.Keys(b)) {
			paths = append(paths, lost(b[key], a[key], join(path, key))...)
		}
	case []any:
		a, _ := after.([]any)
		for i, item := range b {
			var other any
			if i < len(a) {
				other = a[i]
			}
			paths = append(paths, lost(item, other, path+"["+strconv.Itoa(i)+"]")...)
		}
	default:
		if !reflect.DeepEqual(before, after) {
			paths = append(paths, path)
		}
	}
	return paths
}

// join is the path of a field as the function writes it.
func join(path, key string) string {
	if strings.ContainsAny(key, "./") {
		return path + "[" + strconv.Quote(key) + "]"
	}
	return strings.TrimPrefix(path+"."+key, ".")
}

// pathStep is a key or an index with its brackets.
var pathStep = regexp.MustCompile(`\["[^"]*"\]|\[[0-9]+\]|[^.\[]+`)

// holds reports whether the field at a path is the one at the other, or something in it.
func holds(path, other string) bool {
	steps, others := pathStep.FindAllString(path, -1), pathStep.FindAllString(other, -1)
	return len(steps) <= len(others) && slices.Equal(steps, others[:len(steps)])
}

// change is what the function says of something that it takes from a user: the rule that
// wants it, then the object and its field. Lines of the text stand between.
var change = regexp.MustCompile(`(?m)^(?:\S+: )?warning: (?:set|remove) .* \[([a-z-]+)\]\n(?:\t.*\n)*?\tin (\S+) (?:\S+/)?(\S+): (\S+)$`)

// overridden reports whether the function has said that it changes what is at the path of the
// workload, or what holds it, as a rule of severity error demands: no other may.
func (c functionCase) overridden(t *testing.T, said, path string) bool {
	t.Helper()
	for _, m := range change.FindAllStringSubmatch(said, -1) {
		rule, kind, name, changed := m[1], m[2], m[3], m[4]
		if kind == c.kind && name == c.name && holds(changed, path) && isErrorRule(t, rule) {
			return true
		}
	}
	return false
}

// isErrorRule reports whether a rule, or one of its checks, has severity error.
func isErrorRule(t *testing.T, rule string) bool {
	t.Helper()
	var r struct {
		Spec struct {
			Severity string
			Checks   []struct{ Severity string }
		}
	}
	decode(t, filepath.Join("..", "rules", rule+".yaml"), &r)
	found := r.Spec.Severity == "error"
	for _, check := range r.Spec.Checks {
		found = found || check.Severity == "error"
	}
	return found
}

// TestOverridden: what a user has lost is not excused by a change of another field, object or
// workload, nor by a rule that only warns.
func TestOverridden(t *testing.T) {
	const said = "kilter fn, Workload a:\n" +
		"<stdin>:9:1: warning: set spec.template.spec.containers[1].env[1].value to b, was a: why [shm-too-small]\n\t  value: a\n\t         ^\n" +
		"\tin Deployment ns/a: spec.template.spec.containers[1].env[1].value\n" +
		"warning: remove spec.replicas, was 4: why [image-not-pinned]\n\tin Deployment a: spec.replicas\n" +
		"warning: set spec.strategy, was x: why [shm-too-small]\n\tin Deployment a: spec.strategy\n\thint: none\n" +
		"warning: set spec.minReadySeconds to 1: why [shm-too-small]\n\tin Deployment b: spec.minReadySeconds\n"
	c := functionCase{kind: "Deployment", name: "a"}
	for path, want := range map[string]bool{
		"spec.template.spec.containers[1].env[1].value":  true,
		"spec.template.spec.containers[1].env[10].value": false,
		"spec.template.spec.containers[1].env[1].valueX": false,
		"spec.template.spec.containers[1].env[1]":        false,
		"spec.strategy.rollingUpdate.maxSurge":           true,
		"spec.strategyX":                                 false,
		"spec.replicas":                                  false,
		"spec.minReadySeconds":                           false,
	} {
		if got := c.overridden(t, said, path); got != want {
			t.Errorf("%s: %v, want %v", path, got, want)
		}
	}
}
