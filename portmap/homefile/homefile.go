// Package homefile reads the files of berth's own folder, which must be small
// regular files of the user. Another program, or a person by mistake, may have
// put a pipe, a device or a link to one in their place, and reading that with
// os.ReadFile may block forever. Start with [Read]; [Secure] checks the folder
// itself. The package does not know what the files mean.
//
// Invariants:
//   - No call waits for another process.
//   - No call reads more than its limit.
package homefile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// ErrNotRegular is wrapped by the error for a path that is not a regular file.
var ErrNotRegular = errors.New("not a regular file")

// ErrTooLarge is wrapped by the error for a file that exceeds the limit.
var ErrTooLarge = errors.New("too large")

// Open opens the regular file at path for reading. It follows symbolic links.
// On Windows, too, the file may be replaced by a rename while it is open.
func Open(path string) (*os.File, error) {
	// Check first: opening a device may already have an effect.
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if err := checkRegular(path, info); err != nil {
		return nil, err
	}
	file, err := open(path)
	if err != nil {
		return nil, err
	}
	info, err = file.Stat()
	if err == nil {
		err = checkRegular(path, info)
	}
	if err != nil {
		_ = file.Close()
		return nil, err
	}
	return file, nil
}

// Read reads the regular file at path, which may have up to limit bytes. The
// error wraps fs.ErrNotExist, [ErrNotRegular] or [ErrTooLarge].
func Read(path string, limit int64) ([]byte, error) {
	file, err := Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, limit+1))
	if err != nil {
		return nil, err
	}
	if int64(len(text)) > limit {
		return nil, fmt.Errorf("%s is %w: it has more than the %d bytes it may have", path, ErrTooLarge, limit)
	}
	return text, nil
}

// Check returns an error if the path cannot be opened as a regular file, and
// nil if nothing is there. It is for files that a library opens.
func Check(path string) error {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return checkRegular(path, info)
}

func checkRegular(path string, info fs.FileInfo) error {
	if info.Mode().IsRegular() {
		return nil
	}
	return fmt.Errorf("%s is %s and %w: move it away", path, kind(info.Mode()), ErrNotRegular)
}

// kind describes a file mode in words.
func kind(mode fs.FileMode) string {
	switch {
	case mode.IsDir():
		return "a directory"
	case mode&fs.ModeNamedPipe != 0:
		return "a named pipe"
	case mode&fs.ModeSocket != 0:
		return "a socket"
	case mode&fs.ModeDevice != 0:
		return "a device"
	default:
		return "of an unknown kind"
	}
}
