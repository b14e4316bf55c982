// SPDX-License-Identifier: Apache-2.0

package cluster

import (
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Open returns CustomResourceDefinitions that serve kinds with whatever fields they have: for
// tests that are about something else than the fields.
func Open(kinds []schema.GroupVersionKind) []*unstructured.Unstructured {
	versions := map[schema.GroupKind][]any{}
	for _, k := range kinds {
		versions[k.GroupKind()] = append(versions[k.GroupKind()], map[string]any{
			"name": k.Version, "served": true, "storage": len(versions[k.GroupKind()]) == 0,
			"schema": map[string]any{"openAPIV3Schema": map[string]any{"type": "object", "x-kubernetes-preserve-unknown-fields": true}},
		})
	}
	var all []*unstructured.Unstructured
	byName := func(a, b schema.GroupKind) int { return strings.Compare(a.String(), b.String()) }
	for _, k := range slices.SortedFunc(maps.Keys(versions), byName) {
		plural, singular := meta.UnsafeGuessKindToResource(k.WithVersion(""))
		all = append(all, &unstructured.Unstructured{Object: map[string]any{
			"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
			"metadata": map[string]any{"name": plural.GroupResource().String()},
			"spec": map[string]any{
				"group": k.Group, "scope": "Namespaced", "versions": versions[k],
				"names": map[string]any{"kind": k.Kind, "plural": plural.Resource, "singular": singular.Resource, "listKind": k.Kind + "List"},
			},
		}})
	}
	return all
}

// Define creates CustomResourceDefinitions and waits until they are served. What is there
// already stays.
func (c *Client) Define(ctx context.Context, definitions []*unstructured.Unstructured) error {
	for _, d := range definitions {
		resources, err := c.Of(d)
		if err != nil {
			return err
		}
		d = d.DeepCopy()
		// The API server asks for this where a group is Kubernetes' own.
		d.SetAnnotations(map[string]string{apiextensions.KubeAPIApprovedAnnotation: "unapproved, for tests"})
		if _, err := resources.Create(ctx, d, metav1.CreateOptions{}); err != nil && !apierrors.IsAlreadyExists(err) {
			return err
		}
		if err := c.established(ctx, d); err != nil {
			return err
		}
	}
	return nil
}

func (c *Client) established(ctx context.Context, d *unstructured.Unstructured) error {
	resources, err := c.Of(d)
	if err != nil {
		return err
	}
	for {
		got, err := resources.Get(ctx, d.GetName(), metav1.GetOptions{})
		if err != nil {
			return err
		}
		conditions, _, _ := unstructured.NestedSlice(got.Object, "status", "conditions") // null at first
		if slices.ContainsFunc(conditions, func(c any) bool {
			condition, _ := c.(map[string]any)
			return condition["type"] == "Established" && condition["status"] == "True"
		}) {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(50 * time.Millisecond):
		}
	}
}
