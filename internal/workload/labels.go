// SPDX-License-Identifier: Apache-2.0

package workload

import (
	"strconv"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	"k8s.io/apimachinery/pkg/labels"
)

// Labels that controllers give to single pods.
const (
	podNameLabel         = appsv1.StatefulSetPodNameLabel
	podIndexLabel        = appsv1.PodIndexLabel
	completionIndexLabel = batchv1.JobCompletionIndexAnnotation
	groupIndexLabel      = "leaderworkerset.sigs.k8s.io/group-index"
	workerIndexLabel     = "leaderworkerset.sigs.k8s.io/worker-index"
)

// given are the labels that the controller adds to all pods, as far as they are known:
// hashes, UIDs and made names are empty.
func (w *workload) given() labels.Set {
	name := w.entry.object.Name
	switch w.entry.group + "/" + w.entry.object.Kind {
	case "apps/Deployment":
		return labels.Set{appsv1.DefaultDeploymentUniqueLabelKey: ""}
	case "apps/DaemonSet", "apps/StatefulSet":
		return labels.Set{appsv1.ControllerRevisionHashLabelKey: ""}
	case "batch/Job":
		return jobLabels(name)
	case "batch/CronJob":
		return jobLabels("")
	case "jobset.x-k8s.io/JobSet":
		return labels.Merge(jobLabels(""), labels.Set{"jobset.sigs.k8s.io/jobset-name": name})
	case "leaderworkerset.x-k8s.io/LeaderWorkerSet":
		return labels.Set{"leaderworkerset.sigs.k8s.io/name": name, appsv1.ControllerRevisionHashLabelKey: ""}
	}
	return nil
}

// jobLabels are those of the pods of a Job.
func jobLabels(name string) labels.Set {
	return labels.Set{batchv1.JobNameLabel: name, "job-name": name, batchv1.ControllerUidLabel: "", "controller-uid": ""}
}

// givenTo are the labels that the controller adds to a single pod, counted from 0.
func (w *workload) givenTo(pod int) labels.Set {
	switch w.entry.group + "/" + w.entry.object.Kind {
	case "apps/StatefulSet":
		ordinal := strconv.Itoa(int(w.count.first) + pod)
		return labels.Set{podNameLabel: w.entry.object.Name + "-" + ordinal, podIndexLabel: ordinal}
	case "batch/Job", "batch/CronJob", "jobset.x-k8s.io/JobSet":
		if w.jobSpec().Get("completionMode").Text() == string(batchv1.IndexedCompletion) {
			return labels.Set{completionIndexLabel: strconv.Itoa(pod % max(int(w.count.perUnit), 1))}
		}
	case "leaderworkerset.x-k8s.io/LeaderWorkerSet":
		return w.inGroup(pod)
	}
	return nil
}

// inGroup are the labels of a pod of a LeaderWorkerSet, whose leaders are one StatefulSet,
// and the workers of each leader another one.
func (w *workload) inGroup(pod int) labels.Set {
	size := max(int(w.count.perUnit), 1)
	group, worker := strconv.Itoa(pod/size), pod%size+int(w.count.first)
	name, ordinal := w.entry.object.Name+"-"+group, group
	if worker > 0 {
		ordinal = strconv.Itoa(worker)
		name += "-" + ordinal
	}
	return labels.Set{podNameLabel: name, podIndexLabel: ordinal, groupIndexLabel: group, workerIndexLabel: strconv.Itoa(worker)}
}
