// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// atOnce calls do for 0 to n-1, as many at the same time as there are processors.
func atOnce(n int, do func(i int)) {
	var next atomic.Int64
	var workers sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), n) {
		workers.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				do(i)
			}
		})
	}
	workers.Wait()
}
