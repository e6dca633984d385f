//go:build unix

package wire

import (
	"fmt"
	"io/fs"
)

// checkPrivate refuses a file that another user may read, because its token is
// then no secret, or may write, because that user then decides where the token
// is sent. Like ssh with its keys, it refuses instead of warning.
func checkPrivate(info fs.FileInfo) error {
	if mode := info.Mode().Perm(); mode&0o077 != 0 {
		return fmt.Errorf("mode %04o %w, want 0600: restart the instance, or chmod 600", mode, ErrNotPrivate)
	}
	return nil
}
