{{/*
The name of the workload: fullnameOverride, or else the name of the release.
*/}}
{{- define "kafka-state.workload.name" -}}
{{ .Values.fullnameOverride | default .Release.Name }}
{{- end }}

{{/*
Name and version of the chart, as a label holds them.
*/}}
{{- define "kafka-state.chart.label" -}}
{{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" | trunc 63 | trimSuffix "-" }}
{{- end }}

{{/*
Any value as YAML in block style. Every string is quoted, so that no reader takes it for
a number or boolean, and 1000000 does not become 1e+06: toYaml does not promise either.
*/}}
{{- define "kafka-state.value.yaml" -}}
{{- $lines := list -}}
{{- if kindIs "map" . -}}
  {{- range $key, $value := . -}}
    {{- $word := regexMatch "(?i)^(y|n|yes|no|on|off|true|false|null|nan|inf|infinity)$" $key -}}
    {{- $plain := and (regexMatch "^[A-Za-z][A-Za-z0-9_./-]*$" $key) (not $word) -}}
    {{- $key = ternary $key (quote $key) $plain -}}
    {{- $text := include "kafka-state.value.yaml" $value -}}
    {{- if and $value (or (kindIs "map" $value) (kindIs "slice" $value)) -}}
      {{- $lines = append $lines (printf "%s:%s" $key (nindent 2 $text)) -}}
    {{- else -}}
      {{- $lines = append $lines (printf "%s: %s" $key $text) -}}
    {{- end -}}
  {{- end -}}
  {{- join "\n" $lines | default "{}" -}}
{{- else if kindIs "slice" . -}}
  {{- range . -}}
    {{- $lines = append $lines (include "kafka-state.value.yaml" . | indent 2 | trim | printf "- %s") -}}
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
{{- define "kafka-state.value.text" -}}
{{- if kindIs "string" . -}}
  {{- . -}}
{{- else if not (kindIs "invalid" .) -}}
  {{- toJson . -}}
{{- end -}}
{{- end }}

{{/*
What of a list is in it before, as JSON.
*/}}
{{- define "kafka-state.value.twice" -}}
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
{{- define "kafka-state.value.whole" -}}
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
Whether a StatefulSet is to have two revisions at a time.
*/}}
{{- define "kafka-state.partitioned" -}}
false
{{- end -}}

{{/*
Name of the pool of brokers. It has the workload's, since names of pools are unique in a namespace.
*/}}
{{- define "kafka-state.brokerPool" -}}
{{ include "kafka-state.workload.name" . }}{{ ternary "-node" "-broker" .Values.dualRole }}
{{- end -}}

{{/*
Number of Kafka's pods.
*/}}
{{- define "kafka-state.nodes" -}}
{{ add (int64 .Values.brokers) (ternary 0 (int64 .Values.controllers.replicas) .Values.dualRole) }}
{{- end -}}

{{/*
Replicas of each partition. More than there are brokers is an error.
*/}}
{{- define "kafka-state.replication" -}}
{{ min (int64 .Values.brokers) 3 }}
{{- end -}}

{{/*
Replicas that must have a record before it is acknowledged: one fewer, so that a restart stops no producer.
*/}}
{{- define "kafka-state.minInSync" -}}
{{ max (sub (include "kafka-state.replication" . | int64) 1) 1 }}
{{- end -}}

{{/*
Heap of a broker: what is beyond serves consumers better as page cache.
*/}}
{{- define "kafka-state.heapMiB" -}}
{{ min (div (int64 .Values.memoryMiB) 2) 6144 }}
{{- end -}}

{{/*
Heap of a controller.
*/}}
{{- define "kafka-state.controllerHeapMiB" -}}
{{ min (div (int64 .Values.controllers.memoryMiB) 2) 6144 }}
{{- end -}}

{{/*
Disk of a broker: what is written in the retention time, with its replicas, and 30 % for segments that are not yet deleted and for partitions that lie unevenly.
*/}}
{{- define "kafka-state.brokerGi" -}}
{{ div (add (div (mul (int64 .Values.ingressKBps) 3600 (int64 .Values.retentionHours) (include "kafka-state.replication" . | int64) 13) 10) 1073741) 1073742 }}
{{- end -}}

