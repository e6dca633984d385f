package portmap

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"time"
)

// ledger holds the map and the reservations while a writer has the lock.
type ledger struct {
	entries  map[string]int
	reserved map[string]reservation
}

// give assigns a port to the project and takes it from any other project.
func (l *ledger) give(root string, port int, now time.Time, maxReservations int) {
	removeRoot(l.entries, root)
	for other, taken := range l.entries {
		if taken == port {
			delete(l.entries, other)
		}
	}
	l.entries[root] = port
	l.reserve(root, port, now, maxReservations)
}

// reserve records the project's port as used now.
func (l *ledger) reserve(root string, port int, now time.Time, maxReservations int) {
	removeRoot(l.reserved, root)
	l.reserved[root] = reservation{Port: port, LastUsed: now.UTC().Truncate(time.Second)}
	forgetOldest(l.reserved, maxReservations, root)
}

// update calls change while holding the lock and writes the result before it
// releases the lock. If change fails, update writes nothing.
func (s *Store) update(ctx context.Context, change func(*ledger) error) error {
	if err := os.MkdirAll(s.dir(), 0o700); err != nil {
		return fmt.Errorf("make directory of port map: %w", err)
	}
	lock, err := s.lock(ctx)
	if err != nil {
		return err
	}
	defer lock.Close() // closing the file unlocks it; an error can be ignored
	entries, mapText, err := load(s, s.path, entryForm)
	if err != nil {
		return fmt.Errorf("read port map: %w", err)
	}
	reserved, reservedText, err := load(s, s.reservationsPath(), reservationForm)
	if err != nil {
		return fmt.Errorf("read port reservations: %w", err)
	}
	l := &ledger{entries: entries.byRoot, reserved: reserved.byRoot}
	if err := change(l); err != nil {
		return err
	}
	return s.write(entries, mapText, reserved, reservedText)
}

// write writes both files if they changed. It writes the map last, because the
// map decides a claim. A crash in between leaves a reservation for a project
// without an entry, which is a valid state.
func (s *Store) write(entries content[int], mapText []byte, reserved content[reservation], reservedText []byte) error {
	wroteReserved, err := save(s, s.reservationsPath(), reserved, reservedText)
	if err != nil {
		return fmt.Errorf("write port reservations: %w", err)
	}
	wroteMap, err := save(s, s.path, entries, mapText)
	if err != nil {
		return fmt.Errorf("write port map: %w", err)
	}
	if !wroteReserved && !wroteMap {
		return nil
	}
	if err := syncDir(s.dir()); err != nil {
		return fmt.Errorf("write directory of port map: %w", err)
	}
	return nil
}

// load reads a file while the lock is held. It renames a file that is broken or
// too large and continues with the members it could parse. The text returned is
// nil if the file was renamed.
func load[V any](s *Store, path string, f fileForm[V]) (content[V], []byte, error) {
	empty := content[V]{byRoot: map[string]V{}}
	text, err := readFile(path)
	if err == nil && text == nil {
		return empty, nil, nil
	}
	c := empty
	if err == nil {
		c, err = f.read(text)
	}
	switch {
	case err == nil:
		return c, text, nil
	case !errors.Is(err, ErrBroken):
		return empty, nil, err
	}
	aside, cause := setAside(path, s.opts.Now())
	if cause != nil {
		return empty, nil, cause
	}
	s.opts.Logger.Warn("set a broken file aside", "file", path, "kept", aside, "understood", len(c.byRoot), "cause", err)
	c.lossy = false // all of it is kept already
	return c, nil, nil
}

// save writes a file if its content changed, and reports whether it wrote. If
// the old text has more than members, save keeps a copy of it beside the file.
func save[V any](s *Store, path string, c content[V], old []byte) (bool, error) {
	text, err := c.encode()
	if err != nil {
		return false, err
	}
	if old == nil && len(c.byRoot)+len(c.other) == 0 || bytes.Equal(text, old) {
		return false, nil
	}
	if c.lossy {
		kept := asideName(path, s.opts.Now())
		if err := replaceFile(kept, old); err != nil {
			return false, fmt.Errorf("keep what %s said: %w", path, err)
		}
		s.opts.Logger.Warn("a file has more than members, which a write drops", "file", path, "kept", kept)
	}
	return true, replaceFile(path, text)
}
