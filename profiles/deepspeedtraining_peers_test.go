// SPDX-License-Identifier: Apache-2.0

package profiles_test

import (
	"fmt"
	"strings"
	"testing"

	"kilter.dev/kilter/internal/manifest"
)

const (
	trainingJob = "{nodes: 4, gpu: {count: 8}}"
	trainingSet = "{runtime: jobset, nodes: 4, gpu: {count: 8}}"
)

// TestDeepSpeedRunPeers: what the runtimes of Kubeflow Trainer, the examples of JobSet and
// hand-written Jobs get wrong about how a gang starts, fails and ends.
func TestDeepSpeedRunPeers(t *testing.T) {
	const (
		job    = "spec.replicatedJobs.node.template.spec."
		pool   = "{runtime: statefulset, nodes: 4}"
		queued = "{nodes: 4, queue: {name: gpus}}"
		set    = "{runtime: jobset, nodes: 4, queue: {name: gpus}}"
	)
	checkMistakes(t, "deepspeed-training", []mistake{
		{trainingJob, "Job", "spec.completionMode", "Indexed", "without indexes no pod knows its rank"},
		{trainingJob, "Job", "spec.completions", "4", "one for each node"},
		{trainingJob, "Job", "spec.parallelism", "4", "a gang with fewer waits for ever"},
		{trainingJob, "Job", "spec.backoffLimitPerIndex", "3", "github.com/kubeflow/pytorch-operator/issues/270"},
		{trainingJob, "Job", "spec.backoffLimit", "", "github.com/kubeflow/pytorch-operator/issues/270"},
		{trainingJob, "Job", "spec.maxFailedIndexes", "0", "github.com/kubeflow/trainer/issues/1579"},
		{trainingJob, "Job", "spec.podReplacementPolicy", "Failed", "github.com/kubernetes/kubernetes/issues/115844"},
		{trainingJob, "Job", "spec.podFailurePolicy.rules.0.action", "Ignore", "github.com/kubernetes/website/pull/35219"},
		{trainingJob, "Job", "spec.podFailurePolicy.rules.0.onPodConditions.0.type", "DisruptionTarget", "the same"},
		{trainingJob, "Job", "spec.podFailurePolicy.rules.1.action", "FailJob", "wrong usage holds the GPUs for each retry"},
		{trainingJob, "Job", "spec.template.spec.restartPolicy", "Never", "github.com/kubeflow/trainer/issues/2000"},
		{trainingJob, "Job", "spec.activeDeadlineSeconds", "604800", "unset, a gang that hangs holds its GPUs for ever"},
		{trainingJob, "Job", "spec.ttlSecondsAfterFinished", "", "a Job that expires is made again by each GitOps sync"},
		{trainingJob, "Service", "spec.publishNotReadyAddresses", "true", "github.com/kubeflow/mpi-operator/issues/481"},
		{trainingJob, "Service", "spec.clusterIP", "None", "a rank has no name of its own otherwise"},
		{trainingJob, "PodDisruptionBudget", "", "", "github.com/kubernetes/kubernetes/issues/48307"},
		{trainingSet, "JobSet", "spec.network.publishNotReadyAddresses", "true", "the runtime for torch has none"},
		{trainingSet, "JobSet", "spec.failurePolicy.maxRestarts", "3", "the runtimes have no failurePolicy: the first failure is the last"},
		{trainingSet, "JobSet", "spec.failurePolicy.restartStrategy", "BlockingRecreate", "github.com/kubernetes-sigs/jobset/issues/684"},
		{trainingSet, "JobSet", "spec.failurePolicy.rules.0.action", "RestartJobSetAndIgnoreMaxRestarts", "drains use up the restarts"},
		{trainingSet, "JobSet", job + "podFailurePolicy.rules.0.action", "FailJob", "the Job would start a pod again alone"},
		{trainingSet, "JobSet", job + "backoffLimit", "0", "the same; 6 where it is unset"},
		{trainingSet, "JobSet", job + "backoffLimitPerIndex", "", "the same"},
		{trainingSet, "JobSet", job + "completions", "4", ""},
		{trainingSet, "JobSet", job + "activeDeadlineSeconds", "604800", "the runtimes have no limit"},
		{trainingSet, "JobSet", "spec.ttlSecondsAfterFinished", "", "as for a Job"},
		{trainingSet, "Service", "", "", "a JobSet makes its own"},
		{pool, "StatefulSet", "spec.podManagementPolicy", "Parallel", "OrderedReady starts rank 1 after rank 0, which waits for it"},
		{pool, "PodDisruptionBudget", "spec.maxUnavailable", "1", "minAvailable of all blocks each drain"},
		{queued, "Job", "metadata.labels.kueue.x-k8s.io/queue-name", "gpus", "github.com/kubernetes-retired/kube-batch/issues/158"},
		{set, "JobSet", "metadata.labels.kueue.x-k8s.io/queue-name", "gpus", "on the pods it queues nothing"},
		{trainingJob, "PersistentVolumeClaim", "metadata.annotations.helm.sh/resource-policy", "keep", "checkpoints go with the release"},
		{trainingJob, "PersistentVolumeClaim", "spec.accessModes.0", "ReadWriteMany", "github.com/vllm-project/production-stack/issues/107"},
		{trainingJob, "Secret", "", "", "an empty one, or a token in the values"},
	})
}

