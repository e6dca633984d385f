package cli

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"time"

	"github.com/berth-dev/berth/designer/session"
	"github.com/berth-dev/berth/portmap"
	"github.com/berth-dev/berth/proxy"
	"github.com/berth-dev/berth/proxy/instance"
	"github.com/berth-dev/berth/proxy/wire"
	"github.com/berth-dev/berth/tools/settings"
)

// instanceOf is all that one run of berth serve is about.
type instanceOf struct {
	*link
	root     string
	settings *settings.Settings
	load     func() (*settings.Settings, error) // reads them again
	folders  []string                           // of their files
	desktop  bool                               // a person may see a browser here
	patience time.Duration                      // how long a plan waits for a person; 0: the ledger's own
	log      *slog.Logger
	calls    *slog.Logger // for the line a tool call leaves, which names no project
}

// Waits around the life of an instance.
const (
	readyWait   = 10 * time.Second
	readyPause  = time.Millisecond
	releaseWait = 5 * time.Second
)

// serve runs the instance of a project. The order is what keeps it safe:
// the project's state is taken first and given up last, so of two processes
// only one claims a port for the project, or gives it back.
func (a *app) serve(ctx context.Context, i instanceOf, flags serveFlags) error {
	state, err := i.takeOver(ctx, i.root, a.meeting(i, flags))
	if served := (servedError{}); errors.As(err, &served) {
		return a.announce(readyLine{i.root, served.Port, instanceURL(served.Port), served.PID}, flags)
	}
	if err != nil {
		return err
	}
	outcome, err := a.serveState(ctx, i, state, flags)
	if err == nil && !flags.json {
		_, err = fmt.Fprintf(a.sys.Stdout, "stopped serving %s: %s\n", i.root, outcome)
	}
	return err
}

// serveState claims a port, serves the project on it and gives both back: the
// port in the map first, while the state still keeps every successor out.
func (a *app) serveState(ctx context.Context, i instanceOf, state *session.Store, flags serveFlags) (instance.Outcome, error) {
	claim, err := i.store.Claim(ctx, i.root)
	if err != nil {
		return instance.Failed, errors.Join(err, state.Close())
	}
	w, err := i.wire(state, claim, flags.idle)
	if err != nil {
		return instance.Failed, errors.Join(err, claim.Listener.Close(), i.release(ctx, claim), state.Close())
	}
	outcome, err := a.run(ctx, i, w.server, claim, flags)
	if outcome != instance.HandedOver { // then the entry is the successor's
		err = errors.Join(err, i.release(ctx, claim))
	}
	return outcome, errors.Join(err, w.close())
}

// meeting is what to do with an instance that is there already. It is left
// alone by a newcomer that could not take its place, as on a full disk: one
// instance that only reads is better than none.
func (a *app) meeting(i instanceOf, flags serveFlags) func(context.Context, *wire.Instance) error {
	if flags.unlessRunning {
		return leaveAlone
	}
	return func(ctx context.Context, inst *wire.Instance) error {
		if err := i.store.Writable(); err != nil {
			return &failure{text: fmt.Sprintf("process %d goes on serving %s", inst.PID, i.root), cause: err}
		}
		if !flags.json {
			fmt.Fprintf(a.sys.Stdout, "taking over from process %d\n", inst.PID)
		}
		return i.askHandover(ctx, i.root, inst.PID)
	}
}

// release gives the port back in the map, also when ctx has ended.
func (i instanceOf) release(ctx context.Context, claim *portmap.Claim) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), releaseWait)
	defer cancel()
	_, err := i.store.Release(ctx, claim.Root, claim.Port)
	return err
}

// ending is how an instance ended.
type ending struct {
	outcome instance.Outcome
	err     error
}

// run serves until the end and announces the instance when it answers.
func (a *app) run(ctx context.Context, i instanceOf, server *instance.Server, claim *portmap.Claim, flags serveFlags) (instance.Outcome, error) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	ended := make(chan ending, 1)
	go func() {
		defer stop() // nobody need wait for the answer of one that has ended
		outcome, err := server.Serve(ctx)
		ended <- ending{outcome, err}
	}()
	err := i.awaitLive(ctx, claim)
	if err == nil {
		i.log.Info("serving", "port", claim.Port)
		err = a.announce(readyLine{i.root, claim.Port, server.URL(), os.Getpid()}, flags)
	}
	if err != nil && ctx.Err() == nil { // it serves, and nobody would learn where
		stop()
		return instance.Failed, errors.Join(err, (<-ended).err)
	}
	e := <-ended
	i.log.Info("stopped serving", "port", claim.Port, "outcome", e.outcome.String())
	return e.outcome, e.err
}

// awaitLive waits until the instance proves itself, as a front-end would ask.
func (i instanceOf) awaitLive(ctx context.Context, claim *portmap.Claim) error {
	ctx, cancel := context.WithTimeout(ctx, readyWait)
	defer cancel()
	for {
		if state, _ := i.client.Probe(ctx, claim.Root, claim.Port); state == proxy.Live {
			return nil
		}
		if pause(ctx, readyPause) != nil {
			return fmt.Errorf("the instance on port %d does not answer", claim.Port)
		}
	}
}

// announce says where the project is served.
func (a *app) announce(line readyLine, flags serveFlags) error {
	if flags.json {
		return printJSON(a.sys.Stdout, line)
	}
	_, err := fmt.Fprintf(a.sys.Stdout, "serving %s at %s\n", line.ProjectRoot, line.URL)
	return err
}
