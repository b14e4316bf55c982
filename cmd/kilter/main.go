// SPDX-License-Identifier: Apache-2.0

// Command kilter compiles workload profiles to Helm charts, Kustomize bases and plain
// Kubernetes objects that agree.
package main

import (
	"context"
	"os"
	"os/signal"

	"kilter.dev/kilter/internal/cli"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	code := cli.Main(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}
