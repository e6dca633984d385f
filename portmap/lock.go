package portmap

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/gofrs/flock"
)

// ErrLocked is wrapped by [*LockError].
var ErrLocked = errors.New("port map is locked")

// LockError says that another writer held the lock for longer than a claim or
// a release waits.
type LockError struct {
	Path string        // the lock file
	PID  int           // the process that holds it; 0: this system does not tell
	Wait time.Duration // how long was waited
}

func (e *LockError) Error() string {
	holder := "another process"
	if e.PID != 0 {
		holder = fmt.Sprintf("process %d", e.PID)
	}
	return fmt.Sprintf("%v: %s holds %s for more than %v; end that process or try again", ErrLocked, holder, e.Path, e.Wait)
}

// Unwrap makes errors.Is(err, ErrLocked) true.
func (e *LockError) Unwrap() error { return ErrLocked }

// lock takes the lock file, which only ever is locked: never renamed, never
// removed, never written. The caller closes it.
func (s *Store) lock(ctx context.Context) (*flock.Flock, error) {
	limited, cancel := context.WithTimeout(ctx, s.opts.LockTimeout)
	defer cancel()
	path := s.path + ".lock"
	for {
		lock := flock.New(path, flock.SetPermissions(0o600))
		if _, err := lock.TryLockContext(limited, s.opts.LockRetry); err != nil {
			return nil, s.whyNotLocked(ctx, path, err)
		}
		if isInPlace(lock, path) {
			return lock, nil
		}
		_ = lock.Close()
	}
}

// isInPlace reports whether the file that was locked is still the one at the
// path: after somebody removed the directory, others lock another file.
func isInPlace(lock *flock.Flock, path string) bool {
	locked, err := lock.Stat()
	if err != nil {
		return false
	}
	there, err := os.Stat(path)
	return err == nil && os.SameFile(locked, there)
}

func (s *Store) whyNotLocked(ctx context.Context, path string, err error) error {
	if ctx.Err() == nil && errors.Is(err, context.DeadlineExceeded) {
		return &LockError{Path: path, PID: lockHolder(path), Wait: s.opts.LockTimeout}
	}
	return fmt.Errorf("lock %s: %w", path, err)
}
