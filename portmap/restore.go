package portmap

import (
	"context"
	"errors"
	"fmt"
	"os"
)

// Restore writes the entry of a claim again after the map has lost it: the
// file was deleted, or set aside because somebody broke it. It reports whether
// the map did not name the port. As after [Store.Claim] the port then has no
// other project.
//
// Call it only while the port is bound and nobody else can have claimed one
// for the project, or it takes a successor's entry.
func (s *Store) Restore(ctx context.Context, root string, port int) (bool, error) {
	restored := false
	err := s.update(ctx, func(l *ledger) error {
		if entry, ok := lookup(l.entries, root); ok && entry == port {
			return nil
		}
		l.give(root, port, s.opts.Now(), s.opts.MaxReservations)
		restored = true
		return nil
	})
	if err != nil {
		return false, fmt.Errorf("restore port %d of %s: %w", port, root, err)
	}
	return restored, nil
}

// claimRoom is more than the files of a claim take, but for a map of many
// hundred projects.
const claimRoom = 64 << 10

// Writable returns why a claim could not be written now: a full disk, a
// directory that is missing or read-only. It leaves nothing behind.
func (s *Store) Writable() error {
	temp, err := writeTemp(s.path, make([]byte, claimRoom))
	if err != nil {
		return fmt.Errorf("write beside port map: %w", err)
	}
	_ = os.Remove(temp) // else the next writer removes it
	return nil
}

// Claimable returns why no claim could be made now: another process holds the
// map's lock for as long as a claim waits, or a file cannot be read. It
// changes nothing.
func (s *Store) Claimable(ctx context.Context) error {
	if err := os.MkdirAll(s.dir(), 0o700); err != nil {
		return fmt.Errorf("make directory of port map: %w", err)
	}
	lock, err := s.lock(ctx)
	if err != nil {
		return err
	}
	defer lock.Close()
	for _, path := range []string{s.path, s.reservationsPath()} {
		if _, err := readFile(path); err != nil && !errors.Is(err, ErrBroken) { // that is set aside
			return err
		}
	}
	return nil
}
