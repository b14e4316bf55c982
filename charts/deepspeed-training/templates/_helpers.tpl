{{/*
The name of the workload: fullnameOverride, or else the name of the release.
*/}}
{{- define "deepspeed-training.workload.name" -}}
{{ .Values.fullnameOverride | default .Release.Name }}
{{- end }}

{{/*
Name and version of the chart, as a label holds them.
*/}}
{{- define "deepspeed-training.chart.label" -}}
{{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" | trunc 63 | trimSuffix "-" }}
{{- end }}

{{/*
Any value as YAML in block style. Every string is quoted, so that no reader takes it for
a number or boolean, and 1000000 does not become 1e+06: toYaml does not promise either.
*/}}
{{- define "deepspeed-training.value.yaml" -}}
{{- $lines := list -}}
{{- if kindIs "map" . -}}
  {{- range $key, $value := . -}}
    {{- $word := regexMatch "(?i)^(y|n|yes|no|on|off|true|false|null|nan|inf|infinity)$" $key -}}
    {{- $plain := and (regexMatch "^[A-Za-z][A-Za-z0-9_./-]*$" $key) (not $word) -}}
    {{- $key = ternary $key (quote $key) $plain -}}
    {{- $text := include "deepspeed-training.value.yaml" $value -}}
    {{- if and $value (or (kindIs "map" $value) (kindIs "slice" $value)) -}}
      {{- $lines = append $lines (printf "%s:%s" $key (nindent 2 $text)) -}}
    {{- else -}}
      {{- $lines = append $lines (printf "%s: %s" $key $text) -}}
    {{- end -}}
  {{- end -}}
  {{- join "\n" $lines | default "{}" -}}
{{- else if kindIs "slice" . -}}
  {{- range . -}}
    {{- $lines = append $lines (include "deepspeed-training.value.yaml" . | indent 2 | trim | printf "- %s") -}}
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
{{- define "deepspeed-training.value.text" -}}
{{- if kindIs "string" . -}}
  {{- . -}}
{{- else if not (kindIs "invalid" .) -}}
  {{- toJson . -}}
{{- end -}}
{{- end }}

{{/*
What of a list is in it before, as JSON.
*/}}
{{- define "deepspeed-training.value.twice" -}}
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
{{- define "deepspeed-training.value.whole" -}}
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
{{- define "deepspeed-training.image" -}}
{{ ternary (printf "%s@%s" .Values.image.repository .Values.image.digest) (printf "%s:%s" .Values.image.repository .Values.image.tag) (ne .Values.image.digest "") }}
{{- end -}}

{{/*
ServiceAccount of the pods.
*/}}
{{- define "deepspeed-training.serviceAccountName" -}}
{{ ternary .Values.serviceAccount.name (ternary (include "deepspeed-training.workload.name" .) "default" .Values.serviceAccount.create) (ne .Values.serviceAccount.name "") }}
{{- end -}}

{{/*
Nodes that are enough to go on.
*/}}
{{- define "deepspeed-training.minNodes" -}}
{{ ternary (int64 .Values.nodes) (int64 .Values.elastic.minNodes) (kindIs "invalid" .Values.elastic.minNodes) }}
{{- end -}}

{{/*
Whether torchrun goes on with fewer nodes.
*/}}
{{- define "deepspeed-training.elastic" -}}
{{ and (eq .Values.framework "torch") (lt (include "deepspeed-training.minNodes" . | int64) (int64 .Values.nodes)) }}
{{- end -}}

{{/*
Whether torchrun is told each node's rank.
*/}}
{{- define "deepspeed-training.static" -}}
{{ and (eq .Values.framework "torch") (ne (include "deepspeed-training.elastic" .) "true") }}
{{- end -}}

{{/*
Ranks of a node. One for each GPU.
*/}}
{{- define "deepspeed-training.processes" -}}
{{ ternary (max (int64 .Values.gpu.count) 1) (int64 .Values.processesPerNode) (kindIs "invalid" .Values.processesPerNode) }}
{{- end -}}

{{/*
Ranks in all.
*/}}
{{- define "deepspeed-training.worldSize" -}}
{{ mul (int64 .Values.nodes) (include "deepspeed-training.processes" . | int64) }}
{{- end -}}

{{/*
F6, /dev/shm in Gi. 8 plus 2 for each GPU, which data loaders and NCCL share; no more than all but 4Gi of resources.memory.
*/}}
{{- define "deepspeed-training.shmGi" -}}
{{ ternary (min (add 8 (mul 2 (int64 .Values.gpu.count))) (max (sub (div (include "deepspeed-training.value.whole" (ternary "1Ti" (include "deepspeed-training.value.text" .Values.resources.memory) (kindIs "invalid" .Values.resources.memory)) | int64) 1073741824) 4) 1)) (int64 .Values.shm.sizeGi) (kindIs "invalid" .Values.shm.sizeGi) }}
{{- end -}}

{{/*
F7, memory request and limit. Pages of /dev/shm are charged to the container.
*/}}
{{- define "deepspeed-training.memory" -}}
{{ ternary (printf "%dGi" (add 16 (mul 64 (int64 .Values.gpu.count)) (include "deepspeed-training.shmGi" . | int64))) (include "deepspeed-training.value.text" .Values.resources.memory) (kindIs "invalid" .Values.resources.memory) }}
{{- end -}}

{{/*
CPU request. 2 plus 6 for each GPU, for its rank and data loaders.
*/}}
{{- define "deepspeed-training.cpu" -}}
{{ ternary (toString (add 2 (mul 6 (int64 .Values.gpu.count)))) (include "deepspeed-training.value.text" .Values.resources.cpu) (kindIs "invalid" .Values.resources.cpu) }}
{{- end -}}

{{/*
F10, request for node disk. 1.2 times the scratch space, rounded up.
*/}}
{{- define "deepspeed-training.ephemeralStorage" -}}
{{ div (add (mul (int64 .Values.scratch.sizeGi) 6) 4) 5 }}Gi
{{- end -}}

{{/*
Prometheus pattern of the claim with the checkpoints; of none where there is none.
*/}}
{{- define "deepspeed-training.claimPattern" -}}
{{ ternary (printf "%s-checkpoints" (include "deepspeed-training.workload.name" .)) .Values.checkpoint.existingClaim (eq .Values.checkpoint.mode "claim") }}
{{- end -}}

{{/*
Time for a checkpoint and 30 seconds of slack, for the launcher and the volume.
*/}}
{{- define "deepspeed-training.terminationGracePeriodSeconds" -}}
{{ add (int64 .Values.checkpoint.saveSeconds) 30 }}
{{- end -}}

{{/*
Where the program keeps checkpoints.
*/}}
{{- define "deepspeed-training.checkpointDir" -}}
{{ ternary .Values.checkpoint.uri (printf "/checkpoints/%s" .Values.checkpoint.run) (eq .Values.checkpoint.mode "external") }}
{{- end -}}

{{/*
How long pods may be missing or waiting before it is an alert; longer than a rollout takes. A profile with slow starts says more.
*/}}
{{- define "deepspeed-training.settleSeconds" -}}
900
{{- end -}}

{{/*
Whether a StatefulSet is to have two revisions at a time.
*/}}
{{- define "deepspeed-training.partitioned" -}}
false
{{- end -}}

{{/*
Name of the program, in labels.
*/}}
{{- define "deepspeed-training.app" -}}
deepspeed-training
{{- end -}}

{{/*
Whether it is an Indexed Job.
*/}}
{{- define "deepspeed-training.job" -}}
{{ eq .Values.runtime "job" }}
{{- end -}}

{{/*
Whether it is a JobSet.
*/}}
{{- define "deepspeed-training.jobSet" -}}
{{ eq .Values.runtime "jobset" }}
{{- end -}}

{{/*
Whether it is a StatefulSet.
*/}}
{{- define "deepspeed-training.statefulSet" -}}
{{ eq .Values.runtime "statefulset" }}
{{- end -}}

{{/*
Longest run.
*/}}
{{- define "deepspeed-training.activeDeadlineSeconds" -}}
{{ int64 .Values.activeDeadlineSeconds }}
{{- end -}}

{{/*
Prometheus pattern of the pods.
*/}}
{{- define "deepspeed-training.podPattern" -}}
{{ include "deepspeed-training.workload.name" . }}{{ ternary "-[0-9]+" (ternary "-[0-9a-f]{8}-node-0-[0-9]+-[a-z0-9]{5}" "-[0-9a-f]{8}-[0-9]+-[a-z0-9]{5}" (eq (include "deepspeed-training.jobSet" .) "true")) (eq (include "deepspeed-training.statefulSet" .) "true") }}
{{- end -}}

{{/*
Prometheus pattern of the Jobs.
*/}}
{{- define "deepspeed-training.jobPattern" -}}
{{ include "deepspeed-training.workload.name" . }}{{ ternary "-[0-9a-f]{8}-node-0" "-[0-9a-f]{8}" (eq (include "deepspeed-training.jobSet" .) "true") }}
{{- end -}}

{{/*
All that the pods depend on. The number is to be raised when their template is changed.
*/}}
{{- define "deepspeed-training.decisive" -}}
1 {{ .Values.runtime }} {{ .Values.framework }} {{ .Values.accelerate.strategy }} {{ .Values.script }} {{ ternary "" .Values.workingDir (kindIs "invalid" .Values.workingDir) }} {{ include "deepspeed-training.image" . }} {{ .Values.image.pullPolicy }} {{ include "deepspeed-training.serviceAccountName" . }} {{ include "deepspeed-training.cpu" . }} {{ include "deepspeed-training.memory" . }} {{ .Values.gpu.resourceName }} {{ .Values.rdma.resourceName }} {{ include "deepspeed-training.checkpointDir" . }} {{ .Values.checkpoint.mode }} {{ .Values.checkpoint.existingClaim }} {{ .Values.checkpoint.subPath }} {{ .Values.checkpoint.pattern }} {{ .Values.data.existingClaim }} {{ .Values.nccl.debug }} {{ ternary "" .Values.nccl.socketInterface (kindIs "invalid" .Values.nccl.socketInterface) }} {{ .Values.auth.hfToken.existingSecret }} {{ .Values.auth.hfToken.key }} {{ .Values.queue.requiredTopology }} {{ .Values.queue.name }} {{ .Values.colocate }} {{ ternary "" .Values.priorityClassName (kindIs "invalid" .Values.priorityClassName) }} {{ ternary "" .Values.runtimeClassName (kindIs "invalid" .Values.runtimeClassName) }} {{ int64 .Values.nodes }} {{ include "deepspeed-training.minNodes" . | int64 }} {{ include "deepspeed-training.processes" . | int64 }} {{ int64 .Values.gpu.count }} {{ int64 .Values.rdma.count }} {{ include "deepspeed-training.shmGi" . | int64 }} {{ int64 .Values.scratch.sizeGi }} {{ int64 .Values.checkpoint.saveSeconds }} {{ int64 .Values.maxRestarts }} {{ ternary 0 (int64 .Values.exitCodes.fatal) (kindIs "invalid" .Values.exitCodes.fatal) }} {{ ternary 0 (int64 .Values.exitCodes.requeue) (kindIs "invalid" .Values.exitCodes.requeue) }} {{ int64 .Values.rendezvous.port }} {{ int64 .Values.rendezvous.timeoutSeconds }} {{ int64 .Values.nccl.heartbeatSeconds }} {{ int64 .Values.podSecurityContext.runAsUser }} {{ int64 .Values.podSecurityContext.runAsGroup }} {{ int64 .Values.podSecurityContext.fsGroup }} {{ int64 .Values.activeDeadlineSeconds }} {{ .Values.module }} {{ .Values.data.readOnly }} {{ .Values.evictable }} {{ .Values.readOnlyRootFilesystem }} {{ sha256sum (toJson .Values.args) | trunc 8 }} {{ sha256sum (toJson .Values.launcherArgs) | trunc 8 }} {{ sha256sum (toJson .Values.files) | trunc 8 }} {{ sha256sum (toJson .Values.gpu.product) | trunc 8 }} {{ sha256sum (toJson .Values.checkpoint.resumeArgs) | trunc 8 }} {{ sha256sum (toJson .Values.imagePullSecrets) | trunc 8 }} {{ sha256sum (toJson .Values.nodeSelector) | trunc 8 }} {{ sha256sum (toJson .Values.affinity) | trunc 8 }} {{ sha256sum (toJson .Values.tolerations) | trunc 8 }} {{ sha256sum (toJson .Values.podLabels) | trunc 8 }} {{ sha256sum (toJson .Values.podAnnotations) | trunc 8 }} {{ sha256sum (toJson .Values.extraEnv) | trunc 8 }} {{ sha256sum (toJson .Values.extraVolumes) | trunc 8 }} {{ sha256sum (toJson .Values.extraVolumeMounts) | trunc 8 }}
{{- end -}}

{{/*
Hash of it.
*/}}
{{- define "deepspeed-training.podKey" -}}
{{ sha256sum (include "deepspeed-training.decisive" .) | trunc 8 }}
{{- end -}}

{{/*
Name of the Job or JobSet, whose pods cannot change, and so a name for each.
*/}}
{{- define "deepspeed-training.object" -}}
{{ include "deepspeed-training.workload.name" . }}-{{ include "deepspeed-training.podKey" . }}
{{- end -}}
