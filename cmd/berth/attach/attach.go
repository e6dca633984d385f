package attach

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"sync"
	"time"

	"github.com/berth-dev/berth/portmap"
	"github.com/berth-dev/berth/proxy"
	"github.com/berth-dev/berth/proxy/wire"
)

// Waits of a holder.
const (
	successorWait = 5 * time.Second        // for the instance that takes another's place
	lookPause     = 25 * time.Millisecond  // between two looks meanwhile
	steadyAfter   = time.Minute            // an instance that served for so long has not failed at its start
	firstPause    = 500 * time.Millisecond // before an instance that ended at once is started again; it doubles
	maxStarts     = 5                      // in a row, before the program has to ask
)

// Options are the inputs of [Run]. All are required but Requests.
type Options struct {
	Root   string // the project, canonical
	Name   string // of the lease: what the program calls itself
	Store  *portmap.Store
	Client *proxy.Client
	// Start starts an instance of the project; it leaves alone what serves it.
	Start func(ctx context.Context) error
	// Say takes each line, an object with a type. Its error ends Run.
	Say func(line any) error
	// Requests are what the program asks for:
	//
	//	code       a code that signs a browser in once, and its address
	//	key        a page key for the program itself, revoked when Run ends
	//	approvals  the plans
	//	approval   one plan, with the files before and after
	//	decide     decides one
	//	start      serves the project again after it was stopped
	//
	// nil: none.
	Requests <-chan Request
}

// holder is one Run.
type holder struct {
	Options
	again chan struct{} // the program asks for a start

	mu   sync.Mutex
	said error             // the first error of Say
	keys map[string]string // page keys to revoke, by id
	work sync.WaitGroup    // requests being answered
}

// Run keeps the project served until ctx ends, and returns nil then.
func Run(ctx context.Context, opts Options) error {
	ctx, end := context.WithCancel(ctx)
	defer end()
	h := &holder{Options: opts, again: make(chan struct{}, 1), keys: map[string]string{}}
	h.work.Go(func() { h.answerAll(ctx, end) })
	h.hold(ctx, end)
	end()
	h.work.Wait()
	h.signOut(context.WithoutCancel(ctx))
	return h.said
}

// say writes a line; the run ends where nobody reads them.
func (h *holder) say(end context.CancelFunc, line any) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.said != nil {
		return
	}
	if h.said = h.Say(line); h.said != nil {
		end()
	}
}

// hold joins or starts the instance again and again, until ctx ends.
func (h *holder) hold(ctx context.Context, end context.CancelFunc) {
	starts := 0 // in a row that came to nothing
	for ctx.Err() == nil {
		lease, started, err := h.join(ctx)
		if ctx.Err() != nil {
			return
		}
		began := time.Now()
		outcome := ""
		if err == nil {
			outcome, err = h.follow(ctx, end, lease, started)
			_ = lease.Close()
		}
		switch {
		case ctx.Err() != nil:
			return
		case err != nil:
			h.say(end, failedLine{Type: "failed", Error: err.Error(), Hint: hintOf(err)})
			h.await(ctx, 0)
			starts = 0
		case isStop(outcome):
			h.say(end, goneLine{Type: "stopped", Outcome: outcome})
			h.await(ctx, 0)
			starts = 0
		default:
			h.say(end, goneLine{Type: "lost", Outcome: outcome})
			if outcome != "" {
				h.awaitServed(ctx, successorWait)
			}
			if time.Since(began) > steadyAfter {
				starts = 0
			}
			if starts++; starts > maxStarts {
				h.say(end, failedLine{Type: "failed", Error: "the instance ends as soon as it is started", Hint: "see berth doctor"})
				h.await(ctx, 0)
				starts = 0
			} else if starts > 1 {
				h.await(ctx, firstPause<<starts)
			}
		}
	}
}

// isStop reports whether an instance was ended by a person, not replaced.
func isStop(outcome string) bool {
	switch outcome {
	case "shut down", "interrupted", "its folder is gone":
		return true
	}
	return false
}

