{{/*
The name of the workload: fullnameOverride, or else the name of the release.
*/}}
{{- define "redis-state.workload.name" -}}
{{ .Values.fullnameOverride | default .Release.Name }}
{{- end }}

{{/*
Name and version of the chart, as a label holds them.
*/}}
{{- define "redis-state.chart.label" -}}
{{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" | trunc 63 | trimSuffix "-" }}
{{- end }}

{{/*
Any value as YAML in block style. Every string is quoted, so that no reader takes it for
a number or boolean, and 1000000 does not become 1e+06: toYaml does not promise either.
*/}}
{{- define "redis-state.value.yaml" -}}
{{- $lines := list -}}
{{- if kindIs "map" . -}}
  {{- range $key, $value := . -}}
    {{- $word := regexMatch "(?i)^(y|n|yes|no|on|off|true|false|null|nan|inf|infinity)$" $key -}}
    {{- $plain := and (regexMatch "^[A-Za-z][A-Za-z0-9_./-]*$" $key) (not $word) -}}
    {{- $key = ternary $key (quote $key) $plain -}}
    {{- $text := include "redis-state.value.yaml" $value -}}
    {{- if and $value (or (kindIs "map" $value) (kindIs "slice" $value)) -}}
      {{- $lines = append $lines (printf "%s:%s" $key (nindent 2 $text)) -}}
    {{- else -}}
      {{- $lines = append $lines (printf "%s: %s" $key $text) -}}
    {{- end -}}
  {{- end -}}
  {{- join "\n" $lines | default "{}" -}}
{{- else if kindIs "slice" . -}}
  {{- range . -}}
    {{- $lines = append $lines (include "redis-state.value.yaml" . | indent 2 | trim | printf "- %s") -}}
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
{{- define "redis-state.value.text" -}}
{{- if kindIs "string" . -}}
  {{- . -}}
{{- else if not (kindIs "invalid" .) -}}
  {{- toJson . -}}
{{- end -}}
{{- end }}

{{/*
What of a list is in it before, as JSON.
*/}}
{{- define "redis-state.value.twice" -}}
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
{{- define "redis-state.value.whole" -}}
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
ServiceAccount of the pods.
*/}}
{{- define "redis-state.serviceAccountName" -}}
{{ ternary .Values.serviceAccount.name (ternary (include "redis-state.workload.name" .) "default" .Values.serviceAccount.create) (ne .Values.serviceAccount.name "") }}
{{- end -}}

{{/*
How long pods may be missing or waiting before it is an alert; longer than a rollout takes. A profile with slow starts says more.
*/}}
{{- define "redis-state.settleSeconds" -}}
900
{{- end -}}

{{/*
Whether a StatefulSet is to have two revisions at a time.
*/}}
{{- define "redis-state.partitioned" -}}
false
{{- end -}}

{{/*
Whether there are Sentinels.
*/}}
{{- define "redis-state.sentinel" -}}
{{ eq .Values.mode "sentinel" }}
{{- end -}}

{{/*
Whether the keys are in shards.
*/}}
{{- define "redis-state.cluster" -}}
{{ eq .Values.mode "cluster" }}
{{- end -}}

{{/*
Number of nodes.
*/}}
{{- define "redis-state.replicas" -}}
{{ ternary (mul (int64 .Values.cluster.shards) (add 1 (int64 .Values.cluster.replicasPerShard))) (ternary (ternary 3 1 (eq (include "redis-state.sentinel" .) "true")) (int64 .Values.replicas) (kindIs "invalid" .Values.replicas)) (eq (include "redis-state.cluster" .) "true") }}
{{- end -}}

{{/*
Whether there are replicas.
*/}}
{{- define "redis-state.replicated" -}}
{{ ne .Values.mode "standalone" }}
{{- end -}}

