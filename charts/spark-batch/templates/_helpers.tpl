{{/*
The name of the workload: fullnameOverride, or else the name of the release.
*/}}
{{- define "spark-batch.workload.name" -}}
{{ .Values.fullnameOverride | default .Release.Name }}
{{- end }}

{{/*
Name and version of the chart, as a label holds them.
*/}}
{{- define "spark-batch.chart.label" -}}
{{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" | trunc 63 | trimSuffix "-" }}
{{- end }}

{{/*
Any value as YAML in block style. Every string is quoted, so that no reader takes it for
a number or boolean, and 1000000 does not become 1e+06: toYaml does not promise either.
*/}}
{{- define "spark-batch.value.yaml" -}}
{{- $lines := list -}}
{{- if kindIs "map" . -}}
  {{- range $key, $value := . -}}
    {{- $word := regexMatch "(?i)^(y|n|yes|no|on|off|true|false|null|nan|inf|infinity)$" $key -}}
    {{- $plain := and (regexMatch "^[A-Za-z][A-Za-z0-9_./-]*$" $key) (not $word) -}}
    {{- $key = ternary $key (quote $key) $plain -}}
    {{- $text := include "spark-batch.value.yaml" $value -}}
    {{- if and $value (or (kindIs "map" $value) (kindIs "slice" $value)) -}}
      {{- $lines = append $lines (printf "%s:%s" $key (nindent 2 $text)) -}}
    {{- else -}}
      {{- $lines = append $lines (printf "%s: %s" $key $text) -}}
    {{- end -}}
  {{- end -}}
  {{- join "\n" $lines | default "{}" -}}
{{- else if kindIs "slice" . -}}
  {{- range . -}}
    {{- $lines = append $lines (include "spark-batch.value.yaml" . | indent 2 | trim | printf "- %s") -}}
  {{- end -}}
  {{- join "\n" $lines | default "[]" -}}
{{- else if kindIs "string" . -}}
  {{- quote . -}}
{{- else -}}
  {{- toJson . -}}
{{- end -}}
{{- end }}

{{/*
What of a list is in it before, as JSON.
*/}}
{{- define "spark-batch.value.twice" -}}
{{- $seen := list -}}
{{- $again := list -}}
{{- range . -}}
  {{- if and . (has . $seen) -}}
    {{- $again = append $again . -}}
  {{- end -}}
  {{- $seen = append $seen . -}}
{{- end -}}
{{- toJson $again -}}
{{- end }}

{{/*
Image of the main container; a digest wins over the tag.
*/}}
{{- define "spark-batch.image" -}}
{{ ternary (printf "%s@%s" .Values.image.repository .Values.image.digest) (printf "%s:%s" .Values.image.repository .Values.image.tag) (ne .Values.image.digest "") }}
{{- end -}}

{{/*
ServiceAccount of the pods.
*/}}
{{- define "spark-batch.serviceAccountName" -}}
{{ ternary .Values.serviceAccount.name (ternary (include "spark-batch.workload.name" .) "default" .Values.serviceAccount.create) (ne .Values.serviceAccount.name "") }}
{{- end -}}

{{/*
The time between two runs in seconds, or less: at most four weeks. 0 where the schedule does not tell it plainly.
*/}}
{{- define "spark-batch.period" -}}
{{ ternary 2419200 (ternary 604800 (ternary 86400 (ternary 43200 (ternary 28800 (ternary 21600 (ternary 14400 (ternary 10800 (ternary 7200 (ternary 3600 (ternary 1800 (ternary 1200 (ternary 900 (ternary 720 (ternary 600 (ternary 360 (ternary 300 (ternary 240 (ternary 180 (ternary 120 (ternary 60 0 (regexMatch "^[*?](/1)? " .Values.schedule)) (regexMatch "^([*]|[0-9]+)/2 " .Values.schedule)) (regexMatch "^([*]|[0-9]+)/3 " .Values.schedule)) (regexMatch "^([*]|[0-9]+)/4 " .Values.schedule)) (regexMatch "^([*]|[0-9]+)/5 " .Values.schedule)) (regexMatch "^([*]|[0-9]+)/6 " .Values.schedule)) (regexMatch "^([*]|[0-9]+)/10 " .Values.schedule)) (regexMatch "^([*]|[0-9]+)/12 " .Values.schedule)) (regexMatch "^([*]|[0-9]+)/15 |^0?0,15,30,45 " .Values.schedule)) (regexMatch "^([*]|[0-9]+)/20 |^0?0,20,40 " .Values.schedule)) (regexMatch "^([*]|[0-9]+)/30 |^0?0,30 " .Values.schedule)) (regexMatch "^@hourly$|^[0-9]+ " .Values.schedule)) (regexMatch "^[0-9]+ +[*]/2 " .Values.schedule)) (regexMatch "^[0-9]+ +[*]/3 " .Values.schedule)) (regexMatch "^[0-9]+ +[*]/4 " .Values.schedule)) (regexMatch "^[0-9]+ +([*]/6|0?0,0?6,12,18|0?1,0?7,13,19|0?2,0?8,14,20|0?3,0?9,15,21|0?4,10,16,22|0?5,11,17,23) " .Values.schedule)) (regexMatch "^[0-9]+ +([*]/8|0?0,0?8,16|0?1,0?9,17|0?2,10,18|0?3,11,19|0?4,12,20|0?5,13,21|0?6,14,22|0?7,15,23) " .Values.schedule)) (regexMatch "^[0-9]+ +([*]/12|0?0,12|0?1,13|0?2,14|0?3,15|0?4,16|0?5,17|0?6,18|0?7,19|0?8,20|0?9,21|10,22|11,23) " .Values.schedule)) (regexMatch "^@(daily|midnight)$|^[0-9]+ +[0-9]+ " .Values.schedule)) (regexMatch "^@weekly$|^[0-9]+ +[0-9]+ +[*?] +[^ ]+ +([0-6]|[A-Za-z]{3})$" .Values.schedule)) (regexMatch "^@(monthly|yearly|annually)$|^[0-9]+ +[0-9]+ +[0-9]+ +[^ ]+ +[*?]$" .Values.schedule) }}
{{- end -}}

{{/*
How late a run may start. Half the time between two runs and at most 600 s, so that a run that is made up for ends before the next; never under 10, or the run is lost when the controller restarts.
*/}}
{{- define "spark-batch.startingDeadlineSeconds" -}}
{{ ternary (min (div (max (include "spark-batch.period" . | int64) 60) 2) 600) (int64 .Values.startingDeadlineSeconds) (kindIs "invalid" .Values.startingDeadlineSeconds) }}
{{- end -}}

{{/*
How long pods may be missing or waiting before it is an alert; longer than a rollout takes. A profile with slow starts says more.
*/}}
{{- define "spark-batch.settleSeconds" -}}
900
{{- end -}}

{{/*
Whether a StatefulSet is to have two revisions at a time.
*/}}
{{- define "spark-batch.partitioned" -}}
false
{{- end -}}

{{/*
Whether a Job or CronJob runs the driver.
*/}}
{{- define "spark-batch.job" -}}
{{ eq .Values.mode "job" }}
{{- end -}}

{{/*
Whether there is a schedule.
*/}}
{{- define "spark-batch.scheduled" -}}
{{ ne .Values.schedule "" }}
{{- end -}}

{{/*
Whether there is a class to run.
*/}}
{{- define "spark-batch.jvm" -}}
{{ eq .Values.type "Java" "Scala" }}
{{- end -}}

{{/*
Memory beside the heap in percent: Python workers and R live outside of the JVM. Spark's own memoryOverheadFactor for Kubernetes.
*/}}
{{- define "spark-batch.overheadPercent" -}}
{{ ternary 10 40 (eq (include "spark-batch.jvm" .) "true") }}
{{- end -}}

{{/*
Memory of the driver beside its heap; 384 MiB is Spark's own least.
*/}}
{{- define "spark-batch.driverOverheadMiB" -}}
{{ max (div (mul (int64 .Values.driver.memoryMiB) (ternary (include "spark-batch.overheadPercent" . | int64) (int64 .Values.driver.memoryOverheadPercent) (kindIs "invalid" .Values.driver.memoryOverheadPercent))) 100) 384 }}
{{- end -}}

{{/*
Memory of an executor beside its heap.
*/}}
{{- define "spark-batch.executorOverheadMiB" -}}
{{ max (div (mul (int64 .Values.executor.memoryMiB) (ternary (include "spark-batch.overheadPercent" . | int64) (int64 .Values.executor.memoryOverheadPercent) (kindIs "invalid" .Values.executor.memoryOverheadPercent))) 100) 384 }}
{{- end -}}

{{/*
Executors that there are at the most.
*/}}
{{- define "spark-batch.maxExecutors" -}}
{{ ternary (int64 .Values.dynamicAllocation.max) (int64 .Values.executor.instances) .Values.dynamicAllocation.enabled }}
{{- end -}}

{{/*
Executors that may fail in an hour. Without a limit a driver replaces executors that crash for ever.
*/}}
{{- define "spark-batch.maxFailures" -}}
{{ ternary (max (mul 2 (include "spark-batch.maxExecutors" . | int64)) 3) (int64 .Values.executor.maxFailures) (kindIs "invalid" .Values.executor.maxFailures) }}
{{- end -}}

{{/*
Whether each executor has a volume.
*/}}
{{- define "spark-batch.pvc" -}}
{{ eq .Values.localDir.type "pvc" }}
{{- end -}}

{{/*
Disk of the driver, for what it downloads and broadcasts.
*/}}
{{- define "spark-batch.driverDiskGi" -}}
{{ ternary 10 (int64 .Values.localDir.sizeGi) (eq (include "spark-batch.pvc" .) "true") }}
{{- end -}}

{{/*
Disk of the node that an executor asks for; 2Gi for /tmp and logs.
*/}}
{{- define "spark-batch.executorDiskGi" -}}
{{ ternary 2 (add (int64 .Values.localDir.sizeGi) 2) (eq (include "spark-batch.pvc" .) "true") }}
{{- end -}}

{{/*
What Spark's properties cannot say of executors, as Spark's pod template file.
*/}}
{{- define "spark-batch.executorTemplate" -}}
apiVersion: v1
kind: Pod
metadata:
  labels: {{ toJson .Values.podLabels }}
  annotations: {{ toJson .Values.podAnnotations }}
spec:
  automountServiceAccountToken: false
  enableServiceLinks: false
  terminationGracePeriodSeconds: {{ int64 .Values.executor.gracePeriodSeconds }}
  priorityClassName: "{{ ternary "" .Values.priorityClassName (kindIs "invalid" .Values.priorityClassName) }}"
  imagePullSecrets: {{ toJson .Values.imagePullSecrets }}
  nodeSelector: {{ toJson .Values.nodeSelector }}
  affinity: {{ toJson .Values.affinity }}
  tolerations: {{ toJson .Values.tolerations }}
  securityContext:
    runAsNonRoot: true
    runAsUser: {{ int64 .Values.podSecurityContext.runAsUser }}
    runAsGroup: {{ int64 .Values.podSecurityContext.runAsGroup }}
    fsGroup: {{ int64 .Values.podSecurityContext.fsGroup }}
    fsGroupChangePolicy: OnRootMismatch
    seccompProfile: {type: RuntimeDefault}
  containers:
  - name: spark-kubernetes-executor
    env: {{ toJson .Values.extraEnv }}
    resources:
      requests: {ephemeral-storage: {{ include "spark-batch.executorDiskGi" . | int64 }}Gi}
    securityContext:
      allowPrivilegeEscalation: false
      readOnlyRootFilesystem: true
      capabilities: {drop: [ALL]}
    volumeMounts: {{ toJson .Values.extraVolumeMounts }}
  volumes: {{ toJson .Values.extraVolumes }}
{{ end -}}

{{/*
Time after which a run is ended. With Forbid a run that hangs would keep the next ones from starting.
*/}}
{{- define "spark-batch.runtimeSeconds" -}}
{{ ternary (ternary 86400 (min (max (sub (include "spark-batch.period" . | int64) 60) 60) 86400) (eq (include "spark-batch.period" . | int64) 0)) (int64 .Values.runtimeSeconds) (kindIs "invalid" .Values.runtimeSeconds) }}
{{- end -}}

{{/*
All that a run depends on, since a Job's template cannot be changed and a Job that has ended does not run again. The number is to be raised when the template is.
*/}}
{{- define "spark-batch.decisive" -}}
1 {{ .Values.runId }} {{ include "spark-batch.image" . }} {{ .Values.image.pullPolicy }} {{ include "spark-batch.serviceAccountName" . }} {{ .Values.type }} {{ .Values.mainClass }} {{ .Values.mainApplicationFile }} {{ sha256sum (toJson .Values.arguments) | trunc 8 }} {{ int64 .Values.driver.cores }} {{ int64 .Values.driver.memoryMiB }} {{ include "spark-batch.driverOverheadMiB" . | int64 }} {{ int64 .Values.executor.instances }} {{ int64 .Values.executor.cores }} {{ int64 .Values.executor.memoryMiB }} {{ include "spark-batch.executorOverheadMiB" . | int64 }} {{ include "spark-batch.maxFailures" . | int64 }} {{ .Values.dynamicAllocation.enabled }} {{ int64 .Values.dynamicAllocation.min }} {{ int64 .Values.dynamicAllocation.max }} {{ int64 .Values.dynamicAllocation.idleSeconds }} {{ int64 .Values.dynamicAllocation.shuffleSeconds }} {{ .Values.decommission.enabled }} {{ .Values.decommission.fallbackPath }} {{ .Values.localDir.type }} {{ int64 .Values.localDir.sizeGi }} {{ .Values.localDir.storageClass }} {{ .Values.eventLog.dir }} {{ .Values.checkpoint.dir }} {{ .Values.authenticate }} {{ .Values.monitoring.enabled }} {{ sha256sum (toJson .Values.sparkConf) | trunc 8 }} {{ include "spark-batch.executorTemplate" . }}
{{- end -}}

{{/*
Hash of it.
*/}}
{{- define "spark-batch.runKey" -}}
{{ sha256sum (include "spark-batch.decisive" .) | trunc 8 }}
{{- end -}}

{{/*
Longest run.
*/}}
{{- define "spark-batch.activeDeadlineSeconds" -}}
{{ include "spark-batch.runtimeSeconds" . | int64 }}
{{- end -}}

{{/*
Prometheus pattern of the pods of drivers and executors.
*/}}
{{- define "spark-batch.podPattern" -}}
{{ include "spark-batch.workload.name" . }}{{ ternary "-[0-9a-f]{8,10}-[a-z0-9]{5}(-exec-[0-9]+)?" "(-[0-9]+)?-(driver|[0-9a-f]+-exec-[0-9]+)" (eq (include "spark-batch.job" .) "true") }}
{{- end -}}

{{/*
Prometheus pattern of the Jobs.
*/}}
{{- define "spark-batch.jobPattern" -}}
{{ include "spark-batch.workload.name" . }}-[0-9a-f]{8,10}
{{- end -}}

{{/*
Name of the Job: a new one for each run that differs.
*/}}
{{- define "spark-batch.jobName" -}}
{{ ternary (include "spark-batch.workload.name" .) (printf "%s-%s" (include "spark-batch.workload.name" .) (include "spark-batch.runKey" .)) (eq (include "spark-batch.scheduled" .) "true") }}
{{- end -}}
