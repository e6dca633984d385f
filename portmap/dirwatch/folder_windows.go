package dirwatch

import (
	"iter"
	"os"
	"unsafe"

	"github.com/fsnotify/fsnotify"
	"golang.org/x/sys/windows"
)

// readSize is how much a read brings, in bytes: some 200 names. What changes beyond
// it before the next read is lost, which the system says.
const readSize = 16 << 10

// folder is a directory that is watched. The system writes to overlapped and buffer
// while a read is under way.
type folder struct {
	name       string
	handle     windows.Handle
	identity   identity
	key        uintptr
	reading    bool // a read is under way
	left       bool // its watch has ended
	done       chan struct{}
	overlapped windows.Overlapped
	buffer     [readSize / 4]uint32 // of 4 bytes, as the system aligns what it writes
}

// identity tells a directory from another one of its name.
type identity struct {
	volume, high, low uint32
}

func openFolder(name string) (*folder, error) {
	path, err := windows.UTF16PtrFromString(name)
	if err != nil {
		return nil, err
	}
	handle, err := windows.CreateFile(path, windows.FILE_LIST_DIRECTORY,
		windows.FILE_SHARE_READ|windows.FILE_SHARE_WRITE|windows.FILE_SHARE_DELETE, nil, windows.OPEN_EXISTING,
		windows.FILE_FLAG_BACKUP_SEMANTICS|windows.FILE_FLAG_OVERLAPPED, 0)
	if err != nil {
		return nil, &os.PathError{Op: "open", Path: name, Err: err}
	}
	var info windows.ByHandleFileInformation
	if err := windows.GetFileInformationByHandle(handle, &info); err != nil {
		_ = windows.CloseHandle(handle) // the first error counts
		return nil, &os.PathError{Op: "look at", Path: name, Err: err}
	}
	return &folder{name: name, handle: handle, done: make(chan struct{}),
		identity: identity{info.VolumeSerialNumber, info.FileIndexHigh, info.FileIndexLow}}, nil
}

// read asks for the next changes.
func (d *folder) read() error {
	const changes = windows.FILE_NOTIFY_CHANGE_FILE_NAME | windows.FILE_NOTIFY_CHANGE_DIR_NAME | windows.FILE_NOTIFY_CHANGE_LAST_WRITE
	d.overlapped = windows.Overlapped{}
	err := windows.ReadDirectoryChanges(d.handle, (*byte)(unsafe.Pointer(&d.buffer)), readSize, false, changes, nil, &d.overlapped, 0)
	d.reading = err == nil
	return os.NewSyscallError("ReadDirectoryChanges", err)
}

// changes are what a read of size bytes brought.
func (d *folder) changes(size uint32) iter.Seq[fsnotify.Event] {
	const header = uint32(unsafe.Offsetof(windows.FileNotifyInformation{}.FileName))
	return func(yield func(fsnotify.Event) bool) {
		for at := uint32(0); at+header <= size; {
			entry := (*windows.FileNotifyInformation)(unsafe.Pointer(&d.buffer[at/4]))
			if at+header+entry.FileNameLength > size {
				return // the system writes no such entry
			}
			name := windows.UTF16ToString(unsafe.Slice(&entry.FileName, entry.FileNameLength/2))
			if !yield(event(d.name, name, entry.Action)) || entry.NextEntryOffset == 0 {
				return
			}
			at += entry.NextEntryOffset
		}
	}
}
