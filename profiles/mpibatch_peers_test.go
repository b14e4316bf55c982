// SPDX-License-Identifier: Apache-2.0

package profiles_test

import "testing"

// TestMPIPeers: what the MPI operator's defaults, the runtimes of Kubeflow Trainer and
// hand-written Jobs get wrong.
func TestMPIPeers(t *testing.T) {
	const (
		ranks  = "{nodes: 4}"
		ssh    = "{mode: ssh-launcher, nodes: 4, ssh: {existingSecret: key}}"
		mpijob = "{mode: mpijob, nodes: 4, mpijob: {gangScheduler: true}}"
	)
	checkMistakes(t, "mpi-batch", []mistake{
		{mpijob, "MPIJob", "spec.launcherCreationPolicy", "WaitForWorkersReady", "github.com/kubeflow/mpi-operator/issues/386"},
		{mpijob, "MPIJob", "spec.runPolicy.backoffLimit", "3", "unset, a launcher is started again six times"},
		{mpijob, "MPIJob", "spec.runPolicy.activeDeadlineSeconds", "86400", "unset, it may hang for ever"},
		{mpijob, "MPIJob", "spec.runPolicy.schedulingPolicy.minAvailable", "4", "github.com/kubeflow/mpi-operator/issues/608"},
		{mpijob, "MPIJob", "spec.mpiReplicaSpecs.Worker.restartPolicy", "OnFailure", "no new pod is made for a worker that has failed"},
		{mpijob, "MPIJob", "spec.mpiReplicaSpecs.Worker.template.spec.containers.0.readinessProbe.tcpSocket.port", "ssh", "else workers are ready before sshd is"},
		{mpijob, "MPIJob", "spec.mpiReplicaSpecs.Worker.template.spec.securityContext.runAsNonRoot", "true", "the runtimes have runAsUser alone"},
		{mpijob, "MPIJob", "spec.mpiReplicaSpecs.Launcher.template.spec.securityContext.runAsNonRoot", "true", "the runtimes have runAsUser alone"},
		{ranks, "Service", "spec.publishNotReadyAddresses", "true", "github.com/kubeflow/mpi-operator/issues/481"},
		{ssh, "Service", "spec.publishNotReadyAddresses", "true", "github.com/kubeflow/mpi-operator/issues/443"},
		{ssh, "Job", "spec.successPolicy.rules.0.succeededIndexes", "0", "sshd never ends, nor does its Job"},
		{ranks, "Job", "spec.podReplacementPolicy", "Failed", "github.com/kubernetes/kubernetes/issues/115844"},
		{ranks, "Job", "spec.backoffLimitPerIndex", "3", "github.com/kubeflow/pytorch-operator/issues/270"},
		{ranks, "Job", "spec.backoffLimit", "", "github.com/kubeflow/pytorch-operator/issues/270"},
		{ranks, "Job", "spec.maxFailedIndexes", "0", "github.com/kubeflow/trainer/issues/1579"},
		{ranks, "Job", "spec.podFailurePolicy.rules.0.action", "Ignore", "github.com/kubernetes/website/pull/35219"},
		{ranks, "Job", "spec.activeDeadlineSeconds", "86400", "github.com/awslabs/awsome-distributed-ai/pull/1241"},
		{ranks, "Job", "spec.template.spec.restartPolicy", "Never", "github.com/kubeflow/trainer/issues/2000"},
		{ssh, "Job", "spec.template.metadata.labels.sidecar.istio.io/inject", "false", "github.com/kubeflow/trainer/issues/1637"},
		{ssh, "Secret", "", "", "a key made by a chart is another at each upgrade"},
		{"{nodes: 3}", "PodDisruptionBudget", "", "", "github.com/kubernetes/kubernetes/issues/48307"},
	})
}
