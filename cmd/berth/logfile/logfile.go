// Package logfile writes berth's log: one append-only file of bounded size that
// any number of processes share. It formats nothing; a record is what one call
// of Write gets.
//
//	berth serve ──┐
//	berth mcp ────┼──▶ berth.log ──full──▶ berth.log.1
//	berth serve ──┘
//
// Start with [New]. Invariants: a record is never split over two files, never
// cut and never dropped because it is long; files and their folder are the
// user's alone.
package logfile

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/gofrs/flock"

	"github.com/berth-dev/berth/portmap/homefile"
)

// maxBytes is the size at which a log file is set aside.
const maxBytes = 5 << 20

// A File is an append-only file of bounded size: at 5 MiB it becomes <path>.1,
// in place of an older one. Any number of processes may write to it. It opens
// nothing before the first write, so a process that logs nothing touches no
// disk.
type File struct {
	path  string
	limit int64 // bytes

	mu     sync.Mutex
	file   *os.File  // nil: not open
	looked time.Time // when the path was seen to name file
	room   int64     // bytes that were left then, less those written since
}

// New returns the log file at path.
func New(path string) *File { return &File{path: path, limit: maxBytes} }

// Write appends one record. It never splits one over two files.
func (l *File) Write(record []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if more := int64(len(record)); !l.surelyReadyLocked(more) {
		if err := l.readyLocked(more); err != nil {
			return 0, err
		}
	}
	n, err := l.file.Write(record)
	l.room -= int64(n)
	return n, err
}

// A file with much room left is looked at again after a while only: another
// process sets aside one that is full, and looking takes longer than writing.
const (
	lookAgain = 100 * time.Millisecond
	muchRoom  = 64 << 10
)

func (l *File) surelyReadyLocked(more int64) bool {
	return l.file != nil && l.room-more > muchRoom && time.Since(l.looked) < lookAgain
}

// Close closes the file; a later Write opens it again.
func (l *File) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.closeLocked()
}

func (l *File) closeLocked() error {
	if l.file == nil {
		return nil
	}
	err := l.file.Close()
	l.file = nil
	return err
}

// readyLocked opens the file that the path names now, with room for more
// bytes: another process may have set aside the one that is open here.
func (l *File) readyLocked(more int64) error {
	named, err := os.Stat(l.path)
	if l.file != nil {
		mine, mineErr := l.file.Stat()
		if err != nil || mineErr != nil || !os.SameFile(named, mine) {
			l.closeLocked()
		}
	}
	if err := homefile.Check(l.path); err != nil {
		return err // a pipe: opening it would wait for a reader
	}
	l.looked, l.room = time.Now(), l.limit
	if err == nil {
		l.room -= named.Size()
	}
	if err == nil && l.room < more {
		l.closeLocked()
		if err := l.setAside(more); err != nil {
			return err
		}
		l.room = 0 // not known
	}
	if l.file != nil {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(l.path), 0o700); err != nil {
		return err
	}
	l.file, err = open(l.path)
	return err
}

// setAsideWait is how long a record waits for another process that sets the
// file aside, which is the work of a moment.
const setAsideWait = 250 * time.Millisecond

// setAside renames a full file, under a lock so that of several processes one
// does. Where that fails, as while somebody reads the file on Windows, the file is
// emptied instead: the limit counts.
func (l *File) setAside(more int64) error {
	lock := flock.New(l.path + ".lock")
	ctx, cancel := context.WithTimeout(context.Background(), setAsideWait)
	defer cancel()
	if ok, err := lock.TryLockContext(ctx, time.Millisecond); !ok {
		if errors.Is(err, context.DeadlineExceeded) {
			return nil // another process is renaming it, or hangs: the record matters more
		}
		return err
	}
	defer lock.Close()
	named, err := os.Stat(l.path)
	if errors.Is(err, fs.ErrNotExist) || (err == nil && named.Size()+more <= l.limit) {
		return nil // another process was faster
	}
	if err != nil {
		return err
	}
	if err := os.Rename(l.path, l.path+".1"); err != nil {
		return os.Truncate(l.path, 0)
	}
	return nil
}