// TestDeepSpeedPodPeers: what they get wrong about the pods, in each kind of run.
func TestDeepSpeedPodPeers(t *testing.T) {
	for params, run := range map[string]struct{ kind, pod string }{
		trainingJob: {"Job", "spec.template."},
		trainingSet: {"JobSet", "spec.replicatedJobs.node.template.spec.template."},
		"{runtime: statefulset, nodes: 4, gpu: {count: 8}}": {"StatefulSet", "spec.template."},
	} {
		checkMistakes(t, "deepspeed-training", podMistakes(params, run.kind, run.pod))
	}
	const (
		torch  = "{framework: torch, nodes: 4, gpu: {count: 8}}"
		still  = "{evictable: false}"
		token  = "{auth: {hfToken: {existingSecret: hub}}}"
		args   = "spec.template.spec.containers.trainer.args."
		secret = "spec.template.spec.containers.trainer.env.HF_TOKEN.valueFrom.secretKeyRef."
	)
	checkMistakes(t, "deepspeed-training", []mistake{
		{torch, "Job", args + "1", "--nnodes=4", "JobSet's resnet.yaml has none: four pods train alone, each all of it"},
		{torch, "Job", args + "2", "--nproc-per-node=8", "as many as there are GPUs"},
		{torch, "Job", args + "3", "--node-rank=$(NODE_RANK)", "JobSet's resnet.yaml has none"},
		{torch, "Job", args + "7", "--max-restarts=0", "github.com/pytorch/pytorch/issues/146371"},
		{still, "Job", "spec.template.metadata.annotations.karpenter.sh/do-not-disrupt", "true", "github.com/defilantech/LLMKube/issues/781"},
		{token, "Job", secret + "name", "hub", "a token in the values"},
		{token, "Job", secret + "optional", "", "without its token a run fails hours later"},
	})
}

