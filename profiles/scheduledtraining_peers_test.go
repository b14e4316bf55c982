// SPDX-License-Identifier: Apache-2.0

package profiles_test

import "testing"

const (
	nightly       = "{gpu: {count: 8}}"
	nightlyGang   = "{nodes: 4, gpu: {count: 8}}"
	nightlyQueued = "{nodes: 4, queue: {name: gpus}}"
)

// trainingForms are CronJobs that train, by hand and by charts for any application, with
// what such Jobs in general get wrong about their pods.
var trainingForms = []peerForm{
	{"nightly", nightlyForm, []string{
		"cronjob-gpu-overlap", "cronjob-deadline", "cronjob-timezone", "job-without-deadline", "job-double-allocation",
		"job-disruption-burns-retries", "job-gang-not-indexed", "memory-request-missing", "image-not-pinned", "host-namespaces",
	}},
	{"replaced", replacedForm, []string{"cronjob-gpu-overlap", "cronjob-timezone", "cronjob-deadline", "unknown-field", "shm-too-small", "pod-hardening"}},
}

// TestScheduledTrainingPeers: what others get wrong about when a run starts, and what it
// finds then.
func TestScheduledTrainingPeers(t *testing.T) {
	const (
		job     = "spec.jobTemplate.spec."
		trainer = job + "template.spec.containers.trainer."
	)
	ours := []mistake{
		{nightly, "CronJob", "spec.concurrencyPolicy", "Forbid", "Allow, the default: two runs wait for each other's GPUs, or write one checkpoint"},
		{nightly, "CronJob", "spec.timeZone", "Etc/UTC", "that of the controller's machine"},
		{nightly, "CronJob", "spec.schedule", "0 3 * * *", "TZ= in it, which the API server refuses"},
		{nightly, "CronJob", "spec.startingDeadlineSeconds", "600", "unset, any delay; 30, lost when the control plane restarts"},
		{nightly, "CronJob", job + "startingDeadlineSeconds", "", "in the Job's spec nothing reads it"},
		{nightly, "CronJob", job + "activeDeadlineSeconds", "86310", "github.com/kubernetes-sigs/descheduler/issues/1638: with Forbid a run that hangs is the last"},
		{nightly, "CronJob", job + "ttlSecondsAfterFinished", "", "gone before the history's limits count it"},
		{nightly, "CronJob", "spec.suspend", "", "false is said for ever: who suspends it by hand is overruled by each sync"},
		{nightly, "CronJob", "spec.successfulJobsHistoryLimit", "1", "a chart takes 0 for unset, and keeps 3"},
		{nightly, "CronJob", "spec.failedJobsHistoryLimit", "3", "one run's logs are gone with the next failure"},
		{nightlyGang, "CronJob", job + "completionMode", "Indexed", "without indexes no pod knows its rank"},
		{nightlyGang, "CronJob", job + "completions", "4", "one for each node"},
		{nightlyGang, "CronJob", job + "parallelism", "4", "a gang with fewer waits for ever"},
		{nightlyGang, "CronJob", job + "backoffLimitPerIndex", "3", "github.com/kubeflow/pytorch-operator/issues/270"},
		{nightlyGang, "CronJob", job + "maxFailedIndexes", "0", "the others hold their GPUs for nothing"},
		{nightlyGang, "CronJob", job + "podReplacementPolicy", "Failed", "github.com/kubernetes/kubernetes/issues/115844"},
		{nightlyGang, "CronJob", job + "podFailurePolicy.rules.0.action", "Ignore", "a drained node costs a retry"},
		{nightlyGang, "CronJob", job + "podFailurePolicy.rules.1.action", "FailJob", "wrong usage holds the GPUs for each retry"},
		{nightlyGang, "CronJob", job + "template.spec.restartPolicy", "Never", "OnFailure excludes a podFailurePolicy"},
		{nightlyGang, "CronJob", job + "template.spec.subdomain", "demo", "no rank has a name of its own"},
		{nightlyGang, "CronJob", trainer + "env.MASTER_ADDR.value", "$(JOB_NAME)-0.demo", "a fixed name, while each run's Job has another"},
		{nightlyGang, "CronJob", trainer + "env.JOB_NAME.valueFrom.fieldRef.fieldPath", "metadata.labels['batch.kubernetes.io/job-name']", "the same"},
		{nightly, "CronJob", trainer + "env.CHECKPOINT_DIR.value", "/checkpoints/main/$(JOB_NAME)", "all runs in one folder: one goes on from another's weights"},
		{nightlyQueued, "CronJob", "metadata.labels.kueue.x-k8s.io/queue-name", "", "on the CronJob Kueue reads nothing"},
		{nightlyQueued, "CronJob", "spec.jobTemplate.metadata.labels.kueue.x-k8s.io/queue-name", "gpus", "the same: what it queues is each Job"},
		{nightlyGang, "Service", "spec.clusterIP", "None", "no rank has a name of its own"},
		{nightlyGang, "Service", "spec.publishNotReadyAddresses", "true", "ranks meet before they are ready"},
		{nightlyGang, "Service", "spec.selector.job-name", "", "each run's Job has another name"},
		{nightly, "PersistentVolumeClaim", "spec.accessModes.0", "ReadWriteMany", "the next run may be on another node"},
		{nightly, "PersistentVolumeClaim", "metadata.annotations.helm.sh/resource-policy", "keep", "checkpoints go with the release"},
		{nightlyGang, "PodDisruptionBudget", "", "", "github.com/kubernetes/kubernetes/issues/48307"},
		{nightly, "Secret", "", "", "a token in the values"},
	}
	checkMistakes(t, "scheduled-training", ours)
	pods := podMistakes(nightly, "CronJob", job+"template.")
	checkMistakes(t, "scheduled-training", pods)
	checkForms(t, trainingForms, append(ours, pods...))
}

