// SPDX-License-Identifier: Apache-2.0

package kubernetes_test

import (
	"fmt"
	"strconv"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes/fake"
)

// cluster is what the API server would hold when all pods are there and healthy.
type cluster struct {
	t      *testing.T
	client *fake.Clientset
	uid    int
}

func newCluster(t *testing.T) *cluster { return &cluster{t: t, client: fake.NewSimpleClientset()} }

func (c *cluster) add(o runtime.Object) {
	c.t.Helper()
	if err := c.client.Tracker().Add(o); err != nil {
		c.t.Fatal(err)
	}
}

// owner is a controller of pods or of other controllers.
type owner struct {
	apiVersion, kind, name string
	uid                    types.UID
}

func (c *cluster) newUID() types.UID {
	c.uid++
	return types.UID(strconv.Itoa(c.uid))
}

func (o owner) meta(namespace string) metav1.ObjectMeta {
	return metav1.ObjectMeta{Name: o.name, Namespace: namespace, UID: o.uid}
}

// ownedMeta is the metadata of an object that o controls.
func (o owner) ownedMeta(namespace, name string, uid types.UID) metav1.ObjectMeta {
	yes := true
	return metav1.ObjectMeta{Name: name, Namespace: namespace, UID: uid, OwnerReferences: []metav1.OwnerReference{
		{APIVersion: o.apiVersion, Kind: o.kind, Name: o.name, UID: o.uid, Controller: &yes},
	}}
}

// pods adds n healthy pods of a controller; label gives the controller's labels of each.
func (c *cluster) pods(o owner, namespace string, template *corev1.PodTemplateSpec, n int32, label func(i int) map[string]string) {
	for i := range int(n) {
		pod := &corev1.Pod{ObjectMeta: o.ownedMeta(namespace, fmt.Sprintf("%s-%s-%d", o.kind, o.name, i), c.newUID())}
		pod.Labels = map[string]string{}
		for _, set := range []map[string]string{template.Labels, label(i)} {
			for key, value := range set {
				pod.Labels[key] = value
			}
		}
		c.addPod(pod)
	}
}

func (c *cluster) addPod(pod *corev1.Pod) {
	pod.Status.Phase = corev1.PodRunning
	pod.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue}}
	c.add(pod)
}

// constant labels every pod alike.
func constant(pairs ...string) func(int) map[string]string {
	set := map[string]string{}
	for i := 0; i < len(pairs); i += 2 {
		set[pairs[i]] = pairs[i+1]
	}
	return func(int) map[string]string { return set }
}

// run adds an object to a namespace with what its controller makes of it, at a number of
// replicas; a negative one means that of the object.
func (c *cluster) run(o runtime.Object, namespace string, replicas int32) {
	count := func(own *int32) *int32 {
		if replicas >= 0 {
			return &replicas
		}
		return own
	}
	switch o := o.(type) {
	case *appsv1.Deployment:
		d, rs := o.DeepCopy(), &appsv1.ReplicaSet{}
		by := owner{"apps/v1", "Deployment", o.Name, c.newUID()}
		d.ObjectMeta, d.Spec.Replicas = by.meta(namespace), count(o.Spec.Replicas)
		rs.ObjectMeta, rs.Spec.Replicas = by.ownedMeta(namespace, o.Name+"-hash", c.newUID()), d.Spec.Replicas
		c.add(d)
		c.add(rs)
		c.pods(owner{"apps/v1", "ReplicaSet", rs.Name, rs.UID}, namespace, &o.Spec.Template, *d.Spec.Replicas, constant("pod-template-hash", "hash"))
	case *appsv1.ReplicaSet:
		rs, by := o.DeepCopy(), owner{"apps/v1", "ReplicaSet", o.Name, c.newUID()}
		rs.ObjectMeta, rs.Spec.Replicas = by.meta(namespace), count(o.Spec.Replicas)
		c.add(rs)
		c.pods(by, namespace, &o.Spec.Template, *rs.Spec.Replicas, constant())
	case *corev1.ReplicationController:
		rc, by := o.DeepCopy(), owner{"v1", "ReplicationController", o.Name, c.newUID()}
		rc.ObjectMeta = by.meta(namespace)
		c.add(rc)
		c.pods(by, namespace, o.Spec.Template, *rc.Spec.Replicas, constant())
	case *appsv1.StatefulSet:
		first := 0
		if o.Spec.Ordinals != nil {
			first = int(o.Spec.Ordinals.Start)
		}
		c.statefulSet(namespace, o.Name, &o.Spec.Template, *count(o.Spec.Replicas), first)
	case *appsv1.DaemonSet:
		c.pods(owner{"apps/v1", "DaemonSet", o.Name, c.newUID()}, namespace, &o.Spec.Template, 2, constant("controller-revision-hash", "hash"))
	case *corev1.Pod:
		pod := o.DeepCopy()
		pod.Namespace, pod.UID = namespace, c.newUID()
		c.addPod(pod)
	case *batchv1.Job:
		c.job(namespace, o.Name, &o.Spec, nil)
	case *batchv1.CronJob:
		c.job(namespace, o.Name+"-1", &o.Spec.JobTemplate.Spec, nil)
	case *jobSet:
		c.jobSet(namespace, o)
	case *leaderWorkerSet:
		c.leaderWorkerSet(namespace, o)
	default:
		c.t.Fatalf("nothing runs a %T", o)
	}
}

