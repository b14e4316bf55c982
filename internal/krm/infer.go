// SPDX-License-Identifier: Apache-2.0

package krm

import (
	"strconv"
	"strings"

	"kilter.dev/kilter/internal/blueprint"
	"kilter.dev/kilter/internal/diag"
	"kilter.dev/kilter/internal/manifest"
)

// infer asks the workload for parameters and returns the blueprint's workload with the
// request's parameters laid over the answers. An answer that the parameter's schema does
// not take is left out, and so is one that breaks a constraint: the profile's default
// stands, which the workload's own field will win over.
func (a *application) infer() (blueprint.Workload, error) {
	values := a.queryValues()
	answers := manifest.NewMap()
	for _, p := range a.inference.Parameters {
		answer := a.ask(p, values)
		if answer == nil {
			continue
		}
		alone := manifest.NewMap()
		set(alone, p.Name, answer)
		if _, errs := a.b.Params.Check(alone); errs.Err() != nil {
			a.note(diag.Info, "", "%s is not inferred: %s", p.Name, errs[0].Message)
			continue
		}
		set(answers, p.Name, answer)
	}
	w, err := a.check(answers)
	for range a.inference.Parameters {
		list, ok := err.(diag.List)
		if !ok || !a.drop(answers, list) {
			break
		}
		w, err = a.check(answers)
	}
	return w, err
}

// ask evaluates one query. One that fails has no answer.
func (a *application) ask(q blueprint.Inferred, values map[string]any) *manifest.Node {
	value, present, err := q.Query.Eval(values)
	if err != nil {
		a.note(diag.Warning, "", "%s cannot be inferred: %v", q.Name, err)
		return nil
	}
	if !present {
		return nil
	}
	n, err := manifest.FromNative(value)
	if err != nil {
		return nil
	}
	return n
}

// maxLabel is how long a label's value may be: companions have the workload's name in one.
const maxLabel = 63

// check returns the workload with the given answers, or what is wrong with it.
func (a *application) check(answers *manifest.Node) (blueprint.Workload, error) {
	w := blueprint.Workload{
		Name: a.workload.Name, Named: len(a.workload.Name) <= maxLabel, Namespace: manifest.Namespace(a.placement.of(a.workload.Object)), KubeVersion: a.request.KubeVersion,
		Written: manifest.Overlay(answers, a.request.Parameters, manifest.KeepUnder),
	}
	values, errs := a.b.Params.Check(w.Written)
	if err := errs.Err(); err != nil {
		return w, err
	}
	w.Values, a.written = values, w.Written
	var err error
	a.rendered, err = render(a.b, w)
	return w, err
}

// drop takes the answers out that violated constraints are about, and reports whether
// there were any.
func (a *application) drop(answers *manifest.Node, violated diag.List) bool {
	dropped := false
	for _, d := range violated {
		if d.Code != blueprint.ConstraintCode || d.Path == "" || answers.Get(strings.Split(d.Path, ".")...) == nil {
			continue
		}
		unset(answers, d.Path)
		a.note(diag.Warning, "", "%s is not inferred: %s", d.Path, strings.TrimPrefix(d.Message, d.Path+": "))
		a.results[len(a.results)-1].Hint = "change it in " + a.workload.Kind + " " + a.workload.Name + ": the profile reckons with a value of its own"
		dropped = true
	}
	return dropped
}

// queryValues are what the names in queries stand for.
func (a *application) queryValues() map[string]any {
	resource, count := gpu(a.main)
	n, _ := strconv.ParseInt(count, 10, 64)
	return map[string]any{
		blueprint.InferObject:     manifest.Native(a.workload.Node),
		blueprint.InferPodSpec:    manifest.Native(a.workload.podSpec()),
		blueprint.InferContainer:  manifest.Native(a.main),
		blueprint.InferGPU:        map[string]any{"resourceName": resource, "count": n},
		blueprint.InferAutoscaler: a.autoscaler(),
	}
}

// autoscaler is what scales the workload: a HorizontalPodAutoscaler or a ScaledObject. One
// that scales to nothing counts from 1: parameters are for pods that are there.
func (a *application) autoscaler() map[string]any {
	if !a.scale.Autoscaled {
		return map[string]any{}
	}
	return map[string]any{"min": int64(max(a.scale.Min, 1)), "max": int64(max(a.scale.Max, 1))}
}

// set writes value at a dotted path below n, making the maps on the way.
func set(n *manifest.Node, path string, value *manifest.Node) {
	keys := strings.Split(path, ".")
	if at, err := n.Reach(keys[:len(keys)-1]...); err == nil {
		at.Set(keys[len(keys)-1], value)
	}
}

func unset(n *manifest.Node, path string) {
	keys := strings.Split(path, ".")
	n.Get(keys[:len(keys)-1]...).Delete(keys[len(keys)-1])
}
