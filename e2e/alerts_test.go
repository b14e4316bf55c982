// SPDX-License-Identifier: Apache-2.0

package e2e_test

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

// alertTest is an alert of a group of rules, with the series that it fires on. POD, JOB and
// CLAIM stand for names that the workload's own could have.
type alertTest struct {
	Alert    string     `json:"alert"`
	Fires    []string   `json:"fires"`    // in Prometheus' notation of tests, one sample a minute
	Within   string     `json:"within"`   // when it is to fire; "" for four hours
	Silent   [][]string `json:"silent"`   // healthy ones, on each of which it never fires
	Anywhere bool       `json:"anywhere"` // series of other workloads are none of this one: a fault
}

// TestAlerts: each alert of each profile fires on series made of the fault that it names, and
// never on healthy ones, nor on the fault of a workload whose name begins alike or that is in
// another namespace. Prometheus evaluates them.
func TestAlerts(t *testing.T) {
	for _, profile := range profiles(t) {
		t.Run(profile, func(t *testing.T) {
			t.Parallel()
			seen := map[string]bool{} // alerts, and whole groups
			for _, file := range glob(t, "../golden/"+profile+"/*.yaml") {
				for _, o := range ofKind(t, file, "PrometheusRule") {
					for _, g := range o["spec"].(map[string]any)["groups"].([]any) {
						if key := fmt.Sprint(g); !seen[key] {
							seen[key] = true
							g := ruleGroup(g.(map[string]any))
							maps.Copy(seen, g.alerts())
							g.test(t, filepath.Base(file))
						}
					}
				}
			}
			for name := range declared(t, profile) {
				if !seen[name] {
					t.Errorf("no case has the alert %s", name)
				}
			}
		})
	}
}

// ofKind returns the objects of that kind in a file.
func ofKind(t *testing.T, file, kind string) []object {
	t.Helper()
	return slices.DeleteFunc(documents(t, read(t, file)), func(o object) bool { return o["kind"] != kind })
}

// ruleGroup is a group of a PrometheusRule.
type ruleGroup map[string]any

// group is the last part of its name: NAMESPACE.WORKLOAD.GROUP.
func (g ruleGroup) group() string {
	name := g["name"].(string)
	return name[strings.LastIndex(name, ".")+1:]
}

// alerts returns GROUP/ALERT of all rules.
func (g ruleGroup) alerts() map[string]bool {
	all := map[string]bool{}
	for _, rule := range g["rules"].([]any) {
		all[g.group()+"/"+rule.(map[string]any)["alert"].(string)] = true
	}
	return all
}

var (
	included     = regexp.MustCompile(`(?m)\$include: (_alerts-[a-z]+\.yaml)$`)
	alertOrGroup = regexp.MustCompile(`(?m)^ *(?:- )?(alert|name): (?:\$\{workload\.namespace\}\.\$\{workload\.name\}\.)?(\w+)$`)
)

// declared returns GROUP/ALERT of all rules that the templates of a profile have.
func declared(t *testing.T, profile string) map[string]bool {
	t.Helper()
	text := read(t, "../profiles/"+profile+"/templates/_alerts.yaml")
	for _, m := range included.FindAllStringSubmatch(text, -1) {
		text += read(t, glob(t, "../profiles/parts/*/templates/"+m[1])[0])
	}
	all, in := map[string]bool{}, ""
	for _, m := range alertOrGroup.FindAllStringSubmatch(text, -1) {
		if m[1] == "name" {
			in = m[2]
			continue
		}
		all[in+"/"+m[2]] = true
	}
	return all
}

// test runs the tests of all rules. A rule without one is an error.
func (g ruleGroup) test(t *testing.T, name string) {
	t.Helper()
	file := "testdata/alerts/" + g.group() + ".yaml"
	var all, tests []alertTest
	if err := yaml.UnmarshalStrict([]byte(read(t, file)), &all); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	for _, rule := range g["rules"].([]any) {
		alert, expr := rule.(map[string]any)["alert"].(string), rule.(map[string]any)["expr"].(string)
		n := len(tests)
		for _, test := range all {
			if test.Alert == alert {
				tests = append(tests, test.named(t, expr))
			}
		}
		if n == len(tests) {
			t.Errorf("%s has no test of %s", file, alert)
		}
	}
	promtool(t, name, map[string]any{"groups": []any{g}}, tests)
}

