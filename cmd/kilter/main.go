// SPDX-License-Identifier: Apache-2.0

// Command kilter compiles workload profiles to Helm charts, Kustomize bases and plain
// Kubernetes objects that agree.
package main

import (
	"context"
	"os"
	"os/signal"
	"runtime"

	"kilter.dev/kilter/internal/cli"
)

// ballast is the size of memory that is never touched, and so costs none, but counts as part
// of the heap, in bytes. The first collection of garbage comes when the heap is twice as
// large, instead of at 4 MB: most commands are over by then.
const ballast = 24 << 20

func main() {
	heap := make([]byte, ballast)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	code := cli.Main(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	stop()
	runtime.KeepAlive(heap)
	os.Exit(code)
}
