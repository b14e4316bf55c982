// SPDX-License-Identifier: Apache-2.0

package profiles_test

import "testing"

const (
	sparkSubmit    = "{type: Python, mainClass: ''}"
	sparkNightly   = "{schedule: 0 3 * * *}"
	sparkElastic   = "{dynamicAllocation: {enabled: true, max: 20}, localDir: {type: pvc}, eventLog: {dir: 's3a://b/events'}}"
	sparkOperator  = "{mode: sparkoperator, tolerations: [{operator: Exists}]}"
	sparkScheduled = "{mode: sparkoperator, schedule: 0 3 * * *}"
)

// sparkForms are the ways that Spark is run by hand, by the Spark operator's examples and by
// charts of a standalone cluster.
var sparkForms = []peerForm{
	{"submit", sparkSubmitForm, []string{"job-never-cleaned", "image-not-pinned", "pod-hardening"}},
	{"nightly", sparkNightlyForm, []string{"cronjob-deadline", "cronjob-timezone"}},
	{"applications", sparkApplicationForm, nil},
	{"standalone", sparkStandaloneForm, []string{"pod-hardening"}},
}

// TestSparkDriverPeers: what Jobs that are written by hand get wrong about the driver.
func TestSparkDriverPeers(t *testing.T) {
	const (
		pod     = "spec.template.spec."
		driver  = pod + "containers.spark-kubernetes-driver."
		nightly = "spec.jobTemplate.spec."
	)
	ours := []mistake{
		{sparkSubmit, "Job", driver + "command.0", "/bin/sh", "spark-submit in cluster mode: github.com/kubeflow/spark-operator/issues/155, two drivers after a retry"},
		{sparkSubmit, "Job", driver + "env.POD_NAME.valueFrom.fieldRef.fieldPath", "metadata.name", "executors that no pod owns stay when the driver goes"},
		{sparkSubmit, "Job", driver + "env.POD_IP.valueFrom.fieldRef.fieldPath", "status.podIP", "a Service's name for the driver, whose endpoints come late"},
		{sparkSubmit, "Job", "spec.podReplacementPolicy", "Failed", "the next driver beside the one that still stops"},
		{sparkSubmit, "Job", "spec.backoffLimit", "1", "6 where it is unset: a wrong argument costs six runs"},
		{sparkSubmit, "Job", "spec.completions", "1", "two drivers write one output"},
		{sparkSubmit, "Job", "spec.parallelism", "1", "the same"},
		{sparkSubmit, "Job", "spec.podFailurePolicy.rules.0.action", "Ignore", "a drained node costs a retry"},
		{sparkSubmit, "Job", "spec.podFailurePolicy.rules.1.action", "FailJob", "a class that is not there is looked for again"},
		{sparkSubmit, "Job", "spec.activeDeadlineSeconds", "86400", "a driver that waits for executors waits for ever"},
		{sparkSubmit, "Job", "spec.ttlSecondsAfterFinished", "3600", "drivers pile up, and with them the ConfigMaps that they own"},
		{sparkSubmit, "Job", pod + "restartPolicy", "Never", "github.com/apache/spark/pull/56445: a container's restart keeps the last life's executors"},
		{sparkSubmit, "Job", pod + "terminationGracePeriodSeconds", "60", "30 s are short for a commit"},
		{sparkSubmit, "Job", pod + "enableServiceLinks", "false", "SPARK_MASTER_PORT=tcp://... of a Service called spark-master"},
		{sparkSubmit, "Job", pod + "serviceAccountName", "demo", "the namespace's default account, which then may make pods"},
		{sparkSubmit, "Job", pod + "securityContext.runAsUser", "185", "root, by an image that was built so"},
		{sparkSubmit, "Job", pod + "securityContext.seccompProfile.type", "RuntimeDefault", ""},
		{sparkSubmit, "Job", driver + "securityContext.readOnlyRootFilesystem", "true", ""},
		{sparkSubmit, "Job", driver + "securityContext.capabilities.drop.0", "ALL", ""},
		{sparkSubmit, "Job", driver + "resources.limits.memory", "2867Mi", "github.com/kubeflow/spark-operator/issues/781: a limit that is the heap"},
		{sparkSubmit, "Job", driver + "resources.requests.memory", "2867Mi", "less than the limit: the node's OOM killer takes the driver"},
		{sparkSubmit, "Job", driver + "resources.limits.cpu", "", "throttles the driver, whose heartbeats then are late"},
		{sparkSubmit, "Job", pod + "volumes.local.emptyDir.sizeLimit", "20Gi", "a hostPath: root's files on the node, of all runs"},
		{sparkSubmit, "Job", pod + "volumes.local.hostPath.path", "", "the same"},
		{sparkSubmit, "Job", "spec.template.metadata.labels.sidecar.istio.io/inject", "false", "the sidecar outlives the driver"},
		{sparkSubmit, "ClusterRoleBinding", "", "", "cluster-admin, as in Spark's own guide the right to edit"},
		{sparkSubmit, "Role", "rules.0.verbs.7", "deletecollection", "github.com/stackabletech/spark-k8s-operator/issues/316"},
		{sparkSubmit, "Role", "rules.0.resources.3", "persistentvolumeclaims", "github.com/kubeflow/spark-operator/issues/1398"},
		{sparkNightly, "CronJob", "spec.concurrencyPolicy", "Forbid", "Allow is the default: two runs overwrite one output"},
		{sparkNightly, "CronJob", "spec.timeZone", "Etc/UTC", "that of the controller's machine"},
		{sparkNightly, "CronJob", "spec.startingDeadlineSeconds", "600", "a run of the night at noon"},
		{sparkNightly, "CronJob", nightly + "activeDeadlineSeconds", "86340", "a run that hangs keeps all others from starting"},
		{sparkNightly, "CronJob", nightly + "ttlSecondsAfterFinished", "", "gone before the history's limits count it"},
		{sparkNightly, "CronJob", nightly + "template.spec.restartPolicy", "Never", "as above"},
	}
	checkMistakes(t, "spark-batch", ours)
	checkForms(t, sparkForms, ours)
}

