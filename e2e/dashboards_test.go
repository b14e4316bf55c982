// SPDX-License-Identifier: Apache-2.0

package e2e_test

import (
	"encoding/json"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

// dashboard is what Grafana reads of one, as far as it must hold.
type dashboard struct {
	UID        string  `json:"uid"`
	Title      string  `json:"title"`
	Panels     []panel `json:"panels"`
	Templating struct {
		List []struct{ Name, Type, Query string } `json:"list"`
	} `json:"templating"`
}

type panel struct {
	ID         int                        `json:"id"`
	Title      string                     `json:"title"`
	Grid       struct{ X, Y, W, H int }   `json:"gridPos"`
	Datasource struct{ Type, UID string } `json:"datasource"`
	Targets    []struct {
		RefID string `json:"refId"`
		Expr  string `json:"expr"`
	} `json:"targets"`
}

// TestDashboards: each dashboard is JSON, no two panels are one or lie on each other, and
// Prometheus parses each query, with the dashboard's own variables.
func TestDashboards(t *testing.T) {
	for _, profile := range profiles(t) {
		t.Run(profile, func(t *testing.T) {
			t.Parallel()
			seen := 0
			for _, file := range glob(t, "../golden/"+profile+"/*.yaml") {
				for _, o := range ofKind(t, file, "ConfigMap") {
					if labels, _ := o["metadata"].(map[string]any)["labels"].(map[string]any); labels["grafana_dashboard"] != "1" {
						continue
					}
					for name, text := range o["data"].(map[string]any) {
						seen++
						checkDashboard(t, filepath.Base(file)+": "+name, text.(string))
					}
				}
			}
			if seen == 0 {
				t.Error("no case has a dashboard")
			}
		})
	}
}

func checkDashboard(t *testing.T, name, text string) {
	t.Helper()
	var d dashboard
	if err := json.Unmarshal([]byte(text), &d); err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	if d.UID == "" || len(d.UID) > 40 || d.Title != namespace+" / "+release || len(d.Panels) < 5 {
		t.Errorf("%s: uid %q, title %q, %d panels", name, d.UID, d.Title, len(d.Panels))
	}
	variables := []string{"$__rate_interval", "5m"}
	for _, v := range d.Templating.List {
		if v.Type == "constant" {
			variables = append(variables, "$"+v.Name, v.Query)
		}
	}
	replacer := strings.NewReplacer(variables...)
	var rules []any
	for i, p := range d.Panels {
		if p.Datasource.UID != "$datasource" || p.Title == "" || p.Grid.X+p.Grid.W > 24 || p.Grid.W*p.Grid.H == 0 {
			t.Errorf("%s: panel %+v", name, p)
		}
		if slices.ContainsFunc(d.Panels[:i], func(other panel) bool { return other.ID == p.ID || other.overlaps(p) }) {
			t.Errorf("%s: panel %d, %s, is in another one's place", name, p.ID, p.Title)
		}
		for _, target := range p.Targets {
			expr := replacer.Replace(target.Expr)
			if strings.Contains(expr, "$") {
				t.Errorf("%s: %s has an unknown variable: %s", name, p.Title, expr)
			}
			rules = append(rules, map[string]any{"record": fmt.Sprintf("panel_%d:%s", p.ID, target.RefID), "expr": expr})
		}
	}
	checkRules(t, name, rules)
}

func (p panel) overlaps(o panel) bool {
	a, b := p.Grid, o.Grid
	return a.X < b.X+b.W && b.X < a.X+a.W && a.Y < b.Y+b.H && b.Y < a.Y+a.H
}

// checkRules parses rules with Prometheus' own program.
func checkRules(t *testing.T, name string, rules []any) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "rules.yaml")
	text, err := yaml.Marshal(map[string]any{"groups": []any{map[string]any{"name": "queries", "rules": rules}}})
	if err != nil {
		t.Fatal(err)
	}
	write(t, file, string(text), 0o644)
	if out, err := exec.CommandContext(t.Context(), prometheusTool(t), "check", "rules", file).CombinedOutput(); err != nil {
		t.Errorf("%s: %v\n%s", name, err, out)
	}
}
