// SPDX-License-Identifier: Apache-2.0

package kubernetes_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/go-logr/logr"
	appsv1 "k8s.io/api/apps/v1"
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/informers"
	scalefake "k8s.io/client-go/scale/fake"
	clienttesting "k8s.io/client-go/testing"
	"k8s.io/klog/v2"
	"k8s.io/kubernetes/pkg/controller/podautoscaler"
	"k8s.io/kubernetes/pkg/controller/podautoscaler/metrics"
)

// targetKey names something that has replicas, in a state of an input.
func targetKey(namespace, name string) string { return namespace + "/" + name }

// autoscale returns the replicas to which the HorizontalPodAutoscalers of all inputs bring
// their targets: in the state now what the controller does without metrics, and in the
// state least their minimum, as the API server defaults it.
func autoscale(t *testing.T, all []drawn) map[string]int32 {
	c := newCluster(t)
	replicas := map[string]int32{} // of what can be scaled
	var autoscalers []*autoscalingv2.HorizontalPodAutoscaler
	for _, d := range all {
		for _, o := range d.objects {
			object := o.(metav1.Object)
			switch o := o.(type) {
			case *autoscalingv2.HorizontalPodAutoscaler:
				autoscaler := o.DeepCopy()
				autoscaler.Namespace, autoscaler.UID = d.namespace(o, now), c.newUID()
				autoscalers = append(autoscalers, autoscaler)
				c.add(autoscaler)
			case *appsv1.Deployment:
				replicas[targetKey(d.namespace(object, now), o.Name)] = *o.Spec.Replicas
			case *appsv1.StatefulSet:
				replicas[targetKey(d.namespace(object, now), o.Name)] = *o.Spec.Replicas
			case *appsv1.ReplicaSet:
				replicas[targetKey(d.namespace(object, now), o.Name)] = *o.Spec.Replicas
			}
		}
	}
	scaled := c.autoscale(len(autoscalers), replicas)
	for _, a := range autoscalers {
		if _, ok := replicas[targetKey(a.Namespace, a.Spec.ScaleTargetRef.Name)]; ok {
			namespace := a.Namespace[:len(a.Namespace)-len(now)] + least
			scaled[targetKey(namespace, a.Spec.ScaleTargetRef.Name)] = *a.Spec.MinReplicas
		}
	}
	return scaled
}

// autoscale runs the controller of HorizontalPodAutoscalers, which finds no metrics, until
// it has written a status of each. It returns the replicas that it changed.
func (c *cluster) autoscale(autoscalers int, replicas map[string]int32) map[string]int32 {
	ctx, cancel := context.WithTimeout(klog.NewContext(context.Background(), logr.Discard()), 5*time.Minute)
	defer cancel()
	var mutex sync.Mutex
	scaled, seen := map[string]int32{}, map[string]bool{}
	scales := &scalefake.FakeScaleClient{}
	scales.AddReactor("get", "*", func(action clienttesting.Action) (bool, runtime.Object, error) {
		name := action.(clienttesting.GetAction).GetName()
		n, ok := replicas[targetKey(action.GetNamespace(), name)]
		if !ok {
			return true, nil, apierrors.NewNotFound(action.GetResource().GroupResource(), name)
		}
		return true, &autoscalingv1.Scale{
			ObjectMeta: metav1.ObjectMeta{Namespace: action.GetNamespace(), Name: name}, Spec: autoscalingv1.ScaleSpec{Replicas: n},
		}, nil
	})
	scales.AddReactor("update", "*", func(action clienttesting.Action) (bool, runtime.Object, error) {
		scale := action.(clienttesting.UpdateAction).GetObject().(*autoscalingv1.Scale)
		mutex.Lock()
		defer mutex.Unlock()
		scaled[targetKey(scale.Namespace, scale.Name)] = scale.Spec.Replicas
		return true, scale, nil
	})
	c.client.PrependReactor("update", "horizontalpodautoscalers", func(action clienttesting.Action) (bool, runtime.Object, error) {
		a := action.(clienttesting.UpdateAction).GetObject().(*autoscalingv2.HorizontalPodAutoscaler)
		mutex.Lock()
		defer mutex.Unlock()
		if seen[targetKey(a.Namespace, a.Name)] = true; len(seen) == autoscalers {
			cancel()
		}
		return true, a, nil
	})
	c.client.PrependReactor("create", "events", ignore)
	factory := informers.NewSharedInformerFactory(c.client, 0)
	controller := podautoscaler.NewHorizontalController(ctx, c.client.CoreV1(), scales, c.client.AutoscalingV2(), restMapper(c.t), noMetrics{},
		factory.Autoscaling().V2().HorizontalPodAutoscalers(), factory.Core().V1().Pods(), time.Hour, 0, 0.1, 0, 0)
	factory.Start(ctx.Done())
	controller.Run(ctx, 4)
	factory.Shutdown()
	mutex.Lock()
	defer mutex.Unlock()
	if len(seen) < autoscalers {
		c.t.Fatalf("the controller wrote %d of %d statuses", len(seen), autoscalers)
	}
	return scaled
}

// noMetrics is a cluster without a metrics server.
type noMetrics struct{ metrics.MetricsClient }
