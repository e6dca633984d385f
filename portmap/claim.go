package portmap

import (
	"context"
	"errors"
	"fmt"
	"net"
	"path/filepath"
)

// ErrNoFreePort is wrapped by the error of a claim that found every port
// taken.
var ErrNoFreePort = errors.New("no free port")

// Claim is a port claimed for a project: written in the map, reserved, and
// bound.
type Claim struct {
	Root     string       // as written in the map
	Port     int          // of 127.0.0.1
	Listener net.Listener // bound to the port; the caller closes it, after Release
}

// Claim binds a port for the project with this canonical root and writes it
// into the map. It tries, in this order: the port of the project's entry, the
// port of its reservation, the ports from FirstPort to LastPort that no other
// project has or has reserved, and finally the reserved ones.
//
// Claim does not check whether the project's instance is already running: if
// that instance holds its port, the claim moves the project to another port. To
// replace a running instance, make it hand over first.
//
// The error wraps [ErrNoFreePort], [ErrLocked] (a [*LockError]),
// [ErrNotAbsolute], or comes from ctx or the disk; nothing is bound then.
func (s *Store) Claim(ctx context.Context, root string) (*Claim, error) {
	if !filepath.IsAbs(root) {
		return nil, fmt.Errorf("claim a port for %q: %w", root, ErrNotAbsolute)
	}
	var claim *Claim
	err := s.update(ctx, func(l *ledger) error {
		listener, port, err := s.bindFirst(ctx, l, root)
		if err != nil {
			return err
		}
		l.give(root, port, s.opts.Now(), s.opts.MaxReservations)
		claim = &Claim{Root: root, Port: port, Listener: listener}
		return nil
	})
	if err == nil {
		return claim, nil
	}
	if claim != nil {
		_ = claim.Listener.Close() // the map does not name it, so nobody may serve on it
	}
	if errors.Is(err, ErrNoFreePort) {
		return nil, err // the documents' exact text
	}
	return nil, fmt.Errorf("claim a port for %s: %w", root, err)
}

// bindFirst binds the first candidate that is free.
func (s *Store) bindFirst(ctx context.Context, l *ledger, root string) (net.Listener, int, error) {
	for port := range s.candidates(l, root) {
		if err := ctx.Err(); err != nil {
			return nil, 0, err
		}
		listener, err := listen(ctx, port)
		if err == nil {
			return listener, port, nil
		}
		if !isTaken(err) {
			return nil, 0, err // the next port would fail alike: no descriptors left, no loopback
		}
	}
	return nil, 0, fmt.Errorf("%w between %d and %d", ErrNoFreePort, s.opts.FirstPort, s.opts.LastPort)
}