// instances are names of pods, Jobs and claims, as controllers make them.
var instances = map[string][]string{
	"POD":   {"demo-5d8f9c7b6d-x7k2p", "demo-0", "demo-1a2b3c4d-0-x7k2p", "demo-1a2b3c4d-x7k2p", "demo-1a2b3c4d-node-0-0-x7k2p", "demo-1a2b3c4d-worker-0", "demo-driver", "demo-29330400-x7k2p", "demo-29330400-0-x7k2p", "demo-demo-broker-0", "demo-kafka-exporter-5d8f9c7b6d-x7k2p"},
	"JOB":   {"demo-1a2b3c4d", "demo-29330400", "demo-1a2b3c4d-node-0", "demo-1a2b3c4d-launcher"},
	"CLAIM": {"data-demo-0", "cache-demo-0", "demo-model", "demo-checkpoints", "data-0-demo-demo-broker-0"},
}

var matchers = map[string]*regexp.Regexp{
	"POD":   regexp.MustCompile(`\bpod=~"([^"]*)"`),
	"JOB":   regexp.MustCompile(`\bjob_name=~"([^"]*)"`),
	"CLAIM": regexp.MustCompile(`\bpersistentvolumeclaim=~"([^"]*)"`),
}

// named is the test with names that the rule's own patterns match.
func (a alertTest) named(t *testing.T, expr string) alertTest {
	t.Helper()
	name := func(series string) string {
		for what, matcher := range matchers {
			if !strings.Contains(series, `"`+what+`"`) {
				continue
			}
			m := matcher.FindStringSubmatch(expr)
			if m == nil {
				t.Fatalf("%s selects no %s: %s", a.Alert, what, expr)
			}
			pattern := regexp.MustCompile("^(?:" + m[1] + ")$")
			i := slices.IndexFunc(instances[what], pattern.MatchString)
			if i < 0 {
				t.Fatalf("%s: no %s is called %s", a.Alert, what, m[1])
			}
			series = strings.ReplaceAll(series, `"`+what+`"`, `"`+instances[what][i]+`"`)
		}
		return series
	}
	a.Fires = each(a.Fires, name)
	silent := a.Silent
	a.Silent = nil
	for _, s := range silent {
		a.Silent = append(a.Silent, each(s, name))
	}
	if !a.Anywhere {
		a.Silent = append(a.Silent,
			each(a.Fires, func(s string) string { return strings.ReplaceAll(s, `"apps`, `"other`) }),
			each(a.Fires, func(s string) string { return strings.ReplaceAll(s, "demo", "demo-b") }))
	}
	return a
}

func each(list []string, f func(string) string) []string {
	changed := make([]string, len(list))
	for i, s := range list {
		changed[i] = f(s)
	}
	return changed
}

// promtool runs the tests with Prometheus' own program, which also parses the rules and the
// templates of their annotations.
func promtool(t *testing.T, name string, spec map[string]any, tests []alertTest) {
	t.Helper()
	dir := t.TempDir()
	suite := map[string]any{"rule_files": []string{"rules.yaml"}, "evaluation_interval": "1m"}
	var all []any
	for _, test := range tests {
		firing := fmt.Sprintf(`ALERTS{alertname=%q,alertstate="firing"}`, test.Alert)
		at := test.Within
		if at == "" {
			at = "4h"
		}
		all = append(all, promtoolTest(test.Alert+" fires", test.Fires, "group("+firing+")", at, true))
		for i, series := range test.Silent {
			all = append(all, promtoolTest(fmt.Sprint(test.Alert, " is silent ", i), series, "group(count_over_time("+firing+"[4h]))", "4h", false))
		}
	}
	suite["tests"] = all
	for file, v := range map[string]any{"rules.yaml": spec, "tests.yaml": suite} {
		text, err := yaml.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(dir, file), string(text), 0o644)
	}
	for _, args := range [][]string{{"check", "rules", "rules.yaml"}, {"test", "rules", "tests.yaml"}} {
		command := exec.CommandContext(t.Context(), prometheusTool(t), args...)
		command.Dir = dir
		if out, err := command.CombinedOutput(); err != nil {
			t.Errorf("%s: promtool %s: %v\n%s", name, strings.Join(args, " "), err, out)
		}
	}
}

// promtoolTest expects the expression to be 1, or nothing.
func promtoolTest(name string, series []string, expr, at string, one bool) map[string]any {
	var input []any
	for _, s := range series {
		metric, values, _ := strings.Cut(s, "} ")
		input = append(input, map[string]any{"series": metric + "}", "values": values})
	}
	samples := []any{}
	if one {
		samples = append(samples, map[string]any{"labels": "{}", "value": 1})
	}
	return map[string]any{
		"name": name, "interval": "1m", "input_series": input,
		"promql_expr_test": []any{map[string]any{"expr": expr, "eval_time": at, "exp_samples": samples}},
	}
}

// prometheusTool is promtool, of Prometheus 2.42 or newer.
func prometheusTool(t *testing.T) string {
	t.Helper()
	path, err := exec.LookPath("promtool")
	if err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal("promtool is missing")
		}
		t.Skip("promtool is missing: install Debian's package prometheus")
	}
	return path
}
