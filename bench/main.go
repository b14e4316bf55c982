// SPDX-License-Identifier: Apache-2.0

// Command bench measures Kilter beside its peers: real programs, the same input, in turns,
// in one run. It prints the median wall time, the CPU time and the peak memory of each, and
// the ratio that Kilter's performance budgets are about. Nothing here is a test: a slow
// machine is no failure.
//
//	go run . [-rounds 7] [ROW...]
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

func main() {
	rounds := flag.Int("rounds", 7, "how often each program runs")
	flag.Parse()
	if err := run(*rounds, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(rounds int, only []string) error {
	root, err := filepath.Abs("..")
	if err != nil {
		return err
	}
	scratch, err := os.MkdirTemp("", "kilter-bench")
	if err != nil {
		return err
	}
	defer os.RemoveAll(scratch)
	rows, err := rows(root, scratch)
	if err != nil {
		return err
	}
	fmt.Printf("%-12s %-28s %10s %10s %10s %8s  %s\n", "row", "program", "wall", "CPU", "memory", "ratio", "budget")
	for _, r := range rows {
		if len(only) > 0 && !slices.Contains(only, r.name) {
			continue
		}
		if err := r.measure(rounds); err != nil {
			return fmt.Errorf("%s: %w", r.name, err)
		}
	}
	return nil
}

// row is one budget: a peer, then Kilter.
type row struct {
	name, budget string
	programs     []program // the last is Kilter's, the first what it is compared with
}

// measure runs the programs in turns, so that a busy machine slows all of them.
func (r row) measure(rounds int) error {
	samples := make([][]sample, len(r.programs))
	for range rounds {
		for i, p := range r.programs {
			s, err := p.run()
			if err != nil {
				return fmt.Errorf("%s: %w", p.name, err)
			}
			samples[i] = append(samples[i], s)
		}
	}
	base := median(samples[0])
	for i, p := range r.programs {
		s := median(samples[i])
		ratio, budget := "", ""
		if i > 0 {
			ratio = fmt.Sprintf("%.2f", float64(s.wall)/float64(p.units())/(float64(base.wall)/float64(r.programs[0].units())))
		}
		if i == len(r.programs)-1 {
			budget = r.budget
		}
		fmt.Println(strings.TrimRight(fmt.Sprintf("%-12s %-28s %8.1fms %8.1fms %8dMB %8s  %s", r.name, p.name,
			s.wall.Seconds()*1000, s.cpu.Seconds()*1000, s.memory>>20, ratio, budget), " "))
	}
	return nil
}
