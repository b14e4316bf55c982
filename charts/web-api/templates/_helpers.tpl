{{/*
The name of the workload: fullnameOverride, or else the name of the release.
*/}}
{{- define "web-api.workload.name" -}}
{{ .Values.fullnameOverride | default .Release.Name }}
{{- end }}

{{/*
Name and version of the chart, as a label holds them.
*/}}
{{- define "web-api.chart.label" -}}
{{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" | trunc 63 | trimSuffix "-" }}
{{- end }}

{{/*
Any value as YAML in block style. Every string is quoted, so that no reader takes it for
a number or boolean, and 1000000 does not become 1e+06: toYaml does not promise either.
*/}}
{{- define "web-api.value.yaml" -}}
{{- $lines := list -}}
{{- if kindIs "map" . -}}
  {{- range $key, $value := . -}}
    {{- $word := regexMatch "(?i)^(y|n|yes|no|on|off|true|false|null|nan|inf|infinity)$" $key -}}
    {{- $plain := and (regexMatch "^[A-Za-z][A-Za-z0-9_./-]*$" $key) (not $word) -}}
    {{- $key = ternary $key (quote $key) $plain -}}
    {{- $text := include "web-api.value.yaml" $value -}}
    {{- if and $value (or (kindIs "map" $value) (kindIs "slice" $value)) -}}
      {{- $lines = append $lines (printf "%s:%s" $key (nindent 2 $text)) -}}
    {{- else -}}
      {{- $lines = append $lines (printf "%s: %s" $key $text) -}}
    {{- end -}}
  {{- end -}}
  {{- join "\n" $lines | default "{}" -}}
{{- else if kindIs "slice" . -}}
  {{- range . -}}
    {{- $lines = append $lines (include "web-api.value.yaml" . | indent 2 | trim | printf "- %s") -}}
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
{{- define "web-api.value.text" -}}
{{- if kindIs "string" . -}}
  {{- . -}}
{{- else if not (kindIs "invalid" .) -}}
  {{- toJson . -}}
{{- end -}}
{{- end }}

{{/*
What of a list is in it before, as JSON.
*/}}
{{- define "web-api.value.twice" -}}
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
{{- define "web-api.image" -}}
{{ ternary (printf "%s@%s" .Values.image.repository .Values.image.digest) (printf "%s:%s" .Values.image.repository .Values.image.tag) (ne .Values.image.digest "") }}
{{- end -}}

{{/*
ServiceAccount of the pods.
*/}}
{{- define "web-api.serviceAccountName" -}}
{{ ternary .Values.serviceAccount.name (ternary (include "web-api.workload.name" .) "default" .Values.serviceAccount.create) (ne .Values.serviceAccount.name "") }}
{{- end -}}

{{/*
F10, request for node disk. 1.2 times /tmp, rounded up, for logs and what else is written.
*/}}
{{- define "web-api.ephemeralStorage" -}}
{{ div (add (mul (int64 .Values.scratch.sizeMi) 6) 4) 5 }}Mi
{{- end -}}

{{/*
Servers that run at the least.
*/}}
{{- define "web-api.minReplicas" -}}
{{ ternary (int64 .Values.autoscaling.min) (int64 .Values.replicas) .Values.autoscaling.enabled }}
{{- end -}}

{{/*
Servers that run at the most.
*/}}
{{- define "web-api.maxReplicas" -}}
{{ ternary (int64 .Values.autoscaling.max) (int64 .Values.replicas) .Values.autoscaling.enabled }}
{{- end -}}

{{/*
Whether a StatefulSet is to have two revisions at a time.
*/}}
{{- define "web-api.partitioned" -}}
false
{{- end -}}

{{/*
F4, wait before SIGTERM. Until a load balancer outside has found the pod gone, and 15 s more, where there is one.
*/}}
{{- define "web-api.preStopSeconds" -}}
{{ max (int64 .Values.shutdown.preStopSeconds) (ternary (add (int64 .Values.shutdown.loadBalancerSeconds) 15) 0 (gt (int64 .Values.shutdown.loadBalancerSeconds) 0)) }}
{{- end -}}

{{/*
F4, preStop plus drain plus 15 seconds of slack.
*/}}
{{- define "web-api.terminationGracePeriodSeconds" -}}
{{ add (include "web-api.preStopSeconds" . | int64) (int64 .Values.shutdown.drainSeconds) 15 }}
{{- end -}}

{{/*
F1, the startup probes that may fail, one in 5 seconds. One more than the periods of the budget, since the first probe comes at the very start.
*/}}
{{- define "web-api.startupFailureThreshold" -}}
{{ add (div (add (int64 .Values.startup.budgetSeconds) 4) 5) 1 }}
{{- end -}}

{{/*
Whether a new pod starts before an old one stops.
*/}}
{{- define "web-api.surge" -}}
{{ gt (int64 .Values.rollout.maxSurgePercent) 0 }}
{{- end -}}

{{/*
F3, longest legal step of a rollout. The start, 300 s for a node and the image, minReadySeconds and 60 s; the old pod's grace period where it must stop first. The default of 600 s would hide a failure for longer.
*/}}
{{- define "web-api.progressDeadlineSeconds" -}}
{{ add (int64 .Values.startup.budgetSeconds) 300 (int64 .Values.rollout.minReadySeconds) 60 (ternary 0 (include "web-api.terminationGracePeriodSeconds" . | int64) (eq (include "web-api.surge" .) "true")) }}
{{- end -}}

{{/*
How long pods may be missing or waiting before it is an alert. The longest legal step of a rollout, and a quarter of an hour at the least.
*/}}
{{- define "web-api.settleSeconds" -}}
{{ max (include "web-api.progressDeadlineSeconds" . | int64) 900 }}
{{- end -}}

{{/*
Prometheus pattern of the pods of this workload and of no other whose name begins alike.
*/}}
{{- define "web-api.podPattern" -}}
{{ include "web-api.workload.name" . }}-[a-z0-9]+-[a-z0-9]{5}
{{- end -}}

{{/*
Servers that drains may take at a time. A quarter of those that run at the least, rounded down, and one at the least.
*/}}
{{- define "web-api.maxUnavailable" -}}
{{ max (div (include "web-api.minReplicas" . | int64) 4) 1 }}
{{- end -}}

{{/*
Port of the probes.
*/}}
{{- define "web-api.probePort" -}}
{{ ternary (int64 .Values.port) (int64 .Values.probes.port) (kindIs "invalid" .Values.probes.port) }}
{{- end -}}

{{/*
Its name.
*/}}
{{- define "web-api.probePortName" -}}
{{ ternary "http" "health" (eq (include "web-api.probePort" . | int64) (int64 .Values.port)) }}
{{- end -}}

{{/*
Port of the metrics.
*/}}
{{- define "web-api.metricsPort" -}}
{{ ternary (int64 .Values.port) (int64 .Values.monitoring.port) (kindIs "invalid" .Values.monitoring.port) }}
{{- end -}}

{{/*
Its name. A port has one name, also where it is there for several things.
*/}}
{{- define "web-api.metricsPortName" -}}
{{ ternary "http" (ternary "health" "metrics" (eq (include "web-api.metricsPort" . | int64) (include "web-api.probePort" . | int64))) (eq (include "web-api.metricsPort" . | int64) (int64 .Values.port)) }}
{{- end -}}
