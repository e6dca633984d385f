package disk

import (
	"bytes"
	"errors"
	"io"
	"os"

	"golang.org/x/sys/unix"

	"github.com/berth-dev/berth/tools/files/version"
)

// inode is a file, whatever its name.
type inode struct{ dev, ino uint64 }

func inodeOf(st *unix.Stat_t) inode { return inode{uint64(st.Dev), st.Ino} }

// looked is what stood under a name: comparable, so that a change shows.
type looked struct {
	inode   inode
	version string // of a regular file
	busy    bool   // somebody has it open for writing
}

// same reports whether two looks found the same, whoever has it open.
func (l looked) same(other looked) bool { return l.inode == other.inode && l.version == other.version }

// look looks at what stands under a name, without following a link or waiting
// for a pipe.
func (x *exchange) look(name string) (looked, error) {
	l, file, err := x.observe(name)
	file.release()
	return l, err
}

// observe is look that leaves a regular file open, with its lease. file is
// nil for other things.
func (x *exchange) observe(name string) (l looked, file *grasped, err error) {
	g, err := x.grasp(name)
	if err == nil || errors.Is(err, errBusy) {
		return looked{inodeOf(&g.stat), version.Of(g.content), err != nil}, g, nil
	}
	var st unix.Stat_t
	if err := unix.Fstatat(x.dir, name, &st, unix.AT_SYMLINK_NOFOLLOW); err != nil {
		return looked{}, nil, &os.PathError{Op: "stat", Path: name, Err: err}
	}
	return looked{inode: inodeOf(&st)}, nil, nil
}

// grasped is a file that is open for reading, as it was then, with a lease on
// it unless the system grants none.
type grasped struct {
	file    *os.File
	fd      int
	stat    unix.Stat_t
	content []byte
}

// grasp opens a regular file of the folder and reads it. The result is to be
// released, also with the error errBusy: somebody has it open for writing.
// Other errors are errStale, where the name is another kind of thing or
// nothing, and those of reading.
func (x *exchange) grasp(name string) (*grasped, error) {
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

// open opens what stands under a name and reads nothing yet. It takes no
// lease, follows no link and waits for no pipe.
func (x *exchange) open(name string) (*grasped, error) {
	fd, err := unix.Openat(x.dir, name, unix.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, &os.PathError{Op: "open", Path: name, Err: err}
	}
	g := &grasped{file: os.NewFile(uintptr(fd), name), fd: fd}
	if err := unix.Fstat(fd, &g.stat); err != nil {
		g.release()
		return nil, &os.PathError{Op: "stat", Path: name, Err: err}
	}
	return g, nil
}

// lease takes a lease and reports whether somebody has the file open for
// writing. A system that grants no lease at all is remembered.
func (x *exchange) lease(g *grasped) (busy bool) {
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

// unbroken reports whether nobody tried to open the file for writing since the
// lease was taken. Whoever does waits for the lease's end.
func (g *grasped) unbroken() bool {
	kind, err := unix.FcntlInt(uintptr(g.fd), unix.F_GETLEASE, 0)
	return err == nil && kind == unix.F_RDLCK
}

// release ends the lease with the file. nil is no file.
func (g *grasped) release() {
	if g != nil {
		_ = g.file.Close() // only read
	}
}

// read reads the file from its start.
func (g *grasped) read() ([]byte, error) {
	return readUpTo(io.NewSectionReader(g.file, 0, MaxFile+1), g.stat.Size, MaxFile+1)
}

// is reports whether the file is still the one that was read before, in content,
// mode, owner and names.
func (g *grasped) is(was *Snapshot) bool {
	if !bytes.Equal(g.content, was.Content) {
		return false
	}
	info, err := g.file.Stat()
	return err == nil && info.Mode() == was.info.Mode() && sameOwner(info, was.info) && linksOf(g.file, info) == 1
}

// rewritten reports whether somebody wrote into the file since it was opened.
func (g *grasped) rewritten() bool {
	now, err := g.read()
	return err != nil || !bytes.Equal(now, g.content)
}

// stands reports whether the file stands under a name.
func (g *grasped) stands(dir int, name string) bool {
	var st unix.Stat_t
	return unix.Fstatat(dir, name, &st, unix.AT_SYMLINK_NOFOLLOW) == nil && inodeOf(&st) == inodeOf(&g.stat)
}
