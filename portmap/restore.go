package portmap

import (
	"context"
	"errors"
	"fmt"
	"os"
)

// Restore writes the entry of a claim again after the map has lost it, because
// the file was deleted or renamed as broken. It reports whether the entry was
// missing. As after [Store.Claim] no other project then has the port.
//
// Call it only while the port is bound and nobody else can have claimed a port
// for the project; otherwise it replaces a successor's entry.
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

// claimRoom is more than the size of the files of a claim, up to many hundred
// projects.
const claimRoom = 64 << 10

// Writable returns an error if a claim could not be written now, for example
// because the disk is full or the directory is missing or read-only. It leaves
// no file behind.
func (s *Store) Writable() error {
	temp, err := writeTemp(s.path, make([]byte, claimRoom))
	if err != nil {
		return fmt.Errorf("write beside port map: %w", err)
	}
	_ = os.Remove(temp) // on an error the next writer removes it
	return nil
}

// Claimable returns an error if no claim could be made now: another process
// holds the map's lock for longer than a claim waits, or a file cannot be read.
// It changes nothing.
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
