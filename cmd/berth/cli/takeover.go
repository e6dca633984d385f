package cli

import (
	"context"
	"errors"
	"fmt"
	"net/http"
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

// takeOver gets the project's state for this process. Whoever holds it is
// asked, proven, to hand over; its lock is what decides, so two processes
// never write one project's state.
//
//	newcomer                          predecessor
//	   │ open state: locked               │
//	   │ POST /handover ────────────────▶ │ finish calls, close state, free port
//	   │ ◀─────────────────────────── 200 │ exit
//	   │ open state, claim the same port
func (l *link) takeOver(ctx context.Context, root string, say func(string)) (*session.Store, error) {
	ctx, cancel := context.WithTimeout(ctx, takeoverLimit)
	defer cancel()
	var asked wire.Instance // the last one asked
	deadline := time.Now().Add(handoverWait)
	for {
		state, err := session.OpenStore(l.home.StateDir(root))
		if err == nil {
			l.awaitVacated(ctx, root)
			return state, nil
		}
		var locked *session.LockedError
		if !errors.As(err, &locked) {
			return nil, err
		}
		if inst := l.live(ctx, root); inst != nil && !inst.Token.Equal(asked.Token) {
			asked, deadline = *inst, time.Now().Add(handoverWait)
			say(fmt.Sprintf("taking over from process %d", inst.PID))
			if err := l.askHandover(ctx, root, inst.PID); err != nil {
				return nil, err
			}
			continue
		}
		if err := pause(ctx, takeoverPause); err != nil || time.Now().After(deadline) {
			return nil, inTheWay(root, locked.PID, nil)
		}
	}
}

// askHandover asks the instance of a project to make room. It is answered
// when the state and the port are free. One that ends by itself meanwhile
// made room too.
func (l *link) askHandover(ctx context.Context, root string, pid int) error {
	ctx, cancel := context.WithTimeout(ctx, handoverWait)
	defer cancel()
	err := l.client.Do(ctx, root, http.MethodPost, "/handover", nil, nil)
	if err == nil || errors.Is(err, proxy.ErrNotRunning) {
		return nil
	}
	if refused := (*proxy.RefusedError)(nil); errors.As(err, &refused) {
		return inTheWay(root, pid, refused)
	}
	return inTheWay(root, pid, nil)
}

func inTheWay(root string, pid int, cause error) error {
	who := "another process"
	if pid > 0 {
		who = fmt.Sprintf("process %d", pid)
	}
	return &failure{code: exitBusy, cause: cause,
		text: fmt.Sprintf("%s serves %s and does not hand over", who, root),
		hint: "end it with: berth stop --force " + root}
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
// about to free its port, so that the port is had again.
func (l *link) awaitVacated(ctx context.Context, root string) {
	ctx, cancel := context.WithTimeout(ctx, vacateWait)
	defer cancel()
	for l.live(ctx, root) != nil {
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
