// Package lane bounds how many tasks of a kind run at once, so that tasks of
// another kind, in another lane, never wait behind them. If its lane is full, a
// task waits for a bounded time in order of arrival and is then refused with an
// error that names what runs.
//
//	place, err := queries.Enter(ctx, "SELECT …") ─▶ err is a [*FullError]: nothing was done
//	defer place.Leave()
//
// Start with [New]. A lane runs nothing itself and knows nothing about
// databases or connections.
package lane

import (
	"context"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/semaphore"
)

// Options configures a [Lane]. All fields except Waiting are required.
type Options struct {
	Places  int // tasks that run at once
	Waiting int // tasks that wait at once; one more is refused at once
	// Patience is how long a task waits while no other leaves; Longest is how
	// long it waits in a lane that moves.
	Patience, Longest time.Duration
}

// Lane admits tasks. It is safe for concurrent use.
type Lane struct {
	opts   Options
	places *semaphore.Weighted // first come, first served

	mu      sync.Mutex
	running map[*Place]struct{}
	waiting int
	moved   time.Time // when a task left last
}

// New returns an empty lane.
func New(opts Options) *Lane {
	return &Lane{opts: opts, places: semaphore.NewWeighted(int64(opts.Places)), running: map[*Place]struct{}{}}
}

// Place is a task's place in a lane. Leave releases it.
type Place struct {
	Waited time.Duration // for this place

	lane  *Lane
	what  string
	since time.Time
	once  sync.Once
}

// Enter waits for a place for a task. what describes the task in the error of
// tasks that are refused while it runs. The error is a [*FullError], or ctx's
// cause.
func (l *Lane) Enter(ctx context.Context, what string) (*Place, error) {
	if place := l.TryEnter(what); place != nil {
		return place, nil
	}
	start := time.Now()
	if !l.queue() {
		return nil, l.full(0)
	}
	defer l.unqueue()
	waiting, giveUp := context.WithCancel(ctx)
	defer giveUp()
	acquired := make(chan error, 1)
	go func() { acquired <- l.places.Acquire(waiting, 1) }()
	again := time.NewTimer(l.opts.Patience)
	defer again.Stop()
	for {
		select {
		case err := <-acquired:
			switch {
			case err == nil:
				return l.taken(what, time.Since(start)), nil
			case ctx.Err() != nil:
				return nil, context.Cause(ctx)
			}
			return nil, l.full(time.Since(start))
		case <-again.C:
			if left := l.patience(start); left > 0 {
				again.Reset(left)
			} else {
				giveUp()
			}
		}
	}
}

// TryEnter is Enter for a task that does not wait: it returns nil if no place is
// free or others wait for one.
func (l *Lane) TryEnter(what string) *Place {
	if !l.places.TryAcquire(1) {
		return nil
	}
	return l.taken(what, 0)
}

// Leave gives the place to the next task. Only the first call counts.
func (p *Place) Leave() {
	p.once.Do(func() {
		p.lane.mu.Lock()
		delete(p.lane.running, p)
		p.lane.moved = time.Now()
		p.lane.mu.Unlock()
		p.lane.places.Release(1)
	})
}

func (l *Lane) taken(what string, waited time.Duration) *Place {
	p := &Place{Waited: waited, lane: l, what: what, since: time.Now()}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.running[p] = struct{}{}
	return p
}

func (l *Lane) queue() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.waiting >= l.opts.Waiting {
		return false
	}
	l.waiting++
	return true
}

func (l *Lane) unqueue() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.waiting--
}

// patience returns how much longer a task that has waited since start waits
// at least.
func (l *Lane) patience(start time.Time) time.Duration {
	l.mu.Lock()
	moved := l.moved
	l.mu.Unlock()
	if moved.Before(start) {
		moved = start
	}
	return min(time.Until(moved.Add(l.opts.Patience)), time.Until(start.Add(l.opts.Longest)))
}

// full returns the error for a task that was refused.
func (l *Lane) full(waited time.Duration) *FullError {
	l.mu.Lock()
	defer l.mu.Unlock()
	e := &FullError{Waited: waited, Places: l.opts.Places, Waiting: l.waiting}
	for p := range l.running {
		e.Running = append(e.Running, Task{What: p.what, For: time.Since(p.since)})
	}
	slices.SortFunc(e.Running, func(a, b Task) int { return int(b.For - a.For) })
	return e
}
