// SPDX-License-Identifier: Apache-2.0

package kube

import (
	"encoding/json"
	"fmt"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	batchv1 "k8s.io/api/batch/v1"
	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes/scheme"
	kjson "sigs.k8s.io/json"
)

// Defaulted returns an object as CEL in admission sees it on a version of Kubernetes: read
// into the type of the API, with the API server's defaults, and back. So fields that the
// type does not have are gone, null is unset, quantities are strings in their canonical
// form, and structs without omitempty are there though empty; lists without omitempty, which
// are null in admission, are unset, too. The value is native, as manifest.Native returns it,
// and may be one that a custom resource holds, given an apiVersion and kind. It is not changed,
// but may be shared by the result. Kinds that Kubernetes does not define come back as they are,
// without nulls, and with metadata. A value that the API server could not read is an error, and
// so is a number of pods that it refuses.
func Defaulted(value map[string]any, version string) (map[string]any, error) {
	typed, err := Typed(value, version)
	if err != nil {
		return nil, err
	}
	defaulted, err := runtime.DefaultUnstructuredConverter.ToUnstructured(typed)
	dropNulls(defaulted)
	return defaulted, err
}

// Typed returns an object as admission has it on a version of Kubernetes: read into the type
// of the API, with the API server's defaults. Of kinds that Kubernetes does not define it is
// unstructured, without nulls, and with metadata. For the rest see Defaulted.
func Typed(value map[string]any, version string) (runtime.Object, error) {
	apiVersion, _ := value["apiVersion"].(string)
	kind, _ := value["kind"].(string)
	typed := newTyped(apiVersion, kind)
	if typed == nil {
		defaulted := runtime.DeepCopyJSON(value)
		dropNulls(defaulted)
		if defaulted["metadata"] == nil {
			defaulted["metadata"] = map[string]any{}
		}
		return &unstructured.Unstructured{Object: defaulted}, nil
	}
	data, err := json.Marshal(value)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", kind, err)
	}
	if err := kjson.UnmarshalCaseSensitivePreserveInts(data, typed); err != nil {
		return nil, fmt.Errorf("%s: %s", kind, strings.TrimPrefix(err.Error(), "json: "))
	}
	if err := amounts(kind, typed); err != nil {
		return nil, fmt.Errorf("%s: %w", kind, err)
	}
	setDefaults(typed, version)
	return typed, nil
}

// dropNulls removes the fields of maps that are null, at any depth.
func dropNulls(value any) {
	switch x := value.(type) {
	case map[string]any:
		for key, v := range x {
			if v == nil {
				delete(x, key)
			}
			dropNulls(v)
		}
	case []any:
		for _, item := range x {
			dropNulls(item)
		}
	}
}

// newTyped returns an empty object of the API, nil for kinds that Kubernetes does not
// define. Versions that are gone are read as the version that replaced them, where its
// fields have the same names.
func newTyped(apiVersion, kind string) runtime.Object {
	gvk := schema.FromAPIVersionAndKind(apiVersion, kind)
	switch gvk.GroupKind().String() {
	case "Deployment.apps", "Deployment.extensions":
		return &appsv1.Deployment{}
	case "DaemonSet.apps", "DaemonSet.extensions":
		return &appsv1.DaemonSet{}
	case "ReplicaSet.apps", "ReplicaSet.extensions":
		return &appsv1.ReplicaSet{}
	case "StatefulSet.apps":
		return &appsv1.StatefulSet{}
	case "CronJob.batch":
		return &batchv1.CronJob{}
	case "PodDisruptionBudget.policy":
		return &policyv1.PodDisruptionBudget{}
	case "HorizontalPodAutoscaler.autoscaling":
		if gvk.Version == "v2beta2" {
			return &autoscalingv2.HorizontalPodAutoscaler{}
		}
	}
	if typed, err := scheme.Scheme.New(gvk); err == nil {
		return typed
	}
	// A version that nobody knows is read as one that somebody does.
	for _, known := range scheme.Scheme.VersionsForGroupKind(gvk.GroupKind()) {
		if typed, err := scheme.Scheme.New(known.WithKind(gvk.Kind)); err == nil {
			return typed
		}
	}
	return nil
}
