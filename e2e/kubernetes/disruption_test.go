// SPDX-License-Identifier: Apache-2.0

// Package kubernetes_test holds Kilter to what the code of Kubernetes itself does. It is a
// module of its own, because k8s.io/kubernetes needs a replace line for each of its parts.
package kubernetes_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-logr/logr"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/client-go/informers"
	clienttesting "k8s.io/client-go/testing"
	"k8s.io/klog/v2"
	"k8s.io/kubernetes/pkg/controller/disruption"

	"kilter.dev/kilter/internal/kube"
	"kilter.dev/kilter/internal/manifest"
	"kilter.dev/kilter/internal/source"
	"kilter.dev/kilter/internal/workload"
)

// TestMain silences the controllers: errors are a part of what the tests look for.
func TestMain(m *testing.M) {
	klog.SetLogger(logr.Discard())
	utilruntime.ErrorHandlers = nil
	m.Run()
}

// inputs is how many inputs the tests draw.
const inputs = 10000

// drawn is an input as both sides read it.
type drawn struct {
	number  int
	text    string
	objects []runtime.Object // typed and defaulted by Kubernetes
}

func drawAll(t *testing.T) []drawn {
	all := make([]drawn, inputs)
	for i := range all {
		docs := generate(i)
		all[i] = drawn{number: i, text: strings.Join(docs, "---\n")}
		for _, doc := range docs {
			all[i].objects = append(all[i].objects, decode(t, doc))
		}
	}
	return all
}

// namespace is where an object runs: every input has namespaces of its own.
func (d drawn) namespace(o metav1.Object, state string) string {
	name := o.GetNamespace()
	if name == "" {
		name = "default"
	}
	return fmt.Sprintf("%d-%s-%s", d.number, name, state)
}

// The states of an input: as its autoscalers leave the replicas, and at their minimum.
const now, least = "now", "least"

// TestBudgets: what Kilter says a PodDisruptionBudget allows, is what the disruption
// controller writes into its status when all pods are there and healthy.
func TestBudgets(t *testing.T) {
	all := drawAll(t)
	scaled := autoscale(t, all)
	c := newCluster(t)
	budgets := 0
	for _, d := range all {
		for _, state := range []string{now, least} {
			budgets += c.start(d, scaled, state)
		}
	}
	statuses := c.disruptions(budgets)
	compared, autoscaled, failed := 0, 0, 0
	for _, d := range all {
		set, objects := d.index(t)
		n, problems := d.compareBudgets(t, set, objects, statuses)
		m, more := d.compareScales(t, set, objects, scaled)
		compared, autoscaled, problems = compared+n, autoscaled+m, append(problems, more...)
		if len(problems) > 0 {
			failed++
		}
		if len(problems) > 0 && failed <= 3 {
			t.Errorf("%s\n%s", strings.Join(problems, "\n"), d.text)
		}
	}
	t.Logf("%d inputs, %d budgets and %d autoscaled workloads compared, %d inputs differ", len(all), compared, autoscaled, failed)
	if compared < inputs || autoscaled < inputs/4 {
		t.Error("too few to mean anything")
	}
	if failed > 3 {
		t.Errorf("%d inputs differ in all", failed)
	}
}

// start adds an input in a state to the cluster, and returns the number of its budgets.
func (c *cluster) start(d drawn, scaled map[string]int32, state string) (budgets int) {
	for _, o := range d.objects {
		switch o := o.(type) {
		case *policyv1.PodDisruptionBudget:
			budget := o.DeepCopy()
			budget.Namespace, budget.UID = d.namespace(o, state), c.newUID()
			c.add(budget)
			budgets++
		case *autoscalingv2.HorizontalPodAutoscaler:
		default:
			object := o.(metav1.Object)
			replicas := int32(-1)
			if n, ok := scaled[targetKey(d.namespace(object, state), object.GetName())]; ok {
				replicas = n
			}
			c.run(o, d.namespace(object, state), replicas)
		}
	}
	return budgets
}

// disruptions runs the disruption controller until it has written every status, and
// returns them by namespace and name.
func (c *cluster) disruptions(budgets int) map[string]policyv1.PodDisruptionBudgetStatus {
	ctx, cancel := context.WithTimeout(klog.NewContext(context.Background(), logr.Discard()), 5*time.Minute)
	defer cancel()
	statuses := map[string]policyv1.PodDisruptionBudgetStatus{}
	var mutex sync.Mutex
	c.client.PrependReactor("update", "poddisruptionbudgets", func(action clienttesting.Action) (bool, runtime.Object, error) {
		budget := action.(clienttesting.UpdateAction).GetObject().(*policyv1.PodDisruptionBudget)
		mutex.Lock()
		defer mutex.Unlock()
		statuses[budget.Namespace+"/"+budget.Name] = budget.Status
		if len(statuses) == budgets {
			cancel()
		}
		return true, budget, nil
	})
	c.client.PrependReactor("create", "events", ignore)
	factory := informers.NewSharedInformerFactory(c.client, 0)
	controller := disruption.NewDisruptionController(ctx,
		factory.Core().V1().Pods(), factory.Policy().V1().PodDisruptionBudgets(), factory.Core().V1().ReplicationControllers(),
		factory.Apps().V1().ReplicaSets(), factory.Apps().V1().Deployments(), factory.Apps().V1().StatefulSets(),
		c.client, restMapper(c.t), noScales(), resources(c.t))
	factory.Start(ctx.Done())
	controller.Run(ctx, 4)
	factory.Shutdown()
	mutex.Lock()
	defer mutex.Unlock()
	if len(statuses) < budgets {
		c.t.Fatalf("the controller wrote %d of %d statuses", len(statuses), budgets)
	}
	return statuses
}

