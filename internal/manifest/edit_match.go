// SPDX-License-Identifier: Apache-2.0

package manifest

import (
	"slices"

	yaml "go.yaml.in/yaml/v3"
)

// items turns the list y into after.
func (w *writer) items(at slot, y *yaml.Node, after *Node) {
	p := w.plan(at, y)
	pairs := match(w.written[y].Items, after.Items)
	for i := range p.entries {
		p.gone[i] = !slices.ContainsFunc(pairs, func(m pair) bool { return m.old == i })
	}
	if !slices.Contains(p.gone, false) {
		w.replace(at, y, after)
		return
	}
	i, behind := 0, -1
	for _, m := range append(pairs, pair{len(p.entries), len(after.Items)}) {
		for ; i < m.new; i++ {
			p.added = append(p.added, addition{behind: behind, item: after.Items[i]})
		}
		if m.old < len(p.entries) {
			w.value(w.slot(p, p.entries[m.old]), p.entries[m.old].value, after.Items[m.new])
			i, behind = m.new+1, m.old
		}
	}
	w.carryOut(p)
}

// pair says which item of a list becomes which.
type pair struct{ old, new int }

// most is the number of comparisons beyond which items are matched by position.
const most = 1_000_000

// match returns the pairs of items that need the fewest changes, in order.
func match(old, new []*Node) []pair {
	var front, back []pair
	for len(front) < min(len(old), len(new)) && Equal(old[len(front)], new[len(front)]) {
		front = append(front, pair{len(front), len(front)})
	}
	i, j := len(old), len(new)
	for i > len(front) && j > len(front) && Equal(old[i-1], new[j-1]) {
		i, j = i-1, j-1
		back = append(back, pair{i, j})
	}
	slices.Reverse(back)
	k := len(front)
	for _, m := range align(old[k:i], new[k:j]) {
		front = append(front, pair{k + m.old, k + m.new})
	}
	return append(front, back...)
}

// align is match for lists that differ at both ends.
func align(old, new []*Node) []pair {
	if len(old)*len(new) > most {
		var pairs []pair
		for i := range min(len(old), len(new)) {
			pairs = append(pairs, pair{i, i})
		}
		return pairs
	}
	// costs[i][j] is the cost of turning old[i:] into new[j:].
	costs := make([][]int, len(old)+1)
	for i := len(old); i >= 0; i-- {
		costs[i] = make([]int, len(new)+1)
		for j := len(new); j >= 0; j-- {
			costs[i][j] = cheapest(costs, old, new, i, j)
		}
	}
	var pairs []pair
	for i, j := 0, 0; i < len(old) && j < len(new); {
		switch costs[i][j] {
		case costs[i+1][j+1] + distance(old[i], new[j]):
			pairs = append(pairs, pair{i, j})
			i, j = i+1, j+1
		case costs[i+1][j] + apart:
			i++
		default:
			j++
		}
	}
	return pairs
}

func cheapest(costs [][]int, old, new []*Node, i, j int) int {
	switch {
	case i == len(old):
		return (len(new) - j) * apart
	case j == len(new):
		return (len(old) - i) * apart
	}
	return min(costs[i+1][j+1]+distance(old[i], new[j]), costs[i+1][j]+apart, costs[i][j+1]+apart)
}

// apart is the cost of adding or deleting an item.
const apart = 10

// distance is the cost of changing an item into another.
func distance(old, new *Node) int {
	switch {
	case Equal(old, new):
		return 0
	case old.shape() != new.shape():
		return 2 * apart
	case old.Shape == Map && old.Get("name") != nil && Equal(old.Get("name"), new.Get("name")):
		return apart
	}
	return 2*apart - 1
}
