// SPDX-License-Identifier: Apache-2.0

package kube

import (
	"fmt"
	"strings"

	"kilter.dev/kilter/internal/manifest"
)

// gated is, by GROUP.TYPE.FIELD, the feature gate without which the API server drops a
// field when it stores an object: k8s.io/kubernetes v1.32 to v1.37,
// pkg/api/{pod,job,persistentvolume,persistentvolumeclaim,resourceclaimspec}/util.go and
// pkg/registry/*/*/strategy.go. Fields of status are not here: users do not write them.
var gated = map[string]string{
	"apps.RollingUpdateStatefulSetStrategy.maxUnavailable": "MaxUnavailableStatefulSet",
	"autoscaling.HPAScalingRules.tolerance":                "HPAConfigurableTolerance",
	"batch.JobSpec.scheduling":                             "WorkloadWithJob",

	"core.PodSpec.evictionResponders":                  "EvictionRequestAPI",
	"core.PodSpec.hostUsers":                           "UserNamespacesSupport",
	"core.PodSpec.hostnameOverride":                    "HostnameOverride",
	"core.PodSpec.resourceClaims":                      "DynamicResourceAllocation",
	"core.PodSpec.resources":                           "PodLevelResources",
	"core.PodSpec.schedulingGroup":                     "GenericWorkload",
	"core.PodSpec.workloadRef":                         "GenericWorkload",
	"core.PodSecurityContext.seLinuxChangePolicy":      "SELinuxChangePolicy",
	"core.PodSecurityContext.supplementalGroupsPolicy": "SupplementalGroupsPolicy",

	"core.Container.resizePolicy":                "InPlacePodVerticalScaling",
	"core.Container.restartPolicyRules":          "ContainerRestartRules",
	"core.EphemeralContainer.resizePolicy":       "InPlacePodVerticalScaling",
	"core.EphemeralContainer.restartPolicyRules": "ContainerRestartRules",
	"core.EnvVarSource.fileKeyRef":               "EnvFiles",
	"core.GRPCAction.mode":                       "GRPCContainerProbeTLS",
	"core.HTTPGetAction.protocol":                "H2CContainerProbe",
	"core.Lifecycle.stopSignal":                  "ContainerStopSignals",
	"core.ResourceRequirements.claims":           "DynamicResourceAllocation",
	"core.SecurityContext.procMount":             "ProcMountType",
	"core.VolumeMount.bindMountOptions":          "VolumeBindMountOptions",

	"core.ClusterTrustBundleProjection.user":                   "AtomicWriteVolumeUserFields",
	"core.ConfigMapVolumeSource.defaultUser":                   "AtomicWriteVolumeUserFields",
	"core.DownwardAPIVolumeFile.user":                          "AtomicWriteVolumeUserFields",
	"core.DownwardAPIVolumeSource.defaultUser":                 "AtomicWriteVolumeUserFields",
	"core.KeyToPath.user":                                      "AtomicWriteVolumeUserFields",
	"core.PodCertificateProjection.user":                       "AtomicWriteVolumeUserFields",
	"core.ProjectedVolumeSource.defaultUser":                   "AtomicWriteVolumeUserFields",
	"core.SecretVolumeSource.defaultUser":                      "AtomicWriteVolumeUserFields",
	"core.ServiceAccountTokenProjection.user":                  "AtomicWriteVolumeUserFields",
	"core.EmptyDirVolumeSource.mode":                           "EmptyDirVolumeMode",
	"core.Volume.image":                                        "ImageVolume",
	"core.VolumeProjection.clusterTrustBundle":                 "ClusterTrustBundleProjection",
	"core.VolumeProjection.podCertificate":                     "PodCertificateRequest",
	"core.PersistentVolumeClaimSpec.volumeAttributesClassName": "VolumeAttributesClass",
	"core.PersistentVolumeSpec.volumeAttributesClassName":      "VolumeAttributesClass",
	"core.TypedObjectReference.namespace":                      "CrossNamespaceVolumeDataSource",

	"resource.DeviceClassSpec.extendedResourceName": "DRAExtendedResource",
	"resource.DeviceConstraint.distinctAttribute":   "DRAConsumableCapacity",
	"resource.DeviceRequest.adminAccess":            "DRAAdminAccess",
	"resource.DeviceRequest.capacity":               "DRAConsumableCapacity",
	"resource.DeviceRequest.derivedAttributes":      "DRADerivedAttributes",
	"resource.DeviceRequest.firstAvailable":         "DRAPrioritizedList",
	"resource.DeviceSubRequest.capacity":            "DRAConsumableCapacity",
	"resource.DeviceSubRequest.derivedAttributes":   "DRADerivedAttributes",
	"resource.ExactDeviceRequest.adminAccess":       "DRAAdminAccess",
	"resource.ExactDeviceRequest.capacity":          "DRAConsumableCapacity",
	"resource.ExactDeviceRequest.derivedAttributes": "DRADerivedAttributes",

	"storage.CSIDriverSpec.nodeAllocatableUpdatePeriodSeconds": "MutableCSINodeAllocatableCount",
}

// gateOf returns the gate of a field, "" for none. The versions of an API have the same.
func gateOf(typeName, field string) string {
	parts := strings.Split(typeName, ".")
	if len(parts) != 4 || parts[0] != "api" {
		return ""
	}
	return gated[parts[1]+"."+parts[3]+"."+field]
}

// dropped warns of a field whose gate is off by default.
func (w *walker) dropped(t *object, f manifest.Field) {
	name := t.gates[f.Key]
	if name == "" || f.Value == nil || f.Value.Shape == manifest.Null {
		return
	}
	if gate, ok := w.release.gate(name); !ok || gate.On { // a gate that is gone is on for good
		return
	}
	d := w.warnf(keySpan(f), DroppedFields, "Kubernetes %s drops %s without a word: feature gate %s is off by default",
		w.release.version, f.Key, name)
	d.Hint = "remove it, or have the gate enabled"
	if since := known().onSince(name); since != "" && !AtLeast(w.release.version, since) {
		d.Hint = fmt.Sprintf("remove it, or have the gate enabled: it is on since Kubernetes %s", since)
	}
	if name == "MaxUnavailableStatefulSet" && w.release.version == "1.35" {
		d.Hint += " (and was in 1.35.0 to 1.35.3, where pods that are broken hold up the rollout)"
	}
}

// onSince returns the version since which a gate is on by default for good, "" for none.
func (h *history) onSince(name string) string {
	since := ""
	for _, r := range h.releases {
		switch gate, ok := r.gate(name); {
		case ok && !gate.On:
			since = ""
		case ok && since == "":
			since = r.version
		}
	}
	return since
}
