// SPDX-License-Identifier: Apache-2.0

package kube

// MergeKey returns the field that tells the items of a list in a pod template apart, by the
// field that holds the list: the patchMergeKey of k8s.io/api/core/v1. It is "" for lists
// that are values as a whole.
func MergeKey(list string) string { return mergeKeys[list] }

var mergeKeys = map[string]string{
	"containers":                "name",
	"initContainers":            "name",
	"ephemeralContainers":       "name",
	"volumes":                   "name",
	"env":                       "name",
	"ports":                     "containerPort",
	"volumeMounts":              "mountPath",
	"volumeDevices":             "devicePath",
	"imagePullSecrets":          "name",
	"hostAliases":               "ip",
	"topologySpreadConstraints": "topologyKey",
	"resourceClaims":            "name",
	"schedulingGates":           "name",
	"evictionResponders":        "name",
	"ownerReferences":           "uid",
}