// TestSparkPropertiesPeers: what is left out of, or wrong in, the properties.
func TestSparkPropertiesPeers(t *testing.T) {
	var (
		static  = mistake{params: sparkSubmit, object: "ConfigMap/demo-conf"}
		elastic = mistake{params: sparkElastic, object: "ConfigMap/demo-conf"}
	)
	row := func(m mistake, property, want, why string) mistake {
		m.path, m.want, m.why = "data."+property, want, why
		return m
	}
	ours := []mistake{
		row(static, "spark.submit.deployMode", "", "github.com/kubeflow/spark-operator/issues/171: cluster mode starts a second driver"),
		row(static, "spark.driver.port", "7078", "a random port that no NetworkPolicy can allow"),
		row(static, "spark.blockManager.port", "7079", "the same"),
		row(static, "spark.driver.host", "", "a name or an address that differs for each driver; start.sh says it"),
		row(static, "spark.executor.memoryOverhead", "1638m", "github.com/kubeflow/spark-operator/issues/766: Python lives beside the heap"),
		row(static, "spark.executor.maxNumFailures", "4", "executors that crash are made for ever"),
		row(static, "spark.executor.failuresValidityInterval", "1h", "the same, or a long run that adds up failures"),
		row(static, "spark.kubernetes.executor.deleteOnTermination", "true", "pods of executors pile up"),
		row(static, "spark.kubernetes.executor.limit.cores", "", "throttles tasks"),
		row(static, "spark.kubernetes.container.image", "docker.io/apache/spark:4.0.1", "latest: driver and executors of two versions"),
		row(static, "spark.kubernetes.container.image.pullPolicy", "IfNotPresent", "Always: a hundred executors ask the registry"),
		row(static, "spark.kubernetes.executor.podTemplateFile", "/etc/spark/files/executor.yaml", "nothing else says securityContext and tolerations"),
		row(static, "spark.decommission.enabled", "true", "shuffle data goes with each node"),
		row(static, "spark.storage.decommission.shuffleBlocks.enabled", "true", "decommission alone hands nothing over"),
		row(static, "spark.authenticate", "true", "whoever reaches the driver may run code in it"),
		row(static, "spark.network.crypto.enabled", "true", ""),
		row(static, "spark.jars.ivy", "/tmp/.ivy2", "user 185 may not write to its home"),
		row(static, "spark.kubernetes.executor.volumes.emptyDir.spark-local-dir-1.options.sizeLimit", "20Gi", "one run fills the node's disk"),
		row(elastic, "spark.dynamicAllocation.maxExecutors", "20", "infinity where it is unset"),
		row(elastic, "spark.dynamicAllocation.shuffleTracking.enabled", "true", "there is no shuffle service on Kubernetes"),
		row(elastic, "spark.dynamicAllocation.shuffleTracking.timeout", "1800s", "infinity: an executor with old shuffle data never goes"),
		row(elastic, "spark.shuffle.service.enabled", "", "refused by Spark on Kubernetes"),
		row(elastic, "spark.kubernetes.executor.volumes.persistentVolumeClaim.spark-local-dir-1.options.claimName", "OnDemand", "one claim for all executors"),
		row(elastic, "spark.kubernetes.driver.reusePersistentVolumeClaim", "true", "shuffle data goes with the executor"),
		row(elastic, "spark.eventLog.dir", "s3a://b/events", "/tmp/spark-events, which goes with the pod"),
		row(elastic, "spark.eventLog.rolling.enabled", "true", "one file that grows until the run ends"),
	}
	checkMistakes(t, "spark-batch", ours)
	checkForms(t, sparkForms, ours)
}

