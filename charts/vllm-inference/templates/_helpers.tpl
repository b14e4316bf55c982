{{/*
The name of the workload: fullnameOverride, or else the name of the release.
*/}}
{{- define "vllm-inference.workload.name" -}}
{{ .Values.fullnameOverride | default .Release.Name }}
{{- end }}

{{/*
Name and version of the chart, as a label holds them.
*/}}
{{- define "vllm-inference.chart.label" -}}
{{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" | trunc 63 | trimSuffix "-" }}
{{- end }}

{{/*
Any value as YAML in block style. Every string is quoted, so that no reader takes it for
a number or boolean, and 1000000 does not become 1e+06: toYaml does not promise either.
*/}}
{{- define "vllm-inference.value.yaml" -}}
{{- $lines := list -}}
{{- if kindIs "map" . -}}
  {{- range $key, $value := . -}}
    {{- $word := regexMatch "(?i)^(y|n|yes|no|on|off|true|false|null|nan|inf|infinity)$" $key -}}
    {{- $plain := and (regexMatch "^[A-Za-z][A-Za-z0-9_./-]*$" $key) (not $word) -}}
    {{- $key = ternary $key (quote $key) $plain -}}
    {{- $text := include "vllm-inference.value.yaml" $value -}}
    {{- if and $value (or (kindIs "map" $value) (kindIs "slice" $value)) -}}
      {{- $lines = append $lines (printf "%s:%s" $key (nindent 2 $text)) -}}
    {{- else -}}
      {{- $lines = append $lines (printf "%s: %s" $key $text) -}}
    {{- end -}}
  {{- end -}}
  {{- join "\n" $lines | default "{}" -}}
{{- else if kindIs "slice" . -}}
  {{- range . -}}
    {{- $lines = append $lines (include "vllm-inference.value.yaml" . | indent 2 | trim | printf "- %s") -}}
  {{- end -}}
  {{- join "\n" $lines | default "[]" -}}
{{- else if kindIs "string" . -}}
  {{- quote . -}}
{{- else -}}
  {{- toJson . -}}
{{- end -}}
{{- end }}

{{/*
The text of a quantity or decimal, which may be given as a number; nothing for null.
*/}}
{{- define "vllm-inference.value.text" -}}
{{- if kindIs "string" . -}}
  {{- . -}}
{{- else if not (kindIs "invalid" .) -}}
  {{- toJson . -}}
{{- end -}}
{{- end }}

{{/*
What of a list is in it before, as JSON.
*/}}
{{- define "vllm-inference.value.twice" -}}
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
A quantity in whole units: "1Gi" is 1073741824. A fraction of a unit counts as one.
*/}}
{{- define "vllm-inference.value.whole" -}}
{{- $units := dict "" 1 "m" 1 "k" 1000 "M" 1000000 "G" 1000000000 "T" 1000000000000
  "Ki" 1024 "Mi" 1048576 "Gi" 1073741824 "Ti" 1099511627776 -}}
{{- $unit := get $units (regexFind "[A-Za-z]*$" .) | int64 -}}
{{- $fraction := regexFind "[.][0-9]+" . | trimPrefix "." -}}
{{- $parts := 1 -}}
{{- range until (len $fraction) -}}
  {{- $parts = mul $parts 10 -}}
{{- end -}}
{{- $value := mul (regexFind "^[0-9]+" . | atoi) $unit -}}
{{- $value = add $value (div (add (mul (atoi $fraction) $unit) $parts -1) $parts) -}}
{{- if hasSuffix "m" . -}}
  {{- $value = div (add $value 999) 1000 -}}
{{- end -}}
{{- $value -}}
{{- end }}

{{/*
Image of the main container; a digest wins over the tag.
*/}}
{{- define "vllm-inference.image" -}}
{{ ternary (printf "%s@%s" .Values.image.repository .Values.image.digest) (printf "%s:%s" .Values.image.repository .Values.image.tag) (ne .Values.image.digest "") }}
{{- end -}}

{{/*
ServiceAccount of the pods.
*/}}
{{- define "vllm-inference.serviceAccountName" -}}
{{ ternary .Values.serviceAccount.name (ternary (include "vllm-inference.workload.name" .) "default" .Values.serviceAccount.create) (ne .Values.serviceAccount.name "") }}
{{- end -}}

