package portmap

import (
	"errors"
	"os"
	"time"

	"golang.org/x/sys/windows"
)

// How long a file that is in use is tried again: a virus scanner or a reader
// that has the old content open keeps a rename away for some milliseconds.
const (
	inUseTimeout = 2 * time.Second
	inUseRetry   = 2 * time.Millisecond
)

// openShared opens a file for reading and lets others rename over it meanwhile,
// which os.Open does not.
func openShared(path string) (*os.File, error) {
	var file *os.File
	err := whileInUse(func() error {
		name, err := windows.UTF16PtrFromString(path)
		if err != nil {
			return &os.PathError{Op: "open", Path: path, Err: err}
		}
		const share = windows.FILE_SHARE_READ | windows.FILE_SHARE_WRITE | windows.FILE_SHARE_DELETE
		handle, err := windows.CreateFile(name, windows.GENERIC_READ, share, nil,
			windows.OPEN_EXISTING, windows.FILE_ATTRIBUTE_NORMAL, 0)
		if err != nil {
			return &os.PathError{Op: "open", Path: path, Err: err}
		}
		file = os.NewFile(uintptr(handle), path)
		return nil
	})
	return file, err
}

func renameOver(from, to string) error {
	return whileInUse(func() error { return os.Rename(from, to) })
}

// syncDir does nothing: Windows has no handle to flush a directory by, and
// NTFS journals the rename.
func syncDir(string) error { return nil }

// whileInUse repeats an operation for as long as the system says that another
// process has the file.
func whileInUse(operation func() error) error {
	deadline := time.Now().Add(inUseTimeout)
	for {
		err := operation()
		inUse := errors.Is(err, windows.ERROR_SHARING_VIOLATION) || errors.Is(err, windows.ERROR_ACCESS_DENIED)
		if !inUse || time.Now().After(deadline) {
			return err
		}
		time.Sleep(inUseRetry)
	}
}
