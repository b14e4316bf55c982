{{/*
The name of the workload: fullnameOverride, or else the name of the release.
*/}}
{{- define "scheduled-training.workload.name" -}}
{{ .Values.fullnameOverride | default .Release.Name }}
{{- end }}

{{/*
Name and version of the chart, as a label holds them.
*/}}
{{- define "scheduled-training.chart.label" -}}
{{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" | trunc 63 | trimSuffix "-" }}
{{- end }}

{{/*
Any value as YAML in block style. Every string is quoted, so that no reader takes it for
a number or boolean, and 1000000 does not become 1e+06: toYaml does not promise either.
*/}}
{{- define "scheduled-training.value.yaml" -}}
{{- $lines := list -}}
{{- if kindIs "map" . -}}
  {{- range $key, $value := . -}}
    {{- $word := regexMatch "(?i)^(y|n|yes|no|on|off|true|false|null|nan|inf|infinity)$" $key -}}
    {{- $plain := and (regexMatch "^[A-Za-z][A-Za-z0-9_./-]*$" $key) (not $word) -}}
    {{- $key = ternary $key (quote $key) $plain -}}
    {{- $text := include "scheduled-training.value.yaml" $value -}}
    {{- if and $value (or (kindIs "map" $value) (kindIs "slice" $value)) -}}
      {{- $lines = append $lines (printf "%s:%s" $key (nindent 2 $text)) -}}
    {{- else -}}
      {{- $lines = append $lines (printf "%s: %s" $key $text) -}}
    {{- end -}}
  {{- end -}}
  {{- join "\n" $lines | default "{}" -}}
{{- else if kindIs "slice" . -}}
  {{- range . -}}
    {{- $lines = append $lines (include "scheduled-training.value.yaml" . | indent 2 | trim | printf "- %s") -}}
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
{{- define "scheduled-training.value.text" -}}
{{- if kindIs "string" . -}}
  {{- . -}}
{{- else if not (kindIs "invalid" .) -}}
  {{- toJson . -}}
{{- end -}}
{{- end }}

{{/*
What of a list is in it before, as JSON.
*/}}
{{- define "scheduled-training.value.twice" -}}
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
{{- define "scheduled-training.value.whole" -}}
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
{{- define "scheduled-training.image" -}}
{{ ternary (printf "%s@%s" .Values.image.repository .Values.image.digest) (printf "%s:%s" .Values.image.repository .Values.image.tag) (ne .Values.image.digest "") }}
{{- end -}}

{{/*
ServiceAccount of the pods.
*/}}
{{- define "scheduled-training.serviceAccountName" -}}
{{ ternary .Values.serviceAccount.name (ternary (include "scheduled-training.workload.name" .) "default" .Values.serviceAccount.create) (ne .Values.serviceAccount.name "") }}
{{- end -}}

{{/*
Whether it is a JobSet. A profile that makes one says so.
*/}}
{{- define "scheduled-training.jobSet" -}}
false
{{- end -}}

{{/*
Whether it is a StatefulSet. A profile that makes one says so.
*/}}
{{- define "scheduled-training.statefulSet" -}}
false
{{- end -}}

{{/*
Nodes that are enough to go on.
*/}}
{{- define "scheduled-training.minNodes" -}}
{{ ternary (int64 .Values.nodes) (int64 .Values.elastic.minNodes) (kindIs "invalid" .Values.elastic.minNodes) }}
{{- end -}}

{{/*
Whether torchrun goes on with fewer nodes.
*/}}
{{- define "scheduled-training.elastic" -}}
{{ and (eq .Values.framework "torch") (lt (include "scheduled-training.minNodes" . | int64) (int64 .Values.nodes)) }}
{{- end -}}

{{/*
Whether torchrun is told each node's rank.
*/}}
{{- define "scheduled-training.static" -}}
{{ and (eq .Values.framework "torch") (ne (include "scheduled-training.elastic" .) "true") }}
{{- end -}}

{{/*
Ranks of a node. One for each GPU.
*/}}
{{- define "scheduled-training.processes" -}}
{{ ternary (max (int64 .Values.gpu.count) 1) (int64 .Values.processesPerNode) (kindIs "invalid" .Values.processesPerNode) }}
{{- end -}}

{{/*
Ranks in all.
*/}}
{{- define "scheduled-training.worldSize" -}}
{{ mul (int64 .Values.nodes) (include "scheduled-training.processes" . | int64) }}
{{- end -}}

{{/*
F6, /dev/shm in Gi. 8 plus 2 for each GPU, which data loaders and NCCL share; no more than all but 4Gi of resources.memory.
*/}}
{{- define "scheduled-training.shmGi" -}}
{{ ternary (min (add 8 (mul 2 (int64 .Values.gpu.count))) (max (sub (div (include "scheduled-training.value.whole" (ternary "1Ti" (include "scheduled-training.value.text" .Values.resources.memory) (kindIs "invalid" .Values.resources.memory)) | int64) 1073741824) 4) 1)) (int64 .Values.shm.sizeGi) (kindIs "invalid" .Values.shm.sizeGi) }}
{{- end -}}

{{/*
F7, memory request and limit. Pages of /dev/shm are charged to the container.
*/}}
{{- define "scheduled-training.memory" -}}
{{ ternary (printf "%dGi" (add 16 (mul 64 (int64 .Values.gpu.count)) (include "scheduled-training.shmGi" . | int64))) (include "scheduled-training.value.text" .Values.resources.memory) (kindIs "invalid" .Values.resources.memory) }}
{{- end -}}

{{/*
CPU request. 2 plus 6 for each GPU, for its rank and data loaders.
*/}}
{{- define "scheduled-training.cpu" -}}
{{ ternary (toString (add 2 (mul 6 (int64 .Values.gpu.count)))) (include "scheduled-training.value.text" .Values.resources.cpu) (kindIs "invalid" .Values.resources.cpu) }}
{{- end -}}

{{/*
F10, request for node disk. 1.2 times the scratch space, rounded up.
*/}}
{{- define "scheduled-training.ephemeralStorage" -}}
{{ div (add (mul (int64 .Values.scratch.sizeGi) 6) 4) 5 }}Gi
{{- end -}}

{{/*
Prometheus pattern of the claim with the checkpoints; of none where there is none.
*/}}
{{- define "scheduled-training.claimPattern" -}}
{{ ternary (printf "%s-checkpoints" (include "scheduled-training.workload.name" .)) .Values.checkpoint.existingClaim (eq .Values.checkpoint.mode "claim") }}
{{- end -}}

{{/*
Time for a checkpoint and 30 seconds of slack, for the launcher and the volume.
*/}}
{{- define "scheduled-training.terminationGracePeriodSeconds" -}}
{{ add (int64 .Values.checkpoint.saveSeconds) 30 }}
{{- end -}}

{{/*
The time between two runs in seconds, or less: at most four weeks. 0 where the schedule does not tell it plainly.
*/}}
{{- define "scheduled-training.period" -}}
{{ ternary 2419200 (ternary 604800 (ternary 86400 (ternary 43200 (ternary 28800 (ternary 21600 (ternary 14400 (ternary 10800 (ternary 7200 (ternary 3600 (ternary 1800 (ternary 1200 (ternary 900 (ternary 720 (ternary 600 (ternary 360 (ternary 300 (ternary 240 (ternary 180 (ternary 120 (ternary 60 0 (regexMatch "^[*?](/1)? " .Values.schedule)) (regexMatch "^([*]|[0-9]+)/2 " .Values.schedule)) (regexMatch "^([*]|[0-9]+)/3 " .Values.schedule)) (regexMatch "^([*]|[0-9]+)/4 " .Values.schedule)) (regexMatch "^([*]|[0-9]+)/5 " .Values.schedule)) (regexMatch "^([*]|[0-9]+)/6 " .Values.schedule)) (regexMatch "^([*]|[0-9]+)/10 " .Values.schedule)) (regexMatch "^([*]|[0-9]+)/12 " .Values.schedule)) (regexMatch "^([*]|[0-9]+)/15 |^0?0,15,30,45 " .Values.schedule)) (regexMatch "^([*]|[0-9]+)/20 |^0?0,20,40 " .Values.schedule)) (regexMatch "^([*]|[0-9]+)/30 |^0?0,30 " .Values.schedule)) (regexMatch "^@hourly$|^[0-9]+ " .Values.schedule)) (regexMatch "^[0-9]+ +[*]/2 " .Values.schedule)) (regexMatch "^[0-9]+ +[*]/3 " .Values.schedule)) (regexMatch "^[0-9]+ +[*]/4 " .Values.schedule)) (regexMatch "^[0-9]+ +([*]/6|0?0,0?6,12,18|0?1,0?7,13,19|0?2,0?8,14,20|0?3,0?9,15,21|0?4,10,16,22|0?5,11,17,23) " .Values.schedule)) (regexMatch "^[0-9]+ +([*]/8|0?0,0?8,16|0?1,0?9,17|0?2,10,18|0?3,11,19|0?4,12,20|0?5,13,21|0?6,14,22|0?7,15,23) " .Values.schedule)) (regexMatch "^[0-9]+ +([*]/12|0?0,12|0?1,13|0?2,14|0?3,15|0?4,16|0?5,17|0?6,18|0?7,19|0?8,20|0?9,21|10,22|11,23) " .Values.schedule)) (regexMatch "^@(daily|midnight)$|^[0-9]+ +[0-9]+ " .Values.schedule)) (regexMatch "^@weekly$|^[0-9]+ +[0-9]+ +[*?] +[^ ]+ +([0-6]|[A-Za-z]{3})$" .Values.schedule)) (regexMatch "^@(monthly|yearly|annually)$|^[0-9]+ +[0-9]+ +[0-9]+ +[^ ]+ +[*?]$" .Values.schedule) }}
{{- end -}}

{{/*
How late a run may start. Half the time between two runs and at most 600 s, so that a run that is made up for ends before the next; never under 10, or the run is lost when the controller restarts.
*/}}
{{- define "scheduled-training.startingDeadlineSeconds" -}}
{{ ternary (min (div (max (include "scheduled-training.period" . | int64) 60) 2) 600) (int64 .Values.startingDeadlineSeconds) (kindIs "invalid" .Values.startingDeadlineSeconds) }}
{{- end -}}

{{/*
How long pods may be missing or waiting before it is an alert; longer than a rollout takes. A profile with slow starts says more.
*/}}
{{- define "scheduled-training.settleSeconds" -}}
900
{{- end -}}

{{/*
Whether a StatefulSet is to have two revisions at a time.
*/}}
{{- define "scheduled-training.partitioned" -}}
false
{{- end -}}

{{/*
Name of the program, in labels.
*/}}
{{- define "scheduled-training.app" -}}
scheduled-training
{{- end -}}

{{/*
Where the program keeps checkpoints. The name of a run is that of its Job, which a pod that is started again shares.
*/}}
{{- define "scheduled-training.checkpointDir" -}}
{{ ternary .Values.checkpoint.uri (printf "/checkpoints/%s" .Values.checkpoint.run) (eq .Values.checkpoint.mode "external") }}{{ ternary "/$(JOB_NAME)" "" .Values.checkpoint.perRun }}
{{- end -}}

{{/*
Whether the time between two runs is plainly the same, but for daylight saving time and the lengths of months.
*/}}
{{- define "scheduled-training.even" -}}
{{ or (regexMatch "^@(hourly|daily|midnight|weekly|monthly)$" .Values.schedule) (regexMatch "^([0-9]+ +([0-9]+|[*](/(2|3|4|6|8|12))?)|[*]/(10|12|15|20|30) +[*]) +[*?] +[*?] +[*?]$" .Values.schedule) (regexMatch "^[0-9]+ +[0-9]+ +[*?] +[*?] +([0-6]|[A-Za-z]{3})$|^[0-9]+ +[0-9]+ +[0-9]+ +[*?] +[*?]$" .Values.schedule) }}
{{- end -}}

{{/*
The time that a run is reckoned to have, with its end. An hour where the schedule does not tell it plainly, a week at most.
*/}}
{{- define "scheduled-training.pace" -}}
{{ ternary 3600 (min (include "scheduled-training.period" . | int64) 604800) (eq (include "scheduled-training.period" . | int64) 0) }}
{{- end -}}

{{/*
F13, the longest run. With Forbid a run that hangs would keep the next ones from starting; 30 s lie between the end of its pods and the next run.
*/}}
{{- define "scheduled-training.activeDeadlineSeconds" -}}
{{ ternary (sub (sub (include "scheduled-training.pace" . | int64) (include "scheduled-training.terminationGracePeriodSeconds" . | int64)) 30) (int64 .Values.activeDeadlineSeconds) (kindIs "invalid" .Values.activeDeadlineSeconds) }}
{{- end -}}

{{/*
Prometheus pattern of the pods.
*/}}
{{- define "scheduled-training.podPattern" -}}
{{ include "scheduled-training.workload.name" . }}-[0-9]{8,10}-[0-9]+-[a-z0-9]{5}
{{- end -}}

{{/*
Prometheus pattern of the Jobs.
*/}}
{{- define "scheduled-training.jobPattern" -}}
{{ include "scheduled-training.workload.name" . }}-[0-9]{8,10}
{{- end -}}
