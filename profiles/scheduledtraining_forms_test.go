// SPDX-License-Identifier: Apache-2.0

package profiles_test

// nightlyForm is a CronJob that is written by hand: a Job that trains, and a schedule.
const nightlyForm = `
apiVersion: batch/v1
kind: CronJob
metadata:
  name: demo
  labels: {kueue.x-k8s.io/queue-name: gpus}
spec:
  schedule: TZ=Europe/Berlin 0 3 * * *
  suspend: false
  jobTemplate:
    spec:
      parallelism: 2
      completions: 2
      backoffLimit: 4
      ttlSecondsAfterFinished: 60
      template:
        spec:
          restartPolicy: OnFailure
          hostNetwork: true
          hostIPC: true
          runtimeClassName: nvidia
          containers:
          - name: trainer
            image: registry.example.com/trainer:latest
            imagePullPolicy: Always
            command: [python, train.py]
            env:
            - {name: MASTER_ADDR, value: demo-0.demo}
            - {name: CHECKPOINT_DIR, value: /checkpoints}
            - {name: PYTHONUNBUFFERED, value: "0"}
            ports:
            - {name: http, containerPort: 8080}
            - {name: ssh, containerPort: 22}
            securityContext: {privileged: true, readOnlyRootFilesystem: true}
            resources: {limits: {nvidia.com/gpu: 8}}
            livenessProbe: {tcpSocket: {port: 8080}}
            readinessProbe: {tcpSocket: {port: 8080}}
            startupProbe: {tcpSocket: {port: 8080}}
            lifecycle: {preStop: {exec: {command: [sleep, "30"]}}}
---
apiVersion: v1
kind: Service
metadata: {name: demo}
spec:
  selector: {job-name: demo}
  ports: [{port: 29500}]
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: demo-checkpoints}
spec:
  accessModes: [ReadWriteOnce]
  resources: {requests: {storage: 100Gi}}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: demo}
spec:
  minAvailable: 100%
  selector: {matchLabels: {app: demo}}
---
apiVersion: v1
kind: Secret
metadata: {name: demo-token}
stringData: {HF_TOKEN: hf_abc}
`

// replacedForm is what a chart for any application makes of it: the deadline where nothing
// reads it, and numbers that are taken for unset.
const replacedForm = `
apiVersion: batch/v1
kind: CronJob
metadata: {name: demo}
spec:
  schedule: 0 3 * * *
  concurrencyPolicy: Replace
  startingDeadlineSeconds: 5
  successfulJobsHistoryLimit: 3
  failedJobsHistoryLimit: 1
  jobTemplate:
    spec:
      startingDeadlineSeconds: 600
      template:
        spec:
          restartPolicy: Never
          containers:
          - name: trainer
            image: registry.example.com/trainer:1.2.3
            resources: {limits: {nvidia.com/gpu: 4}}
`
