// SPDX-License-Identifier: Apache-2.0

package golden_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/runtime"

	"kilter.dev/kilter/internal/manifest"
)

// refused returns the fields of objects that the API server would not let change from old
// to new. Objects of another kind or name are new ones.
func refused(t testing.TB, old, new []*manifest.Object) []string {
	t.Helper()
	byID := map[string]*manifest.Object{}
	for _, o := range old {
		byID[identity(o)] = o
	}
	var fields []string
	for _, o := range new {
		if before := byID[identity(o)]; before != nil && !manifest.Equal(before.Node, o.Node) {
			for _, f := range immutable(typed(t, before.Node), typed(t, o.Node)) {
				fields = append(fields, o.Kind+" "+o.Name+" "+f)
			}
		}
	}
	return fields
}

func identity(o *manifest.Object) string {
	return strings.Join([]string{o.Kind, o.Namespace, o.Name}, " ")
}

// typed is the object in the type of its kind, nil for kinds that Kubernetes does not define.
func typed(t testing.TB, n *manifest.Node) runtime.Object {
	t.Helper()
	if slices.Contains(foreign, n.Get("apiVersion").Text()+" "+n.Get("kind").Text()) {
		return nil
	}
	o, _, err := strict().Decode([]byte(manifest.JSON(n)), nil, nil)
	if err != nil {
		t.Fatalf("%v\n%s", err, manifest.Print(n))
	}
	return o
}

// change is a field before and after.
type change struct {
	field    string
	old, new any
}

// immutable returns the immutable fields in which two objects of one name differ in
// meaning: 1Gi is 1024Mi. It knows no default of the API server but volumeMode's.
func immutable(old, new runtime.Object) []string {
	var changes []change
	switch a := old.(type) {
	case *appsv1.Deployment:
		changes = []change{{"selector", a.Spec.Selector, new.(*appsv1.Deployment).Spec.Selector}}
	case *appsv1.DaemonSet:
		changes = []change{{"selector", a.Spec.Selector, new.(*appsv1.DaemonSet).Spec.Selector}}
	case *appsv1.StatefulSet:
		changes = statefulSetChanges(a.Spec, new.(*appsv1.StatefulSet).Spec)
	case *batchv1.Job:
		changes = jobChanges(a.Spec, new.(*batchv1.Job).Spec)
	case *corev1.PersistentVolumeClaim:
		changes = claimChanges(a.Spec, new.(*corev1.PersistentVolumeClaim).Spec)
	case *corev1.Service:
		b := new.(*corev1.Service)
		headless := func(s *corev1.Service) bool { return s.Spec.ClusterIP == corev1.ClusterIPNone }
		changes = []change{{"clusterIP", headless(a), headless(b)}}
	case *corev1.ConfigMap:
		if a.Immutable != nil && *a.Immutable {
			b := new.(*corev1.ConfigMap)
			changes = []change{{"data", a.Data, b.Data}, {"binaryData", a.BinaryData, b.BinaryData}, {"immutable", a.Immutable, b.Immutable}}
		}
	case *corev1.Secret:
		b := new.(*corev1.Secret)
		changes = []change{{"type", a.Type, b.Type}}
		if a.Immutable != nil && *a.Immutable {
			changes = append(changes, change{"data", a.Data, b.Data}, change{"stringData", a.StringData, b.StringData})
		}
	case *rbacv1.RoleBinding:
		changes = []change{{"roleRef", a.RoleRef, new.(*rbacv1.RoleBinding).RoleRef}}
	case *rbacv1.ClusterRoleBinding:
		changes = []change{{"roleRef", a.RoleRef, new.(*rbacv1.ClusterRoleBinding).RoleRef}}
	}
	var fields []string
	for _, c := range changes {
		if !equality.Semantic.DeepEqual(c.old, c.new) {
			fields = append(fields, c.field)
		}
	}
	return fields
}

// revisionHistoryLimit is immutable on 1.32 alone.
func statefulSetChanges(a, b appsv1.StatefulSetSpec) []change {
	return []change{
		{"selector", a.Selector, b.Selector},
		{"serviceName", a.ServiceName, b.ServiceName},
		{"podManagementPolicy", a.PodManagementPolicy, b.PodManagementPolicy},
		{"revisionHistoryLimit", a.RevisionHistoryLimit, b.RevisionHistoryLimit},
		{"volumeClaimTemplates", claims(a.VolumeClaimTemplates), claims(b.VolumeClaimTemplates)},
	}
}

// claims are the templates with their default; a list without any is no list.
func claims(list []corev1.PersistentVolumeClaim) []corev1.PersistentVolumeClaim {
	filesystem := corev1.PersistentVolumeFilesystem
	out := slices.Clone(list)
	for i := range out {
		if out[i].Spec.VolumeMode == nil {
			out[i].Spec.VolumeMode = &filesystem
		}
	}
	return out
}

// jobChanges are those of a Job that runs. An Indexed one may change completions together
// with parallelism.
func jobChanges(a, b batchv1.JobSpec) []change {
	changes := []change{
		{"selector", a.Selector, b.Selector},
		{"completionMode", a.CompletionMode, b.CompletionMode},
		{"podFailurePolicy", a.PodFailurePolicy, b.PodFailurePolicy},
		{"backoffLimitPerIndex", a.BackoffLimitPerIndex, b.BackoffLimitPerIndex},
		{"successPolicy", a.SuccessPolicy, b.SuccessPolicy},
		{"managedBy", a.ManagedBy, b.ManagedBy},
		{"template", a.Template, b.Template},
	}
	indexed := b.CompletionMode != nil && *b.CompletionMode == batchv1.IndexedCompletion
	if !indexed || !equality.Semantic.DeepEqual(b.Completions, b.Parallelism) {
		changes = append(changes, change{"completions", a.Completions, b.Completions})
	}
	return changes
}

