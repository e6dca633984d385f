package relay

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"github.com/berth-dev/berth/proxy"
	"github.com/berth-dev/berth/proxy/projectlist"
)

// HostOptions configures a [Host]. Name and Command are required.
type HostOptions struct {
	Name      string
	Command   []string // runs berth relay there; the program first
	Autostart bool     // calls may start stopped projects there
	Logins    Logins
	Idle      time.Duration // how long the command is kept without a request; 0: 15 minutes
}

// Host is another machine: the near side of its relay. It starts the command
// when it is needed and keeps it while calls come. It is a [proxy.Way], safe
// for concurrent use.
type Host struct {
	opts HostOptions

	mu       sync.Mutex
	current  *session // nil: none runs
	opening  *opening // nil: none begins
	failed   error    // of the last start; nil: it worked
	failures int      // in a row
	retry    time.Time
	known    []projectlist.Project // what ran there when it was asked last
	idle     *time.Timer           // closes current when it was not used for opts.Idle
}

// opening is a start that is under way.
type opening struct {
	began time.Time
	done  chan struct{} // closed when it has ended
	s     *session
	err   error
}

// Limits on the runs of a host's command.
const (
	defaultIdle = 15 * time.Minute
	firstRetry  = time.Second // after a failure, doubled each time, with jitter
	lastRetry   = time.Minute
	lastsLong   = 10 * time.Second // a run that ends sooner counts as a failed start
)

// NewHost returns a host. It starts nothing.
func NewHost(opts HostOptions) *Host {
	opts.Idle = cmp.Or(opts.Idle, defaultIdle)
	return &Host{opts: opts}
}

// Name returns the host's name.
func (h *Host) Name() string { return h.opts.Name }

// Command returns the command that runs the relay there.
func (h *Host) Command() []string { return h.opts.Command }

// Close ends the command.
func (h *Host) Close() {
	h.mu.Lock()
	s := h.current
	h.current = nil
	if h.idle != nil {
		h.idle.Stop()
	}
	h.mu.Unlock()
	if s != nil {
		_ = s.conn.Close()
	}
}

// session returns the running session, or starts one and waits for it. Many
// callers wait for the same start, which continues if one of them gives up. The
// caller must call done with it when it needs it no longer.
func (h *Host) session(ctx context.Context) (*session, error) {
	h.mu.Lock()
	if h.current != nil {
		defer h.mu.Unlock()
		h.useLocked(h.current)
		return h.current, nil
	}
	if wait := time.Until(h.retry); h.opening == nil && wait > 0 {
		defer h.mu.Unlock()
		return nil, h.unreached(fmt.Errorf("%w (the next try is in %v)", h.failed, wait.Round(100*time.Millisecond)))
	}
	o := h.opening
	if o == nil {
		o = &opening{began: time.Now(), done: make(chan struct{})}
		h.opening = o
		go h.open(o)
	}
	h.mu.Unlock()
	select {
	case <-o.done:
		if o.err != nil {
			return nil, o.err
		}
		h.mu.Lock()
		defer h.mu.Unlock()
		h.useLocked(o.s)
		return o.s, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// useLocked keeps a session from being closed as idle.
func (h *Host) useLocked(s *session) {
	s.uses++
	if h.current == s {
		h.idle.Stop()
	}
}

// done ends a use of a session. A stream of events or a call that takes long is
// a use for as long as it lasts.
func (h *Host) done(s *session) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if s.uses--; s.uses == 0 && h.current == s {
		h.idle.Reset(h.opts.Idle)
	}
}

// closeIdle ends the command unless it is used again.
func (h *Host) closeIdle() {
	h.mu.Lock()
	used := h.current == nil || h.current.uses > 0
	h.mu.Unlock()
	if !used {
		h.Close()
	}
}

// longestQueue bounds the wait for other logins.
const longestQueue = 3 * time.Minute

// open starts the command.
func (h *Host) open(o *opening) {
	ctx, cancel := context.WithTimeout(context.Background(), longestQueue)
	defer cancel()
	var s *session
	leave, err := h.opts.Logins.enter(ctx)
	if err == nil {
		s, err = open(ctx, h.opts.Command)
		leave()
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	defer close(o.done)
	h.opening = nil
	if err != nil {
		h.failLocked(err)
		o.err = h.unreached(err)
		return
	}
	o.s, h.current, h.failed = s, s, nil
	h.idle = time.AfterFunc(h.opts.Idle, h.closeIdle)
	began := time.Now()
	go func() {
		<-s.conn.closed
		h.lost(s, time.Since(began))
	}()
}

// failLocked puts the next start off.
func (h *Host) failLocked(err error) {
	h.failed = err
	pause := min(firstRetry<<min(h.failures, 10), lastRetry)
	h.failures++
	h.retry = time.Now().Add(pause/2 + rand.N(pause))
}

// lost forgets a session that has ended. One that lasted is started again by the
// next call.
func (h *Host) lost(s *session, lasted time.Duration) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if lasted >= lastsLong {
		h.failures = 0
	}
	if h.current != s {
		return // closed by this side
	}
	h.current = nil
	h.idle.Stop()
	if h.failures > 0 {
		h.failLocked(fmt.Errorf("the connection was lost after %v", lasted.Round(time.Millisecond)))
		return
	}
	if lasted < lastsLong {
		h.failures = 1 // the next short one counts
	}
}

func (h *Host) unreached(cause error) error { return &proxy.WayError{Host: h.opts.Name, Cause: cause} }

// soon reports whether the host may answer soon: it runs, or its start has just
// begun or can begin.
func (h *Host) soon(within time.Duration) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	switch {
	case h.current != nil:
		return true
	case h.opening != nil:
		return time.Since(h.opening.began) < within
	}
	return !time.Now().Before(h.retry)
}

// Serves reports whether h is what these settings of its host describe.
func (h *Host) Serves(command []string, autostart bool) bool {
	return slices.Equal(h.opts.Command, command) && h.opts.Autostart == autostart
}
