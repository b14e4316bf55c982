// SPDX-License-Identifier: Apache-2.0

package cluster

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"sigs.k8s.io/yaml"
)

// Node is a machine that runs pods, as far as their kubelet tells.
type Node struct {
	Name   string
	Labels map[string]string
	Taints []corev1.Taint
	// Capacity is what pods can ask for, such as nvidia.com/gpu: "8"; cpu, memory and pods are
	// plenty unless they are named.
	Capacity map[corev1.ResourceName]string
}

// stages are the files of kwok's module that say what becomes of nodes and pods.
var stages = []string{
	"node/fast/node-initialize.yaml", "node/heartbeat-with-lease/node-heartbeat-with-lease.yaml",
	"pod/fast/pod-ready.yaml", "pod/fast/pod-complete.yaml", "pod/fast/pod-delete.yaml",
}

// deleteDelay keeps kwok from deleting a pod twice, which hits the StatefulSet's next pod of
// the same name. In milliseconds.
const deleteDelay = 300

// startNodes adds nodes, and starts what puts pods on them and plays their kubelets.
func (c *Cluster) startNodes(ctx context.Context, nodes []Node) error {
	if len(nodes) == 0 {
		return nil
	}
	if err := c.startScheduler(ctx); err != nil {
		return err
	}
	config, err := c.writeStages(ctx)
	if err != nil {
		return err
	}
	if err := c.run(ctx, "kwok", "--kubeconfig", c.Kubeconfig, "--manage-all-nodes=true", "--config", config); err != nil {
		return err
	}
	client, err := kubernetes.NewForConfig(c.Config(Admin))
	if err != nil {
		return err
	}
	for _, n := range nodes {
		if _, err := client.CoreV1().Nodes().Create(ctx, n.object(), metav1.CreateOptions{}); err != nil {
			return err
		}
	}
	return c.wait(ctx, "nodes", func(ctx context.Context) (bool, error) {
		list, err := client.CoreV1().Nodes().List(ctx, metav1.ListOptions{})
		if err != nil {
			return false, err
		}
		for _, n := range list.Items {
			if len(n.Status.Conditions) == 0 {
				return false, nil
			}
		}
		_, err = client.CoreV1().ServiceAccounts(metav1.NamespaceDefault).Get(ctx, "default", metav1.GetOptions{})
		return true, err
	})
}

func (c *Cluster) startScheduler(ctx context.Context) error {
	port, err := freePort()
	if err != nil {
		return err
	}
	config := c.path("scheduler.yaml")
	if err := os.WriteFile(config, fmt.Appendf(nil, `apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
clientConnection: {kubeconfig: %q}
leaderElection: {leaderElect: false}
`, c.Kubeconfig), 0o600); err != nil {
		return err
	}
	return c.run(ctx, "kube-scheduler", "--config", config, "--bind-address", "127.0.0.1", "--secure-port", port)
}

// writeStages writes kwok's configuration.
func (c *Cluster) writeStages(ctx context.Context) (string, error) {
	list := exec.CommandContext(ctx, "go", "list", "-m", "-f", "{{.Dir}}", "sigs.k8s.io/kwok")
	list.Dir = filepath.Join(Repository(), "e2e", "tools", "kwok")
	module, err := list.Output()
	if err != nil {
		return "", err
	}
	var docs []string
	for _, file := range stages {
		text, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(module)), "kustomize", "stage", file))
		if err != nil {
			return "", err
		}
		var stage map[string]any
		if err := yaml.Unmarshal(text, &stage); err != nil {
			return "", err
		}
		if filepath.Base(file) == "pod-delete.yaml" {
			stage["spec"].(map[string]any)["delay"] = map[string]any{"durationMilliseconds": deleteDelay}
		}
		if text, err = yaml.Marshal(stage); err != nil {
			return "", err
		}
		docs = append(docs, string(text))
	}
	path := c.path("stages.yaml")
	return path, os.WriteFile(path, []byte(strings.Join(docs, "---\n")), 0o600)
}

func (n Node) object() *corev1.Node {
	capacity := corev1.ResourceList{
		corev1.ResourceCPU: resource.MustParse("1k"), corev1.ResourceMemory: resource.MustParse("4Ti"),
		corev1.ResourceEphemeralStorage: resource.MustParse("10Ti"), corev1.ResourcePods: resource.MustParse("250"),
	}
	for name, amount := range n.Capacity {
		capacity[name] = resource.MustParse(amount)
	}
	return &corev1.Node{
		ObjectMeta: metav1.ObjectMeta{Name: n.Name, Labels: n.Labels},
		Spec:       corev1.NodeSpec{Taints: n.Taints},
		Status:     corev1.NodeStatus{Capacity: capacity, Allocatable: capacity},
	}
}
