// SPDX-License-Identifier: Apache-2.0

package workload

import (
	"maps"

	"kilter.dev/kilter/internal/manifest"
)

// Unread stands in what is related for a value that could not be read into its type, and says
// why. What depends on it nobody can judge.
type Unread struct{ error }

// unread is what is known of an object that could not be read.
func unread(o *manifest.Object, err error) map[string]any {
	unread := func(n *manifest.Node, value map[string]any) map[string]any {
		if n == nil {
			return value
		}
		for _, f := range n.Fields {
			if _, known := value[f.Key]; !known {
				value[f.Key] = Unread{err}
			}
		}
		return value
	}
	return unread(o.Node, map[string]any{
		"apiVersion": o.APIVersion, "kind": o.Kind, "spec": Unread{err},
		"metadata": unread(o.Get("metadata"), map[string]any{"name": o.Name, "namespace": o.Namespace}),
	})
}

// withName is an object that has a name, which is "" where it is not known yet.
func withName(object map[string]any) map[string]any {
	metadata, _ := object["metadata"].(map[string]any)
	if _, known := metadata["name"].(string); known {
		return object
	}
	object, metadata = maps.Clone(object), maps.Clone(metadata)
	if metadata == nil {
		metadata = map[string]any{}
	}
	metadata["name"], object["metadata"] = "", metadata
	return object
}
