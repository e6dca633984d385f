//go:build unix

package homefile

import (
	"fmt"
	"io/fs"
	"os"
	"syscall"
)

// checkOwner refuses a file of another user. Files of root are accepted, since
// root can write anything anyway.
func checkOwner(path string, info fs.FileInfo) error {
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok || int(stat.Uid) == os.Getuid() || stat.Uid == 0 {
		return nil
	}
	return fmt.Errorf("%s belongs to user %d, and berth runs as user %d: set BERTH_HOME to a directory of your own",
		path, stat.Uid, os.Getuid())
}

// checkUnwritten refuses a file that other users may write.
func checkUnwritten(path string, info fs.FileInfo) error {
	if mode := info.Mode().Perm(); mode&0o022 != 0 {
		return fmt.Errorf("%s can be written by other users (mode %04o): read what it says, then chmod 600 it", path, mode)
	}
	return nil
}

// tighten removes the permissions of other users.
func tighten(path string, info fs.FileInfo, want fs.FileMode) (note string, err error) {
	mode := info.Mode().Perm()
	if mode&0o077 == 0 {
		return "", nil
	}
	if err := os.Chmod(path, mode&want); err != nil {
		return "", fmt.Errorf("%s is open to other users (mode %04o) and cannot be closed to them: %w", path, mode, err)
	}
	return fmt.Sprintf("%s was open to other users (mode %04o): it is the user's alone now", path, mode), nil
}