{{/*
Servers that run at the least.
*/}}
{{- define "vllm-inference.minReplicas" -}}
{{ ternary (int64 .Values.autoscaling.min) (int64 .Values.replicas) .Values.autoscaling.enabled }}
{{- end -}}

{{/*
Servers that run at the most.
*/}}
{{- define "vllm-inference.maxReplicas" -}}
{{ ternary (int64 .Values.autoscaling.max) (int64 .Values.replicas) .Values.autoscaling.enabled }}
{{- end -}}

{{/*
F4, preStop plus drain plus 15 seconds of slack.
*/}}
{{- define "vllm-inference.terminationGracePeriodSeconds" -}}
{{ add (int64 .Values.shutdown.preStopSeconds) (int64 .Values.shutdown.drainSeconds) 15 }}
{{- end -}}

{{/*
Servers at the least while Prometheus does not answer.
*/}}
{{- define "vllm-inference.fallbackReplicas" -}}
{{ ternary (min 2 (int64 .Values.autoscaling.max)) (int64 .Values.autoscaling.fallbackReplicas) (kindIs "invalid" .Values.autoscaling.fallbackReplicas) }}
{{- end -}}

{{/*
Whether each server has a volume of its own, and so is a pod of a StatefulSet.
*/}}
{{- define "vllm-inference.statefulSet" -}}
{{ eq .Values.modelCache.mode "perReplica" }}
{{- end -}}

{{/*
Whether several nodes hold one copy of the model, so that a LeaderWorkerSet runs them.
*/}}
{{- define "vllm-inference.multiNode" -}}
{{ gt (int64 .Values.multiNode.nodes) 1 }}
{{- end -}}

{{/*
Whether it is a Deployment.
*/}}
{{- define "vllm-inference.deployment" -}}
{{ and (ne (include "vllm-inference.statefulSet" .) "true") (ne (include "vllm-inference.multiNode" .) "true") }}
{{- end -}}

{{/*
Whether the nodes find each other by vLLM itself.
*/}}
{{- define "vllm-inference.byVllm" -}}
{{ and (eq (include "vllm-inference.multiNode" .) "true") (eq .Values.multiNode.backend "mp") }}
{{- end -}}

{{/*
Whether they find each other by Ray.
*/}}
{{- define "vllm-inference.byRay" -}}
{{ and (eq (include "vllm-inference.multiNode" .) "true") (eq .Values.multiNode.backend "ray") }}
{{- end -}}

{{/*
Whether there are RDMA devices.
*/}}
{{- define "vllm-inference.rdma" -}}
{{ and (eq (include "vllm-inference.multiNode" .) "true") (gt (int64 .Values.multiNode.rdma.count) 0) }}
{{- end -}}

{{/*
Whether the model is on a volume before the server starts.
*/}}
{{- define "vllm-inference.prefilled" -}}
{{ eq .Values.modelCache.mode "shared" "image" "existing" }}
{{- end -}}

{{/*
Name of the model's folder on a shared volume; differs for each model and revision.
*/}}
{{- define "vllm-inference.modelKey" -}}
{{ sha256sum (printf "%s@%s" .Values.model.id .Values.model.revision) | trunc 8 }}
{{- end -}}

{{/*
What the server loads. The folder on a prefilled volume, else the model's name on the hub.
*/}}
{{- define "vllm-inference.modelPath" -}}
{{ ternary (printf "/models/%s" (include "vllm-inference.modelKey" .)) (ternary "/models" .Values.model.id (eq (include "vllm-inference.prefilled" .) "true")) (eq .Values.modelCache.mode "shared") }}
{{- end -}}

{{/*
Hash of all that the prefill Job's pods depend on, since a Job's template cannot be changed. The number is to be raised when the template is.
*/}}
{{- define "vllm-inference.prefillKey" -}}
{{ sha256sum (printf "3 %s %s %s %s %s %s %s %d %d %d" (include "vllm-inference.modelKey" .) (include "vllm-inference.image" .) (include "vllm-inference.serviceAccountName" .) .Values.model.endpoint .Values.model.httpsProxy .Values.auth.hfToken.existingSecret .Values.auth.hfToken.key (int64 .Values.podSecurityContext.runAsUser) (int64 .Values.podSecurityContext.runAsGroup) (int64 .Values.podSecurityContext.fsGroup)) | trunc 8 }}
{{- end -}}