// TestSparkApplicationPeers: what the examples of the Spark operator get wrong, or leave to
// defaults that are.
func TestSparkApplicationPeers(t *testing.T) {
	const (
		driver   = "spec.driver.template.spec."
		executor = "spec.executor.template.spec."
	)
	ours := []mistake{
		{sparkOperator, "SparkApplication", "spec.restartPolicy.type", "OnFailure", "Never is the default, although a submission may fail for a moment"},
		{sparkOperator, "SparkApplication", "spec.restartPolicy.onFailureRetryInterval", "60", "5 s are too short for whatever went away"},
		{sparkOperator, "SparkApplication", "spec.restartPolicy.onSubmissionFailureRetries", "3", "none is the default"},
		{sparkOperator, "SparkApplication", "spec.timeToLiveSeconds", "3600", "applications pile up"},
		{sparkOperator, "SparkApplication", "spec.image", "docker.io/apache/spark:4.0.1", "latest"},
		{sparkOperator, "SparkApplication", "spec.driver.tolerations", "", "github.com/kubeflow/spark-operator/issues/1725: does nothing without the webhook"},
		{sparkOperator, "SparkApplication", driver + "tolerations.0.operator", "Exists", "the same"},
		{sparkOperator, "SparkApplication", "spec.executor.tolerations", "", "the same"},
		{sparkOperator, "SparkApplication", executor + "tolerations.0.operator", "Exists", "the same"},
		{sparkOperator, "SparkApplication", "spec.driver.securityContext.runAsNonRoot", "", "github.com/kubeflow/spark-operator/issues/2537"},
		{sparkOperator, "SparkApplication", driver + "securityContext.runAsNonRoot", "true", "the same"},
		{sparkOperator, "SparkApplication", executor + "securityContext.runAsNonRoot", "true", "the same"},
		{sparkOperator, "SparkApplication", "spec.volumes", "", "github.com/kubeflow/spark-operator/issues/1619: a hostPath, by the webhook"},
		{sparkOperator, "SparkApplication", executor + "terminationGracePeriodSeconds", "120", "github.com/apache/spark/pull/36434: 30 s cut the hand-over off"},
		{sparkOperator, "SparkApplication", executor + "automountServiceAccountToken", "false", "executors that may make pods"},
		{sparkOperator, "SparkApplication", driver + "activeDeadlineSeconds", "86400", "no limit"},
		{sparkOperator, "SparkApplication", "spec.driver.memoryOverhead", "384m", "512m in all, which is less than Spark's own least"},
		{sparkOperator, "SparkApplication", "spec.executor.deleteOnTermination", "true", ""},
		{sparkOperator, "SparkApplication", "spec.executor.coreLimit", "", "throttles tasks"},
		{sparkOperator, "SparkApplication", "spec.driver.coreLimit", "", "throttles heartbeats"},
		{sparkOperator, "SparkApplication", "spec.driver.serviceAccount", "demo", "spark-operator-spark, which other teams share"},
		{sparkOperator, "SparkApplication", "spec.sparkConf.spark.decommission.enabled", "true", ""},
		{sparkOperator, "SparkApplication", "spec.sparkConf.spark.authenticate", "true", ""},
		{sparkScheduled, "ScheduledSparkApplication", "spec.concurrencyPolicy", "Forbid", "Allow is its default"},
		{sparkScheduled, "ScheduledSparkApplication", "spec.schedule", "CRON_TZ=Etc/UTC 0 3 * * *", "@every counts from the operator's start"},
		{sparkScheduled, "ScheduledSparkApplication", "spec.successfulRunHistoryLimit", "1", ""},
		{sparkScheduled, "ScheduledSparkApplication", "spec.failedRunHistoryLimit", "3", ""},
		{sparkScheduled, "ScheduledSparkApplication", "spec.template.driver.template.spec.activeDeadlineSeconds", "86340", "a run that hangs keeps all others from starting"},
		{sparkSubmit, "StatefulSet", "", "", "a standalone cluster, which waits for work, and whose memory nobody gets back"},
		{sparkSubmit, "Service", "", "", "a master whose port 7077 runs what anyone sends it"},
		{sparkSubmit, "HorizontalPodAutoscaler", "", "", "workers that go with their shuffle data"},
		{sparkSubmit, "Secret", "", "", "a password of RPC that a chart makes anew at each upgrade"},
	}
	checkMistakes(t, "spark-batch", ours)
	checkForms(t, sparkForms, ours)
}

