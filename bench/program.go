// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"syscall"
	"time"
)

// program is one command line.
type program struct {
	name string
	dir  string
	args []string
	env  []string
	// exits are the exit codes that are no failure, besides 0: linters exit with 1.
	exits []int
	// per is how many things one run does, 0 for 1; ratios are of one of them.
	per int
}

func (p program) units() int { return max(p.per, 1) }

// sample is what one run took; memory is the peak resident set of the process, in bytes.
type sample struct {
	wall, cpu time.Duration
	memory    int64
}

func (p program) run() (sample, error) {
	c := exec.Command(p.args[0], p.args[1:]...)
	c.Dir, c.Env = p.dir, append(os.Environ(), p.env...)
	var stderr bytes.Buffer
	c.Stderr = &stderr
	start := time.Now()
	err := c.Run()
	wall := time.Since(start)
	if c.ProcessState == nil {
		return sample{}, err
	}
	if code := c.ProcessState.ExitCode(); code != 0 && !slices.Contains(p.exits, code) {
		return sample{}, fmt.Errorf("exit %d: %s", code, bytes.TrimSpace(stderr.Bytes()))
	}
	usage, ok := c.ProcessState.SysUsage().(*syscall.Rusage)
	if !ok {
		return sample{}, fmt.Errorf("no usage on this system")
	}
	return sample{wall, c.ProcessState.UserTime() + c.ProcessState.SystemTime(), usage.Maxrss * 1024}, nil
}

// median is that of the wall times; CPU and memory are those of the same run.
func median(samples []sample) sample {
	sorted := slices.SortedFunc(slices.Values(samples), func(a, b sample) int { return int(a.wall - b.wall) })
	return sorted[len(sorted)/2]
}