{{/*
GPUs that share one copy of the model; 1 on the CPU.
*/}}
{{- define "vllm-inference.tensorParallelSize" -}}
{{ ternary (max (int64 .Values.gpu.count) 1) (int64 .Values.engine.tensorParallelSize) (kindIs "invalid" .Values.engine.tensorParallelSize) }}
{{- end -}}

{{/*
Stages that the layers are divided into; one for each node.
*/}}
{{- define "vllm-inference.pipelineParallelSize" -}}
{{ ternary (int64 .Values.multiNode.nodes) (int64 .Values.engine.pipelineParallelSize) (kindIs "invalid" .Values.engine.pipelineParallelSize) }}
{{- end -}}

{{/*
GPUs of one server, on all its nodes.
*/}}
{{- define "vllm-inference.groupGpus" -}}
{{ mul (int64 .Values.gpu.count) (int64 .Values.multiNode.nodes) }}
{{- end -}}

{{/*
F2, longest legal start. 1.5 x (size x (download + read) + 180 s to compile), from 60 to 14400; 1800 where the size is not known.
*/}}
{{- define "vllm-inference.loadBudgetSeconds" -}}
{{ ternary (ternary 1800 (min (max (div (add (mul (add (mul (int64 .Values.model.sizeGB) (add (int64 .Values.startup.downloadSecondsPerGB) (int64 .Values.startup.readSecondsPerGB))) 180) 3) 1) 2) 60) 14400) (kindIs "invalid" .Values.model.sizeGB)) (int64 .Values.startup.loadBudgetSeconds) (kindIs "invalid" .Values.startup.loadBudgetSeconds) }}
{{- end -}}

{{/*
Seconds between two startup probes.
*/}}
{{- define "vllm-inference.startupPeriodSeconds" -}}
10
{{- end -}}

{{/*
F1, the startup probes that may fail. One more than the periods of the load budget, since the first probe comes at the very start.
*/}}
{{- define "vllm-inference.startupFailureThreshold" -}}
{{ add (div (add (include "vllm-inference.loadBudgetSeconds" . | int64) 9) 10) 1 }}
{{- end -}}

{{/*
F6, /dev/shm in Gi. 1 plus 1 for each GPU, from 2 to 32; at least 8 with data parallelism; no more than all but 4Gi of resources.memory.
*/}}
{{- define "vllm-inference.shmGi" -}}
{{ ternary (min (max (min (max (add 1 (int64 .Values.gpu.count)) 2) 32) (ternary 8 2 (gt (int64 .Values.engine.dataParallelSize) 1))) (max (sub (div (include "vllm-inference.value.whole" (ternary "1Ti" (include "vllm-inference.value.text" .Values.resources.memory) (kindIs "invalid" .Values.resources.memory)) | int64) 1073741824) 4) 1)) (int64 .Values.shm.sizeGi) (kindIs "invalid" .Values.shm.sizeGi) }}
{{- end -}}

{{/*
F7, memory request and limit. Pages of /dev/shm are charged to the container.
*/}}
{{- define "vllm-inference.memory" -}}
{{ ternary (printf "%dGi" (add 16 (mul 32 (int64 .Values.gpu.count)) (include "vllm-inference.shmGi" . | int64))) (include "vllm-inference.value.text" .Values.resources.memory) (kindIs "invalid" .Values.resources.memory) }}
{{- end -}}

{{/*
CPU request. 2 plus 2 for each GPU, since a worker spins for each of them.
*/}}
{{- define "vllm-inference.cpu" -}}
{{ ternary (toString (add 2 (mul 2 (int64 .Values.gpu.count)))) (include "vllm-inference.value.text" .Values.resources.cpu) (kindIs "invalid" .Values.resources.cpu) }}
{{- end -}}

{{/*
Limit of the node disk that caches may use, in Gi. Weights are there only in mode ephemeral.
*/}}
{{- define "vllm-inference.cacheGi" -}}
{{ ternary (int64 .Values.modelCache.sizeGi) 8 (eq .Values.modelCache.mode "ephemeral") }}
{{- end -}}

