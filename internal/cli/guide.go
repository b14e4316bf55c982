// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"kilter.dev/kilter/generators"
	"kilter.dev/kilter/internal/blueprint"
)

// guides say for each target how its files in the folder dir, which ends in /, are looked at
// and applied.
var guides = map[string]struct {
	render, apply func(dir string, w blueprint.Workload) string
	byName        bool // the profile is found by its name when the files are used
}{
	"helm": {
		render: func(dir string, w blueprint.Workload) string {
			return fmt.Sprintf("helm template %s %s --namespace %s", w.Name, dir+"chart", w.Namespace)
		},
		apply: func(dir string, w blueprint.Workload) string {
			return fmt.Sprintf("helm upgrade --install %s %s --namespace %s", w.Name, dir+"chart", w.Namespace)
		},
	},
	"kustomize": {
		render: func(dir string, _ blueprint.Workload) string {
			return "kubectl kustomize " + dir + "kustomize/overlays/prod"
		},
		apply: func(dir string, _ blueprint.Workload) string {
			return "kubectl apply -k " + dir + "kustomize/overlays/prod   # or overlays/dev, a small variant"
		},
	},
	"krm": {
		render: func(dir string, _ blueprint.Workload) string {
			return "kustomize build --enable-alpha-plugins --enable-exec " + dir + "krm"
		},
		apply: func(dir string, _ blueprint.Workload) string {
			return "kustomize build --enable-alpha-plugins --enable-exec " + dir + "krm | kubectl apply -f -"
		},
		byName: true,
	},
}

// summary is what kilter new says when it has written files.
func summary(dir string, files int, b *blueprint.Blueprint, w blueprint.Workload, targets []generators.Generator, again again) string {
	shown := filepath.ToSlash(filepath.Clean(dir))
	var s strings.Builder
	fmt.Fprintf(&s, "Wrote %d files to %s, a workload of the profile %s:\n\n", files, shown, b.Profile.Name)
	fmt.Fprintf(&s, "  %-12s the parameters: edit these\n", workloadName)
	for _, g := range targets {
		what, folder, _ := strings.Cut(g.Doc, " in ")
		fmt.Fprintf(&s, "  %-12s %s\n", folder, what)
	}
	s.WriteString("\nAll stand for the same objects. To see them, run any of:\n\n")
	fmt.Fprintf(&s, "  kilter render %s%s\n", shown, again.flags)
	for _, g := range targets {
		guide, env := guides[g.Name], ""
		if guide.byName {
			env = again.env
		}
		fmt.Fprintf(&s, "  %s%s\n", env, guide.render(shown+"/", w))
	}
	return s.String()
}

// toFlag is the flag for targets, with a space before it; "" for those generated without it.
func toFlag(targets []generators.Generator) string {
	var names []string
	for _, g := range targets {
		names = append(names, g.Name)
	}
	if slices.Equal(names, defaultTargets()) {
		return ""
	}
	return " --to " + strings.Join(names, ",")
}

// serviceReadme is the README.md of a service.
func serviceReadme(b *blueprint.Blueprint, w blueprint.Workload, targets []generators.Generator) string {
	var s strings.Builder
	fmt.Fprintf(&s, "# %s\n\nA workload of the Kilter profile `%s`: %s\n\n", w.Name, b.Profile.Name, strings.TrimSpace(b.Profile.Description))
	s.WriteString("`kilter.yaml` holds its parameters. Everything else is generated and stands for the same\nobjects; apply them by one of these:\n\n```\n")
	s.WriteString("kilter render . | kubectl apply -f -\n")
	for _, g := range targets {
		s.WriteString(guides[g.Name].apply("./", w) + "\n")
	}
	s.WriteString("```\n\nAfter a change of `kilter.yaml`, make the rest anew from the folder above:\n\n```\n")
	fmt.Fprintf(&s, "kilter new %s --profile %s --namespace %s -f DIR/kilter.yaml -o DIR%s --force\n", w.Name, b.Profile.Name, w.Namespace, toFlag(targets))
	fmt.Fprintf(&s, "```\n\n`kilter profile show %s` lists the parameters.\n", b.Profile.Name)
	return s.String()
}
