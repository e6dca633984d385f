package homefile

import (
	"errors"
	"os"
	"time"

	"golang.org/x/sys/windows"
)

// How long opening a file in use is retried: a virus scanner or a reader of the
// old content may block it for some milliseconds.
const (
	inUseTimeout = 2 * time.Second
	inUseRetry   = 2 * time.Millisecond
)

// open allows others to replace the file by a rename, which os.Open does not.
func open(path string) (*os.File, error) {
	var file *os.File
	err := WhileInUse(func() error {
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

// WhileInUse repeats an operation while the system reports that another process
// uses the file.
func WhileInUse(operation func() error) error {
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
