// SPDX-License-Identifier: Apache-2.0

package e2e_test

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	yamlutil "k8s.io/apimachinery/pkg/util/yaml"
	"sigs.k8s.io/yaml"
)

// object is a Kubernetes object as kubectl decodes it.
type object = map[string]any

// documents splits and decodes text as kubectl does. Empty documents are left out.
func documents(t *testing.T, text string) []object {
	t.Helper()
	var docs []object
	for r := yamlutil.NewYAMLReader(bufio.NewReader(strings.NewReader(text))); ; {
		doc, err := r.Read()
		if errors.Is(err, io.EOF) {
			return docs
		} else if err != nil {
			t.Fatal(err)
		}
		var o object
		if err := yaml.UnmarshalStrict(doc, &o); err != nil {
			t.Fatalf("%v\n%s", err, doc)
		}
		if o != nil {
			docs = append(docs, o)
		}
	}
}

// packaging are the labels that only charts have, and the annotation that only the function
// writes.
var packaging = map[string][]string{
	"labels":      {"helm.sh/chart", "app.kubernetes.io/managed-by"},
	"annotations": {applied},
}

// applied is the annotation by which the function says that it ran.
const applied = "kilter.dev/applied"

// plain returns the objects of text by identity, without packaging. There must be some, and
// no two of one identity.
func plain(t *testing.T, text string) map[string]object {
	t.Helper()
	all := map[string]object{}
	for _, o := range documents(t, text) {
		metadata, _ := o["metadata"].(map[string]any)
		for field, keys := range packaging {
			unpack(metadata, field, keys)
		}
		id := fmt.Sprintf("%v %v %v/%v", o["apiVersion"], o["kind"], metadata["namespace"], metadata["name"])
		if all[id] != nil {
			t.Errorf("%s is there twice", id)
		}
		all[id] = o
	}
	if len(all) == 0 {
		t.Error("no objects")
	}
	return all
}

// unpack removes the keys from a map of metadata, and the map when nothing else was in it.
func unpack(metadata map[string]any, field string, keys []string) {
	all, _ := metadata[field].(map[string]any)
	before := len(all)
	for _, key := range keys {
		delete(all, key)
	}
	if before > 0 && len(all) == 0 {
		delete(metadata, field)
	}
}

// objects returns the objects of text, which have no Lists, by kind and name.
func objects(t *testing.T, text string) map[string]object {
	t.Helper()
	all := map[string]object{}
	for _, o := range documents(t, text) {
		all[fmt.Sprintf("%v %v", o["kind"], o["metadata"].(object)["name"])] = o
	}
	return all
}
