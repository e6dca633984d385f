package proxy

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/berth-dev/berth/proxy/wire"
)

// patience is how many times longer than a new connection an instance may
// take for the proof when a call is already in progress.
const patience = 4

// errHung is an instance that took a call and then stopped answering anybody.
var errHung = fmt.Errorf("%w: it stopped while a call was in progress", ErrNoAnswer)

// silence is one call that is in progress. Connections are proven when they
// are made, and a process that stops later leaves them open: without a look
// from time to time, its calls would hang until they time out.
type silence struct {
	last   atomic.Int64 // when the call was last heard of, in Unix nanoseconds
	cancel context.CancelCauseFunc
	stop   func()
	over   bool // guarded by the lookout's mu
}

// heard notes a sign of life.
func (s *silence) heard() { s.last.Store(time.Now().UnixNano()) }

// since reports how long the call has been silent.
func (s *silence) since() time.Duration { return time.Since(time.Unix(0, s.last.Load())) }

// watch returns a context for a call to p that ends when the call has been
// silent and p fails to prove itself; its cause wraps the failure. The stop of
// the silence ends the watch and must be called.
func (p *peer) watch(ctx context.Context) (context.Context, *silence) {
	ctx, cancel := context.WithCancelCause(ctx)
	s := &silence{cancel: cancel}
	s.heard()
	// A timer and not a goroutine: almost every call ends before it fires.
	timer := time.AfterFunc(p.opts.SilenceCheck, func() { p.lookout.add(s) })
	s.stop = func() {
		timer.Stop()
		p.lookout.remove(s)
		cancel(nil)
	}
	return ctx, s
}

// lookout looks after the calls to one peer that have been silent for a
// while: one look for all of them, and none while there are none.
type lookout struct {
	inst wire.Instance
	opts Options

	mu     sync.Mutex
	silent map[*silence]struct{}
	end    context.CancelFunc // of looking; nil: nobody looks
}

func newLookout(inst wire.Instance, opts Options) *lookout {
	return &lookout{inst: inst, opts: opts, silent: map[*silence]struct{}{}}
}

func (l *lookout) add(s *silence) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if s.over {
		return // in the moment the timer fired
	}
	l.silent[s] = struct{}{}
	if l.end == nil {
		ctx, cancel := context.WithCancel(context.Background())
		l.end = cancel
		go l.look(ctx)
	}
}

func (l *lookout) remove(s *silence) {
	l.mu.Lock()
	defer l.mu.Unlock()
	s.over = true
	delete(l.silent, s)
	if len(l.silent) == 0 && l.end != nil {
		l.end()
		l.end = nil
	}
}

// look checks on the instance until ctx ends, which it does with the last
// call. An instance that accepts connections and stays silent hangs. One that
// does not listen any more may be ending, and end its calls before it does,
// so it has longer.
func (l *lookout) look(ctx context.Context) {
	tick := time.NewTicker(l.opts.SilenceCheck)
	defer tick.Stop()
	var gone time.Time // since when it does not listen; zero: it does
	for {
		began := time.Now()
		err := l.prove(ctx)
		switch {
		case ctx.Err() != nil:
			return
		case err == nil:
			gone = time.Time{}
		case errors.Is(err, ErrNoAnswer):
			l.giveUp(fmt.Errorf("%w: %w", errHung, err), time.Since(began))
		case gone.IsZero():
			gone = began
		case time.Since(gone) >= l.opts.GoneTimeout:
			l.giveUp(fmt.Errorf("%w: %w", errHung, err), time.Since(gone))
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

func (l *lookout) prove(ctx context.Context) error {
	limit := patience * l.opts.ProofTimeout
	conn, err := dialProven(ctx, l.inst, limit, limit)
	if err == nil {
		conn.Close()
	}
	return err
}

// giveUp ends the calls that have been silent for as long as the instance.
func (l *lookout) giveUp(cause error, silent time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for s := range l.silent {
		if s.since() >= silent {
			s.cancel(cause)
		}
	}
}
