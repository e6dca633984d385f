package cli

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

// encounter decides about an instance that a newcomer finds: it asks it to
// hand over, or returns an error to leave it alone.
type encounter func(context.Context, *wire.Instance) (*proxy.Handover, error)

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
// The handover that comes back, nil where nobody was there, is to be
// confirmed once this process serves, or closed.
func (l *link) takeOver(ctx context.Context, root string, meet encounter) (*session.Store, *proxy.Handover, error) {
	ctx, cancel := context.WithTimeout(ctx, takeoverLimit)
	defer cancel()
	var handover *proxy.Handover
	state, err := l.takeState(ctx, root, func(ctx context.Context, inst *wire.Instance) error {
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
func (l *link) takeState(ctx context.Context, root string, meet func(context.Context, *wire.Instance) error) (*session.Store, error) {
	var met wire.Instance // the last one
	deadline := time.Now().Add(handoverWait)
	for contended := false; ; contended = true {
		state, err := session.OpenStore(l.home.StateDir(root))
		if err == nil {
			if contended {
				l.awaitVacated(ctx, root)
			}
			return state, nil
		}
		var locked *session.LockedError
		if !errors.As(err, &locked) {
			return nil, err
		}
		if inst := l.live(ctx, root); inst != nil && !inst.Token.Equal(met.Token) {
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
			return nil, inTheWay(root, locked.PID, nil)
		}
	}
}

// servedError says that an instance was met and left alone.
type servedError struct{ *wire.Instance }

func (e servedError) Error() string { return fmt.Sprintf("process %d serves the project", e.PID) }

// leaveAlone is the encounter of a newcomer that is not to replace anyone.
func leaveAlone(_ context.Context, inst *wire.Instance) (*proxy.Handover, error) {
	return nil, servedError{inst}
}

// askHandover asks the instance of a project to make room. It is answered
// when the state and the port are free. A connection that breaks instead is
// no answer: the instance may have ended by itself or for another newcomer,
// and the lock tells.
func (l *link) askHandover(ctx context.Context, root string, pid int) (*proxy.Handover, error) {
	ctx, cancel := context.WithTimeout(ctx, handoverWait)
	defer cancel()
	handover, err := l.client.TakeOver(ctx, root)
	var refused *proxy.RefusedError
	switch {
	case err == nil:
		return handover, nil
	case errors.Is(err, proxy.ErrNotRunning):
		return nil, nil
	case errors.As(err, &refused):
		return nil, inTheWay(root, pid, refused)
	case errors.Is(ctx.Err(), context.Canceled):
		return nil, ctx.Err()
	case ctx.Err() != nil, errors.Is(err, proxy.ErrNoAnswer):
		return nil, inTheWay(root, pid, nil)
	default:
		return nil, nil
	}
}

func inTheWay(root string, pid int, cause error) error {
	who := "another process"
	if pid > 0 {
		who = fmt.Sprintf("process %d", pid)
	}
	return &failure{code: exitBusy, cause: cause,
		text: fmt.Sprintf("%s serves %s and does not hand over", who, root),
		hint: "end it with: berth stop --force " + proxy.ShellWord(root)}
}

// live is the instance of a project that has just proven itself, or nil.
func (l *link) live(ctx context.Context, root string) *wire.Instance {
	port, ok, err := l.store.Lookup(root)
	if err != nil || !ok {
		return nil
	}
	if state, inst := l.client.Probe(ctx, root, port); state == proxy.Live {
		return inst
	}
	return nil
}

// awaitVacated waits for a predecessor that has given its state up and is
// about to free its port, so that the port is had again. The instance file is
// gone a moment before the port is free: only the port tells.
func (l *link) awaitVacated(ctx context.Context, root string) {
	ctx, cancel := context.WithTimeout(ctx, vacateWait)
	defer cancel()
	for {
		port, ok, err := l.store.Lookup(root)
		if err != nil || !ok {
			return
		}
		if state, _ := l.client.Probe(ctx, root, port); state == proxy.Stale {
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
