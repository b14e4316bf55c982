// SPDX-License-Identifier: Apache-2.0

package helm

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"kilter.dev/kilter/internal/blueprint"
	"kilter.dev/kilter/internal/expr"
	"kilter.dev/kilter/internal/manifest"
)

// kubeVersion is what a chart asks of its cluster; -0 lets builds such as 1.32.1-gke.5 in.
const kubeVersion = ">=1.32.0-0"

const helmignore = `# Files that are not part of the packaged chart.
.DS_Store
.git/
.gitignore
*.swp
*.bak
*.tmp
*.orig
*~
.project
.idea/
.vscode/
# Values and suites for testing the chart.
/ci/
/tests/
`

func chartYAML(b *blueprint.Blueprint, c Chart) string {
	text := func(key, value string) manifest.Field {
		return manifest.Field{Key: key, Value: manifest.NewString(value)}
	}
	n := manifest.NewMap(
		text("apiVersion", "v2"),
		text("name", c.Name),
		text("description", cmp.Or(oneLine(b.Profile.Description), oneLine(b.Profile.Title), c.Name)),
		text("type", "application"),
		text("version", c.Version),
	)
	if c.AppVersion != "" {
		n.Set("appVersion", manifest.NewString(c.AppVersion))
	}
	n.Set("kubeVersion", manifest.NewString(kubeVersion))
	if len(b.Profile.Keywords) > 0 {
		keywords := manifest.NewList()
		for _, k := range b.Profile.Keywords {
			keywords.Items = append(keywords.Items, manifest.NewString(k))
		}
		n.Set("keywords", keywords)
	}
	n.Set("annotations", manifest.NewMap(text("artifacthub.io/license", "Apache-2.0")))
	return manifest.Print(n)
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

func valuesYAML(b *blueprint.Blueprint, c Chart) string {
	text := b.Params.ValuesYAML(c.Values)
	if len(b.Params.Properties) == 0 {
		return text
	}
	return text + "\n# -- Name of the objects instead of the release's name.\nfullnameOverride: \"\"\n"
}

func readme(b *blueprint.Blueprint, c Chart) string {
	var s strings.Builder
	fmt.Fprintf(&s, "# %s\n\n", cmp.Or(oneLine(b.Profile.Title), c.Name))
	if b.Profile.Description != "" {
		s.WriteString(strings.TrimSpace(b.Profile.Description) + "\n\n")
	}
	fmt.Fprintf(&s, `This chart is compiled by Kilter from the profile %[2]q. Change the profile, not the chart.

## Install

From the folder of the chart, with Helm 3 or 4 and Kubernetes 1.32 or newer:

`+"```"+`
helm install my-%[1]s . --namespace my-namespace --create-namespace --values my-values.yaml
helm upgrade my-%[1]s . --namespace my-namespace --values my-values.yaml
helm test my-%[1]s --namespace my-namespace
helm uninstall my-%[1]s --namespace my-namespace
`+"```"+`

The objects are named after the release, or after `+"`fullnameOverride`"+`. `+"`null`"+` removes an optional value.

## Values

`, c.Name, b.Profile.Name)
	if len(b.Tests) == 0 {
		text := s.String()
		s.Reset()
		s.WriteString(strings.Replace(text, fmt.Sprintf("helm test my-%s --namespace my-namespace\n", c.Name), "", 1))
	}
	s.WriteString(b.Params.Markdown(c.Values))
	s.WriteString(fixed(b))
	if text := strings.TrimSpace(b.Profile.Readme); text != "" {
		s.WriteString("\n" + demote(text) + "\n")
	}
	return s.String()
}

// fixed says which values an upgrade may not change.
func fixed(b *blueprint.Blueprint) string {
	if len(b.Profile.Fixed) == 0 {
		return ""
	}
	var paths []string
	for _, f := range b.Profile.Fixed {
		paths = append(paths, "`"+f.Path+"`")
	}
	return "\nFixed once installed, since Kubernetes refuses to change what they decide: " + strings.Join(paths, ", ") + ".\n"
}

// demote makes the headings of a text one level deeper, except in fenced code.
func demote(text string) string {
	var b strings.Builder
	fenced := false
	for line := range strings.Lines(text) {
		if strings.HasPrefix(strings.TrimSpace(line), "```") {
			fenced = !fenced
		}
		if !fenced && strings.HasPrefix(line, "#") {
			b.WriteByte('#')
		}
		b.WriteString(line)
	}
	return b.String()
}

// validate returns the template that fails with all violated constraints, and all that is
// there twice, at once; "" when there is nothing to check.
func (p printer) validate(bp *blueprint.Blueprint) string {
	twice := p.itemsTwice(bp.Params) + p.objectsTwice(bp.Objects)
	if len(bp.Constraints) == 0 && twice == "" {
		return ""
	}
	var b strings.Builder
	b.WriteString("{{- /* Rules over several values. All that are violated are reported at once. */ -}}\n")
	b.WriteString("{{- $errors := list }}\n")
	for _, c := range bp.Constraints {
		_, rule := expr.Split(c.Rule.Tree)
		b.WriteString("{{- if " + p.test(expr.Negate(rule)) + " }}\n")
		b.WriteString("{{- $errors = append $errors " + p.message(c) + " }}\n")
		b.WriteString("{{- end }}\n")
	}
	b.WriteString(twice)
	b.WriteString("{{- if $errors }}\n{{- fail (join \"\\n\" $errors) }}\n{{- end }}\n")
	return b.String()
}

func (p printer) message(c blueprint.Constraint) string {
	_, message := expr.Split(c.Message.Tree)
	if c.At == "" {
		return p.operand(message)
	}
	if l, ok := message.(*expr.Literal); ok {
		return strconv.Quote(fmt.Sprintf("%s: %v", c.At, l.Value))
	}
	return "(printf " + strconv.Quote(c.At+": %s") + " " + p.typed(message) + ")"
}

// notes returns templates/NOTES.txt.
func (p printer) notes(t *expr.Template) string {
	presence, tree := expr.Split(t.Tree)
	text := p.natural(tree)
	if presence != nil {
		return "{{- if " + p.test(presence) + " -}}\n" + text + "{{ end -}}\n"
	}
	return text
}
