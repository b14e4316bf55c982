{{/*
The name of the workload: fullnameOverride, or else the name of the release.
*/}}
{{- define "mpi-batch.workload.name" -}}
{{ .Values.fullnameOverride | default .Release.Name }}
{{- end }}

{{/*
Name and version of the chart, as a label holds them.
*/}}
{{- define "mpi-batch.chart.label" -}}
{{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" | trunc 63 | trimSuffix "-" }}
{{- end }}

{{/*
Any value as YAML in block style. Every string is quoted, so that no reader takes it for
a number or boolean, and 1000000 does not become 1e+06: toYaml does not promise either.
*/}}
{{- define "mpi-batch.value.yaml" -}}
{{- $lines := list -}}
{{- if kindIs "map" . -}}
  {{- range $key, $value := . -}}
    {{- $word := regexMatch "(?i)^(y|n|yes|no|on|off|true|false|null|nan|inf|infinity)$" $key -}}
    {{- $plain := and (regexMatch "^[A-Za-z][A-Za-z0-9_./-]*$" $key) (not $word) -}}
    {{- $key = ternary $key (quote $key) $plain -}}
    {{- $text := include "mpi-batch.value.yaml" $value -}}
    {{- if and $value (or (kindIs "map" $value) (kindIs "slice" $value)) -}}
      {{- $lines = append $lines (printf "%s:%s" $key (nindent 2 $text)) -}}
    {{- else -}}
      {{- $lines = append $lines (printf "%s: %s" $key $text) -}}
    {{- end -}}
  {{- end -}}
  {{- join "\n" $lines | default "{}" -}}
{{- else if kindIs "slice" . -}}
  {{- range . -}}
    {{- $lines = append $lines (include "mpi-batch.value.yaml" . | indent 2 | trim | printf "- %s") -}}
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
{{- define "mpi-batch.value.text" -}}
{{- if kindIs "string" . -}}
  {{- . -}}
{{- else if not (kindIs "invalid" .) -}}
  {{- toJson . -}}
{{- end -}}
{{- end }}

{{/*
What of a list is in it before, as JSON.
*/}}
{{- define "mpi-batch.value.twice" -}}
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
{{- define "mpi-batch.value.whole" -}}
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
{{- define "mpi-batch.image" -}}
{{ ternary (printf "%s@%s" .Values.image.repository .Values.image.digest) (printf "%s:%s" .Values.image.repository .Values.image.tag) (ne .Values.image.digest "") }}
{{- end -}}

{{/*
ServiceAccount of the pods.
*/}}
{{- define "mpi-batch.serviceAccountName" -}}
{{ ternary .Values.serviceAccount.name (ternary (include "mpi-batch.workload.name" .) "default" .Values.serviceAccount.create) (ne .Values.serviceAccount.name "") }}
{{- end -}}

{{/*
How long pods may be missing or waiting before it is an alert; longer than a rollout takes. A profile with slow starts says more.
*/}}
{{- define "mpi-batch.settleSeconds" -}}
900
{{- end -}}

{{/*
Whether a StatefulSet is to have two revisions at a time.
*/}}
{{- define "mpi-batch.partitioned" -}}
false
{{- end -}}

{{/*
Whether the nodes talk to each other, so that all must run.
*/}}
{{- define "mpi-batch.gang" -}}
{{ ne .Values.mode "sweep" }}
{{- end -}}

{{/*
Whether there is a Job, which the modes share but that of the MPI operator.
*/}}
{{- define "mpi-batch.job" -}}
{{ ne .Values.mode "mpijob" }}
{{- end -}}

{{/*
Whether every node runs the program, and knows the master.
*/}}
{{- define "mpi-batch.ranks" -}}
{{ eq .Values.mode "rank-env" }}
{{- end -}}

{{/*
Whether node 0 starts the processes of all over ssh.
*/}}
{{- define "mpi-batch.ssh" -}}
{{ eq .Values.mode "ssh-launcher" }}
{{- end -}}

{{/*
Whether a script starts the nodes.
*/}}
{{- define "mpi-batch.script" -}}
{{ or (eq (include "mpi-batch.ranks" .) "true") (eq (include "mpi-batch.ssh" .) "true") }}
{{- end -}}

{{/*
Pods that run at once. All nodes of a gang.
*/}}
{{- define "mpi-batch.parallelism" -}}
{{ ternary (int64 .Values.nodes) (min (ternary (int64 .Values.nodes) (int64 .Values.parallelism) (kindIs "invalid" .Values.parallelism)) (int64 .Values.nodes)) (eq (include "mpi-batch.gang" .) "true") }}
{{- end -}}

{{/*
Processes of mpirun.
*/}}
{{- define "mpi-batch.processes" -}}
{{ mul (int64 .Values.nodes) (int64 .Values.slotsPerWorker) }}
{{- end -}}

{{/*
F6, /dev/shm in Gi. 8 plus 2 for each GPU; 1 without, for what processes of a node share; no more than all but 1Gi of resources.memory.
*/}}
{{- define "mpi-batch.shmGi" -}}
{{ ternary (min (ternary (add 8 (mul 2 (int64 .Values.gpu.count))) 1 (gt (int64 .Values.gpu.count) 0)) (max (sub (div (include "mpi-batch.value.whole" (ternary "1Ti" (include "mpi-batch.value.text" .Values.resources.memory) (kindIs "invalid" .Values.resources.memory)) | int64) 1073741824) 1) 1)) (int64 .Values.shm.sizeGi) (kindIs "invalid" .Values.shm.sizeGi) }}
{{- end -}}

{{/*
F7, memory request and limit. Pages of /dev/shm are charged to the container.
*/}}
{{- define "mpi-batch.memory" -}}
{{ ternary (printf "%dGi" (add (mul 2 (int64 .Values.slotsPerWorker)) (mul 32 (int64 .Values.gpu.count)) (include "mpi-batch.shmGi" . | int64))) (include "mpi-batch.value.text" .Values.resources.memory) (kindIs "invalid" .Values.resources.memory) }}
{{- end -}}

{{/*
CPU request. One for each process, since MPI spins while it waits.
*/}}
{{- define "mpi-batch.cpu" -}}
{{ ternary (toString (int64 .Values.slotsPerWorker)) (include "mpi-batch.value.text" .Values.resources.cpu) (kindIs "invalid" .Values.resources.cpu) }}
{{- end -}}

{{/*
F10, request for node disk. 1.2 times the scratch space, rounded up.
*/}}
{{- define "mpi-batch.ephemeralStorage" -}}
{{ div (add (mul (int64 .Values.scratch.sizeGi) 6) 4) 5 }}Gi
{{- end -}}

{{/*
The script that starts a node.
*/}}
{{- define "mpi-batch.start" -}}
{{ ternary "#!/bin/sh\n# A node of mode ssh-launcher: runs sshd; node 0 also waits for the others, at most\n# RENDEZVOUS_SECONDS, and becomes mpirun, whose exit code is the job's. All nodes are one\n# identity: the key of the Secret is that of user and host, so that ssh trusts no other.\nset -eu\numask 077\nexport PATH=\"$PATH:/usr/sbin:/sbin\"\n\nfor program in ssh ssh-keygen sshd mpirun; do\n  if ! command -v \"$program\" >/dev/null; then\n    echo \"node $NODE_RANK: the image has no $program\" >&2\n    exit 127\n  fi\ndone\n\n# ssh takes no key that others may read, and a volume's group may.\nmkdir -p \"$RUN_DIR\"\nrm -f \"$RUN_DIR/key\"\ncp \"$KEY_FILE\" \"$RUN_DIR/key\"\npublic=$(ssh-keygen -y -f \"$RUN_DIR/key\")\necho \"$public\" >\"$RUN_DIR/authorized_keys\"\necho \"mpi $public\" >\"$RUN_DIR/known_hosts\"\n\n# A session has the environment of its node, which sshd would not give it.\nexport -p >\"$RUN_DIR/environment\"\ncat >\"$RUN_DIR/session\" <<END\n. $RUN_DIR/environment\nexec /bin/sh -c \"\\$SSH_ORIGINAL_COMMAND\"\nEND\ncat >\"$RUN_DIR/sshd_config\" <<END\nPort $SSH_PORT\nHostKey $RUN_DIR/key\nAuthorizedKeysFile $RUN_DIR/authorized_keys\nAuthenticationMethods publickey\nForceCommand /bin/sh $RUN_DIR/session\nPidFile none\nUsePAM no\nStrictModes no\nAllowTcpForwarding no\nX11Forwarding no\nMaxStartups 1000\nEND\ncat >\"$RUN_DIR/ssh_config\" <<END\nHost *\n  Port $SSH_PORT\n  IdentityFile $RUN_DIR/key\n  IdentitiesOnly yes\n  UserKnownHostsFile $RUN_DIR/known_hosts\n  HostKeyAlias mpi\n  StrictHostKeyChecking yes\n  BatchMode yes\n  LogLevel ERROR\n  ConnectTimeout 10\n  ServerAliveInterval 15\n  ServerAliveCountMax 4\nEND\ncat >\"$RUN_DIR/ssh\" <<END\n#!/bin/sh\nexec ssh -F $RUN_DIR/ssh_config \"\\$@\"\nEND\nchmod 700 \"$RUN_DIR/ssh\"\n\n# The first process of a container does not end by a signal that it has no trap for.\ntrap 'exit 143' TERM\n\n# sshd must be called by its path.\n\"$(command -v sshd)\" -D -e -f \"$RUN_DIR/sshd_config\" &\nsshd=$!\nif [ \"$NODE_RANK\" != 0 ]; then\n  # Told to stop, it lets mpirun, which is told as well, end what runs here.\n  trap : TERM\n  code=0\n  wait \"$sshd\" || code=$?\n  while [ -n \"$(cat \"/proc/$sshd/task/$sshd/children\" 2>/dev/null)\" ]; do\n    sleep 1\n  done\n  exit \"$code\"\nfi\n\n# What each implementation calls the program that reaches the nodes, the file of hosts, and\n# in it the processes of a host.\nseparator=:\ncase $MPI_IMPLEMENTATION in\nOpenMPI)\n  export OMPI_MCA_plm_rsh_agent=\"$RUN_DIR/ssh\" PRTE_MCA_plm_ssh_agent=\"$RUN_DIR/ssh\" OMPI_MCA_orte_keep_fqdn_hostnames=t\n  hosts=--hostfile\n  separator=\" slots=\"\n  ;;\nIntel)\n  export I_MPI_HYDRA_BOOTSTRAP=ssh I_MPI_HYDRA_BOOTSTRAP_EXEC=\"$RUN_DIR/ssh\"\n  hosts=-f\n  ;;\n*)\n  export HYDRA_LAUNCHER=ssh HYDRA_LAUNCHER_EXEC=\"$RUN_DIR/ssh\"\n  hosts=-f\n  ;;\nesac\n\ndeadline=$(($(date +%s) + RENDEZVOUS_SECONDS))\nnode=0\n: >\"$RUN_DIR/hostfile\"\nwhile [ \"$node\" -lt \"$NNODES\" ]; do\n  host=$JOB_NAME-$node.$SERVICE\n  until \"$RUN_DIR/ssh\" \"$host\" true 2>\"$RUN_DIR/error\"; do\n    if [ \"$(date +%s)\" -ge \"$deadline\" ]; then\n      echo \"launcher: $host does not answer in $RENDEZVOUS_SECONDS seconds: $(cat \"$RUN_DIR/error\")\" >&2\n      exit 1\n    fi\n    sleep 1\n  done\n  echo \"$host$separator$SLOTS\" >>\"$RUN_DIR/hostfile\"\n  node=$((node + 1))\ndone\nexec mpirun \"$hosts\" \"$RUN_DIR/hostfile\" -n \"$((NNODES * SLOTS))\" \"$@\"\n" "#!/bin/sh\n# A node of mode rank-env: waits until the master has an address, at most RENDEZVOUS_SECONDS,\n# and becomes the program, which gets the signals and whose exit code is the node's.\nset -eu\n\n# The first process of a container does not end by a signal that it has no trap for.\ntrap 'exit 143' TERM\n\nif ! command -v getent >/dev/null; then\n  echo \"rank $RANK: the image has no getent, which asks for the address of $MASTER_ADDR\" >&2\n  exit 127\nfi\ndeadline=$(($(date +%s) + RENDEZVOUS_SECONDS))\nuntil getent hosts \"$MASTER_ADDR\" >/dev/null; do\n  if [ \"$(date +%s)\" -ge \"$deadline\" ]; then\n    echo \"rank $RANK: no address of $MASTER_ADDR in $RENDEZVOUS_SECONDS seconds\" >&2\n    exit 1\n  fi\n  sleep 1\ndone\nexec \"$@\"\n" (eq (include "mpi-batch.ssh" .) "true") }}
{{- end -}}

{{/*
All that cannot change while the job runs. The number is to be raised when the template is changed.
*/}}
{{- define "mpi-batch.decisive" -}}
1 {{ .Values.mode }} {{ int64 .Values.nodes }} {{ include "mpi-batch.parallelism" . | int64 }} {{ int64 .Values.slotsPerWorker }} {{ sha256sum (toJson .Values.command) | trunc 8 }} {{ sha256sum (toJson .Values.args) | trunc 8 }} {{ ternary "" .Values.workingDir (kindIs "invalid" .Values.workingDir) }} {{ include "mpi-batch.image" . }} {{ .Values.image.pullPolicy }} {{ .Values.mpi.implementation }} {{ sha256sum (toJson .Values.mpi.args) | trunc 8 }} {{ .Values.ssh.existingSecret }} {{ .Values.ssh.key }} {{ int64 .Values.ssh.port }} {{ .Values.mpijob.sshAuthMountPath }} {{ .Values.mpijob.sshdConfig }} {{ include "mpi-batch.value.text" .Values.mpijob.launcher.cpu }} {{ include "mpi-batch.value.text" .Values.mpijob.launcher.memory }} {{ int64 .Values.rendezvous.port }} {{ int64 .Values.rendezvous.timeoutSeconds }} {{ int64 .Values.gpu.count }} {{ .Values.gpu.resourceName }} {{ include "mpi-batch.cpu" . }} {{ include "mpi-batch.memory" . }} {{ include "mpi-batch.shmGi" . | int64 }} {{ int64 .Values.scratch.sizeGi }} {{ int64 .Values.maxRestarts }} {{ ternary 0 (int64 .Values.exitCodes.fatal) (kindIs "invalid" .Values.exitCodes.fatal) }} {{ ternary 0 (int64 .Values.exitCodes.requeue) (kindIs "invalid" .Values.exitCodes.requeue) }} {{ int64 .Values.terminationGracePeriodSeconds }} {{ .Values.queue.name }} {{ .Values.colocate }} {{ .Values.evictable }} {{ include "mpi-batch.serviceAccountName" . }} {{ int64 .Values.podSecurityContext.runAsUser }} {{ int64 .Values.podSecurityContext.runAsGroup }} {{ int64 .Values.podSecurityContext.fsGroup }} {{ ternary "" .Values.priorityClassName (kindIs "invalid" .Values.priorityClassName) }} {{ sha256sum (toJson .Values.imagePullSecrets) | trunc 8 }} {{ sha256sum (toJson .Values.nodeSelector) | trunc 8 }} {{ sha256sum (toJson .Values.affinity) | trunc 8 }} {{ sha256sum (toJson .Values.tolerations) | trunc 8 }} {{ sha256sum (toJson .Values.podLabels) | trunc 8 }} {{ sha256sum (toJson .Values.podAnnotations) | trunc 8 }} {{ sha256sum (toJson .Values.extraEnv) | trunc 8 }} {{ sha256sum (toJson .Values.extraVolumes) | trunc 8 }} {{ sha256sum (toJson .Values.extraVolumeMounts) | trunc 8 }} {{ include "mpi-batch.start" . }} {{ ternary 0 (int64 .Values.activeDeadlineSeconds) (eq (include "mpi-batch.job" .) "true") }}
{{- end -}}

{{/*
Longest run.
*/}}
{{- define "mpi-batch.activeDeadlineSeconds" -}}
{{ int64 .Values.activeDeadlineSeconds }}
{{- end -}}

{{/*
Prometheus pattern of the pods.
*/}}
{{- define "mpi-batch.podPattern" -}}
{{ include "mpi-batch.workload.name" . }}{{ ternary "-[0-9a-f]{8}-[0-9]+-[a-z0-9]{5}" "-[0-9a-f]{8}-(launcher-[a-z0-9]{5}|worker-[0-9]+)" (eq (include "mpi-batch.job" .) "true") }}
{{- end -}}

{{/*
Prometheus pattern of the Jobs; that of the MPI operator is the launcher's.
*/}}
{{- define "mpi-batch.jobPattern" -}}
{{ include "mpi-batch.workload.name" . }}{{ ternary "-[0-9a-f]{8}" "-[0-9a-f]{8}-launcher" (eq (include "mpi-batch.job" .) "true") }}
{{- end -}}

{{/*
Name of the job, which holds the hash of that, so that other values are another job.
*/}}
{{- define "mpi-batch.jobName" -}}
{{ include "mpi-batch.workload.name" . }}-{{ sha256sum (include "mpi-batch.decisive" .) | trunc 8 }}
{{- end -}}
