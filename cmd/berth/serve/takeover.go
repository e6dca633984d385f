package serve

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/berth-dev/berth/designer/session"
	"github.com/berth-dev/berth/proxy"
	"github.com/berth-dev/berth/proxy/wire"
)

// Waits of a newcomer. The instance that hands over may finish calls for
// longer than a moment, but not for longer than a person would wait.
const (
	handoverWait  = 3 * time.Second        // for one predecessor
	takeoverLimit = 10 * time.Second       // for all of them, should several start at once
	takeoverPause = 20 * time.Millisecond  // between two tries at the state
	vacateWait    = 500 * time.Millisecond // for a predecessor's port
	vacatePause   = 2 * time.Millisecond
)

// takeoverPolicy decides about an instance that a newcomer finds: it asks it to
// hand over, or returns an error to leave it alone.
type takeoverPolicy func(context.Context, *wire.Instance) (*proxy.Handover, error)

// takeOver gets the project's state for this process. Whoever holds it is
// asked, proven, to hand over; its lock is what decides, so two processes
// never write one project's state.
//
//	newcomer                          predecessor
//	   │ all that can be tried before     │
//	   │ open state: locked               │
//	   │ POST /handover ────────────────▶ │ finish calls, close state, free port
//	   │ ◀─────────────────────────── 101 │ stand by
//	   │ open state, claim the same port  │
//	   │ serve, for a moment              │
//	   │ "serving" ─────────────────────▶ │ exit
//	   ╳ the connection breaks ─────────▶ │ serve again
//
// The handover that it returns, nil where nobody was there, must be confirmed
// once this process serves, or closed.
func (r run) takeOver(ctx context.Context, meet takeoverPolicy) (*session.Store, *proxy.Handover, error) {
	ctx, cancel := context.WithTimeout(ctx, takeoverLimit)
	defer cancel()
	var handover *proxy.Handover
	state, err := r.takeState(ctx, func(ctx context.Context, inst *wire.Instance) error {
		handover.Close() // of one that ended before: this instance has come since
		var err error
		handover, err = meet(ctx, inst)
		return err
	})
	if err != nil {
		handover.Close()
		return nil, nil, err
	}
	return state, handover, nil
}

// takeState opens the project's state. meet sees each instance that holds it
// once.
func (r run) takeState(ctx context.Context, meet func(context.Context, *wire.Instance) error) (*session.Store, error) {
	var met wire.Instance // the last one
	deadline := time.Now().Add(handoverWait)
	for contended := false; ; contended = true {
		state, err := session.OpenStore(r.Home.StateDir(r.Root))
		if err == nil {
			if contended {
				r.awaitVacated(ctx)
			}
			return state, nil
		}
		var locked *session.LockedError
		if !errors.As(err, &locked) {
			return nil, err
		}
		if inst := r.live(ctx); inst != nil && !inst.Token.Equal(met.Token) {
			met, deadline = *inst, time.Now().Add(handoverWait)
			if err := meet(ctx, inst); err != nil {
				return nil, err
			}
			continue
		}
		err = pause(ctx, takeoverPause)
		if errors.Is(err, context.Canceled) {
			return nil, err
		}
		if err != nil || time.Now().After(deadline) {
			return nil, &NotHandedOverError{r.Root, locked.PID, nil}
		}
	}
}

// AlreadyServedError says that an instance was found and left alone.
type AlreadyServedError struct{ *wire.Instance }

func (e AlreadyServedError) Error() string {
	return fmt.Sprintf("process %d serves the project", e.PID)
}

// leaveAlone is the takeoverPolicy of a newcomer that must not replace anyone.
func leaveAlone(_ context.Context, inst *wire.Instance) (*proxy.Handover, error) {
	return nil, AlreadyServedError{inst}
}

// askHandover asks the instance of a project to make room. It is answered
// when the state and the port are free. A connection that breaks instead is
// no answer: the instance may have ended by itself or for another newcomer,
// and the lock decides.
func (r run) askHandover(ctx context.Context, pid int) (*proxy.Handover, error) {
	ctx, cancel := context.WithTimeout(ctx, handoverWait)
	defer cancel()
	handover, err := r.Client.TakeOver(ctx, r.Root)
	var refused *proxy.RefusedError
	switch {
	case err == nil:
		return handover, nil
	case errors.Is(err, proxy.ErrNotRunning):
		return nil, nil
	case errors.As(err, &refused):
		return nil, &NotHandedOverError{r.Root, pid, refused}
	case errors.Is(ctx.Err(), context.Canceled):
		return nil, ctx.Err()
	case ctx.Err() != nil, errors.Is(err, proxy.ErrNoAnswer):
		return nil, &NotHandedOverError{r.Root, pid, nil}
	default:
		return nil, nil
	}
}

// NotHandedOverError says that a process serves the project and does not hand over.
type NotHandedOverError struct {
	Root  string
	PID   int   // 0: it is not known
	Cause error // what the process answered; nil: nothing
}

func (e *NotHandedOverError) Error() string {
	who := "another process"
	if e.PID > 0 {
		who = fmt.Sprintf("process %d", e.PID)
	}
	text := fmt.Sprintf("%s serves %s and does not hand over", who, e.Root)
	if e.Cause != nil {
		text += ": " + e.Cause.Error()
	}
	return text
}

func (e *NotHandedOverError) Unwrap() error { return e.Cause }

// Hint is the command that ends the process.
func (e *NotHandedOverError) Hint() string {
	return "end it with: berth stop --force " + proxy.ShellWord(e.Root)
}

// live returns the instance of the project if it has just proven itself, else
// nil.
func (r run) live(ctx context.Context) *wire.Instance {
	port, ok, err := r.Store.Lookup(r.Root)
	if err != nil || !ok {
		return nil
	}
	if state, inst := r.Client.Probe(ctx, r.Root, port); state == proxy.Live {
		return inst
	}
	return nil
}

// awaitVacated waits for a predecessor that has given its state up and is
// about to free its port, so that this process gets the same port. The instance file is
// gone a moment before the port is free, so the port itself is probed.
func (r run) awaitVacated(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, vacateWait)
	defer cancel()
	for {
		port, ok, err := r.Store.Lookup(r.Root)
		if err != nil || !ok {
			return
		}
		if state, _ := r.Client.Probe(ctx, r.Root, port); state == proxy.Stale {
			return
		}
		if pause(ctx, vacatePause) != nil {
			return
		}
	}
}

// pause waits, or returns the error of a context that ends first.
func pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
