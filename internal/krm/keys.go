// SPDX-License-Identifier: Apache-2.0

package krm

import (
	"cmp"
	"path"

	"kilter.dev/kilter/internal/kube"
	"kilter.dev/kilter/internal/manifest"
)

// keys are those of lists that a patch of Kubernetes replaces as a whole, though their items
// are about one thing each.
var keys = map[string]string{
	"tolerations":    "key",
	"readinessGates": "conditionType",
	"sysctls":        "name",
	"resizePolicy":   "resourceName",
}

// mergeKey is the field that tells the items of the list called list apart, "" where the
// list is a value as a whole.
func mergeKey(list string) string { return cmp.Or(kube.MergeKey(list), keys[list]) }

// partial are the keyed lists whose items are merged field by field. An item of another
// list is an answer as a whole.
var partial = map[string]bool{"containers": true, "initContainers": true, "ports": true}

// whole are the maps that are an answer as a whole: half of one and half of another would
// be refused, or mean something that neither says.
var whole = map[string]bool{
	"rollingUpdate":    true, // maxSurge and maxUnavailable may not both be 0
	"seccompProfile":   true,
	"appArmorProfile":  true,
	"seLinuxOptions":   true,
	"exec":             true,
	"httpGet":          true,
	"tcpSocket":        true,
	"grpc":             true,
	"sleep":            true,
	"valueFrom":        true,
	"podFailurePolicy": true,
	"successPolicy":    true,
	"labelSelector":    true,
	"nodeAffinity":     true,
	"podAffinity":      true,
	"podAntiAffinity":  true,
	"dnsConfig":        true,
}

// unions are sets of fields of which a map may have one.
var unions = [][]string{
	{"exec", "httpGet", "tcpSocket", "grpc", "sleep"},
	{"value", "valueFrom"},
}

// rivals are the fields that may not stand beside key.
func rivals(key string) []string {
	for _, union := range unions {
		for _, k := range union {
			if k == key {
				return union
			}
		}
	}
	return nil
}

// itemKey is what tells an item of the list called list from the others, "" for nothing.
func itemKey(list string, item *manifest.Node) string {
	value := scalar(item.Get(mergeKey(list)))
	switch list {
	case "volumeMounts":
		if value != "" {
			return path.Clean(value)
		}
	case "ports": // Kubernetes' key is the number with the protocol
		protocol := item.Get("protocol").Text()
		if protocol == "" {
			protocol = "TCP"
		}
		return value + "/" + protocol
	case "tolerations": // an empty key stands for all
		return value + "/" + item.Get("effect").Text()
	}
	return value
}