// TestSparkRefusesPeers: parameters that others take, to the harm of the run.
func TestSparkRefusesPeers(t *testing.T) {
	checkRefused(t, "spark-batch", []refusal{
		{"{image: {tag: latest}}", "image.tag", "driver and executors of two versions"},
		{"{image: {tag: 4.0}}", "image.tag", "4.0 becomes 4"},
		{"{sparkConf: {spark.sql.shuffle.partitions: 1000000}}", "sparkConf", "1e+06"},
		{"{sparkConf: {spark.speculation: true}}", "sparkConf", "the API refuses it"},
		{"{sparkConf: {spark.submit.deployMode: cluster}}", "sparkConf", "two drivers"},
		{"{sparkConf: {spark.driver.memory: 8g}}", "sparkConf", "more than the pod's limit"},
		{"{sparkConf: {hadoop.fs.s3a.endpoint: x}}", "sparkConf", "Spark reads spark.hadoop.* alone"},
		{"{sparkConf: {spark.hadoop.fs.s3a.secret.key: abc}}", "sparkConf", "a key in a ConfigMap and in the values"},
		{"{sparkConf: {spark.hadoop.fs.azure.account.key.store.dfs.core.windows.net: abc}}", "sparkConf", "the same"},
		{"{sparkConf: {spark.ssl.keyStorePassword: abc}}", "sparkConf", "the same"},
		{"{sparkConf: {spark.authenticate.secret: abc}}", "sparkConf", "the same, for all runs"},
		{"{dynamicAllocation: {enabled: true}}", "dynamicAllocation.max", "no end of executors"},
		{"{dynamicAllocation: {enabled: true, max: 1}}", "dynamicAllocation.max", "less than there are at the start"},
		{"{executor: {gracePeriodSeconds: 30}}", "executor.gracePeriodSeconds", "github.com/apache/spark/pull/36434"},
		{"{executor: {memoryMiB: 4g}}", "executor.memoryMiB", "two units"},
		{"{executor: {instances: 0}}", "executor.instances", "a driver that waits for ever"},
		{"{mainApplicationFile: /opt/app.jar}", "mainApplicationFile", "a file of whoever submits it"},
		{"{eventLog: {dir: 'file:///tmp/spark-events'}}", "eventLog.dir", "goes with the driver"},
		{"{eventLog: {dir: 'local:///events'}}", "eventLog.dir", "of the image, which is read-only"},
		{"{checkpoint: {dir: 'file:///opt/spark/work-dir/checkpoints'}}", "checkpoint.dir", "each executor has its own"},
		{"{decommission: {fallbackPath: 'file:///local/spill/'}}", "decommission.fallbackPath", "the executor's own disk, which goes"},
		{"{runtimeSeconds: 0}", "runtimeSeconds", "no limit"},
		{"{ttlSeconds: 0}", "ttlSeconds", "gone before anyone has seen it"},
		{"{schedule: '@every 1h'}", "schedule", "counts from the controller's start"},
		{"{schedule: CRON_TZ=Europe/Berlin 0 3 * * *}", "schedule", "the API server refuses it"},
	})
}

// TestSparkTakes: what looks like the mistakes that are refused, and is none.
func TestSparkTakes(t *testing.T) {
	for _, params := range []string{
		"{sparkConf: {spark.hadoop.fs.s3a.secret.key: '${env.AWS_SECRET_ACCESS_KEY}'}}",
		"{sparkConf: {spark.hadoop.fs.s3a.aws.credentials.provider: com.example.Provider}}",
		"{sparkConf: {spark.kafka.clusters.main.sasl.token.mechanism: SCRAM-SHA-512}}",
		"{sparkConf: {spark.kubernetes.authenticate.driver.mounted.oauthTokenFile: /var/run/token}}",
		"{sparkConf: {spark.ssl.keyStore: /etc/tls/keystore}}",
		"{eventLog: {dir: 'file:///mnt/events'}}",
		"{eventLog: {dir: 'file:///local-ssd/events'}}",
	} {
		renderProfile(t, "spark-batch", "demo", params)
	}
}
