// SPDX-License-Identifier: Apache-2.0

// Package kubernetes_test holds Kilter to what the code of Kubernetes itself does. It is a
// module of its own, because k8s.io/kubernetes needs a replace line for each of its parts.
package kubernetes_test

import (
	"testing"

	"k8s.io/kubernetes/pkg/controller/disruption"

	"kilter.dev/kilter/internal/manifest"
	"kilter.dev/kilter/internal/source"
)

// TestModule: both halves that the tests compare can be linked together.
func TestModule(t *testing.T) {
	if disruption.DeletionTimeout <= 0 {
		t.Error("no deletion timeout")
	}
	if docs, err := manifest.Parse(source.New("x.yaml", "a: 1\n")); err != nil || len(docs) != 1 {
		t.Errorf("got %d documents, %v", len(docs), err)
	}
}