// podMistakes are mistakes about the pods of a training run on eight GPUs: kind says what
// makes them, pod where their template is.
func podMistakes(params, kind, pod string) []mistake {
	trainer := pod + "spec.containers.trainer."
	mistakes := []mistake{
		{path: pod + "spec.volumes.dshm.emptyDir.medium", want: "Memory", why: "github.com/NVIDIA/nccl/issues/525: the runtimes have 64 MiB"},
		{path: pod + "spec.volumes.dshm.emptyDir.sizeLimit", want: "24Gi", why: "without a limit half of the node's memory"},
		{path: trainer + "volumeMounts.dshm.mountPath", want: "/dev/shm", why: "github.com/pytorch/ci-infra/pull/490"},
		{path: pod + "spec.terminationGracePeriodSeconds", want: "60", why: "30 s cut a checkpoint off"},
		{path: pod + "spec.enableServiceLinks", want: "false", why: "github.com/vllm-project/vllm/issues/34199"},
		{path: pod + "spec.automountServiceAccountToken", want: "false", why: "no rank talks to the API server"},
		{path: pod + "spec.runtimeClassName", why: "github.com/NVIDIA/gpu-operator/issues/575"},
		{path: pod + "spec.hostNetwork", why: "guides for RDMA take the host's network; a device plugin does without"},
		{path: pod + "spec.hostIPC", why: "for shared memory, which dshm is"},
		{path: pod + "metadata.labels.sidecar.istio.io/inject", want: "false", why: "github.com/kubeflow/trainer/issues/1637"},
		{path: pod + "spec.securityContext.runAsNonRoot", want: "true", why: "the runtimes have runAsUser alone"},
		{path: pod + "spec.securityContext.fsGroupChangePolicy", want: "OnRootMismatch", why: "github.com/kubernetes/kubernetes/issues/69699"},
		{path: pod + "spec.securityContext.seccompProfile.type", want: "RuntimeDefault", why: "the runtimes have none"},
		{path: trainer + "securityContext.privileged", why: "guides for RDMA ask for it; IPC_LOCK does"},
		{path: trainer + "securityContext.capabilities.drop.0", want: "ALL", why: "the runtimes drop none"},
		{path: trainer + "securityContext.readOnlyRootFilesystem", want: "false", why: "github.com/kserve/kserve/pull/5711"},
		{path: trainer + "imagePullPolicy", want: "IfNotPresent", why: "Always, and latest: ranks of two versions"},
		{path: trainer + "livenessProbe", why: "a collective may stall legally"},
		{path: trainer + "readinessProbe", why: "the same; ranks meet before they are ready"},
		{path: trainer + "startupProbe", why: "the same"},
		{path: trainer + "ports.1.containerPort", why: "github.com/deepspeedai/DeepSpeed/issues/2679: no sshd, no keys"},
		{path: trainer + "ports.rendezvous.containerPort", want: "29500", why: ""},
		{path: trainer + "lifecycle", why: "a preStop takes the time that checkpoints need"},
		{path: trainer + "env.PYTHONUNBUFFERED.value", want: "1", why: "JobSet's examples say 0, which buffers"},
		{path: trainer + "env.RENDEZVOUS_SECONDS.value", want: "900", why: "github.com/awslabs/awsome-distributed-ai/pull/1241"},
		{path: trainer + "env.TORCH_NCCL_ASYNC_ERROR_HANDLING.value", want: "1", why: "github.com/kubeflow/trainer/issues/1579"},
		{path: trainer + "env.HOME.value", want: "/tmp", why: "github.com/ai-dynamo/dynamo/pull/12457"},
		{path: trainer + "env.USER.value", want: "trainer", why: "the same: getpwuid finds nobody"},
	}
	for _, list := range []string{"requests", "limits"} {
		mistakes = append(mistakes,
			mistake{path: trainer + "resources." + list + ".nvidia.com/gpu", want: "8", why: "Trainer's DeepSpeed runtime asks for none"},
			mistake{path: trainer + "resources." + list + ".memory", want: "552Gi", why: "github.com/kubernetes/kubernetes/issues/28272"},
		)
	}
	for i := range mistakes {
		mistakes[i].params, mistakes[i].object = params, kind
	}
	return mistakes
}

// TestDeepSpeedRefusesPeers: parameters that other charts take, to the harm of the run.
func TestDeepSpeedRefusesPeers(t *testing.T) {
	checkRefused(t, "deepspeed-training", trainingRefused)
	checkRefused(t, "deepspeed-training", []refusal{
		{"{ttlSecondsAfterFinished: 60}", "ttlSecondsAfterFinished", "gone before an alert has seen that it failed"},
		{"{runtime: statefulset, ttlSecondsAfterFinished: 3600}", "ttlSecondsAfterFinished", "a field that does nothing"},
		{"{runtime: trainjob}", "runtime", ""},
	})
}

