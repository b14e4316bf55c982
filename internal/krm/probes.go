// SPDX-License-Identifier: Apache-2.0

package krm

import (
	"slices"

	"kilter.dev/kilter/internal/manifest"
)

// probes are the probes of a container, the one first that tells best how it is asked.
var probes = []string{"livenessProbe", "readinessProbe", "startupProbe"}

// httpOf are the HTTP requests that a container's probes make.
func httpOf(container *manifest.Node) []*manifest.Node {
	var all []*manifest.Node
	for _, probe := range probes {
		if h := container.Get(probe, "httpGet"); h != nil && h.Shape == manifest.Map {
			all = append(all, h)
		}
	}
	return all
}

// probedPort is the port that the workload's own probes ask where the model's ask p: one that
// declares no ports says by them where it listens. 0 where they do not tell.
func (a *application) probedPort(main *manifest.Node, p port) int64 {
	own, wanted := httpOf(a.main), httpOf(main)
	if len(own) == 0 || len(wanted) == 0 || !p.isPort(wanted[0].Get("port")) {
		return 0
	}
	to := number(own[0].Get("port"))
	for _, other := range items(main.Get("ports")) {
		if number(other.Get("containerPort")) == to {
			return 0
		}
	}
	return to
}

// guardProbes lets the model's probes ask as the workload's own do at that port: by TLS, and
// with what headers. A server that speaks no plain HTTP never passes another probe.
func (a *application) guardProbes(main *manifest.Node) {
	for _, own := range httpOf(a.main) {
		for _, h := range httpOf(main) {
			if a.portNumber(h) != a.portNumber(own) {
				continue
			}
			for _, key := range []string{"scheme", "host", "httpHeaders"} {
				if v := own.Get(key); v != nil && h.Get(key) == nil {
					h.Set(key, v.Clone())
				}
			}
		}
	}
}

// portNumber is the number of the port that a probe asks, in the workload's names.
func (a *application) portNumber(handler *manifest.Node) int64 {
	at := handler.Get("port")
	for _, p := range a.ports {
		if p.toName != "" && at.Text() == p.toName {
			return p.toNumber
		}
	}
	if declared := item(a.main.Get("ports"), "name", at.Text()); declared != nil {
		return number(declared.Get("containerPort"))
	}
	return number(at)
}

// speaksHTTP reports whether probes of the workload ask the port by plain HTTP.
func (a *application) speaksHTTP(port *manifest.Node) bool {
	return slices.ContainsFunc(httpOf(a.main), func(h *manifest.Node) bool {
		return h.Get("scheme").Text() != "HTTPS" && a.portNumber(h) == a.portNumber(manifest.NewMap(manifest.Field{Key: "port", Value: port}))
	})
}
