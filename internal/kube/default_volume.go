// SPDX-License-Identifier: Apache-2.0

package kube

import corev1 "k8s.io/api/core/v1"

func (d defaulter) volume(v *corev1.Volume) {
	if v.VolumeSource == (corev1.VolumeSource{}) {
		v.EmptyDir = &corev1.EmptyDirVolumeSource{}
	}
	hostPath(v.HostPath)
	rbd(v.RBD)
	azureDisk(v.AzureDisk)
	if s := v.Image; s != nil && s.PullPolicy == "" && d.atLeast("1.35") { // gate ImageVolume
		s.PullPolicy = pullPolicy(s.Reference)
	}
	if s := v.Secret; s != nil {
		unset(&s.DefaultMode, corev1.SecretVolumeSourceDefaultMode)
	}
	if s := v.ConfigMap; s != nil {
		unset(&s.DefaultMode, corev1.ConfigMapVolumeSourceDefaultMode)
	}
	if s := v.DownwardAPI; s != nil {
		unset(&s.DefaultMode, corev1.DownwardAPIVolumeSourceDefaultMode)
		downwardAPIFiles(s.Items)
	}
	if s := v.Projected; s != nil {
		unset(&s.DefaultMode, corev1.ProjectedVolumeSourceDefaultMode)
		for i := range s.Sources {
			projection(&s.Sources[i])
		}
	}
	if s := v.ISCSI; s != nil {
		empty(&s.ISCSIInterface, "default")
	}
	if s := v.ScaleIO; s != nil {
		empty(&s.StorageMode, "ThinProvisioned")
		empty(&s.FSType, "xfs")
	}
	if v.Ephemeral != nil && v.Ephemeral.VolumeClaimTemplate != nil {
		claimSpec(&v.Ephemeral.VolumeClaimTemplate.Spec)
	}
}

func hostPath(s *corev1.HostPathVolumeSource) {
	if s != nil {
		unset(&s.Type, corev1.HostPathUnset)
	}
}

func rbd(s *corev1.RBDVolumeSource) {
	if s != nil {
		empty(&s.RBDPool, "rbd")
		empty(&s.RadosUser, "admin")
		empty(&s.Keyring, "/etc/ceph/keyring")
	}
}

func azureDisk(s *corev1.AzureDiskVolumeSource) {
	if s != nil {
		unset(&s.CachingMode, corev1.AzureDataDiskCachingReadWrite)
		unset(&s.FSType, "ext4")
		unset(&s.ReadOnly, false)
		unset(&s.Kind, corev1.AzureSharedBlobDisk)
	}
}

func downwardAPIFiles(files []corev1.DownwardAPIVolumeFile) {
	for i := range files {
		fieldRef(files[i].FieldRef)
	}
}

func projection(p *corev1.VolumeProjection) {
	if p.DownwardAPI != nil {
		downwardAPIFiles(p.DownwardAPI.Items)
	}
	if p.ServiceAccountToken != nil {
		unset(&p.ServiceAccountToken.ExpirationSeconds, 60*60)
	}
}

func (d defaulter) claim(c *corev1.PersistentVolumeClaim) {
	empty(&c.Status.Phase, corev1.ClaimPending)
	claimSpec(&c.Spec)
	roundUp(c.Status.Capacity)
	roundUp(c.Status.AllocatedResources)
}

func claimSpec(s *corev1.PersistentVolumeClaimSpec) {
	unset(&s.VolumeMode, corev1.PersistentVolumeFilesystem)
	roundUp(s.Resources.Limits)
	roundUp(s.Resources.Requests)
}

func (d defaulter) persistentVolume(o *corev1.PersistentVolume) {
	empty(&o.Status.Phase, corev1.VolumePending)
	s := &o.Spec
	empty(&s.PersistentVolumeReclaimPolicy, corev1.PersistentVolumeReclaimRetain)
	unset(&s.VolumeMode, corev1.PersistentVolumeFilesystem)
	roundUp(s.Capacity)
	hostPath(s.HostPath)
	azureDisk(s.AzureDisk)
	if s := s.RBD; s != nil {
		empty(&s.RBDPool, "rbd")
		empty(&s.RadosUser, "admin")
		empty(&s.Keyring, "/etc/ceph/keyring")
	}
	if s := s.ISCSI; s != nil {
		empty(&s.ISCSIInterface, "default")
	}
	if s := s.ScaleIO; s != nil {
		empty(&s.StorageMode, "ThinProvisioned")
		empty(&s.FSType, "xfs")
	}
}
