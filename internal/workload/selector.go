// SPDX-License-Identifier: Apache-2.0

package workload

import (
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/selection"

	"kilter.dev/kilter/internal/manifest"
)

// selector says which pods of a namespace are meant; the zero selector means none.
type selector struct {
	labels.Selector
	problem string // why the API server would not take it; "" if it would
}

// budgetSelector reads spec.selector of a PodDisruptionBudget: none when it is unset, and
// all pods when it is empty, but none in policy/v1beta1.
func budgetSelector(o *manifest.Object) selector {
	s := labelSelector(o.Get("spec", "selector"))
	if o.APIVersion == "policy/v1beta1" && s.Selector != nil && s.Empty() {
		return selector{}
	}
	return s
}

// labelSelector reads a metav1.LabelSelector: none where there is none.
func labelSelector(n *manifest.Node) selector {
	if n == nil || n.Shape != manifest.Map {
		return selector{}
	}
	var s metav1.LabelSelector
	s.MatchLabels = texts(n.Get("matchLabels"))
	if list := n.Get("matchExpressions"); list != nil {
		for _, item := range list.Items {
			r := metav1.LabelSelectorRequirement{Key: item.Get("key").Text(), Operator: metav1.LabelSelectorOperator(item.Get("operator").Text())}
			if values := item.Get("values"); values != nil {
				for _, v := range values.Items {
					r.Values = append(r.Values, v.Text())
				}
			}
			s.MatchExpressions = append(s.MatchExpressions, r)
		}
	}
	parsed, err := metav1.LabelSelectorAsSelector(&s)
	if err != nil {
		return selector{problem: err.Error()}
	}
	return selector{Selector: parsed}
}

// serviceSelector reads spec.selector of a Service; one without selects nothing.
func serviceSelector(o *manifest.Object) selector {
	wanted := texts(o.Get("spec", "selector"))
	if len(wanted) == 0 || o.Get("spec", "type").Text() == "ExternalName" {
		return selector{}
	}
	return selector{Selector: labels.SelectorFromSet(wanted)}
}

// texts returns the strings of a map of strings.
func texts(n *manifest.Node) labels.Set {
	if n == nil || len(n.Fields) == 0 {
		return nil
	}
	set := make(labels.Set, len(n.Fields))
	for _, f := range n.Fields {
		if f.Value == nil || f.Value.Shape == manifest.String || f.Value.Shape == manifest.Null {
			set[f.Key] = f.Value.Text()
		}
	}
	return set
}

// pair is a label.
type pair struct{ key, value string }

// index finds pods by a label that they must have, without comparing all of them. Pods
// are under each of their labels, and under the zero pair.
type index map[pair][]*workload

func (x index) add(w *workload) {
	x[pair{}] = append(x[pair{}], w)
	for key, value := range w.labels {
		p := indexed(key, value)
		x[p] = append(x[p], w)
	}
}

// indexed is the pair that a label is found by. That of one pod of a StatefulSet is found
// by the StatefulSet's name, without ordinals.
func indexed(key, value string) pair {
	for ordinal := "-"; key == podNameLabel && ordinal != ""; {
		value, ordinal = cutOrdinal(value)
	}
	return pair{key, value}
}

// matching returns the pods that the selector selects all or some of, in their order.
func (x index) matching(s selector) []*workload {
	if s.Selector == nil {
		return nil
	}
	candidates := x[pair{}]
	requirements, _ := s.Requirements()
	for _, r := range requirements {
		if found, ok := x.having(r); ok && len(found) < len(candidates) {
			candidates = found
		}
	}
	var all []*workload
	for _, w := range candidates {
		if w.selected(s.Selector) {
			all = append(all, w)
		}
	}
	return all
}

// having returns the pods that may meet a requirement; false when that takes more than a
// look into the index.
func (x index) having(r labels.Requirement) ([]*workload, bool) {
	switch r.Operator() {
	case selection.In, selection.Equals, selection.DoubleEquals:
	default:
		return nil, false
	}
	values := r.ValuesUnsorted()
	switch r.Key() {
	case podIndexLabel, completionIndexLabel, groupIndexLabel, workerIndexLabel:
		return nil, false // differ from pod to pod
	}
	if len(values) != 1 {
		return nil, false
	}
	return x[indexed(r.Key(), values[0])], true
}

// cutOrdinal parts "web-0" into "web" and "0".
func cutOrdinal(name string) (base, ordinal string) {
	i := strings.LastIndexByte(name, '-')
	if i < 0 || i == len(name)-1 || strings.Trim(name[i+1:], "0123456789") != "" {
		return name, ""
	}
	return name[:i], name[i+1:]
}
