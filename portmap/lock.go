package portmap

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/gofrs/flock"

	"github.com/berth-dev/berth/portmap/homefile"
)

// ErrLocked is wrapped by [*LockError].
var ErrLocked = errors.New("port map is locked")

// LockError reports that other writers held the lock for longer than a claim
// or a release waits.
type LockError struct {
	Path string        // the lock file
	PID  int           // the process that holds it; 0: unknown
	Wait time.Duration // how long the call waited
	Busy bool          // the map was written meanwhile: many hold the lock in turn
}

func (e *LockError) Error() string {
	holder := "another process"
	if e.PID != 0 {
		holder = fmt.Sprintf("process %d", e.PID)
	}
	if e.Busy {
		return fmt.Sprintf("%v: others held %s in turn for the %v that were waited, %s now; try again",
			ErrLocked, e.Path, e.Wait, holder)
	}
	return fmt.Sprintf("%v: %s held %s for the %v that were waited; end that process or try again",
		ErrLocked, holder, e.Path, e.Wait)
}

// Unwrap makes errors.Is(err, ErrLocked) true.
func (e *LockError) Unwrap() error { return ErrLocked }

// maxLockWaits is how many times LockTimeout a writer waits at most while
// others write: sixty-four windows that open at the same time on a slow machine
// are not a stuck process, and nobody's turn is sure to come early.
const maxLockWaits = 30

// lock locks the lock file, which is never renamed, removed or written. It
// gives up if nobody has written anything for LockTimeout. The caller must
// close the lock.
func (s *Store) lock(ctx context.Context) (*flock.Flock, error) {
	path := s.path + ".lock"
	if err := homefile.Check(path); err != nil {
		return nil, err
	}
	for turn := 1; ; turn++ {
		before := stat(s.reservationsPath()) // nearly every claim and release changes this file
		lock, err := s.lockOnce(ctx, path)
		if err == nil {
			return lock, nil
		}
		if ctx.Err() != nil || !errors.Is(err, context.DeadlineExceeded) {
			return nil, fmt.Errorf("lock %s: %w", path, err)
		}
		busy := differ(before, stat(s.reservationsPath()))
		if turn == maxLockWaits || !busy {
			return nil, &LockError{Path: path, PID: lockHolder(path), Wait: time.Duration(turn) * s.opts.LockTimeout, Busy: busy}
		}
	}
}

// lockOnce tries for LockTimeout.
func (s *Store) lockOnce(ctx context.Context, path string) (*flock.Flock, error) {
	ctx, cancel := context.WithTimeout(ctx, s.opts.LockTimeout)
	defer cancel()
	for {
		lock := flock.New(path, flock.SetPermissions(0o600))
		if _, err := lock.TryLockContext(ctx, s.opts.LockRetry); err != nil {
			return nil, err
		}
		if isInPlace(lock, path) {
			return lock, nil
		}
		_ = lock.Close()
	}
}

// isInPlace reports whether the locked file is still the one at the path: if
// somebody removed the directory, others lock a different file.
func isInPlace(lock *flock.Flock, path string) bool {
	locked, err := lock.Stat()
	if err != nil {
		return false
	}
	there, err := os.Stat(path)
	return err == nil && os.SameFile(locked, there)
}
