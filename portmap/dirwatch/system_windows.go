package dirwatch

import (
	"maps"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/fsnotify/fsnotify"
	"golang.org/x/sys/windows"
)

// folders are the system's reports by ReadDirectoryChangesW. fsnotify is not used
// on Windows: where a change and the end of a watch meet, it closes the directory's
// handle twice, and by then the handle is another part's or the runtime's.
//
// A read of each directory is under way at all times, but while its last one is
// passed on. A directory that is left is kept until its read has come back, and only
// then is its handle closed: the system writes to its memory until then.
type folders struct {
	port   windows.Handle // where reads come back, by the folder's key
	events chan fsnotify.Event
	errors chan error

	mu      sync.Mutex // guards what follows and the fields of each folder
	open    map[uintptr]*folder
	watched map[string]*folder // by name; all of them are in open
	last    uintptr            // the last key that was given, 0 is that of wake
	closed  bool
}

// patience is how long the end of a watch waits for the system to give the read
// back: a share that hangs must not stop the watches of others.
const patience = time.Second

func newSystem() (system, error) {
	port, err := windows.CreateIoCompletionPort(windows.InvalidHandle, 0, 0, 1)
	if err != nil {
		return nil, os.NewSyscallError("CreateIoCompletionPort", err)
	}
	f := &folders{port: port, events: make(chan fsnotify.Event), errors: make(chan error),
		open: map[uintptr]*folder{}, watched: map[string]*folder{}}
	go f.run()
	return f, nil
}

func (f *folders) reports() (<-chan fsnotify.Event, <-chan error) { return f.events, f.errors }

func (f *folders) Add(dir string) error {
	d, err := openFolder(dir)
	if err != nil {
		return err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	before := f.watched[dir]
	switch {
	case f.closed:
		err = fsnotify.ErrClosed
	case before != nil && before.identity == d.identity:
	default:
		if err = f.enterLocked(d); err == nil {
			if before != nil { // the directory was replaced
				f.leaveLocked(before)
			}
			f.watched[dir] = d
			return nil
		}
	}
	_ = windows.CloseHandle(d.handle) // it was only looked at
	return err
}

func (f *folders) enterLocked(d *folder) error {
	f.last++
	d.key = f.last
	if _, err := windows.CreateIoCompletionPort(d.handle, f.port, d.key, 0); err != nil {
		return os.NewSyscallError("CreateIoCompletionPort", err)
	}
	if err := d.read(); err != nil {
		return err
	}
	f.open[d.key] = d
	return nil
}

// leaveLocked ends a watch. Its read then comes back, if it has not yet.
func (f *folders) leaveLocked(d *folder) {
	d.left = true
	if f.watched[d.name] == d {
		delete(f.watched, d.name)
	}
	if d.reading {
		_ = windows.CancelIoEx(d.handle, &d.overlapped) // an error: it has come back, and waits in the port
	}
}

func (f *folders) Remove(dir string) error {
	f.mu.Lock()
	d := f.watched[dir]
	if d == nil {
		f.mu.Unlock()
		return fsnotify.ErrNonExistentWatch
	}
	f.leaveLocked(d)
	f.mu.Unlock()
	await(d)
	return nil
}

// await waits until a directory that was left is closed, so that it can be renamed
// and removed.
func await(left ...*folder) {
	late := time.NewTimer(patience)
	defer late.Stop()
	for _, d := range left {
		select {
		case <-d.done:
		case <-late.C:
			return
		}
	}
}

func (f *folders) WatchList() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Collect(maps.Keys(f.watched))
}

func (f *folders) Close() error {
	f.mu.Lock()
	f.closed = true
	left := slices.Collect(maps.Values(f.open))
	for _, d := range left {
		f.leaveLocked(d)
	}
	err := windows.PostQueuedCompletionStatus(f.port, 0, 0, nil) // wakes run, if there is nothing to come back
	f.mu.Unlock()
	await(left...)
	return os.NewSyscallError("PostQueuedCompletionStatus", err)
}
