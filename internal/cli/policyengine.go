// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"kilter.dev/kilter/generators/engines"
	"kilter.dev/kilter/generators/policy"
	"kilter.dev/kilter/internal/lint"
	"kilter.dev/kilter/internal/manifest"
)

func engineFlag(c *cobra.Command, engine *string) {
	c.Flags().StringVar(engine, "engine", engines.All[0], "`ENGINE` that the policies are for: kubernetes, kyverno or gatekeeper")
	_ = c.RegisterFlagCompletionFunc("engine", cobra.FixedCompletions(engines.All, cobra.ShellCompDirectiveNoFileComp))
}

// checkEngine checks the value of --engine, and that the engine can mend if it is to.
func checkEngine(engine string, fix bool) error {
	if !slices.Contains(engines.All, engine) {
		return usagef("--engine is kubernetes, kyverno or gatekeeper, not %q", engine)
	}
	if why := engines.WhyNoFix(engine); fix && why != "" {
		return usageError{fmt.Errorf("--fix is not for %s: %s", engine, why), "leave --fix out, and let the API server mend: kilter policy --fix"}
	}
	return nil
}

// enginesOf says for each engine what policies of a rule do there, or why there are none.
func enginesOf(r *lint.Rule) []string {
	if why := policy.Why(r); why != "" {
		return []string{"no: " + why}
	}
	var all []string
	for _, e := range engines.All {
		does := e + ": validates"
		if engines.Mutates(e, r) {
			does += ", mutates"
		}
		all = append(all, does)
	}
	return all
}

// engineNodes is what policies of a rule do, by engine.
func engineNodes(r *lint.Rule) *manifest.Node {
	all := manifest.NewMap()
	for _, e := range engines.All {
		all.Set(e, manifest.NewMap(
			manifest.Field{Key: "validates", Value: manifest.NewBool(policy.Why(r) == "")},
			manifest.Field{Key: "mutates", Value: manifest.NewBool(engines.Mutates(e, r))},
		))
	}
	return all
}
