package serve

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"time"

	"github.com/berth-dev/berth/designer/page"
	"github.com/berth-dev/berth/designer/session"
	"github.com/berth-dev/berth/portmap"
	"github.com/berth-dev/berth/proxy"
	"github.com/berth-dev/berth/proxy/instance"
	"github.com/berth-dev/berth/proxy/peer"
	"github.com/berth-dev/berth/proxy/projectroot"
	"github.com/berth-dev/berth/proxy/wire"
)

// Waits around the life of an instance.
const (
	readyWait   = 10 * time.Second
	readyPause  = time.Millisecond
	releaseWait = 5 * time.Second
	settleTime  = time.Second // that a successor serves before its predecessor ends
	againLimit  = time.Minute // for serving again while the port map is locked
)

// Run serves a project until it is over: where a successor that was let in
// never served, this process serves again. It returns how the instance ended;
// [projectroot.ErrReplaced] where another folder is at the project's path, for
// which everything must be opened again; an [AlreadyServedError] where it left the
// instance of another process alone; an [NotHandedOverError] where another process
// does not make room.
func Run(ctx context.Context, opts Options) (instance.Outcome, error) {
	r := run{opts}
	t, err := r.once(ctx, r.meeting())
	if errors.As(err, new(AlreadyServedError)) {
		return instance.Failed, err
	}
	for t.outcome == instance.HandedOver {
		again, cause := r.standBy(ctx, t.successor)
		err = errors.Join(err, cause)
		if !again {
			break
		}
		r.Logger.Info("serving again: the process that asked to take over does not serve", "cause", err)
		t, err = r.again(ctx)
	}
	if t.outcome == instance.Replaced || t.outcome == instance.Gone {
		if err != nil { // such as designs' files that were due in a folder that is gone: the state has them
			r.Logger.Warn("left the folder behind", "cause", err)
		}
		err = nil
	}
	if t.outcome == instance.Replaced {
		err = projectroot.ErrReplaced
	}
	return t.outcome, err
}

// tenureResult is how one process's time as a project's instance ended.
type tenureResult struct {
	outcome   instance.Outcome
	successor net.Conn // see [instance.Server.Successor]
}

// once serves the project until something ends it. The order is what keeps it
// safe: the project's state is taken first and given up last, so of two
// processes only one claims a port for the project, or gives it back.
func (r run) once(ctx context.Context, meet takeoverPolicy) (tenureResult, error) {
	state, handover, err := r.takeOver(ctx, meet)
	if err != nil {
		return tenureResult{}, err
	}
	defer handover.Close()
	return r.serveState(ctx, state, handover)
}

// again is once after a handover that came to nothing. It leaves the process
// that serves by now alone, and waits for a map that is locked.
func (r run) again(ctx context.Context) (tenureResult, error) {
	if set, err := r.Load(); err == nil {
		r.Settings = set
	}
	for limit := time.Now().Add(againLimit); ; {
		t, err := r.once(ctx, leaveAlone)
		if errors.As(err, new(AlreadyServedError)) {
			return tenureResult{outcome: instance.HandedOver}, nil // standBy sees it
		}
		if !errors.Is(err, portmap.ErrLocked) || ctx.Err() != nil || time.Now().After(limit) {
			return t, err
		}
	}
}

// serveState claims a port, serves the project on it and gives both back: the
// port in the map first, while the state still keeps every successor out.
func (r run) serveState(ctx context.Context, state *session.Store, handover *proxy.Handover) (tenureResult, error) {
	claim, err := r.Store.Claim(ctx, r.Root)
	if err != nil {
		return tenureResult{}, errors.Join(err, state.Close())
	}
	p, err := r.open(state, claim)
	if err != nil {
		return tenureResult{}, errors.Join(err, claim.Listener.Close(), r.release(ctx, claim), state.Close())
	}
	outcome, err := r.serve(ctx, p.server, claim, handover)
	if outcome != instance.HandedOver { // then the entry is the successor's
		err = errors.Join(err, r.release(ctx, claim))
	}
	return tenureResult{outcome, p.server.Successor()}, errors.Join(err, p.close())
}

// meeting is what to do with an instance that is there already. It is left
// alone by a newcomer that could not take its place: one instance that only
// reads, say, is better than none.
func (r run) meeting() takeoverPolicy {
	if r.UnlessRunning {
		return leaveAlone
	}
	return func(ctx context.Context, inst *wire.Instance) (*proxy.Handover, error) {
		if err := r.ready(ctx); err != nil {
			return nil, fmt.Errorf("process %d keeps serving %s: %w", inst.PID, r.Root, err)
		}
		if r.TakingOver != nil {
			r.TakingOver(inst.PID)
		}
		return r.askHandover(ctx, inst.PID)
	}
}

// ready returns why this process could not serve the project if it had the
// state and the port: all that can be known while another has them.
func (r run) ready(ctx context.Context) error {
	if err := r.Store.Writable(); err != nil {
		return err
	}
	if err := session.Readable(r.Home.StateDir(r.Root)); err != nil {
		return err
	}
	if _, err := page.New(page.Options{FrameAncestors: r.Settings.Page.FrameAncestors}); err != nil {
		return fmt.Errorf("setting page.frameAncestors: %w", err)
	}
	return r.Store.Claimable(ctx)
}

// release gives the port back in the map, also when ctx has ended.
func (r run) release(ctx context.Context, claim *portmap.Claim) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), releaseWait)
	defer cancel()
	_, err := r.Store.Release(ctx, claim.Root, claim.Port)
	return err
}

// serve serves until the end and announces the instance when it answers. A
// predecessor may end once this one has served for a moment, or was ended.
func (r run) serve(ctx context.Context, server *instance.Server, claim *portmap.Claim, handover *proxy.Handover) (instance.Outcome, error) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	var outcome instance.Outcome
	var failed error
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		defer stop() // nobody need wait for the answer of one that has ended
		outcome, failed = server.Serve(ctx)
	}()
	err := r.awaitLive(ctx, claim)
	if err == nil {
		r.Logger.Info("serving", "port", claim.Port)
		err = r.Ready(wire.Served{ProjectRoot: r.Root, Port: claim.Port, URL: server.URL(), PID: os.Getpid()})
	}
	if err != nil && ctx.Err() == nil { // it serves, and nobody would learn where
		stop()
		<-ended
		return instance.Failed, errors.Join(err, failed)
	}
	settled := time.AfterFunc(settleTime, handover.Confirm)
	defer settled.Stop()
	<-ended
	if outcome != instance.Failed {
		handover.Confirm()
	}
	r.Logger.Info("stopped serving", "port", claim.Port, "outcome", outcome.String())
	return outcome, failed
}

// silent returns why the instance does not answer. An instance that has too few
// descriptors to find out whose connections it gets refuses them all.
func silent(port int) error {
	err := fmt.Errorf("the instance on port %d does not answer", port)
	if cause := peer.Probe(); cause != nil && !errors.Is(cause, peer.ErrUnreported) {
		return fmt.Errorf("%w: %w", err, cause)
	}
	return err
}

// awaitLive waits until the instance proves itself, as a front-end would ask.
func (r run) awaitLive(ctx context.Context, claim *portmap.Claim) error {
	ctx, cancel := context.WithTimeout(ctx, readyWait)
	defer cancel()
	for {
		if state, _ := r.Client.Probe(ctx, claim.Root, claim.Port); state == proxy.Live {
			return nil
		}
		if pause(ctx, readyPause) != nil {
			return silent(claim.Port)
		}
	}
}
