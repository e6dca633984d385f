package dirwatch

import (
	"errors"
	"os"
	"path/filepath"

	"github.com/fsnotify/fsnotify"
	"golang.org/x/sys/windows"
)

// run passes on what reads bring back, until the watch was closed and the last read
// has come back.
func (f *folders) run() {
	defer close(f.errors)
	defer close(f.events)
	defer func() { _ = windows.CloseHandle(f.port) }()
	for !f.ended() {
		var size uint32
		var key uintptr
		var overlapped *windows.Overlapped
		err := windows.GetQueuedCompletionStatus(f.port, &size, &key, &overlapped, windows.INFINITE)
		if overlapped == nil && err != nil {
			f.errors <- os.NewSyscallError("GetQueuedCompletionStatus", err)
			return // the port itself failed, and would do so for ever
		}
		if d := f.back(key); d != nil {
			f.goOn(d, f.pass(d, size, err))
		}
	}
}

func (f *folders) ended() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.closed && len(f.open) == 0
}

// back returns the directory whose read has come back; nil: none, run was woken.
func (f *folders) back(key uintptr) *folder {
	f.mu.Lock()
	defer f.mu.Unlock()
	d := f.open[key]
	if d != nil {
		d.reading = false
	}
	return d
}

// pass reports what a read brought. It returns why the directory cannot be read
// again, as after it was removed.
func (f *folders) pass(d *folder, size uint32, err error) error {
	switch {
	case errors.Is(err, windows.ERROR_OPERATION_ABORTED): // it was left, or a thread has ended
		return nil
	case err == nil && size > 0:
		for event := range d.changes(size) {
			f.events <- event
		}
		return nil
	case err == nil, errors.Is(err, windows.ERROR_NOTIFY_ENUM_DIR), errors.Is(err, windows.ERROR_MORE_DATA):
		f.errors <- fsnotify.ErrEventOverflow
		return nil
	}
	return os.NewSyscallError("ReadDirectoryChanges", err)
}

// goOn reads a directory again, or closes it if it was left or cannot be read.
func (f *folders) goOn(d *folder, failed error) {
	f.mu.Lock()
	left := d.left
	if !left && failed == nil {
		if failed = d.read(); failed == nil {
			f.mu.Unlock()
			return
		}
	}
	f.leaveLocked(d)
	delete(f.open, d.key)
	_ = windows.CloseHandle(d.handle) // it was only read from
	close(d.done)
	f.mu.Unlock()
	if left {
		return
	}
	f.events <- fsnotify.Event{Name: d.name, Op: fsnotify.Remove}
	if !errors.Is(failed, windows.ERROR_ACCESS_DENIED) { // which says that it was removed
		f.errors <- failed
	}
}

// event is the report of a change, in the words of the other systems.
func event(dir, name string, action uint32) fsnotify.Event {
	op := map[uint32]fsnotify.Op{
		windows.FILE_ACTION_ADDED:            fsnotify.Create,
		windows.FILE_ACTION_REMOVED:          fsnotify.Remove,
		windows.FILE_ACTION_MODIFIED:         fsnotify.Write,
		windows.FILE_ACTION_RENAMED_OLD_NAME: fsnotify.Rename,
		windows.FILE_ACTION_RENAMED_NEW_NAME: fsnotify.Create,
	}[action]
	return fsnotify.Event{Name: filepath.Join(dir, name), Op: op}
}
