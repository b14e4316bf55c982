// SPDX-License-Identifier: Apache-2.0

package profiles_test

// sparkSubmitForm is a Job of spark-submit in cluster mode, with the rights and properties
// that such Jobs have.
const sparkSubmitForm = `
apiVersion: batch/v1
kind: Job
metadata: {name: demo}
spec:
  completions: 2
  parallelism: 2
  template:
    spec:
      restartPolicy: OnFailure
      containers:
      - name: spark-kubernetes-driver
        image: registry.example.com/spark:latest
        command: [/opt/spark/bin/spark-submit]
        args: [--deploy-mode, cluster, 'local:///app.py']
        resources: {requests: {memory: 512Mi}, limits: {cpu: "1", memory: 2048Mi}}
      volumes:
      - {name: local, hostPath: {path: /mnt/spark}}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: spark}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: cluster-admin}
subjects:
- {kind: ServiceAccount, name: default, namespace: apps}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: {name: spark}
rules:
- apiGroups: [""]
  resources: [pods, services, configmaps]
  verbs: [get, list, watch, create, update, patch, delete]
---
apiVersion: v1
kind: ConfigMap
metadata: {name: demo-conf}
data:
  spark.submit.deployMode: cluster
  spark.driver.host: spark-driver
  spark.executor.memory: 4096m
  spark.kubernetes.executor.limit.cores: "2"
  spark.kubernetes.executor.deleteOnTermination: "false"
  spark.kubernetes.container.image: registry.example.com/spark:latest
  spark.kubernetes.container.image.pullPolicy: Always
  spark.dynamicAllocation.enabled: "true"
  spark.shuffle.service.enabled: "true"
  spark.kubernetes.executor.volumes.persistentVolumeClaim.spark-local-dir-1.options.claimName: shuffle
  spark.eventLog.enabled: "true"
  spark.eventLog.dir: /tmp/spark-events
`

// sparkNightlyForm is the same by the clock.
const sparkNightlyForm = `
apiVersion: batch/v1
kind: CronJob
metadata: {name: demo}
spec:
  schedule: 0 3 * * *
  jobTemplate:
    spec:
      ttlSecondsAfterFinished: 60
      template:
        spec:
          restartPolicy: OnFailure
          containers:
          - name: spark-kubernetes-driver
            image: apache/spark:4.0.1
            command: [/opt/spark/bin/spark-submit]
`

// sparkApplicationForm is what the Spark operator is mostly given: the flat fields of pods,
// and its defaults.
const sparkApplicationForm = `
apiVersion: sparkoperator.k8s.io/v1beta2
kind: SparkApplication
metadata: {name: demo}
spec:
  type: Scala
  mode: cluster
  image: registry.example.com/spark:latest
  mainApplicationFile: local:///app.jar
  sparkVersion: 4.0.1
  volumes:
  - {name: data, hostPath: {path: /mnt}}
  driver:
    coreLimit: 1200m
    memory: 512m
    serviceAccount: shared
    tolerations: [{operator: Exists}]
    securityContext: {runAsNonRoot: true}
  executor:
    instances: 1
    coreLimit: 1200m
    memory: 512m
    tolerations: [{operator: Exists}]
---
apiVersion: sparkoperator.k8s.io/v1beta2
kind: ScheduledSparkApplication
metadata: {name: demo}
spec:
  schedule: "@every 24h"
  template: {type: Scala, mode: cluster, mainApplicationFile: local:///app.jar, sparkVersion: 4.0.1}
`

// sparkStandaloneForm is a cluster that stands by for applications.
const sparkStandaloneForm = `
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: demo-worker}
spec:
  replicas: 3
  serviceName: demo-headless
  selector: {matchLabels: {app: spark}}
  template:
    metadata: {labels: {app: spark}}
    spec:
      containers:
      - name: spark-worker
        image: registry.example.com/spark:4.0.1
        env: [{name: SPARK_RPC_AUTHENTICATION_ENABLED, value: "no"}]
---
apiVersion: v1
kind: Service
metadata: {name: demo-master-svc}
spec:
  selector: {app: spark}
  ports: [{name: cluster, port: 7077}]
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: demo-worker}
spec:
  scaleTargetRef: {apiVersion: apps/v1, kind: StatefulSet, name: demo-worker}
  maxReplicas: 9
---
apiVersion: v1
kind: Secret
metadata: {name: demo-secret}
stringData: {rpc-authentication-secret: changes-at-each-upgrade}
`
