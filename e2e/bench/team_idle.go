package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"

	"github.com/berth-dev/berth/designer/journal"
	"github.com/berth-dev/berth/designer/journal/stream"
)

// perDesign is how many instances follow one design, where so many are idle.
const perDesign = 100

// idleTime is how long the broker's messages are counted.
const idleTime = 30 * time.Second

// idleSizes are the numbers of instances that one broker has.
func (b *bench) idleSizes() []int {
	if b.short {
		return []int{10, 100}
	}
	return []int{100, 1_000, 10_000}
}

// idle measures what instances cost a broker that only follow their designs:
// connections of the product's own package, all in this process.
func (b *bench) idle(ctx context.Context, server program, _ []byte) (string, error) {
	var text strings.Builder
	fmt.Fprintf(&text, "### Idle instances\n\nInstances that follow a design, %d each, and are told nothing. Their connections are those that berth makes, in one process.\n\n"+
		"| instances | designs | connections | messages a second, to and from the broker | the broker's CPU, %% of a core | RSS of the broker, MiB | to ask who is there, ms | answers |\n| --- | --- | --- | --- | --- | --- | --- | --- |\n", perDesign)
	for _, n := range b.idleSizes() {
		b.say("%s idle instances", thousands(n))
		row, err := b.idleRow(ctx, server, n)
		if err != nil {
			return text.String(), fmt.Errorf("%d idle instances: %w", n, err)
		}
		fmt.Fprintln(&text, row)
	}
	return text.String(), nil
}

func (b *bench) idleRow(ctx context.Context, server program, n int) (string, error) {
	at, err := startBroker(ctx, server, b.dir)
	if err != nil {
		return "", err
	}
	defer at.stop()
	ctx, cancel := context.WithCancel(ctx)
	var following sync.WaitGroup
	defer following.Wait()
	defer cancel()
	designs := max(1, n/perDesign)
	for i := range n {
		if err := follow(ctx, &following, at.url, fmt.Sprint("d", i%designs), fmt.Sprint("p", i), i < designs); err != nil {
			return "", err
		}
	}
	before, err := at.status(ctx)
	if err != nil {
		return "", err
	}
	cpu, _ := processorTime(at.pid)
	began := time.Now()
	select {
	case <-time.After(idleTime):
	case <-ctx.Done():
		return "", ctx.Err()
	}
	after, err := at.status(ctx)
	if err != nil {
		return "", err
	}
	took := time.Since(began).Seconds()
	used, _ := processorTime(at.pid)
	mib, _ := residentMiB(at.pid)
	asks, err := stream.Dial(ctx, stream.Options{URL: at.url, User: "asks"})
	if err != nil {
		return "", err
	}
	defer asks.Close()
	asked := time.Now()
	there, err := asks.Who(ctx, "d0", nil)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("| %s | %s | %s | %.0f | %.1f | %.0f | %.0f | %d |", thousands(n), thousands(designs), thousands(after.Connections-1),
		float64(after.messages()-before.messages())/took, 100*(used-cpu).Seconds()/took, mib, millis(time.Since(asked)), len(there)), nil
}

// follow has one instance follow a design, until ctx ends. The first of a
// design makes it.
func follow(ctx context.Context, jobs *sync.WaitGroup, url, design, person string, first bool) error {
	t, err := stream.Dial(ctx, stream.Options{URL: url, User: person})
	if err != nil {
		return err
	}
	jobs.Go(func() { <-ctx.Done(); t.Close() })
	var j *stream.Journal
	if first {
		j, err = t.Create(ctx, design, 1, uuid.NewString(), []byte("{}"))
	} else {
		j, err = t.Open(ctx, design)
	}
	if err != nil {
		return err
	}
	if _, err := t.Answer(design, func() stream.Present { return stream.Present{Person: person, Machine: "bench", Project: design} }, nil); err != nil {
		return err
	}
	there := make(chan error, 2)
	jobs.Go(func() {
		there <- j.Follow(ctx, journal.Position{}, func(journal.Entry) error { there <- nil; return nil })
	})
	return errors.Join(<-there, ctx.Err())
}

// brokerStatus is what of its monitoring page counts here.
type brokerStatus struct {
	Connections int
	InMsgs      int64 `json:"in_msgs"`
	OutMsgs     int64 `json:"out_msgs"`
}

func (s brokerStatus) messages() int64 { return s.InMsgs + s.OutMsgs }

func (b *broker) status(ctx context.Context) (s brokerStatus, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, b.monitor+"/varz", nil)
	if err != nil {
		return s, err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return s, err
	}
	defer resp.Body.Close()
	return s, json.NewDecoder(resp.Body).Decode(&s)
}