func (c *cluster) statefulSet(namespace, name string, template *corev1.PodTemplateSpec, replicas int32, first int) {
	by := owner{"apps/v1", "StatefulSet", name, c.newUID()}
	c.add(&appsv1.StatefulSet{ObjectMeta: by.meta(namespace), Spec: appsv1.StatefulSetSpec{Replicas: &replicas}})
	c.pods(by, namespace, template, replicas, func(i int) map[string]string {
		ordinal := strconv.Itoa(first + i)
		return map[string]string{"controller-revision-hash": "hash", appsv1.StatefulSetPodNameLabel: name + "-" + ordinal, appsv1.PodIndexLabel: ordinal}
	})
}

// job runs as many pods as the Job controller does before any has ended.
func (c *cluster) job(namespace, name string, spec *batchv1.JobSpec, labels map[string]string) {
	n := int32(1)
	if spec.Parallelism != nil {
		n = *spec.Parallelism
	}
	if spec.Completions != nil {
		n = min(n, *spec.Completions)
	}
	if spec.Suspend != nil && *spec.Suspend {
		n = 0
	}
	c.pods(owner{"batch/v1", "Job", name, c.newUID()}, namespace, &spec.Template, n, func(i int) map[string]string {
		set := map[string]string{"job-name": name, batchv1.JobNameLabel: name}
		if spec.CompletionMode != nil && *spec.CompletionMode == batchv1.IndexedCompletion {
			set[batchv1.JobCompletionIndexAnnotation] = strconv.Itoa(i)
		}
		for key, value := range labels {
			set[key] = value
		}
		return set
	})
}

// jobSet is a jobset.x-k8s.io JobSet.
type jobSet struct {
	metav1.TypeMeta
	metav1.ObjectMeta `json:"metadata"`
	Spec              struct {
		Suspend        bool
		ReplicatedJobs []struct {
			Name     string
			Replicas *int32
			Template batchv1.JobTemplateSpec
		}
	}
}

func (s *jobSet) DeepCopyObject() runtime.Object { return s }

func (c *cluster) jobSet(namespace string, s *jobSet) {
	for _, jobs := range s.Spec.ReplicatedJobs {
		replicas := int32(1)
		if jobs.Replicas != nil {
			replicas = *jobs.Replicas
		}
		for i := range replicas {
			if !s.Spec.Suspend {
				c.job(namespace, fmt.Sprintf("%s-%s-%d", s.Name, jobs.Name, i), &jobs.Template.Spec, map[string]string{"jobset.sigs.k8s.io/jobset-name": s.Name})
			}
		}
	}
}

// leaderWorkerSet is a leaderworkerset.x-k8s.io LeaderWorkerSet.
type leaderWorkerSet struct {
	metav1.TypeMeta
	metav1.ObjectMeta `json:"metadata"`
	Spec              struct {
		Replicas             *int32
		LeaderWorkerTemplate struct {
			Size           *int32
			LeaderTemplate *corev1.PodTemplateSpec
			WorkerTemplate corev1.PodTemplateSpec
		}
	}
}

func (s *leaderWorkerSet) DeepCopyObject() runtime.Object { return s }

// leaderWorkerSet makes one StatefulSet of the leaders, and one for the workers of each.
func (c *cluster) leaderWorkerSet(namespace string, s *leaderWorkerSet) {
	replicas, size, spec := int32(1), int32(1), &s.Spec.LeaderWorkerTemplate
	if s.Spec.Replicas != nil {
		replicas = *s.Spec.Replicas
	}
	if spec.Size != nil {
		size = *spec.Size
	}
	leader := spec.LeaderTemplate
	if leader == nil {
		leader = &spec.WorkerTemplate
	}
	c.statefulSet(namespace, s.Name, leader, replicas, 0)
	for i := range replicas {
		c.statefulSet(namespace, fmt.Sprintf("%s-%d", s.Name, i), &spec.WorkerTemplate, size-1, 1)
	}
}
