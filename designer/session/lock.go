package session

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/gofrs/flock"

	"github.com/berth-dev/berth/portmap/homefile"
)

const (
	lockName = "state.lock"
	pidName  = "state.pid"
)

// ErrStateLocked means that another process holds the state. The error that
// wraps it is a [*LockedError].
var ErrStateLocked = errors.New("the project's state is in use")

// LockedError names the process that holds a state directory.
type LockedError struct {
	Path string // of the lock
	PID  int    // of the holder; 0: not known
}

func (e *LockedError) Error() string {
	if e.PID == 0 {
		return fmt.Sprintf("%v: %s is held by another process", ErrStateLocked, e.Path)
	}
	return fmt.Sprintf("%v: %s is held by process %d", ErrStateLocked, e.Path, e.PID)
}

// Is makes errors.Is(err, ErrStateLocked) hold.
func (e *LockedError) Is(target error) bool { return target == ErrStateLocked }

// dirLock is the lock of one process on a state directory. The operating system
// releases it when the process ends, however it ends.
type dirLock struct {
	lock *flock.Flock
	pid  string // path of the side file
}

// lockDir locks dir without waiting. The holder's pid is in a separate file,
// because a locked file cannot be read on Windows.
func lockDir(dir string) (*dirLock, error) {
	l := &dirLock{
		lock: flock.New(filepath.Join(dir, lockName)),
		pid:  filepath.Join(dir, pidName),
	}
	if err := homefile.Check(l.lock.Path()); err != nil {
		return nil, err
	}
	got, err := l.lock.TryLock()
	if err != nil {
		return nil, fmt.Errorf("lock %s: %w", l.lock.Path(), err)
	}
	if !got {
		return nil, &LockedError{Path: l.lock.Path(), PID: readPID(l.pid)}
	}
	if err := os.WriteFile(l.pid, []byte(strconv.Itoa(os.Getpid())+"\n"), 0o600); err != nil {
		return nil, errors.Join(fmt.Errorf("write %s: %w", l.pid, err), l.lock.Close())
	}
	return l, nil
}

// Holder reports whether a process holds the state directory, and its pid, or 0
// if that is unknown. It holds the lock itself for a moment: a process that
// opens the state meanwhile finds it locked and retries.
func Holder(dir string) (pid int, held bool, err error) {
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		return 0, false, nil
	}
	lock := flock.New(filepath.Join(dir, lockName))
	if err := homefile.Check(lock.Path()); err != nil {
		return 0, false, err
	}
	got, err := lock.TryLock()
	switch {
	case err != nil:
		return 0, false, fmt.Errorf("lock %s: %w", lock.Path(), err)
	case !got:
		return readPID(filepath.Join(dir, pidName)), true, nil
	}
	return 0, false, lock.Close()
}

// release unlocks the directory. It removes the pid file first, so that it
// never names a process that does not hold the lock.
func (l *dirLock) release() error {
	_ = os.Remove(l.pid) // a leftover file is harmless
	if err := l.lock.Close(); err != nil {
		return fmt.Errorf("unlock %s: %w", l.lock.Path(), err)
	}
	return nil
}

// inPlace reports whether the locked file is still the one at the path.
func (l *dirLock) inPlace() bool {
	file, err := l.lock.Stat()
	return err == nil && isSame(l.lock.Path(), file)
}

// maxPIDBytes is more than the number of digits of a pid.
const maxPIDBytes = 64

func readPID(path string) int {
	raw, err := homefile.Read(path, maxPIDBytes)
	if err != nil {
		return 0
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(raw)))
	if err != nil || pid < 0 {
		return 0
	}
	return pid
}