{{/*
F10, request for node disk. 1.2 times the cache, rounded up; 2Gi when the cache has a volume.
*/}}
{{- define "vllm-inference.ephemeralStorage" -}}
{{ ternary (printf "%dGi" (ternary 2 (div (add (mul (include "vllm-inference.cacheGi" . | int64) 6) 4) 5) (eq (include "vllm-inference.statefulSet" .) "true"))) (include "vllm-inference.value.text" .Values.resources.ephemeralStorage) (kindIs "invalid" .Values.resources.ephemeralStorage) }}
{{- end -}}

{{/*
Whether the claim with the model can be mounted on one node only.
*/}}
{{- define "vllm-inference.oneNodeClaim" -}}
{{ and (eq .Values.modelCache.mode "existing") (not (eq .Values.modelCache.accessMode "ReadWriteMany" "ReadOnlyMany")) }}
{{- end -}}

{{/*
F9, whether a new pod starts before an old one stops. Only where its GPUs are free and it can mount the model.
*/}}
{{- define "vllm-inference.surge" -}}
{{ and (ge (int64 .Values.rollout.spareGpus) (include "vllm-inference.groupGpus" . | int64)) (ne (include "vllm-inference.oneNodeClaim" .) "true") }}
{{- end -}}

{{/*
F9, pods above the wanted number during a rollout.
*/}}
{{- define "vllm-inference.maxSurge" -}}
{{ ternary 1 0 (eq (include "vllm-inference.surge" .) "true") }}
{{- end -}}

{{/*
F9, pods below the wanted number during a rollout.
*/}}
{{- define "vllm-inference.maxUnavailable" -}}
{{ ternary 0 1 (eq (include "vllm-inference.surge" .) "true") }}
{{- end -}}

{{/*
The longest legal step of a rollout, after which a pod that is missing or waits is an alert. Load budget, 600 s image pull, 600 s node provisioning, minReadySeconds and 60 s; the old pod's grace period where it must stop first.
*/}}
{{- define "vllm-inference.settleSeconds" -}}
{{ add (include "vllm-inference.loadBudgetSeconds" . | int64) 600 600 (int64 .Values.rollout.minReadySeconds) 60 (ternary 0 (include "vllm-inference.terminationGracePeriodSeconds" . | int64) (eq (include "vllm-inference.surge" .) "true")) }}
{{- end -}}

{{/*
F3, that step, and before the first one the prefill of a shared cache.
*/}}
{{- define "vllm-inference.progressDeadlineSeconds" -}}
{{ add (include "vllm-inference.settleSeconds" . | int64) (ternary (int64 .Values.modelCache.prefillTimeoutSeconds) 0 (eq .Values.modelCache.mode "shared")) }}
{{- end -}}

{{/*
How long load must be low before a server is stopped. At least the load budget, from 600 to 3600, or scaling flaps.
*/}}
{{- define "vllm-inference.scaleDownWindowSeconds" -}}
{{ min (max (include "vllm-inference.loadBudgetSeconds" . | int64) 600) 3600 }}
{{- end -}}

{{/*
Whether a StatefulSet is to have two revisions at a time.
*/}}
{{- define "vllm-inference.partitioned" -}}
{{ .Values.canary.enabled }}
{{- end -}}

{{/*
Prometheus pattern of the claims.
*/}}
{{- define "vllm-inference.claimPattern" -}}
{{ ternary (printf "cache-%s-[0-9]+" (include "vllm-inference.workload.name" .)) (printf "%s-model" (include "vllm-inference.workload.name" .)) (eq (include "vllm-inference.statefulSet" .) "true") }}
{{- end -}}

{{/*
First ordinal that gets a new revision while the canary is on.
*/}}
{{- define "vllm-inference.canaryPartition" -}}
{{ ternary (max (sub (include "vllm-inference.minReplicas" . | int64) 1) 0) (int64 .Values.canary.partition) (kindIs "invalid" .Values.canary.partition) }}
{{- end -}}

{{/*
Prometheus pattern of the pods of this workload and of no other whose name begins alike.
*/}}
{{- define "vllm-inference.podPattern" -}}
{{ include "vllm-inference.workload.name" . }}{{ ternary "-[0-9]+(-[0-9]+)?" (ternary "-[0-9]+" "-[a-z0-9]+-[a-z0-9]{5}" (eq (include "vllm-inference.statefulSet" .) "true")) (eq (include "vllm-inference.multiNode" .) "true") }}
{{- end -}}
