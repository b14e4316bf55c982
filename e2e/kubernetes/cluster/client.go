// SPDX-License-Identifier: Apache-2.0

package cluster

import (
	"bytes"
	"context"
	"fmt"
	"os/exec"
	"strings"
	"sync"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/discovery/cached/memory"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/restmapper"
)

func (c *Cluster) waitReady(ctx context.Context) error {
	client, err := kubernetes.NewForConfig(c.Config(Admin))
	if err != nil {
		return err
	}
	return c.wait(ctx, "the API server", func(ctx context.Context) (bool, error) {
		_, err := client.Discovery().RESTClient().Get().AbsPath("/readyz").DoRaw(ctx)
		return true, err
	})
}

// Client writes objects of any kind as a user. It may be used by several goroutines.
type Client struct {
	objects dynamic.Interface
	mapper  *restmapper.DeferredDiscoveryRESTMapper
}

// Client returns a client for a user.
func (c *Cluster) Client(user string) (*Client, error) {
	config := c.Config(user)
	config.WarningHandlerWithContext = collector{}
	objects, err := dynamic.NewForConfig(config)
	if err != nil {
		return nil, err
	}
	known, err := discovery.NewDiscoveryClientForConfig(config)
	if err != nil {
		return nil, err
	}
	return &Client{objects, restmapper.NewDeferredDiscoveryRESTMapper(memory.NewMemCacheClient(known))}, nil
}

// Of is where objects like o are read and written: those of its kind, in its namespace.
func (c *Client) Of(o *unstructured.Unstructured) (dynamic.ResourceInterface, error) {
	kind := o.GroupVersionKind()
	mapping, err := c.mapper.RESTMapping(kind.GroupKind(), kind.Version)
	if meta.IsNoMatchError(err) { // it may have been defined since
		c.mapper.Reset()
		mapping, err = c.mapper.RESTMapping(kind.GroupKind(), kind.Version)
	}
	if err != nil {
		return nil, err
	}
	resources := c.objects.Resource(mapping.Resource)
	if mapping.Scope.Name() == meta.RESTScopeNameRoot {
		return resources, nil
	}
	namespace := o.GetNamespace()
	if namespace == "" {
		namespace = metav1.NamespaceDefault
	}
	return resources.Namespace(namespace), nil
}

// Apply writes an object server-side as a manager of fields, and returns it as it then is. Fields
// that its kind does not have are an error.
func (c *Client) Apply(ctx context.Context, o *unstructured.Unstructured, manager string) (*unstructured.Unstructured, error) {
	resources, err := c.Of(o)
	if err != nil {
		return nil, err
	}
	text, err := o.MarshalJSON()
	if err != nil {
		return nil, err
	}
	force := true
	return resources.Patch(ctx, o.GetName(), types.ApplyPatchType, text, metav1.PatchOptions{
		FieldManager: manager, Force: &force, FieldValidation: metav1.FieldValidationStrict,
	})
}

// Warnings collects those of the requests that are made with the context that it returns.
func Warnings(ctx context.Context) (context.Context, func() []string) {
	all := &warnings{}
	return context.WithValue(ctx, collector{}, all), all.list
}

type warnings struct {
	sync.Mutex
	texts []string
}

func (w *warnings) list() []string {
	w.Lock()
	defer w.Unlock()
	return w.texts
}

// collector adds warnings to those of the context, whose key it is, too.
type collector struct{}

var _ rest.WarningHandlerWithContext = collector{}

// HandleWarningHeaderWithContext is called for each warning. 299 is the code of those that
// Kubernetes sends.
func (collector) HandleWarningHeaderWithContext(ctx context.Context, code int, _, text string) {
	if w, ok := ctx.Value(collector{}).(*warnings); ok && code == 299 {
		w.Lock()
		defer w.Unlock()
		w.texts = append(w.texts, text)
	}
}

// Run runs a program, such as kubectl or helm3, on the cluster. The error holds what it wrote
// to standard error.
func (c *Cluster) Run(ctx context.Context, stdin, program string, args ...string) (string, error) {
	path, first, err := c.Program(program)
	if err != nil {
		return "", err
	}
	var stdout, stderr bytes.Buffer
	command := exec.CommandContext(ctx, path, append(first, args...)...)
	command.Env = []string{"KUBECONFIG=" + c.Kubeconfig, "HOME=" + c.path("home"), "PATH=/usr/bin:/bin"}
	command.Stdin, command.Stdout, command.Stderr = strings.NewReader(stdin), &stdout, &stderr
	if err := command.Run(); err != nil {
		return stdout.String(), fmt.Errorf("%s %s: %w\n%s", program, strings.Join(args, " "), err, stderr.String())
	}
	return stdout.String(), nil
}