{{/*
Image with tag or digest.
*/}}
{{- define "redis-state.image" -}}
{{ ternary (ternary "docker.io/valkey/valkey" "docker.io/library/redis" (eq .Values.engine "valkey")) .Values.image.repository (kindIs "invalid" .Values.image.repository) }}{{ ternary (printf "@%s" .Values.image.digest) (printf ":%s" (default "" (ternary (ternary "9.1.3" "8.8.0" (eq .Values.engine "valkey")) .Values.image.tag (kindIs "invalid" .Values.image.tag)))) (ne .Values.image.digest "") }}
{{- end -}}

{{/*
Secret with the password.
*/}}
{{- define "redis-state.authSecret" -}}
{{ ternary (printf "%s-auth" (include "redis-state.workload.name" .)) .Values.auth.existingSecret (kindIs "invalid" .Values.auth.existingSecret) }}
{{- end -}}

{{/*
Label of pods that may be clients.
*/}}
{{- define "redis-state.clientLabel" -}}
{{ ternary (printf "%s-client" (include "redis-state.workload.name" .)) .Values.networkPolicy.clientLabel (kindIs "invalid" .Values.networkPolicy.clientLabel) }}
{{- end -}}

{{/*
Memory request and limit of the server; a quarter is kept for copy-on-write, client buffers and the backlog.
*/}}
{{- define "redis-state.memory" -}}
{{ ternary (printf "%dMi" (add (div (add (mul (int64 .Values.datasetMiB) 100) 74) 75) 64)) (include "redis-state.value.text" .Values.memory) (kindIs "invalid" .Values.memory) }}
{{- end -}}

{{/*
Share of the memory limit for data: more where the server never forks, in a cache without volume and replicas.
*/}}
{{- define "redis-state.maxmemoryPercent" -}}
{{ ternary 85 75 (and (eq .Values.purpose "cache") (not .Values.persistence.enabled) (ne (include "redis-state.replicated" .) "true")) }}
{{- end -}}

{{/*
Memory for data.
*/}}
{{- define "redis-state.maxmemoryMiB" -}}
{{ div (mul (div (include "redis-state.value.whole" (include "redis-state.memory" .) | int64) 1048576) (include "redis-state.maxmemoryPercent" . | int64)) 100 }}
{{- end -}}

{{/*
Replication backlog; a minute of writes, so that a replica that was away does not need everything again.
*/}}
{{- define "redis-state.backlogMiB" -}}
{{ max 64 (mul (int64 .Values.writeMBps) 60) }}
{{- end -}}

{{/*
Size of each volume: a rewrite of the append-only file holds the old file, the new one and what is written meanwhile.
*/}}
{{- define "redis-state.storage" -}}
{{ ternary (printf "%dGi" (max 8 (div (add (mul (include "redis-state.maxmemoryMiB" . | int64) 3) 1023) 1024))) (include "redis-state.value.text" .Values.persistence.size) (kindIs "invalid" .Values.persistence.size) }}
{{- end -}}

{{/*
Time of the preStop hook to hand over the master's role.
*/}}
{{- define "redis-state.failoverSeconds" -}}
25
{{- end -}}

{{/*
Time to find out who the master is.
*/}}
{{- define "redis-state.startSeconds" -}}
120
{{- end -}}

{{/*
Time of the server to let replicas catch up before it ends.
*/}}
{{- define "redis-state.shutdownSeconds" -}}
10
{{- end -}}

{{/*
Failover, shutdown and the last write to disk at 100 MiB/s, and 10 s.
*/}}
{{- define "redis-state.terminationGracePeriodSeconds" -}}
{{ max 60 (add (ternary (include "redis-state.failoverSeconds" . | int64) 0 (eq (include "redis-state.replicated" .) "true")) (include "redis-state.shutdownSeconds" . | int64) (div (add (include "redis-state.maxmemoryMiB" . | int64) 99) 100) 10) }}
{{- end -}}

{{/*
Probes every 10 s until a start counts as failed: finding the master, and loading at 1 GiB a minute.
*/}}
{{- define "redis-state.startupFailureThreshold" -}}
{{ max 30 (div (add (include "redis-state.startSeconds" . | int64) 30 (div (mul (include "redis-state.maxmemoryMiB" . | int64) 60) 1024) 9) 10) }}
{{- end -}}

