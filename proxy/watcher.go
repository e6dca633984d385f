package proxy

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/berth-dev/berth/proxy/wire"
	"github.com/berth-dev/berth/tools/lane"
)

// patience is how many times longer than a new connection an instance may
// take for the proof when a call is already in progress.
const patience = 4

// errHung is the error for an instance that took a call and then stopped
// answering.
var errHung = fmt.Errorf("%w: it stopped while a call was in progress", ErrNoAnswer)

// pendingCall is a call that is in progress. Connections are proven when they are
// made, but a process that stops later leaves them open: unless the instance is
// checked from time to time, its calls hang until they time out.
type pendingCall struct {
	last   atomic.Int64 // time of the last sign of life, as a time.Duration since epoch
	cancel context.CancelCauseFunc
	stop   func()
	over   bool // guarded by the watcher's mu
}

// epoch is what signs of life are measured from: a number of its own keeps no
// monotonic reading, and a clock that is set must end no call and keep none.
var epoch = time.Now()

// heard records a sign of life.
func (s *pendingCall) heard() { s.last.Store(int64(time.Since(epoch))) }

// since returns how long the call has been silent.
func (s *pendingCall) since() time.Duration { return time.Since(epoch) - time.Duration(s.last.Load()) }

// watch returns a context for a call to p. It is canceled if the call has been
// silent and p fails to prove its identity; the cause wraps that failure. The
// caller must call stop on the pendingCall.
func (p *peer) watch(ctx context.Context) (context.Context, *pendingCall) {
	ctx, cancel := context.WithCancelCause(ctx)
	s := &pendingCall{cancel: cancel}
	s.heard()
	// Almost every call ends before.
	early := p.watcher.late.AfterFunc(func() { p.watcher.add(s) })
	s.stop = func() {
		if !early() {
			p.watcher.remove(s)
		}
		cancel(nil)
	}
	return ctx, s
}

// watcher checks the instance of one peer while calls to it have been silent for
// a while. One check serves all of them, and there are none while no call is
// silent.
type watcher struct {
	inst wire.Instance
	opts Options
	late *lane.Timers // of calls that have run for SilenceCheck

	mu     sync.Mutex
	silent map[*pendingCall]struct{}
	end    context.CancelFunc // of run; nil: not running
}

func newWatcher(inst wire.Instance, opts Options) *watcher {
	return &watcher{inst: inst, opts: opts, late: lane.NewTimers(opts.SilenceCheck), silent: map[*pendingCall]struct{}{}}
}

func (l *watcher) add(s *pendingCall) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if s.over {
		return // the call ended while the timer fired
	}
	l.silent[s] = struct{}{}
	if l.end == nil {
		ctx, cancel := context.WithCancel(context.Background())
		l.end = cancel
		go l.run(ctx)
	}
}

func (l *watcher) remove(s *pendingCall) {
	l.mu.Lock()
	defer l.mu.Unlock()
	s.over = true
	delete(l.silent, s)
	if len(l.silent) == 0 && l.end != nil {
		l.end()
		l.end = nil
	}
}

// run checks the instance until ctx is done, which is when no silent call is
// left. An instance that accepts connections but does not answer hangs. One that
// no longer listens may be shutting down and still answer its calls, so it gets
// more time.
func (l *watcher) run(ctx context.Context) {
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

func (l *watcher) prove(ctx context.Context) error {
	limit := patience * l.opts.ProofTimeout
	conn, _, err := dialProven(ctx, l.inst, limit, limit)
	if err == nil {
		conn.Close()
	}
	return err
}

// giveUp cancels the calls that have been silent for as long as the instance.
func (l *watcher) giveUp(cause error, silent time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for s := range l.silent {
		if s.since() >= silent {
			s.cancel(cause)
		}
	}
}
