// SPDX-License-Identifier: Apache-2.0

package krm

import (
	"path"

	"kilter.dev/kilter/internal/manifest"
)

// mergeKeys are the lists whose items have a key, by the field that holds the list: the
// patchMergeKey of k8s.io/api/core/v1, which is the same for every list of that name in a
// pod template. All other lists are values as a whole.
var mergeKeys = map[string]string{
	"containers":                "name",
	"initContainers":            "name",
	"volumes":                   "name",
	"env":                       "name",
	"ports":                     "containerPort",
	"volumeMounts":              "mountPath",
	"volumeDevices":             "devicePath",
	"imagePullSecrets":          "name",
	"hostAliases":               "ip",
	"topologySpreadConstraints": "topologyKey",
	"tolerations":               "key",
	"resourceClaims":            "name",
	"readinessGates":            "conditionType",
	"schedulingGates":           "name",
	"sysctls":                   "name",
	"resizePolicy":              "resourceName",
}

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
	value := scalar(item.Get(mergeKeys[list]))
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
