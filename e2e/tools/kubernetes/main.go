// SPDX-License-Identifier: Apache-2.0

// Command kubernetes is the programs of a control plane, and kubectl, in one, for they share
// most of their code: it runs the one that its first argument names.
package main

import (
	"fmt"
	"os"
	"sort"
	"strings"

	"github.com/spf13/cobra"
	"go.etcd.io/etcd/server/v3/etcdmain"
	"k8s.io/component-base/cli"
	_ "k8s.io/component-base/logs/json/register"
	_ "k8s.io/component-base/metrics/prometheus/clientgo"
	_ "k8s.io/component-base/metrics/prometheus/version"
	kubectl "k8s.io/kubectl/pkg/cmd"
	apiserver "k8s.io/kubernetes/cmd/kube-apiserver/app"
	controllers "k8s.io/kubernetes/cmd/kube-controller-manager/app"
	scheduler "k8s.io/kubernetes/cmd/kube-scheduler/app"
)

func main() {
	programs := map[string]func() int{
		"etcd": func() int {
			etcdmain.Main(os.Args)
			return 0
		},
		"kube-apiserver":          cobraProgram(apiserver.NewAPIServerCommand),
		"kube-controller-manager": cobraProgram(controllers.NewControllerManagerCommand),
		"kube-scheduler":          cobraProgram(func() *cobra.Command { return scheduler.NewSchedulerCommand() }),
		"kubectl":                 cobraProgram(kubectl.NewDefaultKubectlCommand),
	}
	var run func() int
	if len(os.Args) > 1 {
		run = programs[os.Args[1]]
		os.Args = os.Args[1:]
	}
	if run == nil {
		fmt.Fprintf(os.Stderr, "usage: kubernetes PROGRAM [flags], where PROGRAM is one of %s\n", names(programs))
		os.Exit(2)
	}
	os.Exit(run())
}

func cobraProgram(command func() *cobra.Command) func() int {
	return func() int { return cli.Run(command()) }
}

func names(programs map[string]func() int) string {
	var all []string
	for name := range programs {
		all = append(all, name)
	}
	sort.Strings(all)
	return strings.Join(all, ", ")
}