// TestScheduledTrainingRefusesPeers: parameters that others take, to the harm of the run.
func TestScheduledTrainingRefusesPeers(t *testing.T) {
	checkRefused(t, "scheduled-training", trainingRefused)
	checkRefused(t, "scheduled-training", []refusal{
		{"{schedule: TZ=Europe/Berlin 0 3 * * *}", "schedule", "the API server refuses it"},
		{"{schedule: '@every 6h'}", "schedule", "counts from the controller's start"},
		{"{schedule: '@reboot'}", "schedule", "no such thing in Kubernetes"},
		{"{schedule: 0 3 * *}", "schedule", "four fields"},
		{"{schedule: 0 0 3 * * *}", "schedule", "six, with seconds, as Quartz has"},
		{"{schedule: 0 24 * * *}", "schedule", "hours end at 23"},
		{"{schedule: 0 3 * * 7}", "schedule", "Sunday is 0"},
		{"{schedule: 0 3 30 2 *}", "schedule", "never runs"},
		{"{schedule: 0 3 L * *}", "schedule", "as Quartz has"},
		{"{schedule: '* * * * *'}", "schedule", "no time to train"},
		{"{timeZone: Local}", "timeZone", "the API refuses it"},
		{"{timeZone: '+02:00'}", "timeZone", "no name of a zone"},
		{"{timeZone: ''}", "timeZone", "the controller's"},
		{"{concurrencyPolicy: Allow}", "concurrencyPolicy", "two runs claim the same GPUs"},
		{"{concurrencyPolicy: Replace}", "concurrencyPolicy", "the old pods hold them while they stop"},
		{"{concurrencyPolicy: Replace, gpu: {count: 0}, checkpoint: {perRun: false}}", "concurrencyPolicy", "two runs write one checkpoint"},
		{"{concurrencyPolicy: forbid}", "concurrencyPolicy", "another spelling"},
		{"{startingDeadlineSeconds: 0}", "startingDeadlineSeconds", "never runs"},
		{"{startingDeadlineSeconds: 5}", "startingDeadlineSeconds", "shorter than the controller's sleep"},
		{"{activeDeadlineSeconds: 0}", "activeDeadlineSeconds", "ends before it begins"},
		{"{activeDeadlineSeconds: 86400}", "activeDeadlineSeconds", "still stops when the next one is due, which then is skipped"},
		{"{suspend: 'false'}", "suspend", "text, which a chart takes for true"},
		{"{suspended: true}", "suspend", "a chart with an open schema takes it, and trains"},
		{"{ttlSecondsAfterFinished: 60}", "ttlSecondsAfterFinished", "gone before the history's limits count it"},
		{"{failedJobsHistoryLimit: -1}", "failedJobsHistoryLimit", ""},
	})
}