// ignore takes an object and does not keep it.
func ignore(action clienttesting.Action) (bool, runtime.Object, error) {
	return true, action.(clienttesting.CreateAction).GetObject(), nil
}

// compareBudgets returns how many budgets of the input were compared, and what differs.
func (d drawn) compareBudgets(t *testing.T, set *workload.Set, objects []*manifest.Object, statuses map[string]policyv1.PodDisruptionBudgetStatus) (compared int, problems []string) {
	for _, o := range objects {
		if o.Kind != "PodDisruptionBudget" {
			continue
		}
		related := d.related(t, set, o)
		meta := &metav1.ObjectMeta{Namespace: o.Namespace}
		want := status(statuses[d.namespace(meta, now)+"/"+o.Name])
		want["allowedAtMinimum"] = int64(statuses[d.namespace(meta, least)+"/"+o.Name].DisruptionsAllowed)
		got := related["budget"].(map[string]any)
		if got["known"] == false {
			if !selects(related, "DaemonSet") && !selects(related, "LeaderWorkerSet") {
				problems = append(problems, o.Name+": the number of pods is not known, though it selects only what has one")
			}
			continue
		}
		for _, key := range []string{"expected", "desired", "allowed", "allowedAtMinimum", "syncFails"} {
			if got[key] != want[key] {
				problems = append(problems, fmt.Sprintf("%s: %s is %v in Kubernetes and %v here", o.Name, key, want[key], got[key]))
			}
		}
		compared++
	}
	return compared, problems
}

// compareScales is compareBudgets of what a HorizontalPodAutoscaler targets.
func (d drawn) compareScales(t *testing.T, set *workload.Set, objects []*manifest.Object, scaled map[string]int32) (compared int, problems []string) {
	for _, o := range objects {
		meta := &metav1.ObjectMeta{Namespace: o.Namespace}
		lowest, autoscaled := scaled[targetKey(d.namespace(meta, least), o.Name)]
		if !slices.Contains([]string{"Deployment", "StatefulSet", "ReplicaSet"}, o.Kind) {
			continue
		}
		got := d.related(t, set, o)["scale"].(map[string]any)
		if got["autoscaled"] != autoscaled {
			problems = append(problems, fmt.Sprintf("%s: that it is autoscaled is %v in Kubernetes and %v here", o.Name, autoscaled, got["autoscaled"]))
		}
		if autoscaled && got["min"] != int64(lowest) {
			problems = append(problems, fmt.Sprintf("%s: the least replicas are %d in Kubernetes and %d here", o.Name, lowest, got["min"]))
		}
		if replicas, ok := scaled[targetKey(d.namespace(meta, now), o.Name)]; ok && got["replicas"] != int64(replicas) {
			problems = append(problems, fmt.Sprintf("%s: the replicas become %d in Kubernetes and %d here", o.Name, replicas, got["replicas"]))
		}
		if autoscaled {
			compared++
		}
	}
	return compared, problems
}

// related is what rules see beside an object.
func (d drawn) related(t *testing.T, set *workload.Set, o *manifest.Object) map[string]any {
	views, err := set.Views(o)
	if err != nil {
		t.Fatalf("%v\n%s", err, d.text)
	}
	return set.Related(views[0])
}

func (d drawn) index(t *testing.T) (*workload.Set, []*manifest.Object) {
	docs, errs := manifest.Parse(source.New("input.yaml", d.text))
	objects, more := manifest.Objects(docs)
	if errs.Add(more); errs.Err() != nil {
		t.Fatalf("%v\n%s", errs.Err(), d.text)
	}
	return workload.Index(objects, kube.Default), objects
}

func status(s policyv1.PodDisruptionBudgetStatus) map[string]any {
	condition := meta.FindStatusCondition(s.Conditions, policyv1.DisruptionAllowedCondition)
	return map[string]any{
		"expected": int64(s.ExpectedPods), "desired": int64(s.DesiredHealthy), "allowed": int64(s.DisruptionsAllowed),
		"syncFails": condition != nil && condition.Reason == policyv1.SyncFailedReason,
	}
}

func selects(related map[string]any, kind string) bool {
	return slices.ContainsFunc(related["workloads"].([]any), func(item any) bool { return item.(map[string]any)["kind"] == kind })
}
