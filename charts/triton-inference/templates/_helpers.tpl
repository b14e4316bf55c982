{{/*
The name of the workload: fullnameOverride, or else the name of the release.
*/}}
{{- define "triton-inference.workload.name" -}}
{{ .Values.fullnameOverride | default .Release.Name }}
{{- end }}

{{/*
Name and version of the chart, as a label holds them.
*/}}
{{- define "triton-inference.chart.label" -}}
{{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" | trunc 63 | trimSuffix "-" }}
{{- end }}

{{/*
Any value as YAML in block style. Every string is quoted, so that no reader takes it for
a number or boolean, and 1000000 does not become 1e+06: toYaml does not promise either.
*/}}
{{- define "triton-inference.value.yaml" -}}
{{- $lines := list -}}
{{- if kindIs "map" . -}}
  {{- range $key, $value := . -}}
    {{- $word := regexMatch "(?i)^(y|n|yes|no|on|off|true|false|null|nan|inf|infinity)$" $key -}}
    {{- $plain := and (regexMatch "^[A-Za-z][A-Za-z0-9_./-]*$" $key) (not $word) -}}
    {{- $key = ternary $key (quote $key) $plain -}}
    {{- $text := include "triton-inference.value.yaml" $value -}}
    {{- if and $value (or (kindIs "map" $value) (kindIs "slice" $value)) -}}
      {{- $lines = append $lines (printf "%s:%s" $key (nindent 2 $text)) -}}
    {{- else -}}
      {{- $lines = append $lines (printf "%s: %s" $key $text) -}}
    {{- end -}}
  {{- end -}}
  {{- join "\n" $lines | default "{}" -}}
{{- else if kindIs "slice" . -}}
  {{- range . -}}
    {{- $lines = append $lines (include "triton-inference.value.yaml" . | indent 2 | trim | printf "- %s") -}}
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
{{- define "triton-inference.value.text" -}}
{{- if kindIs "string" . -}}
  {{- . -}}
{{- else if not (kindIs "invalid" .) -}}
  {{- toJson . -}}
{{- end -}}
{{- end }}

{{/*
What of a list is in it before, as JSON.
*/}}
{{- define "triton-inference.value.twice" -}}
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
{{- define "triton-inference.value.whole" -}}
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
{{- define "triton-inference.image" -}}
{{ ternary (printf "%s@%s" .Values.image.repository .Values.image.digest) (printf "%s:%s" .Values.image.repository .Values.image.tag) (ne .Values.image.digest "") }}
{{- end -}}

{{/*
ServiceAccount of the pods.
*/}}
{{- define "triton-inference.serviceAccountName" -}}
{{ ternary .Values.serviceAccount.name (ternary (include "triton-inference.workload.name" .) "default" .Values.serviceAccount.create) (ne .Values.serviceAccount.name "") }}
{{- end -}}

{{/*
Servers that run at the least.
*/}}
{{- define "triton-inference.minReplicas" -}}
{{ ternary (int64 .Values.autoscaling.min) (int64 .Values.replicas) .Values.autoscaling.enabled }}
{{- end -}}

{{/*
Servers that run at the most.
*/}}
{{- define "triton-inference.maxReplicas" -}}
{{ ternary (int64 .Values.autoscaling.max) (int64 .Values.replicas) .Values.autoscaling.enabled }}
{{- end -}}

{{/*
F4, preStop plus drain plus 15 seconds of slack.
*/}}
{{- define "triton-inference.terminationGracePeriodSeconds" -}}
{{ add (int64 .Values.shutdown.preStopSeconds) (int64 .Values.shutdown.drainSeconds) 15 }}
{{- end -}}

{{/*
Servers at the least while Prometheus does not answer.
*/}}
{{- define "triton-inference.fallbackReplicas" -}}
{{ ternary (min 2 (int64 .Values.autoscaling.max)) (int64 .Values.autoscaling.fallbackReplicas) (kindIs "invalid" .Values.autoscaling.fallbackReplicas) }}
{{- end -}}

{{/*
Whether a StatefulSet is to have two revisions at a time.
*/}}
{{- define "triton-inference.partitioned" -}}
false
{{- end -}}

{{/*
Whether each start downloads the models.
*/}}
{{- define "triton-inference.cloud" -}}
{{ eq .Values.modelRepository.mode "cloud" }}
{{- end -}}

{{/*
What the server is told to load from.
*/}}
{{- define "triton-inference.modelRepository" -}}
{{ ternary .Values.modelRepository.uri "/models" (eq (include "triton-inference.cloud" .) "true") }}
{{- end -}}

{{/*
Whether a file gives the credentials of the object storage.
*/}}
{{- define "triton-inference.credentials" -}}
{{ and (eq (include "triton-inference.cloud" .) "true") (ne .Values.modelRepository.credentials.existingSecret "") }}
{{- end -}}

{{/*
F1, the startup probes that may fail, one in 10 seconds. One more than the periods of the load budget, since the first probe comes at the very start.
*/}}
{{- define "triton-inference.startupFailureThreshold" -}}
{{ add (div (add (int64 .Values.startup.loadBudgetSeconds) 9) 10) 1 }}
{{- end -}}

{{/*
F6, /dev/shm in Mi. Two times the 64Mi that an instance of the Python backend begins with, and 1024 at the least.
*/}}
{{- define "triton-inference.shmMi" -}}
{{ ternary (max 1024 (mul 128 (int64 .Values.pythonInstances))) (int64 .Values.shm.sizeMi) (kindIs "invalid" .Values.shm.sizeMi) }}
{{- end -}}

{{/*
F7, memory request and limit. Pages of /dev/shm are charged to the container.
*/}}
{{- define "triton-inference.memory" -}}
{{ ternary (printf "%dMi" (add (mul (add 8 (mul 16 (int64 .Values.gpu.count))) 1024) (include "triton-inference.shmMi" . | int64))) (include "triton-inference.value.text" .Values.resources.memory) (kindIs "invalid" .Values.resources.memory) }}
{{- end -}}

{{/*
CPU request. 2 plus 2 for each GPU, for the work before and after a model.
*/}}
{{- define "triton-inference.cpu" -}}
{{ ternary (toString (add 2 (mul 2 (int64 .Values.gpu.count)))) (include "triton-inference.value.text" .Values.resources.cpu) (kindIs "invalid" .Values.resources.cpu) }}
{{- end -}}

{{/*
Limit of the node disk that /tmp may use, in Gi. Triton downloads the repository to it in mode cloud.
*/}}
{{- define "triton-inference.tmpGi" -}}
{{ ternary (int64 .Values.modelRepository.sizeGi) 4 (eq (include "triton-inference.cloud" .) "true") }}
{{- end -}}

{{/*
F10, request for node disk. 1.2 times /tmp, rounded up.
*/}}
{{- define "triton-inference.ephemeralStorage" -}}
{{ div (add (mul (include "triton-inference.tmpGi" . | int64) 6) 4) 5 }}Gi
{{- end -}}

{{/*
Whether the claim with the models can be mounted on one node only.
*/}}
{{- define "triton-inference.oneNodeClaim" -}}
{{ and (eq .Values.modelRepository.mode "claim") (not (eq .Values.modelRepository.accessMode "ReadWriteMany" "ReadOnlyMany")) }}
{{- end -}}

{{/*
F9, whether a new pod starts before an old one stops. Only where its GPUs are free and it can mount the models.
*/}}
{{- define "triton-inference.surge" -}}
{{ and (ge (int64 .Values.rollout.spareGpus) (int64 .Values.gpu.count)) (ne (include "triton-inference.oneNodeClaim" .) "true") }}
{{- end -}}

{{/*
F3, longest legal step of a rollout. Load budget, 600 s image pull, 600 s node provisioning, minReadySeconds and 60 s; the old pod's grace period where it must stop first.
*/}}
{{- define "triton-inference.progressDeadlineSeconds" -}}
{{ add (int64 .Values.startup.loadBudgetSeconds) 600 600 (int64 .Values.rollout.minReadySeconds) 60 (ternary 0 (include "triton-inference.terminationGracePeriodSeconds" . | int64) (eq (include "triton-inference.surge" .) "true")) }}
{{- end -}}

{{/*
How long pods may be missing or waiting before it is an alert. The longest legal step of a rollout.
*/}}
{{- define "triton-inference.settleSeconds" -}}
{{ include "triton-inference.progressDeadlineSeconds" . | int64 }}
{{- end -}}

{{/*
How long load must be low before a server is stopped. At least the load budget, from 600 to 3600, or scaling flaps.
*/}}
{{- define "triton-inference.scaleDownWindowSeconds" -}}
{{ min (max (int64 .Values.startup.loadBudgetSeconds) 600) 3600 }}
{{- end -}}

{{/*
What autoscaling aims at for each server. A queue as long as the computation, 8 requests in the queue, or 50 ms in it.
*/}}
{{- define "triton-inference.target" -}}
{{ ternary (ternary "1" (ternary "8" "50000" (eq .Values.autoscaling.metric "pending")) (eq .Values.autoscaling.metric "queueRatio")) (include "triton-inference.value.text" .Values.autoscaling.target) (kindIs "invalid" .Values.autoscaling.target) }}
{{- end -}}

{{/*
Prometheus pattern of the pods of this workload and of no other whose name begins alike.
*/}}
{{- define "triton-inference.podPattern" -}}
{{ include "triton-inference.workload.name" . }}-[a-z0-9]+-[a-z0-9]{5}
{{- end -}}

{{/*
Prometheus selector of these pods.
*/}}
{{- define "triton-inference.pods" -}}
namespace="{{ .Release.Namespace }}",pod=~"{{ include "triton-inference.podPattern" . }}"
{{- end -}}

{{/*
The sum of the servers' values, which AverageValue makes the mean. A server without requests counts 0, since 0 / 0 would be no number and the sum none either.
*/}}
{{- define "triton-inference.query" -}}
{{ ternary (printf "sum(nv_inference_pending_request_count{%s})" (include "triton-inference.pods" .)) (printf "sum(sum by (pod) (rate(nv_inference_queue_duration_us{%s}[2m])) / clamp_min(sum by (pod) (rate(%s{%s}[2m])), 0.001))" (include "triton-inference.pods" .) (ternary "nv_inference_compute_infer_duration_us" "nv_inference_request_success" (eq .Values.autoscaling.metric "queueRatio")) (include "triton-inference.pods" .)) (eq .Values.autoscaling.metric "pending") }}
{{- end -}}
