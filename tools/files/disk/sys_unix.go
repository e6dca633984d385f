//go:build unix

package disk

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// nonBlocking prevents open from blocking on a pipe.
const nonBlocking = syscall.O_NONBLOCK

func isDiskFull(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT)
}

// keepOwner gives a new file the owner and group of another.
func keepOwner(file *os.File, like fs.FileInfo) error {
	want, ok := like.Sys().(*syscall.Stat_t)
	if !ok {
		return nil
	}
	info, err := file.Stat()
	if err != nil || sameOwner(info, like) {
		return err
	}
	return file.Chown(int(want.Uid), int(want.Gid))
}

// sameOwner reports whether two files have the same owner and group.
func sameOwner(a, b fs.FileInfo) bool {
	x, ok := a.Sys().(*syscall.Stat_t)
	y, both := b.Sys().(*syscall.Stat_t)
	return ok && both && x.Uid == y.Uid && x.Gid == y.Gid
}
