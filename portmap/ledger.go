package portmap

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"time"
)

// ledger is the map and the reservations as one writer sees them under the
// lock.
type ledger struct {
	entries  map[string]int
	reserved map[string]reservation
}

// give makes a port the project's, and nobody else's, from now on.
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

// reserve remembers the project's port, and that it was used now.
func (l *ledger) reserve(root string, port int, now time.Time, maxReservations int) {
	removeRoot(l.reserved, root)
	l.reserved[root] = reservation{Port: port, LastUsed: now.UTC().Truncate(time.Second)}
	forgetOldest(l.reserved, maxReservations, root)
}

// update runs a change under the lock and writes what it changed before the
// lock is released. A change that fails writes nothing.
func (s *Store) update(ctx context.Context, change func(*ledger) error) error {
	if err := os.MkdirAll(s.dir(), 0o700); err != nil {
		return fmt.Errorf("make directory of port map: %w", err)
	}
	lock, err := s.lock(ctx)
	if err != nil {
		return err
	}
	defer lock.Close() // closing the file is what unlocks; nothing to do if it fails
	entries, mapText, err := load(s, s.path, parseEntries)
	if err != nil {
		return fmt.Errorf("read port map: %w", err)
	}
	reserved, reservedText, err := load(s, s.reservationsPath(), parseReservations)
	if err != nil {
		return fmt.Errorf("read port reservations: %w", err)
	}
	l := &ledger{entries: entries, reserved: reserved}
	if err := change(l); err != nil {
		return err
	}
	return s.write(l, mapText, reservedText)
}

// write brings a ledger to the disk, unless it is there already. The map comes
// last: it is what makes a claim true. A crash in between leaves a reservation
// for a project that has no entry, which is an ordinary state.
func (s *Store) write(l *ledger, mapText, reservedText []byte) error {
	wroteReserved, err := save(s.reservationsPath(), l.reserved, reservedText)
	if err != nil {
		return fmt.Errorf("write port reservations: %w", err)
	}
	wroteMap, err := save(s.path, l.entries, mapText)
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

// load reads a file under the lock. What it does not understand it sets aside
// and starts empty. The text returned is nil unless it is still in place.
func load[V any](s *Store, path string, parse func([]byte) (map[string]V, error)) (map[string]V, []byte, error) {
	text, err := readFile(path)
	if err != nil {
		return nil, nil, err
	}
	if text == nil {
		return map[string]V{}, nil, nil
	}
	content, broken := parse(text)
	if broken == nil {
		return content, text, nil
	}
	aside, err := setAside(path, s.opts.Now())
	if err != nil {
		return nil, nil, err
	}
	s.opts.Logger.Warn("set a broken file aside and started it anew", "file", path, "kept", aside, "cause", broken)
	return map[string]V{}, nil, nil
}

// save writes a file unless it says the same already, and reports whether it
// wrote.
func save[V any](path string, content map[string]V, old []byte) (bool, error) {
	text, err := encode(content)
	if err != nil {
		return false, err
	}
	if old == nil && len(content) == 0 || bytes.Equal(text, old) {
		return false, nil
	}
	return true, replaceFile(path, text)
}
