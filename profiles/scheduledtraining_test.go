// SPDX-License-Identifier: Apache-2.0

package profiles_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/robfig/cron/v3"
)

// TestScheduledTrainingRuns: every rank of a run starts once and meets the others at the name
// of its own run. What a run that was stopped has saved is found when its pods start again;
// the next run finds it only where runs share their folder.
func TestScheduledTrainingRuns(t *testing.T) {
	for _, form := range forms {
		if strings.Contains(form, "runtime") {
			continue
		}
		for _, shared := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s shared %v", form, shared), func(t *testing.T) {
				t.Parallel()
				checkpoint := fmt.Sprintf("checkpoint: {perRun: %v, resumeArgs: [--resume, latest], pattern: 'checkpoint-*'}", !shared)
				g := newGang(t, "scheduled-training", with(form, checkpoint))
				next := map[bool]string{true: "latest"}[shared]
				for attempt, c := range []struct{ run, do, resume string }{
					{"demo-29000000", "wait", ""}, {"demo-29000000", "0", "latest"},
					{"demo-29001440", "wait", next}, {"demo-29001440", "0", "latest"},
				} {
					g.master = c.run + "-0"
					g.write("hosts", g.master+g.service)
					g.newRendezvous()
					codes, ranks := g.run(c.do)
					if (slices.Max(codes) == 0) != (c.do == "0") || len(ranks) != g.ranks() {
						t.Errorf("attempt %d: the pods end with %v, %d ranks", attempt, codes, len(ranks))
					}
					for _, r := range ranks {
						if r.Resume != c.resume || r.World != g.ranks() || r.Master != g.master+g.service {
							t.Errorf("attempt %d: %+v; want to resume %q", attempt, r, c.resume)
						}
					}
				}
			})
		}
	}
}

// TestScheduledTrainingPace: a run, with the time that its pods take to stop, ends before
// the next one is due, and may not start so late that the next one but one is.
func TestScheduledTrainingPace(t *testing.T) {
	t.Parallel()
	for schedule, want := range map[string]int64{
		"@hourly": 3600, "@daily": 86400, "@midnight": 86400, "@weekly": 604800, "@monthly": 604800, "@yearly": 604800,
		"0 3 * * *": 86400, "5 */6 * * *": 21600, "5 */12 * * *": 43200, "0 6,18 * * *": 43200, "0 0,12 * * *": 43200, "0 11,23 * * 1-5": 43200,
		"0 0,8,16 * * *": 28800, "0 07,15,23 * * *": 28800, "0 5,11,17,23 * * *": 21600, "0 3 * * 0": 604800, "0 3 ? 1-6 sun": 604800,
		"0 3 1 * *": 604800, "0 3 1 */3 *": 604800, "0 3 29 2 *": 604800, "0 3 1,15 * *": 86400, "0 3 1 * 0": 86400, "0 22 * * 1-5": 86400,
		"0 9-17 * * *": 3600, "0 8,12 * * *": 3600, "*/30 * * * *": 1800, "0 1,12,13 * * *": 3600, "0 * * * *": 3600,
	} {
		c := renderProfile(t, "scheduled-training", "demo", fmt.Sprintf("{schedule: %q}", schedule))["CronJob/demo"].Get("spec")
		grace := c.Get("jobTemplate", "spec", "template", "spec", "terminationGracePeriodSeconds").Value.(int64)
		pace := c.Get("jobTemplate", "spec", "activeDeadlineSeconds").Value.(int64) + grace + 30
		if pace != want {
			t.Errorf("%s: a run has %d s, not %d", schedule, pace, want)
		}
		if got := shortest(t, schedule); time.Duration(pace)*time.Second > got {
			t.Errorf("%s: a run has %d s, the next one comes after %v", schedule, pace, got)
		}
		if late := c.Get("startingDeadlineSeconds").Value.(int64); late < 10 || late > pace/2 {
			t.Errorf("%s: a run may be %d s late", schedule, late)
		}
	}
}

// shortest is the shortest time between two runs.
func shortest(t *testing.T, schedule string) time.Duration {
	t.Helper()
	s, err := cron.ParseStandard(schedule)
	if err != nil {
		t.Fatal(err)
	}
	at, gap := s.Next(time.Date(2023, 12, 31, 0, 0, 0, 0, time.UTC)), time.Duration(1<<63-1)
	for range 1000 {
		next := s.Next(at)
		if next.IsZero() {
			break
		}
		gap, at = min(gap, next.Sub(at)), next
	}
	return gap
}