{{/*
Its share of each volume.
*/}}
{{- define "kafka-state.volumeGi" -}}
{{ ternary (include "kafka-state.brokerGi" . | int64) (ternary (div (add (include "kafka-state.brokerGi" . | int64) 1) 2) (ternary (div (add (include "kafka-state.brokerGi" . | int64) 2) 3) (div (add (include "kafka-state.brokerGi" . | int64) 3) 4) (eq (int64 .Values.storage.volumes) 3)) (eq (int64 .Values.storage.volumes) 2)) (eq (int64 .Values.storage.volumes) 1) }}
{{- end -}}

{{/*
Size of each volume of a broker.
*/}}
{{- define "kafka-state.volumeSize" -}}
{{ ternary (printf "%dGi" (max (include "kafka-state.volumeGi" . | int64) 8)) (include "kafka-state.value.text" .Values.storage.size) (kindIs "invalid" .Values.storage.size) }}
{{- end -}}

{{/*
Whether clients must say who they are.
*/}}
{{- define "kafka-state.secured" -}}
{{ ne .Values.authentication "none" }}
{{- end -}}

{{/*
Label of pods that may be clients.
*/}}
{{- define "kafka-state.clientLabel" -}}
{{ ternary (printf "%s-client" (include "kafka-state.workload.name" .)) .Values.networkPolicy.clientLabel (kindIs "invalid" .Values.networkPolicy.clientLabel) }}
{{- end -}}

{{/*
Where clients find the brokers.
*/}}
{{- define "kafka-state.bootstrap" -}}
{{ include "kafka-state.workload.name" . }}-kafka-bootstrap.{{ .Release.Namespace }}:{{ ternary "9093" "9092" (eq (include "kafka-state.secured" .) "true") }}
{{- end -}}

{{/*
Topic that the user may use.
*/}}
{{- define "kafka-state.userTopic" -}}
{{ ternary .Values.topic.name .Values.user.topic (kindIs "invalid" .Values.user.topic) }}
{{- end -}}

{{/*
How the names of its groups begin.
*/}}
{{- define "kafka-state.userGroup" -}}
{{ ternary (printf "%s-client" (include "kafka-state.workload.name" .)) .Values.user.group (kindIs "invalid" .Values.user.group) }}
{{- end -}}

{{/*
How long pods may be missing or waiting before it is an alert: a broker that was killed reads its log first.
*/}}
{{- define "kafka-state.settleSeconds" -}}
1800
{{- end -}}

{{/*
Prometheus pattern of the pods of Kafka. The operator calls them by the cluster, the pool and a number.
*/}}
{{- define "kafka-state.kafkaPattern" -}}
{{ include "kafka-state.workload.name" . }}-{{ include "kafka-state.workload.name" . }}-(broker|controller|node)-[0-9]+
{{- end -}}

{{/*
Prometheus pattern of the pod that measures consumer groups.
*/}}
{{- define "kafka-state.exporterPattern" -}}
{{ include "kafka-state.workload.name" . }}-kafka-exporter-[0-9a-z]+-[0-9a-z]+
{{- end -}}

{{/*
Prometheus pattern of all pods that the operator makes.
*/}}
{{- define "kafka-state.podPattern" -}}
{{ include "kafka-state.workload.name" . }}-({{ include "kafka-state.workload.name" . }}-(broker|controller|node)-[0-9]+|(entity-operator|kafka-exporter|cruise-control)-[0-9a-z]+-[0-9a-z]+)
{{- end -}}

{{/*
Prometheus pattern of the claims of Kafka's pods.
*/}}
{{- define "kafka-state.claimPattern" -}}
data-[0-9]+-{{ include "kafka-state.workload.name" . }}-{{ include "kafka-state.workload.name" . }}-(broker|controller|node)-[0-9]+
{{- end -}}

{{/*
Label matchers of Kafka's pods in Prometheus.
*/}}
{{- define "kafka-state.pods" -}}
namespace="{{ .Release.Namespace }}",pod=~"{{ include "kafka-state.kafkaPattern" . }}"
{{- end -}}