{{/*
Replicas that a master needs to accept writes: an old master that is cut off stops accepting them. In a cluster it does so when it is alone with fewer than half of the masters.
*/}}
{{- define "redis-state.minReplicasToWrite" -}}
{{ ternary 1 0 (eq (include "redis-state.sentinel" .) "true") }}
{{- end -}}

{{/*
Majority of the Sentinels. The pods work it out themselves, so that scaling restarts none; the alerts use it.
*/}}
{{- define "redis-state.quorum" -}}
{{ add (div (include "redis-state.replicas" . | int64) 2) 1 }}
{{- end -}}

{{/*
Prometheus pattern of the pods.
*/}}
{{- define "redis-state.podPattern" -}}
{{ include "redis-state.workload.name" . }}-[0-9]+
{{- end -}}

{{/*
Prometheus pattern of their claims.
*/}}
{{- define "redis-state.claimPattern" -}}
data-{{ include "redis-state.workload.name" . }}-[0-9]+
{{- end -}}

{{/*
Label matchers of the pods in Prometheus.
*/}}
{{- define "redis-state.pods" -}}
namespace="{{ .Release.Namespace }}",pod=~"{{ include "redis-state.podPattern" . }}"
{{- end -}}

{{/*
What clients may do.
*/}}
{{- define "redis-state.acl" -}}
{{ ternary "~* &* +@all -flushall -flushdb" "~* &* +@all" (eq .Values.purpose "state") }}
{{- end -}}

{{/*
The server's configuration; start.sh adds what differs between nodes.
*/}}
{{- define "redis-state.config" -}}
port 6379
bind * -::*
protected-mode no
tcp-keepalive 60
maxmemory {{ include "redis-state.maxmemoryMiB" . | int64 }}mb
maxmemory-policy {{ ternary "noeviction" "allkeys-lru" (eq .Values.purpose "state") }}
appendonly {{ ternary "yes" "no" .Values.persistence.enabled }}
appendfsync everysec
save ""
rdb-del-sync-files yes
repl-diskless-sync yes
repl-backlog-size {{ include "redis-state.backlogMiB" . | int64 }}mb
min-replicas-to-write {{ include "redis-state.minReplicasToWrite" . | int64 }}
min-replicas-max-lag 10
shutdown-timeout {{ include "redis-state.shutdownSeconds" . | int64 }}
{{ .Values.extraConfig }}
{{ end -}}

{{/*
Sentinel's configuration; sentinel.sh adds what differs between nodes, and its memory.
*/}}
{{- define "redis-state.sentinelConfig" -}}
port 26379
bind * -::*
protected-mode no
sentinel resolve-hostnames yes
sentinel announce-hostnames yes
{{ end -}}

{{/*
Sentinel's settings of the master.
*/}}
{{- define "redis-state.sentinelMaster" -}}
down-after-milliseconds {{ int64 .Values.sentinel.downAfterMs }}
failover-timeout {{ int64 .Values.sentinel.failoverTimeoutMs }}
parallel-syncs 1
{{ end -}}

{{/*
The server's configuration in mode cluster besides; start.sh adds what differs between nodes.
*/}}
{{- define "redis-state.clusterConfig" -}}
cluster-enabled yes
cluster-config-file nodes.conf
cluster-node-timeout {{ int64 .Values.cluster.nodeTimeoutMs }}
cluster-preferred-endpoint-type hostname
cluster-require-full-coverage no
cluster-allow-replica-migration no
{{ end -}}

{{/*
What the scripts of a cluster read to know how many shards there are to be, and replicas of each. Pods see it change, so that scaling restarts none.
*/}}
{{- define "redis-state.shape" -}}
{{ int64 .Values.cluster.shards }} {{ int64 .Values.cluster.replicasPerShard }}
{{ end -}}
