package designs

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// swap exchanges two files of a folder at once. Its error is
// [errors.ErrUnsupported] where the file system cannot.
func swap(dir *os.File, a, b string) error {
	err := unix.Renameat2(int(dir.Fd()), a, int(dir.Fd()), b, unix.RENAME_EXCHANGE)
	if errors.Is(err, unix.EINVAL) {
		return errors.ErrUnsupported
	}
	return err
}
