package main

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"
)

// idle is what so many instances cost that nobody uses. Memory is that of one,
// the mean.
type idle struct {
	instances int
	processor float64 // percent of a core, all together
	rss, pss  float64 // MiB; in pss, a page that n processes share counts 1/n; 0: not known
}

// settleTime is how long an instance needs after its start to give back what it
// used for it: a minute after the last call its collector runs once more, and
// then rests.
func (b *bench) settleTime() time.Duration {
	if b.short {
		return 5 * time.Second
	}
	return 75 * time.Second
}

// growIdle leaves instances of each number alone for a while.
func (b *bench) growIdle(ctx context.Context) (all []idle, err error) {
	numbers, length := []int{1, 16, 64, 300}, time.Minute
	if b.short {
		numbers, length = []int{1, 8}, 5*time.Second
	}
	program := berth{program: b.programs.berth, dir: b.dir}
	env, err := program.env()
	if err != nil {
		return nil, err
	}
	var running []instance
	defer func() {
		for _, i := range running {
			i.stop()
		}
	}()
	for _, n := range numbers {
		b.say("growth: %d idle instances", n)
		for len(running) < n {
			root, err := program.project()
			if err != nil {
				return nil, err
			}
			i, err := program.start(ctx, root, env)
			if err != nil {
				return nil, fmt.Errorf("instance %d: %w", len(running)+1, err)
			}
			running = append(running, i)
		}
		if err := pause(ctx, b.settleTime()); err != nil {
			return nil, err
		}
		one, err := leftAlone(ctx, running, length)
		if err != nil {
			return nil, err
		}
		all = append(all, one)
	}
	return all, nil
}

func leftAlone(ctx context.Context, running []instance, length time.Duration) (idle, error) {
	before, began := processorTimes(running), time.Now()
	if err := pause(ctx, length); err != nil {
		return idle{}, err
	}
	n := float64(len(running))
	one := idle{instances: len(running), processor: 100 * (processorTimes(running) - before).Seconds() / time.Since(began).Seconds()}
	for _, i := range running {
		rss, _ := residentMiB(i.pid)
		pss, _ := proportionalMiB(i.pid)
		one.rss, one.pss = one.rss+rss/n, one.pss+pss/n
	}
	return one, nil
}

func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return fmt.Errorf("interrupted: %w", ctx.Err())
	case <-time.After(d):
		return nil
	}
}

func processorTimes(running []instance) (sum time.Duration) {
	for _, i := range running {
		d, _ := processorTime(i.pid)
		sum += d
	}
	return sum
}

func idleMarkdown(w io.Writer, all []idle, settled time.Duration) {
	fmt.Fprint(w, "\n## Idle instances\n\nInstances of empty projects that nobody uses, "+
		"over a minute, "+settled.String()+" after the last was started. PSS counts a page that n processes share, such as the program's own, as 1/n.\n\n"+
		"| instances | processor, % of a core, all together | RSS of each, MiB | PSS of each, MiB | PSS together, MiB |\n|"+strings.Repeat(" --- |", 5)+"\n")
	for _, i := range all {
		fmt.Fprintf(w, "| %d | %.2f | %.1f | %.1f | %.0f |\n", i.instances, i.processor, i.rss, i.pss, i.pss*float64(i.instances))
	}
}