// trainingRefused are parameters that every training profile refuses.
var trainingRefused = []refusal{
	{"{gpu: {count: 0.5}}", "gpu.count", "github.com/vllm-project/production-stack/pull/1047: cut off to 0 GPUs"},
	{"{gpu: {count: '8'}}", "gpu.count", "the same, of text"},
	{"{image: {tag: latest}}", "image.tag", "ranks of two versions"},
	{"{image: {tag: 1.10}}", "image.tag", "github.com/helm/helm/issues/1707: tag 1.10 becomes 1.1"},
	{"{args: [1048576]}", "args", "github.com/roxy-wi/IncidentRelay/issues/79: 1.048576e+06"},
	{"{args: --epochs=3 --lr=0.1}", "args", "one argument of two"},
	{"{unknownKey: 3}", "unknownKey", "charts with open schemas take it, and do nothing"},
	{"{script: torchrun train.py}", "script", "a launcher in the launcher"},
	{"{launcherArgs: [--nnodes=2]}", "launcherArgs", "other than nodes"},
	{"{extraEnv: [{name: MASTER_ADDR, value: localhost}]}", "extraEnv", "each rank its own master, and the API refuses the second of a name"},
	{"{nodes: 2, checkpoint: {accessMode: ReadWriteOnce}}", "checkpoint.accessMode", "github.com/vllm-project/production-stack/issues/107"},
	{"{resources: {memory: 16Gi}, shm: {sizeGi: 16}}", "resources.memory", "github.com/kubernetes/kubernetes/issues/76263"},
	{"{auth: {hfToken: hf_abc}}", "auth.hfToken", "a token in the values"},
	{"{nodes: 0}", "nodes", "zero is a value"},
}

// TestTrainingMemory: pages of /dev/shm are charged to the container, so that its limit has
// room beside them whatever the GPUs, and its request is its limit.
func TestTrainingMemory(t *testing.T) {
	for _, profile := range []string{"deepspeed-training", "scheduled-training"} {
		for _, gpus := range []int{0, 1, 8, 16} {
			for _, more := range []string{"", ", shm: {sizeGi: 100}", ", resources: {memory: 12Gi}", ", resources: {memory: 300Gi}"} {
				params := fmt.Sprintf("{gpu: {count: %d}%s}", gpus, more)
				for id, o := range renderProfile(t, profile, "demo", params) {
					spec := o.Get("spec", "template", "spec")
					if strings.HasPrefix(id, "CronJob/") {
						spec = o.Get("spec", "jobTemplate", "spec", "template", "spec")
					}
					if spec == nil {
						continue
					}
					limit, shm := gibibytes(t, spec, "containers.trainer.resources.limits.memory"), gibibytes(t, spec, "volumes.dshm.emptyDir.sizeLimit")
					if request := gibibytes(t, spec, "containers.trainer.resources.requests.memory"); limit < shm+4 || request != limit {
						t.Errorf("%s %s: memory request %dGi, limit %dGi, /dev/shm %dGi", profile, params, request, limit, shm)
					}
				}
			}
		}
	}
}

// gibibytes is a quantity that is written in Gi.
func gibibytes(t *testing.T, n *manifest.Node, path string) int {
	t.Helper()
	var size int
	if _, err := fmt.Sscanf(at(n, path), "%dGi", &size); err != nil {
		t.Fatalf("%s is %q: %v", path, at(n, path), err)
	}
	return size
}

// TestTrainingNames: the names that Kubernetes makes from the longest name fit into a label
// with a thousand nodes, and no other name would: github.com/kubernetes-sigs/jobset/issues/409.
func TestTrainingNames(t *testing.T) {
	for _, c := range []struct{ profile, params, kind, suffix string }{
		{"deepspeed-training", "{nodes: 1000}", "Job", "-999"},                                  // the pod's host name
		{"deepspeed-training", "{runtime: jobset, nodes: 1000}", "JobSet", "-node-0-999-xyzvw"}, // the pod, whose host name is shorter
		{"scheduled-training", "{nodes: 1000}", "CronJob", "-29000000-999"},
	} {
		name := longestName(t, c.profile, c.params)
		for id := range renderProfile(t, c.profile, name, c.params) {
			if kind, object, _ := strings.Cut(id, "/"); kind == c.kind && len(object+c.suffix) != 63 {
				t.Errorf("%s: %d characters make %s, of %d", c.kind, len(name), object+c.suffix, len(object+c.suffix))
			}
		}
	}
}
