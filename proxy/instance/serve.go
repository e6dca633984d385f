package instance

import (
	"context"
	"errors"
	"fmt"
	"net"
	"syscall"
	"time"

	"github.com/berth-dev/berth/proxy/wire"
)

// Outcome says why Serve returned.
type Outcome int

// The outcomes. After HandedOver a successor may already have the port: the
// caller must not release the project's entry in the port map.
const (
	Failed      Outcome = iota // see the error
	Interrupted                // the context ended
	Shutdown                   // POST /shutdown
	HandedOver                 // POST /handover
	Idled                      // nobody used it for Config.Idle
	Replaced                   // another folder is at the project's path: serve that one
	Gone                       // the project's folder was gone for Config.GonePatience
)

var outcomeNames = [...]string{"failed", "interrupted", "shut down", "handed over", "idle", "its folder was replaced", "its folder is gone"}

// String returns the outcome in words.
func (o Outcome) String() string { return outcomeNames[o] }

// Limits on shutdown, in addition to Config.DrainTimeout. Together they are
// shorter than a successor waits for a handover.
const (
	handoverTimeout = 750 * time.Millisecond // flushing and releasing
	closeTimeout    = time.Second            // replies still being written
	descriptorTick  = 10 * time.Millisecond  // until a descriptor is asked for again
)

// Serve writes the instance file and serves until ctx is done or another
// [Outcome] occurs. It then waits for the calls in flight, releases the port
// and returns once all its goroutines have ended. An error with an outcome
// other than Failed says what shutdown had to cut off or leave.
func (s *Server) Serve(ctx context.Context) (Outcome, error) {
	if !s.started.CompareAndSwap(false, true) {
		return Failed, errors.New("serve: an instance serves once")
	}
	if err := wire.WriteInstance(s.cfg.InstanceFile, s.self); err != nil {
		close(s.stopped)
		return Failed, errors.Join(fmt.Errorf("serve: %w", err), s.cfg.Listener.Close())
	}
	served := make(chan error, 1)
	s.warnOpenToAll()
	s.signInFiles().Sweep()
	go func() { served <- s.http.Serve(s.guard.Listener(s.cfg.Listener)) }()
	s.idle.start()
	s.garbage.calls.start()
	outcome, err := s.run(ctx, served)
	s.outcome.Store(int32(outcome))
	close(s.stopped) // answers a second command before finish waits for its request
	return outcome, errors.Join(err, s.finish(served))
}

// run serves until something ends it. When it returns, the calls have ended and
// the instance file and the listener are closed and removed.
func (s *Server) run(ctx context.Context, served chan error) (Outcome, error) {
	due := time.NewTimer(s.checkPeriod())
	defer due.Stop()
	for {
		check := false
		select {
		case <-ctx.Done():
			return Interrupted, s.leave()
		case <-due.C:
			check = true
		case <-s.cfg.Changes:
			check = true
		case <-s.moved:
			check = true
		case <-s.expired:
			return Idled, s.leave()
		case err := <-served:
			served <- nil // for finish
			return Failed, errors.Join(fmt.Errorf("serve: %w", err), s.leave())
		case cmd := <-s.control:
			err := s.prepare(ctx, cmd)
			if cmd.outcome == HandedOver && err != nil {
				cmd.done <- err
				continue
			}
			err = errors.Join(err, s.vacate())
			cmd.done <- nil
			return cmd.outcome, err
		}
		if !check {
			continue
		}
		if outcome, over, err := s.check(ctx); over {
			return outcome, errors.Join(err, s.leave())
		}
		due.Reset(s.checkPeriod())
	}
}

// prepare drains the calls and releases the state for cmd. If a handover cannot
// be clean it returns an error and the instance continues to serve: two
// processes on one project's state would be worse than a successor that does
// not start.
func (s *Server) prepare(ctx context.Context, cmd command) error {
	err := s.gate.drain(s.cfg.DrainTimeout)
	if cmd.outcome != HandedOver {
		return err
	}
	if err == nil && s.cfg.Handover != nil {
		s.outcome.Store(int32(HandedOver)) // releasing ends the event streams, which say it
		ctx, cancel := context.WithTimeout(ctx, handoverTimeout)
		defer cancel()
		err = s.cfg.Handover(ctx)
	}
	if err != nil {
		s.cfg.Logger.Error("handover failed; serving on", "cause", err)
		s.outcome.Store(int32(Failed))
		s.gate.open()
	}
	return err
}

// leave ends the instance without a command to answer.
func (s *Server) leave() error {
	return errors.Join(s.gate.drain(s.cfg.DrainTimeout), s.vacate())
}

// vacate releases the port. It removes the instance file first: once the port
// is free, the file may be another instance's.
func (s *Server) vacate() error {
	err := patiently(func() error {
		_, err := wire.RemoveInstance(s.cfg.InstanceFile, s.self)
		return err
	})
	if cause := s.cfg.Listener.Close(); cause != nil && !errors.Is(cause, net.ErrClosed) {
		err = errors.Join(err, cause)
	}
	return err
}

// patiently does what needs a file descriptor, again for up to closeTimeout
// while all are in use: what is just being read or answered gives some back.
func patiently(do func() error) error {
	for end := time.Now().Add(closeTimeout); ; time.Sleep(descriptorTick) {
		err := do()
		scarce := errors.Is(err, syscall.EMFILE) || errors.Is(err, syscall.ENFILE)
		if !scarce || time.Now().After(end) {
			return err
		}
	}
}

// finish ends the streams, lets the last replies be written and waits for every
// goroutine.
func (s *Server) finish(served chan error) error {
	s.idle.stop()
	s.trimmer.stop()
	s.garbage.stop()
	s.streams.end()
	s.codes.close()
	sessions := make(chan struct{})
	go func() { s.mcp.close(); close(sessions) }()
	err := s.requests.drain(closeTimeout)
	calls := make(chan struct{})
	go func() { s.calls.end(); close(calls) }()
	ctx, cancel := context.WithTimeout(context.Background(), closeTimeout/4)
	defer cancel()
	if s.http.Shutdown(ctx) != nil { // a connection that does not read, or never sent
		_ = s.http.Close() // of the listener, which is closed already
	}
	<-served
	if !waitFor(sessions, closeTimeout) {
		err = errors.Join(err, errors.New("a session did not end"))
	}
	if !waitFor(calls, closeTimeout) {
		err = errors.Join(err, errors.New("a connection of calls did not end"))
	}
	if err != nil {
		return fmt.Errorf("end instance: %w", err)
	}
	return nil
}
