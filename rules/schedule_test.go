// SPDX-License-Identifier: Apache-2.0

package rules_test

import (
	"fmt"
	"io/fs"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/robfig/cron/v3"
	"pgregory.net/rapid"

	"kilter.dev/kilter/internal/lint"
	"kilter.dev/kilter/internal/manifest"
	"kilter.dev/kilter/internal/source"
	"kilter.dev/kilter/rules"
)

// TestSchedules compares what the CEL of variables.yaml makes of a CronJob's schedule with
// the library that Kubernetes reads it with.
func TestSchedules(t *testing.T) {
	ask := asker(t, "${variables.cronWrong}|${variables.cronFires}|${variables.cronPeriod}|${variables.cronStars[0]}")
	rapid.Check(t, func(t *rapid.T) {
		schedule := schedules().Draw(t, "schedule")
		answer := strings.Split(ask(t, schedule), "|")
		want, err := cron.ParseStandard(schedule)
		if got := answer[0] == ""; got != (err == nil) {
			t.Fatalf("%q: readable %v, %q; robfig/cron: %v", schedule, got, answer[0], err)
		}
		if err != nil {
			return
		}
		start := time.Date(2023, 12, 31, 23, 59, 30, 0, time.UTC)
		first := want.Next(start)
		if fires := answer[1] == "true"; fires != !first.IsZero() {
			t.Fatalf("%q: fires %v; robfig/cron: next is %v", schedule, fires, first)
		}
		if first.IsZero() {
			return
		}
		comparePeriod(t, schedule, answer, want, first)
	})
}

// comparePeriod compares a period with the shortest time between some of the runs. It must
// not be longer, and below a day exact, unless that depends on the lengths of months.
func comparePeriod(t *rapid.T, schedule string, answer []string, s cron.Schedule, at time.Time) {
	shortest := time.Duration(1<<63 - 1)
	for range 5000 {
		next := s.Next(at)
		if next.IsZero() {
			break
		}
		shortest, at = min(shortest, next.Sub(at)), next
	}
	seconds, err := strconv.Atoi(answer[2])
	if err != nil {
		t.Fatal(err)
	}
	got := time.Duration(seconds) * time.Second
	exact := shortest < 24*time.Hour && answer[3] == "true"
	if got > shortest || exact && got != shortest {
		t.Errorf("%q: period %v; robfig/cron: %v", schedule, got, shortest)
	}
}

// asker returns a function that evaluates a text with holes for a CronJob with a schedule.
func asker(t *testing.T, text string) func(t *rapid.T, schedule string) string {
	variables, err := fs.ReadFile(rules.FS, lint.VariablesFile)
	if err != nil {
		t.Fatal(err)
	}
	rule := fmt.Sprintf(`apiVersion: kilter.dev/v1alpha1
kind: Rule
metadata: {name: ask}
spec:
  title: Answers
  severity: info
  kinds: [batch/CronJob]
  checks:
  - {check: "false", message: "%s", at: spec.schedule}
  why: a test
  sources: [none]
`, text)
	all, err := lint.Load(fstest.MapFS{lint.VariablesFile: {Data: variables}, "ask.yaml": {Data: []byte(rule)}})
	if err != nil {
		t.Fatal(err)
	}
	only := func(rule string) bool { return rule == "ask" }
	return func(t *rapid.T, schedule string) string {
		f := source.New("cronjob.yaml", "apiVersion: batch/v1\nkind: CronJob\nmetadata: {name: x}\nspec:\n  schedule: "+strconv.Quote(schedule)+"\n")
		docs, _ := manifest.Parse(f)
		objects, _ := manifest.Objects(docs)
		findings := all.Run(objects, lint.Options{Only: only})
		if len(findings) != 1 {
			t.Fatalf("%d findings for %q", len(findings), schedule)
		}
		return findings[0].Message
	}
}

// schedules draws schedules, most of them readable.
func schedules() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		special := []string{
			"@hourly", "@daily", "@weekly", "@monthly", "@yearly", "@annually", "@midnight", "@Daily",
			"@every 90s", "@every 1h30m", "@every 0.5s", "@every", "@every x", "", "* * * *", "* * * * * *",
			"0 0 30 2 *", "0 0 31 2,4,11 ?", "0 0 30 2 1", "0 0 29 2 *", ", * * * *", "0 0 * * ,",
		}
		if rapid.IntRange(0, 19).Draw(t, "special") == 0 {
			return rapid.SampledFrom(special).Draw(t, "which")
		}
		fields := []string{
			field(t, 0, 59, nil), field(t, 0, 23, nil), field(t, 1, 31, nil),
			field(t, 1, 12, []string{"jan", "Feb", "DEC"}), field(t, 0, 6, []string{"sun", "MON", "sat"}),
		}
		return strings.Join(fields, rapid.SampledFrom([]string{" ", "  ", "\t"}).Draw(t, "space"))
	})
}

func field(t *rapid.T, lowest, highest int, names []string) string {
	parts := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) string { return part(t, lowest, highest, names) }), 1, 2).Draw(t, "parts")
	return strings.Join(parts, ",")
}

func part(t *rapid.T, lowest, highest int, names []string) string {
	// Now and then a number that is out of bounds.
	number := rapid.Map(rapid.IntRange(4*lowest-1, 4*highest+4), func(n int) string { return strconv.Itoa(n / 4) })
	if names != nil {
		number = rapid.OneOf(number, number, rapid.SampledFrom(names))
	}
	step := rapid.Map(rapid.IntRange(0, 20), strconv.Itoa)
	switch rapid.IntRange(0, 9).Draw(t, "shape") {
	case 0, 1, 2:
		return rapid.SampledFrom([]string{"*", "*", "*", "?"}).Draw(t, "star")
	case 3:
		return "*/" + step.Draw(t, "step")
	case 4:
		return number.Draw(t, "from") + "/" + step.Draw(t, "step")
	case 5:
		return number.Draw(t, "from") + "-" + number.Draw(t, "to")
	case 6:
		return number.Draw(t, "from") + "-" + number.Draw(t, "to") + "/" + step.Draw(t, "step")
	case 7:
		odd := []string{"", "L", "1-2-3", "1/2/3", "*-5", "+5", "-1", "x", "*/x", "05", "**", "1-", "/5"}
		return rapid.SampledFrom(odd).Draw(t, "odd")
	}
	return number.Draw(t, "number")
}