// join holds the running instance, or one that it starts.
func (h *holder) join(ctx context.Context) (lease *proxy.Lease, started bool, err error) {
	lease, err = h.Client.Hold(ctx, h.Root, h.Name)
	// An instance that is killed meanwhile breaks the connection.
	if err == nil || !errors.Is(err, proxy.ErrNotRunning) && !errors.Is(err, proxy.ErrUnanswered) {
		return lease, false, err
	}
	if err := h.Start(ctx); err != nil {
		return nil, false, err
	}
	lease, err = h.Client.Hold(ctx, h.Root, h.Name)
	return lease, err == nil, err
}

// follow says what happens until the lease ends, and returns how the instance
// says it ended; "": it did not say.
func (h *holder) follow(ctx context.Context, end context.CancelFunc, lease *proxy.Lease, started bool) (outcome string, err error) {
	status, err := h.status(ctx)
	if err != nil {
		return "", nil //nolint:nilerr // it ended at once, as the lease will say too
	}
	i := lease.Instance
	h.say(end, readyLine{Type: "ready", ProjectRoot: i.ProjectRoot, Port: i.Port, URL: wire.URL(i.Port), PID: i.PID, Version: i.Version,
		Started: started, IdleEnd: status.IdleEnd})
	h.sayApprovals(ctx, end)
	for {
		data, err := lease.Next()
		if err != nil {
			return outcome, nil //nolint:nilerr // it has ended, whatever broke
		}
		if word, ok := h.pass(ctx, end, data); ok {
			outcome = word
		}
	}
}

// pass says one event or notice. The last one is how the instance ended.
func (h *holder) pass(ctx context.Context, end context.CancelFunc, data json.RawMessage) (outcome string, ended bool) {
	var fields map[string]json.RawMessage
	var kind wire.Ended
	if json.Unmarshal(data, &fields) != nil || json.Unmarshal(data, &kind) != nil {
		return "", false // not of this instance's making
	}
	switch _, numbered := fields["seq"]; {
	case kind.Type == wire.EndedType:
		return kind.Outcome, true
	case kind.Type == "approvals":
		h.sayApprovals(ctx, end)
	case numbered:
		delete(fields, "tables")
		h.say(end, eventLine{Type: "event", Event: fields})
	default:
		h.say(end, eventLine{Type: "event", Notice: fields})
	}
	return "", false
}

// await waits until something serves the project, the program asks for a start,
// or for so long; 0: without end.
func (h *holder) await(ctx context.Context, limit time.Duration) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var over <-chan time.Time
	if limit > 0 {
		over = time.After(limit)
	}
	changes, err := h.Store.Watch(ctx)
	if err != nil {
		changes = nil // the program can still ask
	}
	for {
		select {
		case entries, ok := <-changes:
			if !ok {
				changes = nil
			} else if _, claimed := entries[h.Root]; claimed && h.awaitServed(ctx, successorWait) {
				return
			}
		case <-h.again:
			return
		case <-over:
			return
		case <-ctx.Done():
			return
		}
	}
}

// awaitServed waits for an instance to prove itself, and reports whether one
// did: a port is claimed a moment before its instance answers.
func (h *holder) awaitServed(ctx context.Context, limit time.Duration) bool {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	pause := time.NewTicker(lookPause)
	defer pause.Stop()
	for {
		if port, ok, err := h.Store.Lookup(h.Root); err == nil && ok {
			if state, _ := h.Client.Probe(ctx, h.Root, port); state == proxy.Live {
				return true
			}
		}
		select {
		case <-pause.C:
		case <-ctx.Done():
			return false
		}
	}
}

// hintOf is what an error says can be done about it.
func hintOf(err error) string {
	var hinted interface{ Hint() string }
	if errors.As(err, &hinted) {
		return hinted.Hint()
	}
	return ""
}

// ReadRequests decodes requests, one a line, until in ends; then it closes the
// channel. A line that is none is answered by refuse.
func ReadRequests(ctx context.Context, in io.Reader, refuse func(error)) <-chan Request {
	requests := make(chan Request)
	go func() {
		defer close(requests)
		lines := json.NewDecoder(in)
		for {
			var r Request
			if err := lines.Decode(&r); errors.Is(err, io.EOF) || ctx.Err() != nil {
				return
			} else if err != nil {
				refuse(err)
				return
			}
			select {
			case requests <- r:
			case <-ctx.Done():
				return
			}
		}
	}()
	return requests
}
