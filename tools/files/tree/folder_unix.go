//go:build unix

package tree

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"time"

	"golang.org/x/sys/unix"
)

// nonblock prevents blocking on a pipe that replaced a file.
const nonblock = unix.O_NONBLOCK

// openFolder opens the root for a walk.
func openFolder(root *os.Root) (folder, error) {
	f, err := root.Open(".")
	if err != nil {
		return nil, err
	}
	return &descriptor{list: f, fd: int(f.Fd())}, nil
}

// descriptor is a folder whose files are opened relative to its descriptor,
// by one system call each and without following a link: what os.Root does
// inside for every element of a path, done once for a whole folder.
type descriptor struct {
	list *os.File
	fd   int // list's
}

func (d *descriptor) next(n int) ([]fs.DirEntry, error) { return d.list.ReadDir(n) }

func (d *descriptor) open(name string) (folder, error) {
	fd, err := openat(d.fd, name, unix.O_DIRECTORY)
	if err != nil {
		return nil, err
	}
	return &descriptor{list: os.NewFile(uintptr(fd), path.Join(d.list.Name(), name)), fd: fd}, nil
}

func openat(dir int, name string, flags int) (int, error) {
	for {
		fd, err := unix.Openat(dir, name, unix.O_RDONLY|unix.O_NOFOLLOW|unix.O_CLOEXEC|flags, 0)
		if err == nil {
			return fd, nil
		}
		if !errors.Is(err, unix.EINTR) {
			return -1, &fs.PathError{Op: "openat", Path: name, Err: err}
		}
	}
}

func (d *descriptor) read(name string, buf []byte, limit int64) ([]byte, uint64, error) {
	fd, err := openat(d.fd, name, unix.O_NOCTTY|nonblock)
	if err != nil {
		return nil, 0, err
	}
	defer func() { _ = unix.Close(fd) }() // only read from: nothing can be lost
	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil {
		return nil, 0, &fs.PathError{Op: "fstat", Path: name, Err: err}
	}
	buf, err = room(buf, st.Mode&unix.S_IFMT == unix.S_IFREG, st.Size, limit)
	if err != nil {
		return nil, 0, err
	}
	for n := 0; n < len(buf); {
		got, err := unix.Read(fd, buf[n:])
		switch {
		case errors.Is(err, unix.EINTR):
		case err != nil:
			return nil, 0, &fs.PathError{Op: "read", Path: name, Err: err}
		case got == 0: // it became shorter
			return buf[:n], uint64(st.Nlink), nil
		default:
			n += got
		}
	}
	return buf, uint64(st.Nlink), nil
}

func (d *descriptor) stat(name string) (Stat, error) {
	var st unix.Stat_t
	for {
		err := unix.Fstatat(d.fd, name, &st, unix.AT_SYMLINK_NOFOLLOW)
		if err == nil {
			return Stat{Size: st.Size, ModTime: time.Unix(st.Mtim.Unix())}, nil
		}
		if !errors.Is(err, unix.EINTR) {
			return Stat{}, &fs.PathError{Op: "fstatat", Path: name, Err: err}
		}
	}
}

func (d *descriptor) close() error { return d.list.Close() }
