package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/berth-dev/berth/cmd/berth/settings"
	"github.com/berth-dev/berth/designer/page"
	"github.com/berth-dev/berth/designer/session"
	"github.com/berth-dev/berth/portmap"
	"github.com/berth-dev/berth/proxy"
	"github.com/berth-dev/berth/proxy/instance"
	"github.com/berth-dev/berth/proxy/projectroot"
	"github.com/berth-dev/berth/proxy/wire"
)

// instanceOf is all that one run of berth serve is about.
type instanceOf struct {
	*link
	root     string
	folder   *projectroot.Folder // what root named when this run began
	settings *settings.Settings
	load     func() (*settings.Settings, error) // reads them again
	folders  []string                           // of their files
	desktop  bool                               // a person may see a browser here
	doorways string                             // folder of the files that open pages
	patience time.Duration                      // how long a plan waits for a person; 0: the ledger's own
	log      *slog.Logger
	terminal io.Writer    // says what a person should see now
	calls    *slog.Logger // for the line a tool call leaves, which names no project
}

// name is what the project is called in questions: its folder's name, and the
// path where another project that is served has the same.
func (i instanceOf) name() string {
	own := filepath.Base(i.root)
	entries, err := i.store.Entries()
	if err != nil {
		return own + " (" + i.root + ")" // nobody knows whether another has it
	}
	for root := range entries {
		if root != i.root && strings.EqualFold(filepath.Base(root), own) {
			return own + " (" + i.root + ")"
		}
	}
	return own
}

// Waits around the life of an instance.
const (
	readyWait   = 10 * time.Second
	readyPause  = time.Millisecond
	releaseWait = 5 * time.Second
	settleTime  = time.Second // that a successor serves before its predecessor ends
	againLimit  = time.Minute // for serving again while the port map is locked
)

// serve runs the instance of a project until it is over: where a successor
// that was let in never served, this process serves again.
func (a *app) serve(ctx context.Context, i instanceOf, flags serveFlags) error {
	t, err := a.serveOnce(ctx, i, a.meeting(i, flags), flags)
	if served := (servedError{}); errors.As(err, &served) {
		return a.announce(readyLine{i.root, served.Port, instanceURL(served.Port), served.PID}, flags)
	}
	flags.again = true
	for t.outcome == instance.HandedOver {
		again, cause := i.standBy(ctx, t.successor)
		err = errors.Join(err, cause)
		if !again {
			break
		}
		i.log.Warn("serving again: the process that asked to take over does not serve", "cause", err)
		t, err = a.serveAgain(ctx, i, flags)
	}
	if t.outcome == instance.Replaced || t.outcome == instance.Gone {
		if err != nil { // such as designs' files that were due in a folder that is gone: the state has them
			i.log.Warn("left the folder behind", "cause", err)
		}
		err = nil
	}
	if t.outcome == instance.Replaced {
		return projectroot.ErrReplaced
	}
	if err == nil && !flags.json {
		_, err = fmt.Fprintf(a.sys.Stdout, "stopped serving %s: %s\n", i.root, t.outcome)
	}
	return err
}

// tenure is how one process's time as a project's instance ended.
type tenure struct {
	outcome   instance.Outcome
	successor net.Conn // see [instance.Server.Successor]
}

// serveOnce serves the project until something ends it. The order is what
// keeps it safe: the project's state is taken first and given up last, so of
// two processes only one claims a port for the project, or gives it back.
func (a *app) serveOnce(ctx context.Context, i instanceOf, meet encounter, flags serveFlags) (tenure, error) {
	state, handover, err := i.takeOver(ctx, i.root, meet)
	if err != nil {
		return tenure{}, err
	}
	defer handover.Close()
	return a.serveState(ctx, i, state, handover, flags)
}

// serveAgain is serveOnce after a handover that came to nothing. It leaves
// whoever serves by now alone, and waits for a map that is locked.
func (a *app) serveAgain(ctx context.Context, i instanceOf, flags serveFlags) (tenure, error) {
	if set, err := i.load(); err == nil {
		i.settings = set
	}
	for limit := time.Now().Add(againLimit); ; {
		t, err := a.serveOnce(ctx, i, leaveAlone, flags)
		if errors.As(err, new(servedError)) {
			return tenure{outcome: instance.HandedOver}, nil // standBy sees it
		}
		if !errors.Is(err, portmap.ErrLocked) || ctx.Err() != nil || time.Now().After(limit) {
			return t, err
		}
	}
}

// serveState claims a port, serves the project on it and gives both back: the
// port in the map first, while the state still keeps every successor out.
func (a *app) serveState(ctx context.Context, i instanceOf, state *session.Store, handover *proxy.Handover, flags serveFlags) (tenure, error) {
	claim, err := i.store.Claim(ctx, i.root)
	if err != nil {
		return tenure{}, errors.Join(err, state.Close())
	}
	w, err := i.wire(state, claim, flags.idle)
	if err != nil {
		return tenure{}, errors.Join(err, claim.Listener.Close(), i.release(ctx, claim), state.Close())
	}
	outcome, err := a.run(ctx, i, w.server, claim, handover, flags)
	if outcome != instance.HandedOver { // then the entry is the successor's
		err = errors.Join(err, i.release(ctx, claim))
	}
	return tenure{outcome, w.server.Successor()}, errors.Join(err, w.close())
}

// meeting is what to do with an instance that is there already. It is left
// alone by a newcomer that could not take its place: one instance that only
// reads, say, is better than none.
func (a *app) meeting(i instanceOf, flags serveFlags) encounter {
	if flags.unlessRunning {
		return leaveAlone
	}
	return func(ctx context.Context, inst *wire.Instance) (*proxy.Handover, error) {
		if err := i.ready(ctx); err != nil {
			return nil, &failure{text: fmt.Sprintf("process %d keeps serving %s", inst.PID, i.root), cause: err}
		}
		if !flags.json {
			fmt.Fprintf(a.sys.Stdout, "taking over from process %d\n", inst.PID)
		}
		return i.askHandover(ctx, i.root, inst.PID)
	}
}

// ready returns why this process could not serve the project if it had the
// state and the port: all that can be known while another has them.
func (i instanceOf) ready(ctx context.Context) error {
	if err := i.store.Writable(); err != nil {
		return err
	}
	if err := session.Readable(i.home.StateDir(i.root)); err != nil {
		return err
	}
	if _, err := page.New(page.Options{FrameAncestors: i.settings.Page.FrameAncestors}); err != nil {
		return fmt.Errorf("setting page.frameAncestors: %w", err)
	}
	return i.store.Claimable(ctx)
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

// run serves until the end and announces the instance when it answers. A
// predecessor may end once this one has served for a moment, or was ended.
func (a *app) run(ctx context.Context, i instanceOf, server *instance.Server, claim *portmap.Claim, handover *proxy.Handover, flags serveFlags) (instance.Outcome, error) {
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
	settled := time.AfterFunc(settleTime, handover.Confirm)
	defer settled.Stop()
	e := <-ended
	if e.outcome != instance.Failed {
		handover.Confirm()
	}
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
	if flags.json && flags.again {
		return nil // its reader has had its one line
	}
	if flags.json {
		return printJSON(a.sys.Stdout, line)
	}
	_, err := fmt.Fprintf(a.sys.Stdout, "serving %s at %s\n", line.ProjectRoot, line.URL)
	return err
}
