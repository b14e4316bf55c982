// SPDX-License-Identifier: Apache-2.0

package krm

import (
	"cmp"
	"slices"

	"kilter.dev/kilter/internal/diag"
	"kilter.dev/kilter/internal/manifest"
)

// port is a port of the model's main container, and the workload's port that it is.
type port struct {
	name           string
	number         int64
	toName         string // "": the workload's port has no name
	toNumber       int64  // 0: there is no telling which port it is
	sameAsDeclared bool   // the workload declares it
}

// matchPorts finds, for every port of the model's main container, the workload's: the one
// that spec.infer.ports tells, else the one of that name, else of that number, else, where
// both have a single port, that one. A workload that declares no ports has the one that its
// own probes ask, else the profile's.
func (a *application) matchPorts(main *manifest.Node) {
	own := items(a.main.Get("ports"))
	wanted := main.Get("ports")
	for _, w := range items(wanted) {
		p := port{name: w.Get("name").Text(), number: number(w.Get("containerPort"))}
		p.toName, p.toNumber = p.name, a.inferredPort(p.name)
		match := func(test func(*manifest.Node) bool) {
			if i := slices.IndexFunc(own, test); i >= 0 && !p.sameAsDeclared {
				p.toName, p.toNumber, p.sameAsDeclared = own[i].Get("name").Text(), number(own[i].Get("containerPort")), true
			}
		}
		if p.toNumber != 0 {
			match(func(o *manifest.Node) bool { return number(o.Get("containerPort")) == p.toNumber })
		} else {
			match(func(o *manifest.Node) bool { return p.name != "" && o.Get("name").Text() == p.name })
			match(func(o *manifest.Node) bool { return number(o.Get("containerPort")) == p.number })
			match(func(*manifest.Node) bool { return len(own) == 1 && len(wanted.Items) == 1 })
			if len(own) == 0 {
				p.toNumber = cmp.Or(a.probedPort(main, p), p.number)
			}
		}
		if taken := item(a.main.Get("ports"), "name", p.name) != nil; !taken && p.toName == "" {
			p.toName = p.name // it may have the profile's
		} else if taken && !p.sameAsDeclared {
			p.toName = ""
		}
		a.ports = append(a.ports, p)
	}
	a.movePorts(main, wanted)
}

func (a *application) inferredPort(name string) int64 {
	for _, p := range a.inference.Ports {
		if p.Name == name {
			return number(a.ask(p, a.queryValues()))
		}
	}
	return 0
}

// movePorts gives the model's main container the workload's ports. What needs a port that
// there is no telling of goes.
func (a *application) movePorts(main, wanted *manifest.Node) {
	if wanted == nil {
		return
	}
	var kept []*manifest.Node
	for i, p := range a.ports {
		w := wanted.Items[i]
		if p.toNumber == 0 {
			a.note(diag.Warning, "", "container %s declares ports, but none called %s: what needs that port is left out", a.main.Get("name").Text(), p.name)
			continue
		}
		w.Set("containerPort", manifest.NewInt(p.toNumber))
		if w.Delete("name"); p.toName != "" {
			w.Set("name", manifest.NewString(p.toName))
		}
		kept = append(kept, w)
	}
	wanted.Items = kept
	for _, probe := range []string{"startupProbe", "livenessProbe", "readinessProbe"} {
		for _, handler := range []string{"httpGet", "tcpSocket", "grpc"} {
			if h := main.Get(probe, handler); h != nil && !a.movePort(h, "port") {
				main.Delete(probe)
			}
		}
	}
}

// movePort lets the field called key name the workload's port where it names one of the
// model's; false when there is no telling which that is.
func (a *application) movePort(n *manifest.Node, key string) bool {
	value := n.Get(key)
	for _, p := range a.ports {
		if !p.isPort(value) {
			continue
		}
		byName := p.name != "" && value.Text() == p.name
		switch {
		case p.toNumber == 0:
			return false
		case byName && p.toName != "":
			n.Set(key, manifest.NewString(p.toName))
		default:
			n.Set(key, manifest.NewInt(p.toNumber))
		}
		return true
	}
	return true
}

// isPort reports whether a field names the model's port, or has its number.
func (p port) isPort(value *manifest.Node) bool {
	return p.name != "" && value.Text() == p.name || number(value) == p.number
}

func number(n *manifest.Node) int64 {
	if n == nil {
		return 0
	}
	i, _ := n.Value.(int64)
	return i
}
