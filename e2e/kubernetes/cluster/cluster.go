// SPDX-License-Identifier: Apache-2.0

// Package cluster starts a Kubernetes on this machine for tests: the real etcd, API server,
// controllers and scheduler as processes, and nodes whose kubelets kwok plays. No containers
// run: there are no probes, no volumes, and a pod is ready, or a Job's pod done, at once.
package cluster

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Default is the minor version of Kubernetes that tests run on unless they say otherwise.
const Default = "1.37"

// Options say what a cluster has.
type Options struct {
	// Version is the minor version of the control plane; "" means Default.
	Version string
	// Controllers are those that run, by the names of kube-controller-manager; nil means all.
	Controllers []string
	// Nodes are what the cluster runs pods on. Without any there is no scheduler.
	Nodes []Node
}

// Cluster is a Kubernetes that runs until Stop.
type Cluster struct {
	Version string
	// Kubeconfig is the path of a configuration for kubectl and helm, as an administrator.
	Kubeconfig string

	dir       string
	store     string // address of etcd
	server    string // address of the API server
	processes []*process
}

// flags are what API servers of a version need to serve what Kilter emits for it, and to keep
// the fields that it judges: MutatingAdmissionPolicy is there by default from 1.36 on, and image
// volumes are from 1.35 on.
var flags = map[string][]string{
	"1.34": {"--feature-gates=MutatingAdmissionPolicy=true,ImageVolume=true", "--runtime-config=admissionregistration.k8s.io/v1beta1=true"},
}

// startTimeout is how long a program may take until it answers, on a machine that is busy.
const startTimeout = 3 * time.Minute

// Start returns a cluster that is ready. The caller stops it, after an error, too.
func Start(ctx context.Context, o Options) (*Cluster, error) {
	if o.Version == "" {
		o.Version = Default
	}
	dir, err := os.MkdirTemp("", "kubernetes")
	if err != nil {
		return nil, err
	}
	c := &Cluster{Version: o.Version, dir: dir, Kubeconfig: filepath.Join(dir, "kubeconfig")}
	for _, step := range []func(context.Context) error{
		c.writeCredentials, c.startStore, c.startServer, c.waitReady,
		func(ctx context.Context) error { return c.startControllers(ctx, o.Controllers) },
		func(ctx context.Context) error { return c.startNodes(ctx, o.Nodes) },
	} {
		if err := step(ctx); err != nil {
			return c, err
		}
	}
	return c, nil
}

// Stop ends the programs, the last first, and removes what they wrote.
func (c *Cluster) Stop() error {
	var errs []error
	for _, p := range slices.Backward(c.processes) {
		errs = append(errs, p.stop())
	}
	return errors.Join(append(errs, os.RemoveAll(c.dir))...)
}

func (c *Cluster) startStore(ctx context.Context) error {
	client, err := freePort()
	if err != nil {
		return err
	}
	peer, err := freePort()
	if err != nil {
		return err
	}
	c.store = "http://127.0.0.1:" + client
	return c.run(ctx, "etcd", "--data-dir", c.path("etcd"), "--unsafe-no-fsync", "--log-level", "error",
		"--listen-client-urls", c.store, "--advertise-client-urls", c.store, "--listen-peer-urls", "http://127.0.0.1:"+peer)
}

func (c *Cluster) path(name string) string { return filepath.Join(c.dir, name) }

func (c *Cluster) startServer(ctx context.Context) error {
	port, err := freePort()
	if err != nil {
		return err
	}
	c.server = "https://127.0.0.1:" + port
	if err := c.writeKubeconfig(); err != nil {
		return err
	}
	return c.run(ctx, "kube-apiserver", append([]string{
		"--etcd-servers", c.store, "--bind-address", "127.0.0.1", "--secure-port", port, "--cert-dir", c.path("certificates"),
		"--service-account-issuer", "https://kubernetes.default.svc", "--service-account-key-file", c.path("accounts.key"),
		"--service-account-signing-key-file", c.path("accounts.key"), "--token-auth-file", c.path("tokens.csv"),
		"--authorization-mode", "RBAC", "--service-cluster-ip-range", "10.0.0.0/24", "--endpoint-reconciler-type", "none",
		"--allow-privileged=true",
	}, flags[c.Version]...)...)
}

// startControllers starts what makes pods of workloads.
func (c *Cluster) startControllers(ctx context.Context, names []string) error {
	port, err := freePort()
	if err != nil {
		return err
	}
	if names == nil {
		names = []string{"*"}
	}
	return c.run(ctx, "kube-controller-manager", "--kubeconfig", c.Kubeconfig, "--service-account-private-key-file", c.path("accounts.key"),
		"--leader-elect=false", "--controllers", strings.Join(names, ","), "--bind-address", "127.0.0.1", "--secure-port", port)
}