// claimChanges: a claim may grow, and change its VolumeAttributesClass.
func claimChanges(a, b corev1.PersistentVolumeClaimSpec) []change {
	size, after := a.Resources.Requests[corev1.ResourceStorage], b.Resources.Requests[corev1.ResourceStorage]
	shrinks := after.Cmp(size) < 0
	both := claims([]corev1.PersistentVolumeClaim{{Spec: a}, {Spec: b}})
	for i := range both {
		both[i].Spec.Resources.Requests, both[i].Spec.VolumeAttributesClassName = nil, nil
	}
	return []change{{"resources.requests.storage", false, shrinks}, {"spec", both[0].Spec, both[1].Spec}}
}

// TestRefused pins what cannot change, and what can.
func TestRefused(t *testing.T) {
	const (
		statefulSet = `{apiVersion: apps/v1, kind: StatefulSet, metadata: {name: a}, spec: {replicas: 1, serviceName: a, podManagementPolicy: Parallel,
			revisionHistoryLimit: 3, selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}}, volumeClaimTemplates: [
			{metadata: {name: data}, spec: {volumeMode: Filesystem, accessModes: [ReadWriteOnce], resources: {requests: {storage: 10Gi}}}}]}}`
		job = `{apiVersion: batch/v1, kind: Job, metadata: {name: a}, spec: {parallelism: 2, completions: 2, completionMode: Indexed, backoffLimit: 1,
			suspend: false, template: {metadata: {annotations: {a: b}}, spec: {containers: [{name: a, resources: {limits: {cpu: 500m}}}]}}}}`
		claim   = `{apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: a}, spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 10Gi}}}}`
		service = `{apiVersion: v1, kind: Service, metadata: {name: a}, spec: {clusterIP: None, ports: [{port: 1}]}}`
		config  = `{apiVersion: v1, kind: ConfigMap, metadata: {name: a}, immutable: true, data: {a: b}}`
		binding = `{apiVersion: rbac.authorization.k8s.io/v1, kind: RoleBinding, metadata: {name: a}, roleRef: {kind: Role, name: a}}`
		deploy  = `{apiVersion: apps/v1, kind: Deployment, metadata: {name: a}, spec: {replicas: 1, selector: {matchLabels: {a: b}}}}`
	)
	for _, c := range []struct{ object, old, new, want string }{
		{statefulSet, "replicas: 1", "replicas: 2", ""},
		{statefulSet, "10Gi", "10240Mi", ""},
		{statefulSet, "volumeMode: Filesystem, ", "", ""},
		{statefulSet, "labels: {a: b}", "labels: {a: b, c: d}", ""},
		{statefulSet, "10Gi", "20Gi", "volumeClaimTemplates"},
		{statefulSet, "name: data", "name: data, labels: {a: b}", "volumeClaimTemplates"},
		{statefulSet, "serviceName: a", "serviceName: b", "serviceName"},
		{statefulSet, "Parallel", "OrderedReady", "podManagementPolicy"},
		{statefulSet, "matchLabels: {a: b}", "matchLabels: {a: c}", "selector"},
		{statefulSet, "revisionHistoryLimit: 3", "revisionHistoryLimit: 4", "revisionHistoryLimit"},
		{job, "backoffLimit: 1", "backoffLimit: 2", ""},
		{job, "parallelism: 2, completions: 2", "parallelism: 3, completions: 3", ""},
		{job, "cpu: 500m", "cpu: 0.5", ""},
		{job, "completions: 2", "completions: 3", "completions"},
		{job, "completionMode: Indexed", "completionMode: NonIndexed", "completionMode"},
		{job, "annotations: {a: b}", "annotations: {a: c}", "template"},
		{job, "suspend: false", "podFailurePolicy: {rules: []}", "podFailurePolicy"},
		{job, "suspend: false", "backoffLimitPerIndex: 1", "backoffLimitPerIndex"},
		{job, "suspend: false", "successPolicy: {rules: []}", "successPolicy"},
		{job, "suspend: false", "managedBy: example.com/a", "managedBy"},
		{claim, "10Gi", "11Gi", ""},
		{claim, "spec: {", "spec: {volumeMode: Filesystem, ", ""},
		{claim, "10Gi", "9Gi", "resources.requests.storage"},
		{claim, "ReadWriteOnce", "ReadWriteMany", "spec"},
		{claim, "spec: {", "spec: {storageClassName: fast, ", "spec"},
		{service, "port: 1", "port: 2", ""},
		{service, "clusterIP: None, ", "", "clusterIP"},
		{config, "data: {a: b}", "data: {a: c}", "data"},
		{strings.Replace(config, "immutable: true, ", "", 1), "data: {a: b}", "data: {a: c}", ""},
		{binding, "{kind: Role, name: a}", "{kind: Role, name: b}", "roleRef"},
		{deploy, "replicas: 1", "replicas: 2", ""},
		{deploy, "matchLabels: {a: b}", "matchLabels: {a: c}", "selector"},
		{deploy, "metadata: {name: a}", "metadata: {name: b}", ""},
	} {
		after := strings.Replace(c.object, c.old, c.new, 1)
		if after == c.object {
			t.Fatalf("%s is not in %s", c.old, c.object)
		}
		var want []string
		old, new := objectsOf(t, c.object), objectsOf(t, after)
		if c.want != "" {
			want = []string{old[0].Kind + " a " + c.want}
		}
		if diff := cmp.Diff(want, refused(t, old, new)); diff != "" {
			t.Errorf("%s: from %s to %s (-want +got):\n%s", old[0].Kind, c.old, c.new, diff)
		}
	}
}
