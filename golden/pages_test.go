// SPDX-License-Identifier: Apache-2.0

package golden_test

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"kilter.dev/kilter/internal/blueprint"
)

// TestPages: docs/profiles/ has a page for each profile, its README with what can be read off
// the profile.
func TestPages(t *testing.T) {
	var pages []txtar.File
	for _, b := range blueprints(t) {
		pages = append(pages, txtar.File{Name: b.Profile.Name + ".md", Data: []byte(page(t, b))})
	}
	same(t, filepath.Join("..", "docs", "profiles"), pages)
}

func page(t *testing.T, b *blueprint.Blueprint) string {
	t.Helper()
	p := b.Profile
	defaults, errs := b.Params.Check(nil)
	if err := errs.Err(); err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	fmt.Fprintf(&out, "# %s\n\n<!-- Made of profiles/%s by make golden: change that, not this. -->\n\n%s\n\n", p.Title, p.Name, p.Description)
	fmt.Fprintf(&out, "```\nkilter new my-workload --profile %s\n```\n\n%s\n", p.Name, strings.TrimRight(p.Readme, "\n"))
	out.WriteString("\n## Cases\n\nEach is a file of values, with the objects that it gives.\n\n")
	rows(&out, "case", "what", len(p.Cases), func(i int) (string, string) {
		c := p.Cases[i]
		return fmt.Sprintf("[%[2]s](../../profiles/%[1]s/cases/%[2]s.yaml), [objects](../../golden/%[1]s/%[2]s.yaml)", p.Name, c.Name), c.Description
	})
	out.WriteString("\n## Features\n\nEach is switched by its parameter `NAME.enabled`, and is a component of the kustomization.\n\n")
	rows(&out, "feature", "what", len(p.Features), func(i int) (string, string) { return code(p.Features[i].Name), p.Features[i].Description })
	if alerts := alertsOf(t, b); len(alerts) > 0 {
		out.WriteString("\n## Alerts\n\nOf the feature `monitoring`, where what they are about exists.\n\n")
		rows(&out, "alert", "says", len(alerts), func(i int) (string, string) { return code(alerts[i][0]), alerts[i][1] })
	}
	out.WriteString("\n## What follows from the parameters\n\n")
	rows(&out, "value", "what", len(p.Variables), func(i int) (string, string) { return code(p.Variables[i].Name), p.Variables[i].Description })
	out.WriteString("\n## What is refused\n\nBesides what the table of the parameters says.\n\n")
	rows(&out, "parameter", "message", len(p.Constraints), func(i int) (string, string) {
		c := p.Constraints[i]
		return code(c.At), c.Message.Text()
	})
	fmt.Fprintf(&out, "\n## Parameters\n\n%s", b.Params.Markdown(defaults))
	return out.String()
}

func rows(out *strings.Builder, left, right string, n int, row func(i int) (string, string)) {
	fmt.Fprintf(out, "| %s | %s |\n|---|---|\n", left, right)
	for i := range n {
		a, b := row(i)
		fmt.Fprintf(out, "| %s | %s |\n", a, strings.NewReplacer("|", `\|`, "\n", " ", "<", "&lt;").Replace(b))
	}
}

func code(text string) string {
	if text == "" {
		return ""
	}
	return "`" + text + "`"
}

// What Prometheus puts into the summary of an alert.
var (
	label = regexp.MustCompile(`\{\{ \$labels\.(\w+) \}\}`)
	value = regexp.MustCompile(`\{\{ \$value[^}]*\}\}`)
)

// alertsOf returns the names and summaries of the alerts of all cases, each name once.
func alertsOf(t *testing.T, b *blueprint.Blueprint) [][2]string {
	t.Helper()
	var all [][2]string
	seen := map[string]bool{}
	for _, c := range b.Profile.Cases {
		w, err := b.CaseWorkload(c, release, namespace)
		if err != nil {
			t.Fatal(err)
		}
		objects, err := b.Render(w)
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range objects {
			for _, group := range items(o.Node.Get("spec", "groups")) {
				for _, rule := range items(group.Get("rules")) {
					name := rule.Get("alert").Text()
					if !seen[name] {
						seen[name] = true
						all = append(all, [2]string{name, label.ReplaceAllString(value.ReplaceAllString(rule.Get("annotations", "summary").Text(), "N"), "$1")})
					}
				}
			}
		}
	}
	return all
}
