package disk

import (
	"bytes"
	"errors"
	"io"
	"os"

	"golang.org/x/sys/unix"

	"github.com/berth-dev/berth/tools/files/hardlink"
	"github.com/berth-dev/berth/tools/files/version"
)

// inode identifies a file independent of its names.
type inode struct{ dev, ino uint64 }

func inodeOf(st *unix.Stat_t) inode { return inode{uint64(st.Dev), st.Ino} }

// fileState is the state of the file under a name. It is comparable, to detect
// a change.
type fileState struct {
	inode   inode
	version string // of a regular file
	busy    bool   // somebody has it open for writing
}

// same reports whether two states are the same, except for busy.
func (l fileState) same(other fileState) bool {
	return l.inode == other.inode && l.version == other.version
}

// state returns the state of the file under a name, without following a link or
// blocking on a pipe.
func (x *exchange) state(name string) (fileState, error) {
	l, file, err := x.stateAndFile(name)
	file.release()
	return l, err
}

// stateAndFile is like state but also returns a regular file open, with its
// lease. file is nil for anything else.
func (x *exchange) stateAndFile(name string) (l fileState, file *leasedFile, err error) {
	g, err := x.openLeased(name)
	if err == nil || errors.Is(err, errBusy) {
		return fileState{inodeOf(&g.stat), version.Of(g.content), err != nil}, g, nil
	}
	var st unix.Stat_t
	if err := unix.Fstatat(x.dir, name, &st, unix.AT_SYMLINK_NOFOLLOW); err != nil {
		return fileState{}, nil, &os.PathError{Op: "stat", Path: name, Err: err}
	}
	return fileState{inode: inodeOf(&st)}, nil, nil
}

// leasedFile is a file open for reading, with its content when it was opened
// and a lease on it, unless the system grants none.
type leasedFile struct {
	file    *os.File
	fd      int
	stat    unix.Stat_t
	content []byte
}

// openLeased opens a regular file of the folder and reads it. The caller must
// release the result, also if the error is errBusy: another program has the
// file open for writing. Other errors are errStale, if there is no regular file
// of that name, and those of reading.
func (x *exchange) openLeased(name string) (*leasedFile, error) {
	g, err := x.open(name)
	if errors.Is(err, unix.ENOENT) || errors.Is(err, unix.ELOOP) || errors.Is(err, unix.ENXIO) {
		return nil, errStale
	}
	if err != nil {
		return nil, err
	}
	if g.stat.Mode&unix.S_IFMT != unix.S_IFREG || g.stat.Size > MaxFile {
		g.release()
		return nil, errStale
	}
	busy := x.lease(g)
	g.content, err = g.read()
	if err != nil {
		g.release()
		return nil, &os.PathError{Op: "read", Path: name, Err: err}
	}
	if busy {
		return g, errBusy
	}
	return g, nil
}

// open opens the file under a name without reading it. It takes no lease,
// follows no link and does not block on a pipe.
func (x *exchange) open(name string) (*leasedFile, error) {
	fd, err := unix.Openat(x.dir, name, unix.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, &os.PathError{Op: "open", Path: name, Err: err}
	}
	g := &leasedFile{file: os.NewFile(uintptr(fd), name), fd: fd}
	if err := unix.Fstat(fd, &g.stat); err != nil {
		g.release()
		return nil, &os.PathError{Op: "stat", Path: name, Err: err}
	}
	return g, nil
}

// lease takes a lease and reports whether another program has the file open for
// writing. It records if the system grants no leases at all.
func (x *exchange) lease(g *leasedFile) (busy bool) {
	if !x.leased {
		return false
	}
	_, err := unix.FcntlInt(uintptr(g.fd), unix.F_SETLEASE, unix.F_RDLCK)
	if errors.Is(err, unix.EAGAIN) {
		return true
	}
	if err != nil {
		x.leased = false // another user's file, or a file system without
	}
	return false
}

// unbroken reports whether no program tried to open the file for writing since
// the lease was taken. Such a program blocks until the lease is released.
func (g *leasedFile) unbroken() bool {
	kind, err := unix.FcntlInt(uintptr(g.fd), unix.F_GETLEASE, 0)
	return err == nil && kind == unix.F_RDLCK
}

// release closes the file and so ends the lease. g may be nil.
func (g *leasedFile) release() {
	if g != nil {
		_ = g.file.Close() // only read
	}
}

// read reads the file from its start.
func (g *leasedFile) read() ([]byte, error) {
	return readUpTo(io.NewSectionReader(g.file, 0, MaxFile+1), g.stat.Size, MaxFile+1)
}

// is reports whether content, mode, owner and number of names of the file are
// still those of was.
func (g *leasedFile) is(was *Snapshot) bool {
	if !bytes.Equal(g.content, was.Content) {
		return false
	}
	info, err := g.file.Stat()
	return err == nil && info.Mode() == was.info.Mode() && sameOwner(info, was.info) && hardlink.Count(g.file, info) == 1
}

// rewritten reports whether the file was written since it was opened.
func (g *leasedFile) rewritten() bool {
	now, err := g.read()
	return err != nil || !bytes.Equal(now, g.content)
}

// stands reports whether name still refers to the file.
func (g *leasedFile) stands(dir int, name string) bool {
	var st unix.Stat_t
	return unix.Fstatat(dir, name, &st, unix.AT_SYMLINK_NOFOLLOW) == nil && inodeOf(&st) == inodeOf(&g.stat)
}
