package tree

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"

	"github.com/berth-dev/berth/tools/files/hardlink"
)

// ErrTooBig is the error for a file that is larger than the caller's limit.
var ErrTooBig = errors.New("larger than asked for")

// ErrNotRegular is the error for a path that is not, or is no longer, a regular
// file.
var ErrNotRegular = errors.New("not a regular file")

// Stat is the information about a file in a listing.
type Stat struct {
	Size    int64     // bytes
	ModTime time.Time // of its content
}

// folder is an open directory. Names are single path elements; none is
// followed if it is a symbolic link. Several goroutines may use a folder, but
// only one its next.
type folder interface {
	// next reads up to n more entries, in no order; io.EOF after the last.
	next(n int) ([]fs.DirEntry, error)
	// open opens the folder of that name.
	open(name string) (folder, error)
	// read reads a regular file of at most limit bytes into buf, which grows as
	// needed, and returns the content: a part of buf, or of a larger one. links
	// is the number of names of the file; 0: unknown.
	read(name string, buf []byte, limit int64) (content []byte, links uint64, err error)
	// stat returns the Stat of a file, or of a link itself.
	stat(name string) (Stat, error)
	close() error
}

// rootFolder implements folder with os.Root, which works on every platform.
type rootFolder struct {
	root *os.Root
	list *os.File // root itself, for its entries
}

func openRootFolder(root *os.Root) (folder, error) {
	own, err := root.OpenRoot(".")
	if err != nil {
		return nil, err
	}
	return newRootFolder(own)
}

func newRootFolder(own *os.Root) (folder, error) {
	list, err := own.Open(".")
	if err != nil {
		return nil, errors.Join(err, own.Close())
	}
	return &rootFolder{root: own, list: list}, nil
}

func (r *rootFolder) next(n int) ([]fs.DirEntry, error) { return r.list.ReadDir(n) }

func (r *rootFolder) open(name string) (folder, error) {
	// os.Root keeps a link from leading out, but following one would visit a
	// folder twice.
	info, err := r.root.Lstat(name)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return nil, fmt.Errorf("open folder %s: %w", name, fs.ErrNotExist)
	}
	own, err := r.root.OpenRoot(name)
	if err != nil {
		return nil, err
	}
	return newRootFolder(own)
}

func (r *rootFolder) read(name string, buf []byte, limit int64) ([]byte, uint64, error) {
	// Check first: opening a pipe or a device may block or have an effect.
	info, err := r.root.Lstat(name)
	if err != nil {
		return nil, 0, err
	}
	if !info.Mode().IsRegular() {
		return nil, 0, ErrNotRegular
	}
	f, err := r.root.OpenFile(name, os.O_RDONLY|nonblock, 0)
	if err != nil {
		return nil, 0, err
	}
	defer f.Close()
	if info, err = f.Stat(); err != nil {
		return nil, 0, err
	}
	buf, err = room(buf, info.Mode().IsRegular(), info.Size(), limit)
	if err != nil {
		return nil, 0, err
	}
	n, err := io.ReadFull(f, buf)
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		err = nil // it became shorter
	}
	return buf[:n], hardlink.Count(f, info), err
}

func (r *rootFolder) stat(name string) (Stat, error) {
	info, err := r.root.Lstat(name)
	if err != nil {
		return Stat{}, err
	}
	return Stat{Size: info.Size(), ModTime: info.ModTime()}, nil
}

func (r *rootFolder) close() error { return errors.Join(r.list.Close(), r.root.Close()) }

// room returns buf resized to the size of the file.
func room(buf []byte, regular bool, size, limit int64) ([]byte, error) {
	switch {
	case !regular:
		return nil, ErrNotRegular
	case size > limit:
		return nil, ErrTooBig
	case size <= int64(cap(buf)):
		return buf[:size], nil
	}
	return make([]byte, size, size+size/4), nil
}
